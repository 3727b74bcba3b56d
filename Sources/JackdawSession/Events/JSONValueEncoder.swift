// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The encoder of one value that is written at one place of a line.
struct JSONValueEncoder: Encoder {
  /// No place of any line: whatever is written there throws.
  static let nowhere = -1

  let writer: JSONWriter
  let position: Int

  /// Not followed: a line is flat enough for its errors to be plain without a path.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(JSONObjectContainer(writer: writer, scope: writer.scope(.object, at: position)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONArrayContainer(writer: writer, scope: writer.scope(.array, at: position))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try writer.write(at: position) { $0.append(contentsOf: "null".utf8) } }
  func encode(_ value: Bool) throws {
    try writer.write(at: position) { $0.append(contentsOf: (value ? "true" : "false").utf8) }
  }
  func encode(_ value: String) throws { try writer.write(at: position) { $0.appendJSONString(value) } }
  func encode(_ value: Double) throws { try writer.write(at: position) { $0.appendJSONNumber(value) } }
  func encode(_ value: Float) throws { try writer.write(at: position) { $0.appendJSONNumber(value) } }
  func encode(_ value: Int) throws { try encodeInteger(value) }
  func encode(_ value: Int8) throws { try encodeInteger(value) }
  func encode(_ value: Int16) throws { try encodeInteger(value) }
  func encode(_ value: Int32) throws { try encodeInteger(value) }
  func encode(_ value: Int64) throws { try encodeInteger(value) }
  func encode(_ value: UInt) throws { try encodeInteger(value) }
  func encode(_ value: UInt8) throws { try encodeInteger(value) }
  func encode(_ value: UInt16) throws { try encodeInteger(value) }
  func encode(_ value: UInt32) throws { try encodeInteger(value) }
  func encode(_ value: UInt64) throws { try encodeInteger(value) }
  func encode(_ value: some Encodable) throws { try value.encode(to: self) }

  private func encodeInteger(_ value: some BinaryInteger) throws {
    try writer.write(at: position) { $0.append(contentsOf: value.description.utf8) }
  }
}
