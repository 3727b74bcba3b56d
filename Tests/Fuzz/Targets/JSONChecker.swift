// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Says whether bytes are one value of JSON, by the grammar of RFC 8259 and nothing else: what the program's own reader and
/// writer are held against.
struct JSONChecker {
  enum Verdict {
    case valid
    /// The value itself is wrong.
    case invalid
    /// Not decided: something follows the value, it is nested deep, or the bytes are no text.
    case undecided
  }

  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0
  private static let deepest = 10

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private struct Flaw: Error { var isDepth = false }

  mutating func document() -> Verdict {
    guard String(validating: bytes, as: UTF8.self) != nil else { return .undecided }
    do throws(Flaw) {
      try value()
      skipSpace()
      return index == bytes.count ? .valid : .undecided
    } catch {
      return error.isDepth ? .undecided : .invalid
    }
  }

  private mutating func value() throws(Flaw) {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): try members(end: "}") { checker throws(Flaw) in try checker.member() }
    case UInt8(ascii: "["): try members(end: "]") { checker throws(Flaw) in try checker.value() }
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private mutating func members(
    end: Unicode.Scalar, _ one: (inout JSONChecker) throws(Flaw) -> Void
  ) throws(Flaw) {
    depth += 1
    guard depth <= Self.deepest else { throw Flaw(isDepth: true) }
    index += 1
    skipSpace()
    if !take(end) {
      repeat {
        try one(&self)
        skipSpace()
      } while take(",")
      guard take(end) else { throw Flaw() }
    }
    depth -= 1
  }

  private mutating func member() throws(Flaw) {
    skipSpace()
    guard peek == UInt8(ascii: "\"") else { throw Flaw() }
    try string()
    skipSpace()
    guard take(":") else { throw Flaw() }
    try value()
  }

  private mutating func string() throws(Flaw) {
    index += 1
    while let byte = peek {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case 0..<0x20: throw Flaw()
      case UInt8(ascii: "\\"): try escape()
      default: break
      }
    }
    throw Flaw()
  }

  private mutating func escape() throws(Flaw) {
    guard let byte = peek else { throw Flaw() }
    index += 1
    guard byte == UInt8(ascii: "u") else {
      guard "\"\\/bfnrt".utf8.contains(byte) else { throw Flaw() }
      return
    }
    let unit = try hexUnit()
    guard (0xD800..<0xE000).contains(unit) else { return }
    // A text cannot hold half a pair, though the grammar can.
    guard unit < 0xDC00, take("\\"), take("u"), (0xDC00..<0xE000).contains(try hexUnit()) else { throw Flaw() }
  }

  private mutating func hexUnit() throws(Flaw) -> Int {
    var unit = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw Flaw()
      }
      unit = unit * 16 + digit
      index += 1
    }
    return unit
  }

  private mutating func number() throws(Flaw) {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
  }

  private mutating func digits() throws(Flaw) {
    let start = index
    while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
    if index == start { throw Flaw() }
  }

  private mutating func word(_ word: StaticString) throws(Flaw) {
    for byte in word.withUTF8Buffer({ Array($0) }) {
      guard peek == byte else { throw Flaw() }
      index += 1
    }
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: scalar) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }
}
