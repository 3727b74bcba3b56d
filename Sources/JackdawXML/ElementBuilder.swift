// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Builds an element with all that is in it at once, from its start tag to its end: for what is built for each message. Elements that are
/// built by themselves and then put into another one are copied with their names for each level.
package struct ElementBuilder: ~Copyable {
  private var nodes: [Node] = []
  private var bytes: [UInt8] = []
  private var names = NameList()
  /// The elements that are open, outermost first. Bounded by how deep the element is nested.
  private var open: [Int] = []

  /// Begins with the start tag of the element.
  /// - Parameters:
  ///   - nodeCount: how many elements, attributes and texts it is about to have.
  ///   - byteCount: how long the texts and the attributes' values are together.
  package init(_ name: String, _ namespace: String, nodes nodeCount: Int, bytes byteCount: Int) {
    nodes.reserveCapacity(nodeCount)
    bytes.reserveCapacity(byteCount)
    begin(name, namespace)
  }

  /// A start tag; what follows is in that element, until it ends.
  package mutating func begin(_ name: String, _ namespace: String) {
    open.append(nodes.count)
    nodes.append(Node(element: names.index(name), names.index(namespace), attributes: 0, subtree: 0))
  }

  /// An attribute of the element that has just begun, which has none of this name; nil: nothing. `xml:lang` is given by that name.
  package mutating func attribute(_ name: String, _ value: String?) {
    guard let value, let element = open.last else { return }
    precondition(nodes.count == element + 1 + Int(nodes[element].count), "attributes stand in the start tag")
    nodes[element].count += 1
    let offset = append(value)
    nodes.append(
      Node(
        attribute: names.index(name), NameList.none, offset: UInt32(offset), count: UInt32(bytes.count - offset)))
  }

  /// A text of the element that is open.
  package mutating func text(_ text: String) {
    guard !text.isEmpty else { return }
    let offset = append(text)
    nodes.append(Node(textAt: UInt32(offset), count: UInt32(bytes.count - offset)))
  }

  /// An element without attributes that holds a text.
  package mutating func child(_ name: String, _ namespace: String, text: String) {
    begin(name, namespace)
    self.text(text)
    end()
  }

  /// A child that has been built.
  package mutating func append(_ child: Element) {
    let range = child.index..<child.end
    let source = child.arena.byteRange(range)
    names.copy(range, of: child.arena, shift: bytes.count - source.lowerBound, to: &nodes)
    bytes.append(contentsOf: UnsafeBufferPointer(start: child.arena.bytes + source.lowerBound, count: source.count))
  }

  /// The end of the element that is open.
  package mutating func end() {
    guard let element = open.popLast() else { return }
    nodes[element].extent = UInt32(nodes.count - element)
  }

  /// The element, with what is open ended.
  package consuming func build() -> Element {
    while !open.isEmpty { end() }
    let (nodes, bytes) = (nodes, bytes)
    let arena = Arena(nodeCount: nodes.count, byteCount: bytes.count, names: names.table) { toNodes, toBytes in
      nodes.withUnsafeBufferPointer { $0.baseAddress.map { toNodes.initialize(from: $0, count: nodes.count) } }
      bytes.withUnsafeBufferPointer { $0.baseAddress.map { toBytes.initialize(from: $0, count: bytes.count) } }
    }
    return Element(arena: arena, index: 0)
  }

  /// - Returns: where it stands among the bytes.
  private mutating func append(_ text: String) -> Int {
    let offset = bytes.count
    let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
    if isAppended == nil { bytes.append(contentsOf: text.utf8) }
    return offset
  }
}

/// The names of an element that is being built, and how those of the arena being copied map to them.
struct NameList: ~Copyable {
  /// All of them, and room for more. No node refers to what is not set yet.
  private(set) var table = NameTable(capacity: NameList.usual)
  private var count = 1
  /// Only for many names: a few are found faster by looking at each.
  /// Bounded by the names of one element.
  private var indices: [[UInt8]: UInt32] = [:]
  private var source: NameTable?
  /// How many nodes have been copied that have their names there.
  private var copied = 0
  /// Empty where so little is copied that each name is looked for as it comes. Bounded by the names of one element.
  private var translations: [UInt32] = []

  /// The index of "".
  static let none: UInt32 = 0
  private static let few = 24
  /// How many names most elements have.
  private static let usual = 16
  private static let unknown = UInt32.max

  mutating func index(_ name: String) -> UInt32 {
    if count <= Self.few {
      for index in 0..<UInt32(count) where table.entry(index, is: name) { return index }
    } else {
      if indices.isEmpty {
        for index in 0..<UInt32(count) { indices[Array(table[index].utf8)] = index }
      }
      if let index = indices[Array(name.utf8)] { return index }
      indices[Array(name.utf8)] = UInt32(count)
    }
    if count == table.capacity { table = NameTable(table, capacity: 2 * count) }
    table.set(UInt32(count), name)
    count += 1
    return UInt32(count - 1)
  }

  /// Copies nodes of another arena.
  /// - Parameter shift: by how much further their bytes stand here than there.
  mutating func copy(_ range: Range<Int>, of arena: Arena, shift: Int, to nodes: inout [Node]) {
    use(arena.names, by: range.count)
    for position in range {
      var node = arena.nodes[position]
      if !node.isText {
        node.name = translate(node.name)
        node.namespace = translate(node.namespace)
      }
      if !node.isElement { node.extent = UInt32(Int(node.extent) + shift) }
      nodes.append(node)
    }
  }

  /// The names of so many nodes are about to be translated.
  private mutating func use(_ table: NameTable, by nodeCount: Int) {
    if source !== table { (source, copied, translations) = (table, 0, []) }
    copied += nodeCount
    if translations.isEmpty, copied > Self.usual {
      translations = Array(repeating: Self.unknown, count: table.capacity)
    }
  }

  private mutating func translate(_ index: UInt32) -> UInt32 {
    guard let source, index != Self.none else { return Self.none }
    guard !translations.isEmpty else { return self.index(source[index]) }
    let known = translations[Int(index)]
    if known != Self.unknown { return known }
    let translated = self.index(source[index])
    translations[Int(index)] = translated
    return translated
  }
}
