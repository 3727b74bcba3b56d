// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What a terminal answers when it is asked where the cursor is: `ESC [ row ; column R` (CPR, ECMA-48 8.3.14).
enum CursorReport {
  /// The question (DSR, ECMA-48 8.3.35).
  static let question = "\u{1B}[6n"

  /// Takes the first answer out of what was typed; nil where there is none.
  static func take(from bytes: inout [UInt8]) -> CursorPosition? {
    var start = bytes.startIndex
    while let escape = bytes[start...].firstIndex(of: 0x1B) {
      var index = escape + 1
      start = index
      guard index < bytes.endIndex, bytes[index] == 0x5B else { continue }
      index += 1
      guard let row = number(bytes, &index), index < bytes.endIndex, bytes[index] == 0x3B else { continue }
      index += 1
      guard let column = number(bytes, &index), index < bytes.endIndex, bytes[index] == 0x52 else { continue }
      bytes.removeSubrange(escape...index)
      return CursorPosition(row: row - 1, column: column - 1)
    }
    return nil
  }

  /// From 1 to 9999.
  private static func number(_ bytes: [UInt8], _ index: inout Int) -> Int? {
    var value = 0
    while index < bytes.endIndex, (0x30...0x39).contains(bytes[index]), value < 1_000 {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    return value > 0 ? value : nil
  }
}
