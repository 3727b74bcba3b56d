// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension [UInt8] {
  /// Appends a JSON string. Beside what RFC 8259 asks for, every character is escaped that has an effect instead of a
  /// shape: the other controls, line and paragraph separators, format characters (those of bidirectional text too).
  mutating func appendJSONString(_ text: String) {
    var text = text
    append(UInt8(ascii: "\""))
    text.withUTF8 { appendEscaped($0) }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
    /// What comes before this has been appended.
    var done = 0
    var next = 0
    while next < utf8.count {
      let start = next
      let byte = utf8[next]
      if byte < 0x80 {
        next += 1
        if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
        append(contentsOf: UnsafeBufferPointer(rebasing: utf8[done..<start]))
        appendEscape(ofASCII: byte)
      } else {
        let scalar = Self.scalar(utf8, &next)
        guard scalar.hasEffectInsteadOfShape else { continue }
        append(contentsOf: UnsafeBufferPointer(rebasing: utf8[done..<start]))
        for unit in Character(scalar).utf16 { appendEscape(of: unit) }
      }
      done = next
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: utf8[done...]))
  }

  /// The character at `next`, which is moved on past it. A string's UTF-8 is always whole.
  private static func scalar(_ utf8: UnsafeBufferPointer<UInt8>, _ next: inout Int) -> Unicode.Scalar {
    let lead = UInt32(utf8[next])
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = lead & (0x7F >> UInt32(length))
    for index in next + 1..<next + length { value = value << 6 | UInt32(utf8[index] & 0x3F) }
    next += length
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func appendEscape(ofASCII byte: UInt8) {
    let short: Character? =
      switch byte {
      case 0x08: "b"
      case 0x09: "t"
      case 0x0A: "n"
      case 0x0C: "f"
      case 0x0D: "r"
      case UInt8(ascii: "\""): "\""
      case UInt8(ascii: "\\"): "\\"
      default: nil
      }
    guard let short = short?.asciiValue else { return appendEscape(of: UInt16(byte)) }
    append(UInt8(ascii: "\\"))
    append(short)
  }

  private mutating func appendEscape(of unit: UInt16) {
    append(UInt8(ascii: "\\"))
    append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

extension Unicode.Scalar {
  /// Whether a character beyond ASCII is a control, a format character or a line separator. The blocks that most of the
  /// world writes in have next to none, and are told by their numbers alone: to look a category up takes ten times as long.
  fileprivate var hasEffectInsteadOfShape: Bool {
    switch value {
    case ..<0xA0: return true
    case ..<0x600: return value == 0xAD
    case 0x2070..<0xFE00: return false
    default: break
    }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}

extension [UInt8] {
  /// Appends the shortest decimal number that reads back as `value`, without an exponent; `null` when there is none.
  mutating func appendJSONNumber(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
    guard value.isFinite else { return append(contentsOf: "null".utf8) }
    let parts = value.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa.joined().utf8.filter { $0 != UInt8(ascii: "-") }
    if value.sign == .minus { append(UInt8(ascii: "-")) }
    /// How many of the digits stand before the point.
    var point = mantissa[0].utf8.count - (value.sign == .minus ? 1 : 0) + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    if point <= 0 {
      digits.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: 1 - point), at: 0)
      point = 1
    }
    if point > digits.count {
      digits.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: point - digits.count))
    }
    let fraction = digits[point...]
    append(contentsOf: digits[..<point])
    guard fraction.contains(where: { $0 != UInt8(ascii: "0") }) else { return }
    append(UInt8(ascii: "."))
    append(contentsOf: fraction)
  }
}
