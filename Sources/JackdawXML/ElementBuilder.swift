// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Builds an element with all that is in it at once, from its start tag to its end: for what is built for each message. Elements that are
/// built by themselves and then put into another one are copied with their names for each level.
package struct ElementBuilder: ~Copyable {
  private var nodes: [Node] = []
  private var bytes: [UInt8] = []
  private var names: NameList
  /// The elements that are open, outermost first. Bounded by how deep the element is nested.
  private var open: [Int] = []
  /// How deep most elements are nested at most.
  static let usualDepth = 4

  /// Begins with the start tag of the element.
  /// - Parameters:
  ///   - nodeCount: how many elements, attributes and texts it is about to have.
  ///   - byteCount: how long the texts and the attributes' values are together.
  ///   - names: of elements like it, which ``build(keeping:)`` gave.
  package init(
    _ name: String, _ namespace: String, nodes nodeCount: Int, bytes byteCount: Int,
    names: ElementNames = ElementNames()
  ) {
    self.names = NameList(names)
    nodes.reserveCapacity(nodeCount)
    bytes.reserveCapacity(byteCount)
    open.reserveCapacity(Self.usualDepth)
    begin(name, namespace)
  }

  /// A start tag; what follows is in that element, until it ends.
  package mutating func begin(_ name: String, _ namespace: String) {
    open.append(nodes.count)
    nodes.append(Node(element: names.index(name), names.index(namespace), attributes: 0, subtree: 0))
  }

  /// An attribute of the element that has just begun, which has none of this name; nil: nothing. `xml:lang` is given by that name.
  package mutating func attribute(_ name: String, _ value: String?) { attribute(name, "", value) }

  /// The same in a namespace.
  mutating func attribute(_ name: String, _ namespace: String, _ value: String?) {
    guard let value, let element = open.last else { return }
    precondition(nodes.count == element + 1 + Int(nodes[element].count), "attributes stand in the start tag")
    nodes[element].count += 1
    let offset = append(value)
    let (name, namespace) = (names.index(name), namespace.isEmpty ? NameList.none : names.index(namespace))
    nodes.append(
      Node(attribute: name, namespace, offset: UInt32(offset), count: UInt32(bytes.count - offset)))
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
  package mutating func append(_ child: Element) { append(child.arena, child.index..<child.end) }

  /// Whole nodes of another arena, one behind the other.
  mutating func append(_ arena: Arena, _ range: Range<Int>) {
    let source = arena.byteRange(range)
    names.copy(range, of: arena, shift: bytes.count - source.lowerBound, to: &nodes)
    bytes.append(contentsOf: UnsafeBufferPointer(start: arena.bytes + source.lowerBound, count: source.count))
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

  /// The element, with what is open ended.
  /// - Parameter known: gets its names, for the next one like it.
  package consuming func build(keeping known: inout ElementNames) -> Element {
    if let learned = names.learned { known = learned }
    return build()
  }

  /// - Returns: where it stands among the bytes.
  private mutating func append(_ text: String) -> Int {
    let offset = bytes.count
    bytes.append(exactly: text)
    return offset
  }
}
