// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Element {
  /// Builds an element. Children are copied into the new element's arena. Attributes whose value is nil are left out;
  /// of two with one name the later stays. `xml:lang` is given by that name.
  ///
  /// Names are not examined here: ``StanzaWriter`` refuses what XML cannot carry.
  package init(
    _ name: String, _ namespace: String, _ attributes: KeyValuePairs<String, String?> = [:], text: String? = nil,
    _ children: [Element] = []
  ) {
    var assembly = ElementAssembly(
      name, namespace, attributes: attributes.count, pieces: children.count + (text == nil ? 0 : 1))
    for (name, value) in attributes { assembly.setAttribute(name, "", value) }
    if let text { assembly.append(text: text) }
    for child in children { assembly.append(child.arena, child.index..<child.end) }
    self = assembly.build()
  }

  /// Builds an element without attributes and text of its own.
  package init(_ name: String, _ namespace: String, _ children: [Element]) {
    self.init(name, namespace, [:], children)
  }

  /// The same element with `children` behind its content.
  package func appending(_ children: [Element]) -> Element {
    var assembly = assemblyOfTag(pieces: children.count + 1)
    assembly.append(arena, contentStart..<end)
    for child in children { assembly.append(child.arena, child.index..<child.end) }
    return assembly.build()
  }

  /// The same element with `child` behind its content.
  package func appending(_ child: Element) -> Element { appending([child]) }

  /// The same element with the attribute set to `value`, or without it when `value` is nil.
  package func settingAttribute(_ name: String, namespace: String = "", _ value: String?) -> Element {
    var assembly = assemblyOfTag(pieces: 1)
    assembly.setAttribute(name, namespace, value)
    assembly.append(arena, contentStart..<end)
    return assembly.build()
  }

  /// The same element with each child as `change` makes it; its texts stay between them.
  package func mappingChildren(_ change: (Element) -> Element) -> Element {
    var assembly = assemblyOfTag(pieces: 0)
    for content in contents {
      switch content {
      case .text(let text): assembly.append(text: text)
      case .child(let child):
        let changed = change(child)
        assembly.append(changed.arena, changed.index..<changed.end)
      }
    }
    return assembly.build()
  }

  private func assemblyOfTag(pieces: Int) -> ElementAssembly {
    var assembly = ElementAssembly(name, namespace, attributes: 0, pieces: pieces)
    for attribute in attributes { assembly.setAttribute(attribute.name, attribute.namespace, attribute.value) }
    return assembly
  }
}

/// The parts of an element that is being built. They are measured first, so that the arena is made once and fits.
private struct ElementAssembly {
  private enum Piece {
    case text(String)
    /// Whole sibling nodes of another arena.
    case nodes(Arena, Range<Int>)
  }

  private let name: String
  private let namespace: String
  private var attributes: [(name: String, namespace: String, value: String)] = []
  /// Bounded by the element.
  private var pieces: [Piece] = []

  /// - Parameters:
  ///   - attributeCount: how many it is about to have.
  ///   - pieceCount: how many pieces.
  init(_ name: String, _ namespace: String, attributes attributeCount: Int, pieces pieceCount: Int) {
    self.name = name
    self.namespace = namespace
    attributes.reserveCapacity(attributeCount)
    pieces.reserveCapacity(pieceCount)
  }

  mutating func setAttribute(_ name: String, _ namespace: String, _ value: String?) {
    let index = attributes.firstIndex { $0.name.isExactly(name) && $0.namespace.isExactly(namespace) }
    switch (index, value) {
    case (let index?, let value?): attributes[index].value = value
    case (let index?, nil): attributes.remove(at: index)
    case (nil, let value?): attributes.append((name, namespace, value))
    case (nil, nil): break
    }
  }

  mutating func append(text: String) {
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  mutating func append(_ arena: Arena, _ range: Range<Int>) {
    if !range.isEmpty { pieces.append(.nodes(arena, range)) }
  }

  func build() -> Element {
    var nodes: [Node] = []
    nodes.reserveCapacity(nodeCount)
    var byteCount = 0
    var names = NameList()
    nodes.append(
      Node(
        element: names.index(name), names.index(namespace), attributes: UInt32(attributes.count), subtree: 0))
    for attribute in attributes {
      let count = attribute.value.utf8.count
      nodes.append(
        Node(
          attribute: names.index(attribute.name), names.index(attribute.namespace), offset: UInt32(byteCount),
          count: UInt32(count)))
      byteCount += count
    }
    for piece in pieces {
      switch piece {
      case .text(let text):
        nodes.append(Node(textAt: UInt32(byteCount), count: UInt32(text.utf8.count)))
        byteCount += text.utf8.count
      case .nodes(let arena, let range):
        let source = arena.byteRange(range)
        names.copy(range, of: arena, shift: byteCount - source.lowerBound, to: &nodes)
        byteCount += source.count
      }
    }
    nodes[0].extent = UInt32(nodes.count)
    let arena = Arena(nodeCount: nodes.count, byteCount: byteCount, names: names.table) { toNodes, toBytes in
      nodes.withUnsafeBufferPointer { $0.baseAddress.map { toNodes.initialize(from: $0, count: nodes.count) } }
      write(to: toBytes)
    }
    return Element(arena: arena, index: 0)
  }

  private var nodeCount: Int {
    pieces.reduce(1 + attributes.count) { count, piece in
      switch piece {
      case .text: count + 1
      case .nodes(_, let range): count + range.count
      }
    }
  }

  /// Writes what the attributes and pieces have in bytes, in the order of the nodes; there is room for all of it.
  private func write(to bytes: UnsafeMutablePointer<UInt8>) {
    var end = bytes
    for attribute in attributes { end = Self.write(attribute.value, to: end) }
    for piece in pieces {
      switch piece {
      case .text(let text): end = Self.write(text, to: end)
      case .nodes(let arena, let range):
        let source = arena.byteRange(range)
        end.initialize(from: arena.bytes + source.lowerBound, count: source.count)
        end += source.count
      }
    }
  }

  /// - Returns: where the next one goes.
  private static func write(_ text: String, to bytes: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    let utf8 = text.utf8
    let room = UnsafeMutableBufferPointer(start: bytes, count: utf8.count)
    let isWritten: Void? = utf8.withContiguousStorageIfAvailable { _ = room.initialize(from: $0) }
    if isWritten == nil { _ = room.initialize(from: utf8) }
    return bytes + utf8.count
  }
}
