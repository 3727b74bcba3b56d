// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One element, attribute or piece of text within an ``Arena``.
///
/// Nodes stand in document order: an element, its attributes, its content. An element knows the length of its subtree,
/// so whole subtrees are skipped, compared and copied without recursion.
struct Node {
  enum Kind: UInt32 {
    case element = 0
    case attribute = 1
    case text = 2
  }

  /// The kind in the lower two bits, the name's index above them.
  private var kindAndName: UInt32
  /// The namespace's index.
  var namespace: UInt32
  /// An element's subtree in nodes, itself included; else the offset of the first byte.
  var extent: UInt32
  /// An element's number of attributes; else the number of bytes.
  var count: UInt32

  init(element name: UInt32, _ namespace: UInt32, attributes: UInt32, subtree: UInt32) {
    kindAndName = name << 2 | Kind.element.rawValue
    self.namespace = namespace
    extent = subtree
    count = attributes
  }

  init(attribute name: UInt32, _ namespace: UInt32, offset: UInt32, count: UInt32) {
    kindAndName = name << 2 | Kind.attribute.rawValue
    self.namespace = namespace
    extent = offset
    self.count = count
  }

  init(textAt offset: UInt32, count: UInt32) {
    kindAndName = Kind.text.rawValue
    namespace = 0
    extent = offset
    self.count = count
  }

  var isElement: Bool { kindAndName & 3 == Kind.element.rawValue }
  var isText: Bool { kindAndName & 3 == Kind.text.rawValue }
  var kind: Kind { Kind(rawValue: kindAndName & 3) ?? .element }

  var name: UInt32 {
    get { kindAndName >> 2 }
    set { kindAndName = newValue << 2 | kindAndName & 3 }
  }
}

/// What one stanza, or one built element, consists of. Nothing in it changes after `init`.
///
/// The nodes and behind them all bytes of text and attribute values, UTF-8, are one allocation.
final class Arena: Sendable {
  // Sendable holds: the memory is written in `init` alone and freed in `deinit`, which runs after the last reader.
  private nonisolated(unsafe) let storage: UnsafeMutablePointer<Node>
  let nodeCount: Int
  let names: NameTable

  var nodes: UnsafePointer<Node> { UnsafePointer(storage) }
  var bytes: UnsafePointer<UInt8> {
    UnsafePointer(UnsafeMutableRawPointer(storage + nodeCount).assumingMemoryBound(to: UInt8.self))
  }

  /// Makes an arena of exactly this many nodes and bytes. `fill` must initialise all of them.
  init(
    nodeCount: Int, byteCount: Int, names: NameTable,
    fill: (UnsafeMutablePointer<Node>, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    // As many whole nodes as hold the bytes: allocating raw memory takes the slower way of odd alignments.
    let size = MemoryLayout<Node>.stride
    storage = .allocate(capacity: nodeCount + (byteCount + size - 1) / size)
    self.nodeCount = nodeCount
    self.names = names
    let bytes = UnsafeMutableRawPointer(storage + nodeCount).bindMemory(to: UInt8.self, capacity: byteCount)
    fill(storage, bytes)
  }

  deinit { storage.deallocate() }

  /// The bytes of a text or of an attribute's value.
  func bytes(of node: Node) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + Int(node.extent), count: Int(node.count))
  }

  /// The bytes of these nodes: as the nodes are in document order, they are in one run.
  func byteRange(_ range: Range<Int>) -> Range<Int> {
    guard let first = range.first(where: { !nodes[$0].isElement }),
      let last = range.last(where: { !nodes[$0].isElement })
    else { return 0..<0 }
    return Int(nodes[first].extent)..<Int(nodes[last].extent) + Int(nodes[last].count)
  }

  func string(of node: Node) -> String {
    String(decoding: bytes(of: node), as: UTF8.self)
  }
}
