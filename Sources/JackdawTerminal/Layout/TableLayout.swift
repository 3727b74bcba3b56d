// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// Rows of one kind as columns of a terminal. What does not fit is broken, never left out.
struct TableLayout {
  /// A row whose cells have been escaped and measured, once for all that is asked of them.
  struct Row {
    fileprivate struct MeasuredCell {
      let cell: Cell
      /// The cell on one line, safe to show.
      let text: String
      let width: Int
    }

    fileprivate let cells: [MeasuredCell]
    /// The cells as they were given.
    var content: [Cell] { cells.map(\.cell) }

    init(_ cells: [Cell]) {
      self.cells = cells.map { cell in
        let text = TableLayout.escaped(
          cell.role == .name ? Cell(cell.text.clipped(to: TerminalLimits.nameLength)) : cell)
        return MeasuredCell(cell: cell, text: text, width: Width.of(text))
      }
    }
  }

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
  mutating func widen(for row: Row) {
    for (index, cell) in row.cells.enumerated() {
      if index == widths.count { widths.append(0) }
      if cell.width <= columns / 2 { widths[index] = max(widths[index], cell.width) }
    }
  }

  /// The lines of `row`, each with its newline.
  func lines(of row: Row) -> String {
    guard let last = row.cells.last else { return "\n" }
    if style.isSpoken { return spoken(row) }
    let before = row.cells.dropLast()
    let start = before.indices.reduce(0) { $0 + widths[$1] + Self.gap.utf8.count }
    let fits = before.indices.allSatisfy { row.cells[$0].width <= widths[$0] }
    guard fits, start <= columns - max(16, columns / 4) else { return flowing(row) }
    var output = ""
    for index in before.indices {
      output += aligned(row.cells[index], to: widths[index]) + Self.gap
    }
    let look = style.look(of: last.cell.role)
    // Never at the left edge, where a line would pass for another row.
    let indent = max(start, Self.indent.utf8.count)
    let separator = "\n" + String(repeating: " ", count: indent)
    if before.isEmpty || last.cell.role != .number {
      let mark = separator + style.paint(Self.mark, .mark)
      for (number, line) in Self.lines(last).enumerated() {
        if number > 0 { output += mark }
        let first = number == 0 ? columns - start : columns - indent - Self.mark.utf8.count
        LineWrap.append(
          line, to: &output, first: first, rest: columns - indent, separator: separator, style: style, look: look)
      }
    } else {
      output += aligned(last, to: widths[before.endIndex])
    }
    return Self.withoutTrailingSpaces(output) + "\n"
  }

  /// Cell after cell, a new indented row where the next does not fit.
  private func flowing(_ row: Row) -> String {
    var output = ""
    var used = 0
    let separator = "\n" + Self.indent
    let mark = style.paint(Self.mark, .mark)
    for cell in row.cells {
      let look = style.look(of: cell.cell.role)
      for (number, line) in Self.lines(cell).enumerated() where number > 0 || !line.isEmpty {
        if number == 0, used > 0, used + Self.gap.utf8.count + Width.of(line) <= columns {
          output += Self.gap + style.paint(line, look)
          used += Self.gap.utf8.count + Width.of(line)
          continue
        }
        if !output.isEmpty { output += separator }
        if number > 0 { output += mark }
        let taken = output.isEmpty ? 0 : Self.indent.utf8.count + (number > 0 ? Self.mark.utf8.count : 0)
        let drawn = LineWrap.append(
          line, to: &output, first: columns - taken, rest: columns - Self.indent.utf8.count, separator: separator,
          style: style, look: look)
        used = (drawn.rows > 1 ? Self.indent.utf8.count : taken) + drawn.columns
      }
    }
    return output + "\n"
  }

  /// As it is read aloud: no columns, a heading with what it is of, all else one after the other.
  private func spoken(_ row: Row) -> String {
    var spoken = [""]
    var joint = ""
    for cell in row.cells where !cell.text.isEmpty {
      for (number, line) in Self.lines(cell).enumerated() {
        if number > 0 { spoken.append(line) } else { spoken[spoken.count - 1] += joint + line }
      }
      joint = cell.cell.role == .heading ? ": " : ", "
    }
    var output = ""
    for (number, line) in spoken.enumerated() {
      if number > 0 { output += "\n" + Self.indent + Self.mark }
      let taken = number > 0 ? Self.indent.utf8.count + Self.mark.utf8.count : 0
      LineWrap.append(
        line, to: &output, first: columns - taken, rest: columns - Self.indent.utf8.count,
        separator: "\n" + Self.indent, style: style, look: .plain)
    }
    return output + "\n"
  }

  private func aligned(_ cell: Row.MeasuredCell, to width: Int) -> String {
    let space = String(repeating: " ", count: max(0, width - cell.width))
    let painted = style.paint(cell.text, style.look(of: cell.cell.role))
    return cell.cell.role == .number ? space + painted : painted + space
  }

  /// A cell on one line, safe to show.
  static func escaped(_ cell: Cell) -> String {
    if Width.isASCII(cell.text) { return Escaper.line(cell.text) }
    return switch cell.role {
    case .jid: Escaper.address(cell.text)
    case .sentence: Escaper.line(Escaper.spellingAddresses(in: cell.text))
    default: Escaper.line(cell.text)
    }
  }

  private static func lines(_ cell: Row.MeasuredCell) -> [String] {
    cell.cell.role == .jid || !cell.cell.text.utf8.contains(0x0A) ? [cell.text] : Escaper.lines(cell.cell.text)
  }

  private static func withoutTrailingSpaces(_ text: String) -> String {
    let end = text.utf8.lastIndex { $0 != 0x20 }.map { text.utf8.index(after: $0) } ?? text.startIndex
    return String(text[..<end])
  }
}
