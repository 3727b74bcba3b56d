// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One thing that happened, as lines: `TIME LABEL TEXT`.
///
/// Only the first row of an entry begins at the left edge. Further lines of the same text are marked, rows that a narrow
/// terminal needs are indented, so no text can make itself look like a second entry.
struct EntryLayout {
  var style: Style
  /// The terminal's columns; nil: nothing is broken.
  var columns: Int?

  /// Who speaks: a sender, `--` for the program, `!!` for a failure.
  struct Label {
    /// Safe to show.
    var text: String
    var look: Style.Look
    /// What stands between label and text.
    var separator: String

    static let notice = Label(text: "--", look: .faint, separator: " ")
    static let failure = Label(text: "!!", look: .bad, separator: " ")
    /// Signs are often left out when a line is read aloud.
    static let spokenFailure = Label(text: "!! Error", look: .bad, separator: ": ")
  }

  private static let indent = "        "
  private static let separator = "\n" + indent
  private static let mark = "      | "
  /// Begins the line that says how much of a text is not shown. No row of a text begins so.
  static let foldMark = "      … "

  /// - Parameters:
  ///   - time: may be empty.
  ///   - lines: safe to show, the lines of the text.
  /// - Returns: with its last newline.
  func entry(time: String, label: Label, lines: [String], look: Style.Look = .plain) -> String {
    if isPlain, lines.count == 1 {
      return PlainEntry(time: time, label: label, line: lines[0]).text
    }
    let time = time.isEmpty ? "" : time + " "
    var output = style.paint(time, .time)
    var room = Int.max
    var rest = Int.max
    if let columns {
      let columns = max(columns, TerminalLimits.leastColumns)
      rest = columns - Self.indent.utf8.count
      let labelWidth = Width.of(label.text) + label.separator.utf8.count
      room = columns - time.utf8.count - labelWidth
      if room < Self.indent.utf8.count {
        append(
          label.text, to: &output, first: columns - time.utf8.count - 1, rest: rest - 1, look: label.look)
        // Its space would be one column too many.
        output += label.separator.filter { $0 != " " } + "\n" + Self.indent
        room = rest
      } else {
        output += style.paint(label.text, label.look) + label.separator
      }
    } else {
      output += style.paint(label.text, label.look) + label.separator
    }
    let mark = "\n" + style.paint(Self.mark, .mark)
    for (number, line) in lines.enumerated() {
      if number > 0 { output += mark }
      append(line, to: &output, first: number == 0 ? room : rest, rest: rest, look: look)
    }
    return output + "\n"
  }

  /// Nothing is broken or coloured.
  var isPlain: Bool { columns == nil && style.colors == .none }

  /// Lines of the program itself, from the left edge; those after the first are marked.
  func plain(_ lines: [String]) -> String {
    let width = columns.map { max($0, TerminalLimits.leastColumns) } ?? .max
    var output = ""
    let mark = "\n" + style.paint(Self.mark, .mark)
    for (number, line) in lines.enumerated() {
      if number > 0 { output += mark }
      let taken = number > 0 ? Self.mark.utf8.count : 0
      append(line, to: &output, first: width - taken, rest: width - Self.indent.utf8.count, look: .plain)
    }
    return output + "\n"
  }

  private func append(_ line: String, to output: inout String, first: Int, rest: Int, look: Style.Look) {
    guard columns != nil else { return output += style.paint(line, look) }
    LineWrap.append(
      line, to: &output, first: first, rest: rest, separator: Self.separator, style: style, look: look)
  }
}
