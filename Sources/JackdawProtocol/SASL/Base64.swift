// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Base 64 with padding and without line breaks (RFC 4648 4), as SASL wants it (RFC 6120 6.4.2).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  private static let invalid: UInt8 = 0xFF
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// The digits of `bytes`, as ASCII.
  package static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var pending: UInt32 = 0
    var held = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      held += 1
      if held == 3 {
        for shift: UInt32 in [18, 12, 6, 0] { output.append(alphabet[Int(pending >> shift & 63)]) }
        pending = 0
        held = 0
      }
    }
    if held == 1 {
      output.append(alphabet[Int(pending >> 2 & 63)])
      output.append(alphabet[Int(pending << 4 & 63)])
      output.append(padding)
      output.append(padding)
    } else if held == 2 {
      output.append(alphabet[Int(pending >> 10 & 63)])
      output.append(alphabet[Int(pending >> 4 & 63)])
      output.append(alphabet[Int(pending << 2 & 63)])
      output.append(padding)
    }
    return output
  }

  /// Without the white space that an XML document may have around base 64 (XML Schema 2, 3.2.16), as the examples of XEP-0388 have it.
  static func trimmed(_ text: String) -> Substring {
    func isSpace(_ character: Character) -> Bool { [" ", "\t", "\n", "\r", "\r\n"].contains(character) }
    var rest = text.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }

  /// The bytes that `digits` stand for; nil where they are not exactly what ``encode(_:)`` would have written.
  package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
    let count = digits.count
    guard count % 4 == 0 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(count / 4 * 3)
    var pending: UInt32 = 0
    var padded = 0
    for (index, digit) in digits.enumerated() {
      if digit == padding, index >= count - 2 {
        padded += 1
        pending <<= 6
      } else {
        let value = values[Int(digit)]
        guard value != invalid, padded == 0 else { return nil }
        pending = pending << 6 | UInt32(value)
      }
      if index % 4 == 3 {
        output.append(UInt8(truncatingIfNeeded: pending >> 16))
        output.append(UInt8(truncatingIfNeeded: pending >> 8))
        output.append(UInt8(truncatingIfNeeded: pending))
        if padded > 0 {
          // The bits between the last byte and the padding must be zero, or one value would have several spellings.
          guard output.suffix(padded).allSatisfy({ $0 == 0 }) else { return nil }
          output.removeLast(padded)
        }
        pending = 0
      }
    }
    return output
  }
}
