// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A value of JSON (RFC 8259).
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it is written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// Of a key that comes twice the last counts.
  case object(JSONObject)
}

/// What is no JSON.
package struct JSONProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with it, to follow its place in a sentence.
  package var description: String

  init(_ description: String) { self.description = description }
}

extension JSONValue {
  /// What an object has under `key`; null where there is nothing.
  package subscript(key: String) -> JSONValue {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }

  /// nil: it is no text.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// Of an array; none where it is none.
  package var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}

/// Reads JSON (RFC 8259) value by value, with the line that each begins in.
package struct JSONReader {
  /// From 1.
  package private(set) var line = 1
  /// The last value could not be read, and where it ends is not known.
  package private(set) var isBroken = false
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0
  /// Arrays around the values that have begun and not ended.
  private var open = 0
  /// The document ends within an array that holds its values.
  package var isCutOff: Bool { index == bytes.count && open > 0 }

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Passes over what is between values, and the brackets of an array that holds them all.
  /// - Returns: false at the end.
  package mutating func skipToValue() -> Bool {
    while true {
      skip(" \t\r\n,")
      if take("[") { open += 1 } else if take("]") { open = max(0, open - 1) } else { return index < bytes.count }
    }
  }

  /// After a value that could not be read: on to the next line that begins with an object.
  package mutating func skipToNextObject() {
    isBroken = false
    while let newline = bytes[index...].firstIndex(of: 0x0A) {
      index = newline + 1
      line += 1
      let start = index
      skip(" \t,[")
      if index < bytes.count, bytes[index] == UInt8(ascii: "{") { return }
      index = start
    }
    index = bytes.count
  }

  /// - Throws: ``JSONProblem`` saying what is wrong; ``isBroken`` is true then.
  package mutating func value() throws(JSONProblem) -> JSONValue {
    isBroken = true
    depth = 0
    let value = try any()
    isBroken = false
    return value
  }

  private mutating func any() throws(JSONProblem) -> JSONValue {
    skip(Self.space)
    guard index < bytes.count else { throw Self.early }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try nested { reader throws(JSONProblem) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(JSONProblem) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    default: return try word()
    }
  }

  private mutating func nested(
    _ body: (inout JSONReader) throws(JSONProblem) -> JSONValue
  ) throws(JSONProblem) -> JSONValue {
    guard depth < SessionLimits.jsonDepth else { throw JSONProblem("is nested too deep") }
    depth += 1
    index += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONProblem) -> JSONValue {
    var members = JSONObject()
    skip(Self.space)
    if take("}") { return .object(members) }
    repeat {
      skip(Self.space)
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw JSONProblem("lacks a key in quotes")
      }
      let key = try string()
      skip(Self.space)
      guard take(":") else { throw JSONProblem("lacks a colon behind '\(key)'") }
      members.append(key, try any())
      skip(Self.space)
    } while take(",")
    guard take("}") else { throw index < bytes.count ? JSONProblem("lacks a comma or '}'") : Self.early }
    return .object(members)
  }

  private mutating func array() throws(JSONProblem) -> JSONValue {
    var elements: [JSONValue] = []
    skip(Self.space)
    if take("]") { return .array(elements) }
    repeat {
      elements.append(try any())
      skip(Self.space)
    } while take(",")
    guard take("]") else { throw index < bytes.count ? JSONProblem("lacks a comma or ']'") : Self.early }
    return .array(elements)
  }

  private mutating func word() throws(JSONProblem) -> JSONValue {
    let start = index
    while index < bytes.count, !Self.endsWord.contains(bytes[index]) { index += 1 }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      guard Self.isNumber(word) else { throw JSONProblem("has '\(word)', which is not JSON") }
      return .number(word)
    }
  }

  /// RFC 8259 6.
  private static func isNumber(_ word: String) -> Bool {
    var rest = Array(word.utf8)[...]
    func takeDigits() -> Bool {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count > 0
    }
    func take(_ signs: StaticString) -> Bool {
      guard let first = rest.first, signs.withUTF8Buffer({ $0.contains(first) }) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = take("-")
    guard take("0") || takeDigits() else { return false }
    if take("."), !takeDigits() { return false }
    if take("eE") {
      _ = take("+-")
      guard takeDigits() else { return false }
    }
    return rest.isEmpty
  }

  private mutating func string() throws(JSONProblem) -> String {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw JSONProblem("is not UTF-8") }
        return string
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      case 0..<0x20: throw JSONProblem("has a control character in a text")
      default: text.append(byte)
      }
    }
    throw Self.early
  }

  private mutating func escape() throws(JSONProblem) -> Character {
    guard index < bytes.count else { throw Self.early }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexUnit()
      if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
      // The first half of a pair: the other follows in an escape of its own.
      guard (0xD800..<0xDC00).contains(unit), take("\\"), take("u") else { throw Self.half }
      let low = try hexUnit()
      guard (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
      else { throw Self.half }
      return Character(scalar)
    default: throw JSONProblem("has an escape that JSON does not know")
    }
  }

  private mutating func hexUnit() throws(JSONProblem) -> UInt32 {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw JSONProblem("has a '\\u' that is not followed by four hexadecimal digits") }
    index = digits.endIndex
    return unit
  }

  private mutating func skip(_ characters: StaticString) {
    while index < bytes.count {
      let byte = bytes[index]
      guard characters.withUTF8Buffer({ $0.contains(byte) }) else { return }
      if byte == 0x0A { line += 1 }
      index += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private static let space: StaticString = " \t\r\n"
  private static let endsWord = Set(" \t\r\n,:]}{[\"".utf8)
  private static let early = JSONProblem("ends in the middle of a JSON value")
  private static let half = JSONProblem("has half of a surrogate pair")
}
