// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension XMPPURI {
  static let scheme = "xmpp:"

  /// Encodes all but RFC 3986's unreserved characters, which are right in every component.
  static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// - Throws: where a `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8, or one is NUL.
  static func decode(_ text: Substring.UTF8View) throws(XMPPURIError) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index = text.index(after: index)
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      let digits = text[index...].prefix(2)
      guard digits.count == 2, let high = digits.first.flatMap(hexValue), let low = digits.last.flatMap(hexValue) else {
        throw XMPPURIError("has a '%' that is not followed by two hexadecimal digits")
      }
      decoded.append(high << 4 | low)
      index = digits.endIndex
    }
    guard !decoded.contains(0), let string = String(validating: decoded, as: UTF8.self) else {
      throw XMPPURIError("has bytes after a '%' that are not text")
    }
    return string
  }

  /// Spaces, controls and the characters that RFC 3986 and RFC 3987 leave out of every component.
  static func isNeverPartOfURI(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": true
    default: scalar.value <= 0x20 || (0x7F...0xA0).contains(scalar.value)
    }
  }

  static func asciiLowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
