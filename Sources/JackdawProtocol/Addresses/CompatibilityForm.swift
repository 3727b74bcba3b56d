// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Compatibility decompositions of characters (Unicode 3.2, to which RFC 3454 is tied).
enum CompatibilityForm {
  private static let entryDigits = 6
  private static let scalarDigits = 3
  /// The lower bits of an entry's value are the length, the others the place in the pool.
  private static let lengthBits = 5

  /// Appends the compatibility decomposition of `scalar`, or the scalar itself where it has none besides its canonical
  /// one.
  static func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
    guard scalar.value >= 0xA0, let location = location(of: scalar) else {
      text.append(scalar)
      return
    }
    StringprepTables.decompositionPool.withUTF8Buffer { pool in
      let start = location >> lengthBits
      for place in start..<(start + location & (1 << lengthBits - 1)) {
        let value = Base64Digits.number(in: pool, at: place * scalarDigits, digits: scalarDigits)
        if let scalar = Unicode.Scalar(UInt32(value)) { text.append(scalar) }
      }
    }
  }

  /// The ordinary form of a fullwidth or halfwidth character (the width mapping rule of RFC 8264 5.2.1), or itself.
  static func widthMapped(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard scalar.value == 0x3000 || (0xFF00...0xFFEF).contains(scalar.value) else { return scalar }
    var form = String.UnicodeScalarView()
    append(scalar, to: &form)
    // Those that come out as several characters stay as they are: no class of names has room for either form.
    guard let first = form.first, form.count == 1 else { return scalar }
    return first
  }

  private static func location(of scalar: Unicode.Scalar) -> Int? {
    StringprepTables.decompositionIndex.withUTF8Buffer { digits in
      var low = 0
      var high = digits.count / entryDigits
      while low < high {
        let middle = (low + high) / 2
        let value = Base64Digits.number(in: digits, at: middle * entryDigits, digits: scalarDigits)
        if value == scalar.value {
          return Base64Digits.number(in: digits, at: middle * entryDigits + scalarDigits, digits: 3)
        }
        if value < scalar.value { low = middle + 1 } else { high = middle }
      }
      return nil
    }
  }
}
