// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Notes in a ``JSONShape`` what a value encodes, and writes nothing.
struct JSONShapeEncoder: Encoder {
  let shape: JSONShape
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shape.saw(.object)
    return KeyedEncodingContainer(Members(shape: shape))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    shape.saw(.array)
    return Elements(shape: shape)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(shape: shape) }

  private struct Single: SingleValueEncodingContainer {
    let shape: JSONShape
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { shape.saw(.null) }
    func encode(_ value: Bool) { shape.saw(.boolean) }
    func encode(_ value: String) { shape.saw(value) }
    func encode(_ value: Double) { shape.saw(.number) }
    func encode(_ value: Float) { shape.saw(.number) }
    func encode(_ value: Int) { shape.saw(.integer) }
    func encode(_ value: Int8) { shape.saw(.integer) }
    func encode(_ value: Int16) { shape.saw(.integer) }
    func encode(_ value: Int32) { shape.saw(.integer) }
    func encode(_ value: Int64) { shape.saw(.integer) }
    func encode(_ value: UInt) { shape.saw(.integer) }
    func encode(_ value: UInt8) { shape.saw(.integer) }
    func encode(_ value: UInt16) { shape.saw(.integer) }
    func encode(_ value: UInt32) { shape.saw(.integer) }
    func encode(_ value: UInt64) { shape.saw(.integer) }
    func encode(_ value: some Encodable) throws { shape.merge(try JSONShape(of: value)) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let shape: JSONShape
    var count = 0
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { next().saw(.null) }
    mutating func encode(_ value: some Encodable) throws { next().merge(try JSONShape(of: value)) }
    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      JSONShapeEncoder(shape: next()).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      JSONShapeEncoder(shape: next()).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { JSONShapeEncoder(shape: next()) }

    private mutating func next() -> JSONShape {
      count += 1
      shape.sawElement(JSONShape())
      return shape.elements ?? shape
    }
  }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let shape: JSONShape
    var codingPath: [any CodingKey] { [] }

    private func member(_ key: some CodingKey) -> JSONShape {
      shape.sawMember(key.stringValue, JSONShape())
      return shape.members.first { $0.key == key.stringValue }?.shape ?? shape.values ?? shape
    }

    func encodeNil(forKey key: Key) { member(key).saw(.null) }
    func encode(_ value: some Encodable, forKey key: Key) throws { member(key).merge(try JSONShape(of: value)) }
    // A member that is nil is written as null: the default would leave it out.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try encode(value, forKey: key) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
      Nested
    > {
      JSONShapeEncoder(shape: member(key)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      JSONShapeEncoder(shape: member(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { JSONShapeEncoder(shape: shape) }
    func superEncoder(forKey key: Key) -> any Encoder { JSONShapeEncoder(shape: member(key)) }
  }
}
