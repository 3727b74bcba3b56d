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
  }

  private static let indent = "        "
  private static let mark = "      | "

  /// - Parameters:
  ///   - time: may be empty.
  ///   - lines: safe to show, the lines of the text.
  /// - Returns: with its last newline.
  func entry(time: String, label: Label, lines: [String], look: Style.Look = .plain) -> String {
    let time = time.isEmpty ? "" : time + " "
    var output = style.paint(time, .faint)
    var room = Int.max
    var rest = Int.max
    if let columns {
      let columns = max(columns, TerminalLimits.leastColumns)
      rest = columns - Self.indent.count
      let labelWidth = Width.of(label.text) + label.separator.count
      room = columns - time.utf8.count - labelWidth
      if room < Self.indent.count {
        output += rows(of: label.text, first: columns - time.utf8.count - 1, rest: rest - 1, look: label.look)
        output += label.separator + "\n" + Self.indent
        room = rest
      } else {
        output += style.paint(label.text, label.look) + label.separator
      }
    } else {
      output += style.paint(label.text, label.look) + label.separator
    }
    for (number, line) in lines.enumerated() {
      if number > 0 { output += "\n" + style.paint(Self.mark, .faint) }
      output += rows(of: line, first: number == 0 ? room : rest, rest: rest, look: look)
    }
    return output + "\n"
  }

  /// Lines of the program itself, from the left edge; those after the first are marked.
  func plain(_ lines: [String]) -> String {
    let width = columns.map { max($0, TerminalLimits.leastColumns) } ?? .max
    var output = ""
    for (number, line) in lines.enumerated() {
      if number > 0 { output += "\n" + style.paint(Self.mark, .faint) }
      let taken = number > 0 ? Self.mark.count : 0
      output += rows(of: line, first: width - taken, rest: width - Self.indent.count, look: .plain)
    }
    return output + "\n"
  }

  private func rows(of line: String, first: Int, rest: Int, look: Style.Look) -> String {
    guard columns != nil else { return style.paint(line, look) }
    return LineWrap.rows(line, first: first, rest: rest).map { style.paint(String($0), look) }
      .joined(separator: "\n" + Self.indent)
  }
}
