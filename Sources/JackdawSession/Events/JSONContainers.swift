// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The members of an object of a line.
struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: JSONWriter
  /// nil when its place is taken: every use throws.
  let scope: Int?

  var codingPath: [any CodingKey] { [] }

  /// Where the value of `key` goes.
  private func value(_ key: some CodingKey) throws -> JSONValueEncoder {
    try writer.begin(key, in: scope)
    return JSONValueEncoder(writer: writer, position: writer.position)
  }

  func encodeNil(forKey key: Key) throws { try value(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: String, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: Int, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: Int8, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: Int16, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: Int32, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: Int64, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: UInt, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: UInt8, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: UInt16, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: UInt32, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: UInt64, forKey key: Key) throws { try self.value(key).encode(value) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try self.value(key).encode(value) }

  // A member that is nil is there all the same: whoever reads a line can rely on its keys.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try self.value(key).encode(value) }
  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try self.value(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

  func superEncoder() -> any Encoder { nested(JSONSuperKey()) }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  /// As ``value(_:)``, for calls that cannot throw: what is at fault then throws when it is written to.
  private func nested(_ key: some CodingKey) -> JSONValueEncoder {
    (try? value(key)) ?? JSONValueEncoder(writer: writer, position: JSONValueEncoder.nowhere)
  }
}

/// The values of an array of a line.
struct JSONArrayContainer: UnkeyedEncodingContainer {
  let writer: JSONWriter
  /// nil when its place is taken: every use throws.
  let scope: Int?
  private(set) var count = 0

  init(writer: JSONWriter, scope: Int?) {
    self.writer = writer
    self.scope = scope
  }

  var codingPath: [any CodingKey] { [] }

  /// Where the next value goes.
  private mutating func next() throws -> JSONValueEncoder {
    try writer.beginElement(in: scope)
    count += 1
    return JSONValueEncoder(writer: writer, position: writer.position)
  }

  mutating func encodeNil() throws { try next().encodeNil() }
  mutating func encode(_ value: Bool) throws { try next().encode(value) }
  mutating func encode(_ value: String) throws { try next().encode(value) }
  mutating func encode(_ value: Double) throws { try next().encode(value) }
  mutating func encode(_ value: Float) throws { try next().encode(value) }
  mutating func encode(_ value: Int) throws { try next().encode(value) }
  mutating func encode(_ value: Int8) throws { try next().encode(value) }
  mutating func encode(_ value: Int16) throws { try next().encode(value) }
  mutating func encode(_ value: Int32) throws { try next().encode(value) }
  mutating func encode(_ value: Int64) throws { try next().encode(value) }
  mutating func encode(_ value: UInt) throws { try next().encode(value) }
  mutating func encode(_ value: UInt8) throws { try next().encode(value) }
  mutating func encode(_ value: UInt16) throws { try next().encode(value) }
  mutating func encode(_ value: UInt32) throws { try next().encode(value) }
  mutating func encode(_ value: UInt64) throws { try next().encode(value) }
  mutating func encode(_ value: some Encodable) throws { try next().encode(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { nested() }

  private mutating func nested() -> JSONValueEncoder {
    (try? next()) ?? JSONValueEncoder(writer: writer, position: JSONValueEncoder.nowhere)
  }
}

/// Where a class puts what its superclass encodes.
private struct JSONSuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }
  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}
