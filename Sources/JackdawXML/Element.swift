// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One XML element: a cheap view into the arena of the stanza that holds it, decoded or built.
///
/// Names and namespaces are compared exactly, byte by byte; `name` and `namespace` make no copy, text and attribute
/// values become Strings when they are asked for. Copying an `Element` keeps its whole stanza alive: who keeps a small
/// part of a big stanza for long keeps the strings instead.
///
/// Elements never change; `Element+Building.swift` has what makes new ones of them. Text and children keep their
/// order, also through ``StanzaWriter`` and back.
package struct Element: Sendable {
  let arena: Arena
  /// The node in the arena.
  let index: Int

  init(arena: Arena, index: Int) {
    self.arena = arena
    self.index = index
  }

  var node: Node { arena.nodes[index] }
  /// The first node behind this element.
  var end: Int { index + Int(node.extent) }
  /// The first node behind the attributes.
  var contentStart: Int { index + 1 + Int(node.count) }

  /// The local name.
  package var name: String { arena.names[node.name] }

  /// The namespace, "" for none.
  package var namespace: String { arena.names[node.namespace] }

  /// True when both the local name and the namespace are these.
  package func matches(_ name: String, _ namespace: String) -> Bool {
    let node = node
    return arena.names.entry(node.name, is: name) && arena.names.entry(node.namespace, is: namespace)
  }

  /// The value of the attribute in no namespace, or nil. `xml:lang` is asked for by that name.
  package func attribute(_ name: String) -> String? {
    attributeNode(name).map { arena.string(of: $0) }
  }

  /// Whether there is such an attribute with exactly this value. Makes no String.
  package func attribute(_ name: String, equals value: String) -> Bool {
    attributeNode(name).map { arena.bytes(of: $0).isExactly(value) } ?? false
  }

  /// The attributes in document order. The name is the local one; those of the `xml:` prefix are `xml:lang` and the
  /// like and, as all without a prefix, have the namespace "".
  package var attributes: [(name: String, namespace: String, value: String)] {
    (index + 1..<contentStart).map {
      let node = arena.nodes[$0]
      return (arena.names[node.name], arena.names[node.namespace], arena.string(of: node))
    }
  }

  /// The element children in document order; iterating allocates nothing.
  package var children: Children { Children(arena: arena, start: contentStart, end: end) }

  /// The first child with this name and namespace.
  package func child(_ name: String, _ namespace: String) -> Element? {
    childIndex(name, namespace).map { Element(arena: arena, index: $0) }
  }

  private func childIndex(_ name: String, _ namespace: String) -> Int? {
    var position = contentStart
    let end = end
    while position < end {
      let node = arena.nodes[position]
      if node.isElement {
        if arena.names.entry(node.name, is: name), arena.names.entry(node.namespace, is: namespace) { return position }
        position += Int(node.extent)
      } else {
        position += 1
      }
    }
    return nil
  }

  /// The first element child: the payload of most stanzas.
  package var firstChild: Element? { children.first { _ in true } }

  /// The text that is directly in this element, pieces joined ("" when there is none).
  package var text: String { withTextBytes { String(decoding: $0, as: UTF8.self) } }

  /// Whether any text, were it white space, is directly in this element.
  package var hasText: Bool { nextText(from: contentStart) != nil }

  /// The text of the first such child, nil without one.
  package func text(of name: String, _ namespace: String) -> String? { child(name, namespace)?.text }

  /// Calls `body` with the UTF-8 of ``text``. Without children between the text, as nearly always, nothing is copied.
  package func withTextBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(arena) {} }
    guard let first = nextText(from: contentStart) else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    guard var piece = nextText(from: first + 1) else { return try body(arena.bytes(of: arena.nodes[first])) }
    var joined = Array(arena.bytes(of: arena.nodes[first]))
    joined.append(contentsOf: arena.bytes(of: arena.nodes[piece]))
    while let next = nextText(from: piece + 1) {
      joined.append(contentsOf: arena.bytes(of: arena.nodes[next]))
      piece = next
    }
    // `withUnsafeBufferPointer` knows no typed errors yet, so the error takes a way round it.
    let outcome = joined.withUnsafeBufferPointer { bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// The next text directly in this element, at or behind the node `from`, which must not be within a child.
  private func nextText(from: Int) -> Int? {
    var position = from
    let end = end
    while position < end {
      let node = arena.nodes[position]
      if node.isText { return position }
      position += Int(node.extent)
    }
    return nil
  }

  private func attributeNode(_ name: String) -> Node? {
    for position in index + 1..<contentStart {
      let node = arena.nodes[position]
      if node.namespace == 0, arena.names.entry(node.name, is: name) { return node }
    }
    return nil
  }
}

extension Element {
  /// The element children of an element.
  package struct Children: Sequence, Sendable {
    let arena: Arena
    let start: Int
    let end: Int

    /// Steps from child to child by the lengths of their subtrees.
    package struct Iterator: IteratorProtocol {
      let arena: Arena
      var position: Int
      let end: Int

      /// The next child, nil behind the last.
      package mutating func next() -> Element? {
        while position < end {
          let node = arena.nodes[position]
          if node.isElement {
            defer { position += Int(node.extent) }
            return Element(arena: arena, index: position)
          }
          position += 1
        }
        return nil
      }
    }

    /// Starts at the first child.
    package consuming func makeIterator() -> Iterator { Iterator(arena: arena, position: start, end: end) }

    /// True without a child; text does not count.
    package var isEmpty: Bool {
      var iterator = makeIterator()
      return iterator.next() == nil
    }
  }
}

extension Element: Equatable {
  /// Equal names, namespaces, attributes (in any order), texts and children in order.
  package static func == (left: Element, right: Element) -> Bool {
    if left.arena === right.arena, left.index == right.index { return true }
    let count = Int(left.node.extent)
    guard count == Int(right.node.extent) else { return false }
    // Both are in document order and know the extents of their subtrees, so walking in step needs no recursion.
    var offset = 0
    while offset < count {
      let one = Element(arena: left.arena, index: left.index + offset)
      let other = Element(arena: right.arena, index: right.index + offset)
      guard one.node.kind == other.node.kind else { return false }
      if one.node.isElement {
        guard one.node.extent == other.node.extent, one.hasSameTag(as: other) else { return false }
        offset = one.contentStart - left.index
      } else {
        guard left.arena.bytes(of: one.node).isExactly(right.arena.bytes(of: other.node)) else { return false }
        offset += 1
      }
    }
    return true
  }

  private func hasSameTag(as other: Element) -> Bool {
    guard node.count == other.node.count, arena.names[node.name].isExactly(other.arena.names[other.node.name]),
      arena.names[node.namespace].isExactly(other.arena.names[other.node.namespace])
    else { return false }
    // No element has two attributes of one name, so it is enough to find each of the one in the other.
    return (index + 1..<contentStart).allSatisfy { mine in
      let attribute = arena.nodes[mine]
      let likely = mine - index + other.index
      return other.hasAttribute(attribute, of: arena, at: likely)
        || (other.index + 1..<other.contentStart).contains { other.hasAttribute(attribute, of: arena, at: $0) }
    }
  }

  private func hasAttribute(_ attribute: Node, of source: Arena, at position: Int) -> Bool {
    let mine = arena.nodes[position]
    return arena.names[mine.name].isExactly(source.names[attribute.name])
      && arena.names[mine.namespace].isExactly(source.names[attribute.namespace])
      && arena.bytes(of: mine).isExactly(source.bytes(of: attribute))
  }
}
