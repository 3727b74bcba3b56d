// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

@testable import JackdawTerminal

/// Whatever a text holds, what is shown of it has no control character, keeps within the columns of the terminal, begins each
/// further row away from the left edge, and takes work that grows with the text's length alone.
enum ScreenProperties {
  static func check(_ input: inout FuzzInput) throws {
    let columns = 1 + input.number(below: 120)
    let choice = input.byte()
    let text = input.text()
    try checkEscaping(text)
    try checkWidth(Escaper.line(text), columns)
    try checkTyped(text, columns)
    let style = Style(
      choice & 1 == 0 ? .none : choice & 16 == 0 ? .many : .all, theme: choice & 32 == 0 ? nil : .dark,
      isSpoken: choice & 8 != 0)
    try checkEntry(text, columns: columns, style)
    try checkTable(text, columns: columns, style, Int(choice >> 1) % 4)
  }

  /// Whether nothing in `text` steers a terminal, hides, or changes the direction of writing.
  static func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x061C, 0xFFF9...0xFFFB: false
      default: true
      }
    }
  }

  private static func checkEscaping(_ text: String) throws {
    for escape in [Escaper.line, Escaper.name] {
      let once = escape(text)
      try require(isSafe(once), "shown raw: \(Array(once.utf8))")
      try require(escape(once) == once, "escaped twice: \(once)")
    }
    let lines = Escaper.lines(text)
    try require(lines.count == text.utf8.count { $0 == 0x0A } + 1, "\(lines.count) lines")
    for line in lines { try require(isSafe(line), "shown raw: \(Array(line.utf8))") }
    try require(isSafe(Escaper.address(text)), "an address is shown raw: \(Array(text.utf8))")
  }

  private static func checkWidth(_ text: String, _ columns: Int) throws {
    try require(Width.of(Width.truncate(text, to: columns)) <= columns, "cut too late: \(text)")
    try require(Width.of(Width.pad(text, to: columns)) >= columns, "filled too little: \(text)")
    let (rows, looks) = LineWrap.measuredRows(text, first: columns, rest: max(columns / 2, 2))
    try require(looks <= 8 * text.utf8.count + 8, "\(text.utf8.count) bytes, \(looks) looks")
    for (number, row) in rows.enumerated() {
      try checkRow(row, number == 0 ? max(columns, 2) : max(columns / 2, 2))
    }
    func words(_ text: some StringProtocol) -> [UInt8] { text.utf8.filter { $0 != 0x20 } }
    try require(rows.flatMap { words($0) } == words(text), "rows have lost something: \(text)")
  }

  /// What stands in the prompt has one width, and a line that may have others is one row.
  private static func checkTyped(_ text: String, _ columns: Int) throws {
    let steady = Escaper.line(text).map(\.steady).joined()
    try require(LineRows.isSteady(steady), "of several widths: \(Array(steady.utf8))")
    let rows = LineRows(prompt: 0, text: text, columns: columns)
    try require(!rows.isOne || !LineRows.isSteady(text), "one row: \(text)")
    try require(rows.spare >= 0 && rows.spare <= columns / 2, "\(rows.spare) of \(columns) columns are spare")
  }

  /// A link is left to the terminal to break, to be clicked at.
  private static func checkRow(_ row: some StringProtocol, _ columns: Int) throws {
    guard !["https://", "http://", "xmpp:"].contains(where: { row.contains($0) }) else { return }
    try require(Width.of(row) <= columns, "\(Width.of(row)) of \(columns) columns: \(row)")
  }

  private static func checkEntry(_ text: String, columns: Int, _ style: Style) throws {
    let layout = EntryLayout(style: style, columns: columns)
    let label = EntryLayout.Label(text: Escaper.name(text).clipped(to: 100), look: .bold, separator: ": ")
    for label in [label, .notice] {
      try checkRows(layout.entry(time: "12:34", label: label, lines: Escaper.lines(text)), columns, style)
    }
    try checkRows(layout.plain(Escaper.lines(text)), columns, style)
  }

  private static func checkTable(_ text: String, columns: Int, _ style: Style, _ extra: Int) throws {
    var layout = TableLayout(style: style, columns: columns)
    // Numbers are our own, and are not broken.
    let roles: [Cell.Role] = [.jid, .name, .plain, .faint]
    let row = TableLayout.Row(
      (0...extra).map { Cell($0 == extra ? text : String(text.prefix(4 + 8 * $0)), roles[($0 + extra) % 4]) })
    layout.widen(for: row)
    try checkRows(layout.lines(of: row), columns, style)
  }

  private static func checkRows(_ shown: String, _ columns: Int, _ style: Style) throws {
    try require(shown.utf8.last == 0x0A, "not ended: \(shown)")
    let plain = style.colors == .none ? shown : withoutLooks(shown)
    let rows = plain.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for (number, row) in rows.enumerated() {
      try require(isSafe(String(row)), "shown raw: \(Array(row.utf8))")
      try require(number == 0 || row.isEmpty || row.hasPrefix("  "), "at the left edge: \(shown)")
      try checkRow(row, max(columns, TerminalLimits.leastColumns))
    }
  }

  /// Without what ``Style`` itself writes.
  private static func withoutLooks(_ text: String) -> String {
    var plain = ""
    for (number, part) in text.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated() {
      guard number > 0, let end = part.utf8.firstIndex(of: UInt8(ascii: "m")),
        part[..<end].utf8.allSatisfy({ (0x30...0x3B).contains($0) })
      else {
        plain += number > 0 ? "\u{1B}[" + part : part
        continue
      }
      plain += part[part.utf8.index(after: end)...]
    }
    return plain
  }
}
