// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What JSON a type writes: which types of values, an object's keys in their order, an array's elements. Known from the types that
/// encode themselves and from examples of them: of a member that is nil by its declaration.
final class JSONShape {
  enum Kind: String, CaseIterable { case object, array, string, integer, number, boolean, null }

  private(set) var kinds: Set<Kind> = []
  /// All that a string may be; nil: any.
  private(set) var choices: [String]?
  /// Of an object that always has the same keys.
  private(set) var members: [(key: String, shape: JSONShape)] = []
  /// Of an array.
  private(set) var elements: JSONShape?
  /// What an object has under keys that nobody knows before.
  private(set) var values: JSONShape?

  /// The type of which it is, where that says nothing of itself and has to be seen to encode a value.
  private var type: ObjectIdentifier?

  /// What a type says of itself without a value; nothing where it has to be seen to encode one.
  init(declaredBy type: Any.Type? = nil) {
    switch type {
    case let type as any OptionalDeclaration.Type:
      let wrapped = JSONShape(declaredBy: type.wrapped)
      (kinds, choices, elements) = (wrapped.kinds.union([.null]), wrapped.choices, wrapped.elements)
      (values, self.type) = (wrapped.values, wrapped.type)
    case let type as any ArrayDeclaration.Type:
      kinds = [.array]
      elements = JSONShape(declaredBy: type.element)
    case let type as any DictionaryDeclaration.Type:
      kinds = [.object]
      values = JSONShape(declaredBy: type.value)
    case let type as any (CaseIterable & RawRepresentable).Type:
      choices = Self.names(type)
      if choices != nil { kinds = [.string] }
    case is String.Type: kinds = [.string]
    case is Bool.Type: kinds = [.boolean]
    case is Double.Type, is Float.Type: kinds = [.number]
    case is any BinaryInteger.Type: kinds = [.integer]
    default: self.type = type.map { ObjectIdentifier($0) }
    }
  }

  /// The shape of a value, which its type may not tell.
  convenience init<Value: Encodable>(of value: Value) throws {
    self.init(declaredBy: Value.self)
    try value.encode(to: JSONShapeEncoder(shape: self))
  }

  private static func names<Choice: CaseIterable & RawRepresentable>(_ type: Choice.Type) -> [String]? {
    let names = type.allCases.compactMap { $0.rawValue as? String }
    return names.isEmpty ? nil : names
  }

  func saw(_ kind: Kind) { kinds.insert(kind) }

  func saw(_ value: String) {
    kinds.insert(.string)
    // What its type does not list is no choice.
    if let choices, !choices.contains(value) { self.choices = nil }
  }

  func sawMember(_ key: String, _ shape: JSONShape) {
    kinds.insert(.object)
    if let values { return values.merge(shape) }
    if let known = members.first(where: { $0.key == key }) {
      known.shape.merge(shape)
    } else {
      members.append((key, shape))
    }
  }

  func sawElement(_ shape: JSONShape) {
    kinds.insert(.array)
    if let elements { elements.merge(shape) } else { elements = shape }
  }

  /// Takes in what another example of the same shows.
  func merge(_ other: JSONShape) {
    let hadString = kinds.contains(.string)
    type = type ?? other.type
    kinds.formUnion(other.kinds)
    if !hadString { choices = other.choices } else if other.kinds.contains(.string) { merge(other.choices) }
    for (key, shape) in other.members { sawMember(key, shape) }
    if let more = other.elements { elements.map { $0.merge(more) } ?? (elements = more) }
    if let more = other.values { values.map { $0.merge(more) } ?? (values = more) }
  }

  private func merge(_ others: [String]?) {
    guard let own = choices, let others else { return choices = nil }
    choices = own + others.filter { !own.contains($0) }
  }

  /// Examples of the types within it, each once.
  func examples() -> [ObjectIdentifier: JSONShape] {
    var found: [ObjectIdentifier: JSONShape] = [:]
    if let type, !kinds.subtracting([.null]).isEmpty { found[type] = self }
    for shape in within { found.merge(shape.examples()) { one, _ in one } }
    return found
  }

  /// Takes from examples of the same types what its own do not show.
  func complete(from examples: [ObjectIdentifier: JSONShape]) {
    if kinds.subtracting([.null]).isEmpty, let example = type.flatMap({ examples[$0] }) {
      let isNull = kinds.contains(.null)
      merge(example)
      if !isNull { kinds.remove(.null) }
    }
    for shape in within where shape !== self { shape.complete(from: examples) }
  }

  private var within: [JSONShape] { members.map(\.shape) + [elements, values].compactMap(\.self) }

  /// Keys that hold nothing but what was never seen: an example is missing.
  func unknown(at path: String = "") -> [String] {
    if kinds.subtracting([.null]).isEmpty { return [path] }
    let within = members.flatMap { $0.shape.unknown(at: path + "/" + $0.key) }
    return within + (elements?.unknown(at: path + "/[]") ?? []) + (values?.unknown(at: path + "/{}") ?? [])
  }
}

// MARK: What types declare

private protocol OptionalDeclaration { static var wrapped: Any.Type { get } }
extension Optional: OptionalDeclaration { static var wrapped: Any.Type { Wrapped.self } }

private protocol ArrayDeclaration { static var element: Any.Type { get } }
extension Array: ArrayDeclaration { static var element: Any.Type { Element.self } }

private protocol DictionaryDeclaration { static var value: Any.Type { get } }
extension Dictionary: DictionaryDeclaration { static var value: Any.Type { Value.self } }
