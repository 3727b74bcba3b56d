// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// On how many rows readline may draw the line being typed.
///
/// Readline counts columns as `wcwidth` has them. Terminals that draw joined emoji as one picture, or make narrow signs wide, are in
/// another row than it believes as soon as such a line is wider than the window; going up to its first row it would then write over the
/// lines above. So a line on which terminals differ is one row, that scrolls, unless it has the same rows on all of them anyway.
struct LineRows: Equatable {
  /// One row, which scrolls where it is wider than the window.
  var isOne = false
  /// Columns at the right edge that are not drawn in: a terminal may need them for what readline has as narrow.
  var spare = 0

  init() {}

  /// - Parameters:
  ///   - prompt: the columns that the prompt takes.
  ///   - text: what is typed.
  ///   - columns: the terminal's.
  init(prompt: Int, text: String, columns: Int) {
    guard Self.mayDiffer(text) else { return }
    var isSteady = true
    var most = prompt
    var wider = 0
    for character in text {
      // What begins at the left edge is in its row in any terminal.
      if character == "\n" {
        (isSteady, most) = (true, 0)
        continue
      }
      isSteady = isSteady && character.isSteady
      let width = Self.most(character)
      most += width
      wider += max(0, width - Self.counted(character, width))
      isOne = isOne || !isSteady && most >= columns
      if isOne, wider >= columns / 2 { break }
    }
    if isOne { spare = min(wider, columns / 2) }
  }

  /// Whether all terminals have the cursor where readline has it.
  static func isSteady(_ text: String) -> Bool { !mayDiffer(text) || text.allSatisfy(\.isSteady) }

  /// The first byte of emoji and what is beyond them; those of U+200D, U+FE0E and U+FE0F. No other text needs a closer look, which
  /// costs more than the drawing of it.
  private static func mayDiffer(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      for index in bytes.indices {
        switch bytes[index] {
        case 0xF0...: return true
        case 0xE2 where bytes[index + 1] == 0x80 && bytes[index + 2] == 0x8D: return true
        case 0xEF where bytes[index + 1] == 0xB8 && bytes[index + 2] & 0xFE == 0x8E: return true
        default: break
        }
      }
      return false
    }
  }

  private static func most(_ character: Character) -> Int {
    switch character {
    case "\t": TerminalLimits.tabStop
    // `^A`
    case let control where control.isASCII && (control.asciiValue ?? 0x20) < 0x20: 2
    default: Width.of(character)
    }
  }

  /// What readline counts.
  private static func counted(_ character: Character, _ most: Int) -> Int {
    character.isSteady ? most : character.unicodeScalars.reduce(0) { $0 + Width.of($1) }
  }
}
