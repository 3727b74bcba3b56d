// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Checks characters of two bytes and more: shortest form, no surrogates, nothing above U+10FFFF (RFC 3629), and
/// neither U+FFFE nor U+FFFF (XML 1.0, 2.2). A character may come in several pieces.
struct CharacterChecker {
  enum Verdict {
    /// A whole character was taken, or all bytes that there are.
    case fine
    case notUTF8
    case notXML
  }

  private var missing = 0
  private var least: UInt8 = 0x80
  private var greatest: UInt8 = 0xBF
  private var code: UInt32 = 0

  /// Whether the bytes so far end within a character.
  var isWithin: Bool { missing > 0 }

  /// Whether a character can begin with this byte, which is 0x80 or more.
  static func canBegin(_ byte: UInt8) -> Bool { byte >= 0xC2 && byte <= 0xF4 }

  /// Takes the rest of the character at `position`, or as much of it as stands before `end`.
  mutating func take(_ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int) -> Verdict {
    if missing == 0 {
      guard begin(with: bytes[position]) else { return .notUTF8 }
      position += 1
    }
    while position < end {
      let byte = bytes[position]
      guard byte >= least, byte <= greatest else { return .notUTF8 }
      position += 1
      least = 0x80
      greatest = 0xBF
      code = code << 6 | UInt32(byte & 0x3F)
      missing -= 1
      if missing == 0 { return code == 0xFFFE || code == 0xFFFF ? .notXML : .fine }
    }
    return .fine
  }

  /// The ranges of table 3-7 of the Unicode Standard: only the second byte's depends on the first.
  private mutating func begin(with byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xDF:
      missing = 1
      code = UInt32(byte & 0x1F)
    case 0xE0...0xEF:
      missing = 2
      code = UInt32(byte & 0x0F)
      if byte == 0xE0 { least = 0xA0 }
      if byte == 0xED { greatest = 0x9F }
    case 0xF0...0xF4:
      missing = 3
      code = UInt32(byte & 0x07)
      if byte == 0xF0 { least = 0x90 }
      if byte == 0xF4 { greatest = 0x8F }
    default:
      return false
    }
    return true
  }
}
