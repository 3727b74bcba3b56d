// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// Rows of one kind as columns of a terminal. What does not fit is broken, never left out.
struct TableLayout {
  var style: Style
  var columns: Int
  private var widths: [Int] = []

  private static let gap = "  "
  private static let indent = "    "
  private static let mark = "| "

  init(style: Style, columns: Int) {
    self.style = style
    self.columns = max(columns, TerminalLimits.leastColumns)
  }

  /// Widens the columns to hold `row`; one that would take more than half of the terminal does not count.
  mutating func widen(for row: [Cell]) {
    for (index, cell) in row.enumerated() {
      let width = Width.of(Self.escaped(cell))
      if index == widths.count { widths.append(0) }
      if width <= columns / 2 { widths[index] = max(widths[index], width) }
    }
  }

  /// The lines of `row`, each with its newline.
  func lines(of row: [Cell]) -> String {
    guard let last = row.last else { return "\n" }
    let before = row.dropLast()
    let start = before.indices.reduce(0) { $0 + widths[$1] + Self.gap.count }
    let fits = before.indices.allSatisfy { Width.of(Self.escaped(row[$0])) <= widths[$0] }
    guard fits, start <= columns - max(16, columns / 4) else { return flowing(row) }
    var output = ""
    for index in before.indices {
      output += aligned(row[index], to: widths[index]) + Self.gap
    }
    let look = style.look(of: last.role)
    // Never at the left edge, where a line would pass for another row.
    let indent = String(repeating: " ", count: max(start, Self.indent.count))
    if before.isEmpty || last.role != .number {
      for (number, line) in Self.lines(last).enumerated() {
        if number > 0 { output += "\n" + indent + style.paint(Self.mark, .faint) }
        let first = number == 0 ? columns - start : columns - indent.count - Self.mark.count
        output += LineWrap.rows(line, first: first, rest: columns - indent.count)
          .map { style.paint(String($0), look) }.joined(separator: "\n" + indent)
      }
    } else {
      output += aligned(last, to: widths[before.endIndex])
    }
    return Self.withoutTrailingSpaces(output) + "\n"
  }

  /// Cell after cell, a new indented row where the next does not fit.
  private func flowing(_ row: [Cell]) -> String {
    var output = ""
    var used = 0
    for cell in row {
      let look = style.look(of: cell.role)
      for (number, line) in Self.lines(cell).enumerated() where number > 0 || !line.isEmpty {
        let width = Width.of(line)
        if number == 0, used > 0, used + Self.gap.count + width <= columns {
          output += Self.gap + style.paint(line, look)
          used += Self.gap.count + width
          continue
        }
        if !output.isEmpty { output += "\n" + Self.indent }
        if number > 0 { output += style.paint(Self.mark, .faint) }
        let taken = output.isEmpty ? 0 : Self.indent.count + (number > 0 ? Self.mark.count : 0)
        let rows = LineWrap.rows(line, first: columns - taken, rest: columns - Self.indent.count)
        output += rows.map { style.paint(String($0), look) }.joined(separator: "\n" + Self.indent)
        used = (rows.count > 1 ? Self.indent.count : taken) + Width.of(rows.last ?? "")
      }
    }
    return output + "\n"
  }

  private func aligned(_ cell: Cell, to width: Int) -> String {
    let text = Self.escaped(cell)
    let space = String(repeating: " ", count: max(0, width - Width.of(text)))
    let painted = style.paint(text, style.look(of: cell.role))
    return cell.role == .number ? space + painted : painted + space
  }

  /// A cell on one line, safe to show.
  static func escaped(_ cell: Cell) -> String {
    cell.role == .jid && !Width.isASCII(cell.text) ? Escaper.address(cell.text) : Escaper.line(cell.text)
  }

  private static func lines(_ cell: Cell) -> [String] {
    cell.role == .jid ? [escaped(cell)] : Escaper.lines(cell.text)
  }

  private static func withoutTrailingSpaces(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
