// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The characters and names of XML 1.0, fifth edition.
enum XMLCharacters {
  /// `Char` (2.2). A String holds no surrogates, so controls and two noncharacters are what is left.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0xFFFE, 0x1_0000...: true
    case 0x09, 0x0A, 0x0D: true
    default: false
    }
  }

  /// Whether all bytes, which are valid UTF-8, are of allowed characters.
  static func areAllowed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      if byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE { return false }
      index += 1
    }
    return true
  }

  /// `NCName`: a name without a colon (Namespaces in XML 1.0, 3).
  static func isName(_ name: String) -> Bool {
    if name.utf8.withContiguousStorageIfAvailable(isPlainName) == true { return true }
    var isFirst = true
    for scalar in name.unicodeScalars {
      guard isNameStart(scalar.value) || !isFirst && isNamePart(scalar.value) else { return false }
      isFirst = false
    }
    return !isFirst
  }

  /// Whether it is one of letters, and behind the first of digits and hyphens, as nearly all are.
  static func isPlainName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    var isFirst = true
    for byte in name {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): if isFirst { return false }
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }

  /// `NameStartChar` (2.3) without the colon.
  private static func isNameStart(_ value: UInt32) -> Bool {
    switch value {
    case 0x61...0x7A, 0x41...0x5A, 0x5F: true
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F: true
    case 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x1_0000...0xE_FFFF: true
    default: false
    }
  }

  /// What `NameChar` (2.3) has besides.
  private static func isNamePart(_ value: UInt32) -> Bool {
    switch value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: false
    }
  }
}
