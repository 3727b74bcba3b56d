// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A JSON object that is put together key by key, in the order of their adding, without a type that stands for it.
package struct JSONObjectText: Sendable {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  /// An empty object.
  package init() {}

  private mutating func begin(_ key: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.appendJSONString(key)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Adds a text; nil is `null`.
  package mutating func add(_ key: String, _ value: String?) {
    begin(key)
    if let value { bytes.appendJSONString(value) } else { bytes += "null".utf8 }
  }

  /// Adds a number; nil is `null`.
  package mutating func add(_ key: String, _ value: Int?) {
    begin(key)
    bytes += (value.map { "\($0)" } ?? "null").utf8
  }

  /// Adds `true` or `false`.
  package mutating func add(_ key: String, _ value: Bool) {
    begin(key)
    bytes += (value ? "true" : "false").utf8
  }

  /// Adds texts.
  package mutating func add(_ key: String, _ values: [String]) {
    begin(key)
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSONString(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Adds objects.
  package mutating func add(_ key: String, _ values: [JSONObjectText]) {
    add(key, raw: Array(values.map(\.text).joined(separator: [UInt8(ascii: ",")])), in: ("[", "]"))
  }

  /// Adds an object.
  package mutating func add(_ key: String, _ value: JSONObjectText) { add(key, raw: value.text) }

  /// Adds what is JSON already.
  package mutating func add(_ key: String, raw: [UInt8], in brackets: (String, String) = ("", "")) {
    begin(key)
    bytes += brackets.0.utf8
    bytes += raw
    bytes += brackets.1.utf8
  }

  /// The object, on one line.
  package var text: [UInt8] { bytes + [UInt8(ascii: "}")] }
  /// The object with a newline.
  package var line: [UInt8] { bytes + [UInt8(ascii: "}"), 0x0A] }
}

extension JSONValue {
  /// The value as JSON, without newlines. The keys of an object come as they stood.
  package var json: [UInt8] {
    switch self {
    case .null: return Array("null".utf8)
    case .bool(let value): return Array((value ? "true" : "false").utf8)
    case .number(let text): return Array(text.utf8)
    case .string(let text):
      var bytes: [UInt8] = []
      bytes.appendJSONString(text)
      return bytes
    case .array(let elements):
      return Array("[".utf8) + elements.map(\.json).joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    case .object(let value):
      var object = JSONObjectText()
      for (key, value) in value.members { object.add(key, raw: value.json) }
      return object.text
    }
  }

  /// nil: it is no whole number, or too large.
  package var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  /// nil: it is neither true nor false.
  package var isTrue: Bool? { if case .bool(let value) = self { value } else { nil } }
}
