// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A sorted table of where a property of characters changes its value, written as text in base 64 (digits `0` to `o`,
/// most significant first): four digits for the character from which on the value holds, then the value.
///
/// It reads the program's read-only data in place, so that a table costs neither time at start nor memory of its own.
struct PackedRanges: Sendable {
  private let table: StaticString
  private let valueDigits: Int

  private static let scalarDigits = 4

  /// `table` begins with an entry for U+0000.
  init(_ table: StaticString, valueDigits: Int) {
    self.table = table
    self.valueDigits = valueDigits
  }

  /// The value for `scalar`.
  subscript(scalar: Unicode.Scalar) -> Int {
    let entryDigits = Self.scalarDigits + valueDigits
    return table.withUTF8Buffer { digits in
      var low = 0
      var high = digits.count / entryDigits
      while high - low > 1 {
        let middle = (low + high) / 2
        if Base64Digits.number(in: digits, at: middle * entryDigits, digits: Self.scalarDigits) <= scalar.value {
          low = middle
        } else {
          high = middle
        }
      }
      return Base64Digits.number(in: digits, at: low * entryDigits + Self.scalarDigits, digits: valueDigits)
    }
  }
}

/// Reads the numbers of the generated tables.
enum Base64Digits {
  static func number(in text: UnsafeBufferPointer<UInt8>, at offset: Int, digits: Int) -> Int {
    var number = 0
    for index in offset..<(offset + digits) {
      number = number << 6 | Int(text[index] &- UInt8(ascii: "0"))
    }
    return number
  }
}
