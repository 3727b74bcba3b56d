// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline

/// How many columns text takes.
///
/// Scalars are measured by the C library's `wcwidth`, the function readline measures with: one table for the line being
/// typed and for the lines printed. Text is to be escaped before it is measured.
package enum Width {
  /// The process's characters are UTF-8, whatever the environment says: XMPP knows nothing else. Done once, before the
  /// first measuring; the rest of the locale stays "C".
  static let locale: Void = {
    setlocale(LC_CTYPE, "")
    if jd_codeset_is_utf8() == 0 { setlocale(LC_CTYPE, "C.UTF-8") }
  }()

  /// The columns of one scalar, 0 to 2, as readline counts them.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    _ = locale
    let width = jd_width(scalar.value)
    // Unassigned to the C library, perhaps because it is newer: readline takes one column, too.
    return width < 0 ? 1 : Int(width)
  }

  /// The most columns that a terminal may give `character`. One that draws joined emoji as one picture takes two, one that does not
  /// draws each; one that knows emoji presentation makes a narrow sign wide.
  package static func of(_ character: Character) -> Int {
    var sum = 0
    var before = 0
    for scalar in character.unicodeScalars {
      let width = scalar == "\u{FE0F}" ? most(afterSelecting: before) : most(scalar)
      sum += width
      before = width
    }
    // Half of a flag is a letter to some, and as wide as a flag to others.
    return character.unicodeScalars.allSatisfy { isFlagLetter($0) } ? max(sum, 2) : sum
  }

  /// What U+FE0F may add to a sign of so many columns.
  private static func most(afterSelecting width: Int) -> Int { width == 1 ? 1 : 0 }

  /// The most columns that a terminal may give a scalar by itself.
  static func most(_ scalar: Unicode.Scalar) -> Int { isUnknown(scalar) && isOfWideBlock(scalar) ? 2 : of(scalar) }

  /// Emoji and ideographs, those to come too.
  private static func isOfWideBlock(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F300...0x1FAFF).contains(scalar.value) || (0x20000...0x3FFFD).contains(scalar.value)
  }

  /// Whether the C library does not know a scalar, which terminals may that are newer.
  static func isUnknown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    _ = locale
    return jd_width(scalar.value) < 0
  }

  /// Two of which are a flag.
  static func isFlagLetter(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

  /// The most columns that `text` may take: the sum over its characters.
  package static func of(_ text: some StringProtocol) -> Int {
    isASCII(text) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  /// `text` in at most `columns`: as it is, or its beginning and `…`.
  package static func truncate(_ text: String, to columns: Int) -> String {
    if isASCII(text) && text.utf8.count <= columns || of(text) <= columns { return text }
    guard columns > 0 else { return "" }
    return text[..<end(of: text[...], within: columns - 1)] + "…"
  }

  /// `text` and the spaces that fill `columns`.
  package static func pad(_ text: String, to columns: Int) -> String {
    let missing = columns - of(text)
    return missing > 0 ? text + String(repeating: " ", count: missing) : text
  }

  /// Where the part of `text` ends that fits in `columns`; between two characters.
  static func end(of text: Substring, within columns: Int) -> String.Index {
    var used = 0
    var index = text.startIndex
    while index < text.endIndex {
      used += of(text[index])
      if used > columns { break }
      index = text.index(after: index)
    }
    return index
  }

  static func isASCII(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
