// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Collects what libxml2 calls back with, until an element is whole and becomes an ``Arena``.
///
/// One is allocated for each parser and known by its address, so that a callback costs no more than its work: neither
/// reference counts nor checks of exclusive access, which in a class take as long as the parsing.
struct StanzaBuilder: ~Copyable {
  private let limits: DecoderLimits

  private var nodes: UnsafeMutablePointer<Node>
  private var nodeCapacity = DecoderSizes.initialNodes
  private var nodeCount = 0

  private var bytes: UnsafeMutablePointer<UInt8>
  private var byteCapacity = DecoderSizes.initialBytes
  private var byteCount = 0

  private struct Open {
    var node: UInt32
    var declarations: UInt32
  }

  /// The open elements within the stanza.
  private let open: UnsafeMutablePointer<Open>
  private var openCount = 0
  /// Namespace declarations in force.
  private var declarationsInScope = 0
  /// Whether the last node is text to which more may be added.
  private var isInText = false
  /// Whether the stream's opening tag was seen; what comes next are stanzas.
  private var hasHeader = false

  private(set) var names: NameIndex

  /// What was wrong first. Nothing is collected any more once it is set.
  private(set) var failure: DecodeError?

  init(limits: DecoderLimits) {
    self.limits = limits
    names = NameIndex(limits: limits)
    nodes = .allocate(capacity: nodeCapacity)
    bytes = .allocate(capacity: byteCapacity)
    open = .allocate(capacity: limits.depth + 1)
  }

  deinit {
    nodes.deallocate()
    bytes.deallocate()
    open.deallocate()
  }

  /// Records what is wrong, if nothing was before.
  mutating func fail(_ error: DecodeError) {
    if failure == nil { failure = error }
  }

  /// The element that was completed last: the stream's opening tag or a stanza. Nil when none is whole.
  mutating func take() -> Element? {
    guard failure == nil, openCount == 0, nodeCount > 0 else { return nil }
    let arena = arena()
    reset()
    return Element(arena: arena, index: 0)
  }

  /// The nodes of the stanza's tag and of its one payload's; nil where anything but the first child's children is open.
  private var partHead: Int? {
    guard failure == nil, openCount == 2 else { return nil }
    let payload = Int(open[1].node)
    guard payload == 1 + Int(nodes[0].count) else { return nil }
    return payload + 1 + Int(nodes[payload].count)
  }

  /// The children so far of the stanza's one payload, in copies of its tag and the stanza's. Nil where the stanza is of
  /// another kind.
  mutating func part() -> Element? {
    guard let head = partHead, nodeCount > head else { return nil }
    nodes[0].extent = UInt32(nodeCount)
    nodes[Int(open[1].node)].extent = UInt32(nodeCount - Int(open[1].node))
    return Element(arena: arena(), index: 0)
  }

  /// Forgets the children that were in ``part()``.
  mutating func dropPart() {
    guard let head = partHead else { return }
    nodeCount = head
    // What belongs to the two tags came first.
    byteCount = bytesOfValues(in: head)
    isInText = false
  }

  /// The stanza's own tag, without content, also after a failure behind it; nil where it is not there.
  mutating func envelope() -> Element? {
    guard nodeCount > 0 else { return nil }
    nodeCount = 1 + Int(nodes[0].count)
    nodes[0].extent = UInt32(nodeCount)
    byteCount = bytesOfValues(in: nodeCount)
    return Element(arena: arena(), index: 0)
  }

  /// How many bytes the attributes among the first nodes have.
  private func bytesOfValues(in count: Int) -> Int {
    let last = (0..<count).last { nodes[$0].kind == .attribute }
    return last.map { Int(nodes[$0].extent) + Int(nodes[$0].count) } ?? 0
  }

  private func arena() -> Arena {
    let (nodes, bytes, nodeCount, byteCount) = (nodes, bytes, nodeCount, byteCount)
    return Arena(nodeCount: nodeCount, byteCount: byteCount, names: names.table) { toNodes, toBytes in
      toNodes.update(from: nodes, count: nodeCount)
      toBytes.update(from: bytes, count: byteCount)
    }
  }

  /// Makes ready for the next stanza and gives back what only a big one needs.
  private mutating func reset() {
    nodeCount = 0
    byteCount = 0
    isInText = false
    names.beginStanza()
    if nodeCapacity * MemoryLayout<Node>.stride > DecoderSizes.retainedBytes {
      nodes.deallocate()
      nodeCapacity = DecoderSizes.initialNodes
      nodes = .allocate(capacity: nodeCapacity)
    }
    if byteCapacity > DecoderSizes.retainedBytes {
      bytes.deallocate()
      byteCapacity = DecoderSizes.initialBytes
      bytes = .allocate(capacity: byteCapacity)
    }
  }
}

// MARK: - What libxml2 reports

extension StanzaBuilder {
  /// A start tag.
  /// - Parameters:
  ///   - declarations: prefix and namespace of each declaration in this tag, one after the other.
  ///   - attributes: five pointers each: local name, prefix, namespace, first byte of the value, byte behind it.
  mutating func start(
    _ name: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, namespace: UnsafePointer<UInt8>?,
    declarations: UnsafeBufferPointer<UnsafePointer<UInt8>?>, attributes: UnsafeBufferPointer<UnsafePointer<UInt8>?>
  ) {
    guard failure == nil else { return }
    if prefix != nil, namespace == nil { return fail(Self.unboundPrefix) }
    if !hasHeader, Self.areOfServers(declarations) { return fail(.streamOfServers) }
    // Declarations are counted as names though no node needs them, for libxml2 keeps them as it keeps names.
    for declaration in declarations where declaration != namespace {
      if names.index(declaration) == nil { return fail(Self.tooManyNames) }
    }
    declarationsInScope += declarations.count / 2
    if declarationsInScope > limits.namespacesInScope { return fail(.limit("the number of namespaces")) }
    guard let name = names.index(name), let namespace = names.index(namespace) else { return fail(Self.tooManyNames) }
    let count = attributes.count / 5
    guard makeRoom(nodes: 1 + count) else { return fail(.limit("the number of elements")) }
    let index = nodeCount
    let node = nodes + index
    node.initialize(to: Node(element: name, namespace, attributes: UInt32(count), subtree: UInt32(1 + count)))
    isInText = false
    if count > 0, let parts = attributes.baseAddress {
      for attribute in 1...count {
        guard add(parts + (attribute - 1) * 5, to: node + attribute) else { return }
      }
    }
    nodeCount = index + 1 + count
    if hasHeader {
      // The scanner has refused what is deeper than the limit, so there is room.
      open[openCount] = Open(node: UInt32(index), declarations: UInt32(declarations.count / 2))
      openCount += 1
    } else {
      hasHeader = true
    }
  }

  /// Whether the stream's tag makes its content what servers say to each other (RFC 6120 4.8.2).
  private static func areOfServers(_ declarations: UnsafeBufferPointer<UnsafePointer<UInt8>?>) -> Bool {
    stride(from: 0, to: declarations.count, by: 2).contains { index in
      declarations[index] == nil && declarations[index + 1].map { String(cString: $0) == Namespace.server } ?? false
    }
  }

  /// An end tag.
  mutating func end() {
    guard failure == nil, openCount > 0 else { return }
    isInText = false
    openCount -= 1
    let index = Int(open[openCount].node)
    declarationsInScope -= Int(open[openCount].declarations)
    nodes[index].extent = UInt32(nodeCount - index)
  }

  /// Text, or a part of it.
  mutating func text(_ text: UnsafePointer<UInt8>, _ count: Int) {
    // What is not within a stanza is the white space between stanzas.
    guard failure == nil, openCount > 0, count > 0 else { return }
    makeRoom(bytes: count)
    (bytes + byteCount).initialize(from: text, count: count)
    if isInText {
      nodes[nodeCount - 1].count += UInt32(count)
    } else {
      guard makeRoom(nodes: 1) else { return fail(.limit("the number of elements")) }
      (nodes + nodeCount).initialize(to: Node(textAt: UInt32(byteCount), count: UInt32(count)))
      nodeCount += 1
      isInText = true
    }
    byteCount += count
  }

  @inline(__always)
  private mutating func add(
    _ parts: UnsafePointer<UnsafePointer<UInt8>?>, to node: UnsafeMutablePointer<Node>
  ) -> Bool {
    guard let local = parts[0], let start = parts[3], let end = parts[4] else { return false }
    var namespace: UInt32 = 0
    var name: UInt32?
    if let prefix = parts[1] {
      guard let uri = parts[2] else {
        fail(Self.unboundPrefix)
        return false
      }
      if Self.isXML(prefix) {
        name = names.indexWithXMLPrefix(local)
      } else {
        name = names.index(local)
        guard let index = names.index(uri) else {
          fail(Self.tooManyNames)
          return false
        }
        namespace = index
      }
    } else {
      name = names.index(local)
    }
    guard let name else {
      fail(Self.tooManyNames)
      return false
    }
    let count = end - start
    makeRoom(bytes: count)
    (bytes + byteCount).initialize(from: start, count: count)
    node.initialize(to: Node(attribute: name, namespace, offset: UInt32(byteCount), count: UInt32(count)))
    byteCount += count
    return true
  }

  private static func isXML(_ prefix: UnsafePointer<UInt8>) -> Bool {
    prefix[0] == UInt8(ascii: "x") && prefix[1] == UInt8(ascii: "m") && prefix[2] == UInt8(ascii: "l") && prefix[3] == 0
  }

  private static let unboundPrefix = DecodeError(
    condition: "bad-namespace-prefix", description: "The XML uses a namespace prefix that it does not declare.")
  private static let tooManyNames = DecodeError.limit("the number or the length of names")
}

// MARK: - Room

extension StanzaBuilder {
  /// Makes room for so many more nodes, unless that exceeds the limit.
  @inline(__always)
  private mutating func makeRoom(nodes count: Int) -> Bool {
    let needed = nodeCount + count
    return needed <= nodeCapacity || grow(nodes: needed)
  }

  @inline(never)
  private mutating func grow(nodes needed: Int) -> Bool {
    if needed > limits.nodes { return false }
    let capacity = max(needed, nodeCapacity * 2)
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity)
    larger.moveInitialize(from: nodes, count: nodeCount)
    nodes.deallocate()
    nodes = larger
    nodeCapacity = capacity
    return true
  }

  /// Makes room for so many more bytes. They are fewer than those of the stanza as written, which has a limit.
  @inline(__always)
  private mutating func makeRoom(bytes count: Int) {
    let needed = byteCount + count
    if needed > byteCapacity { grow(bytes: needed) }
  }

  @inline(never)
  private mutating func grow(bytes needed: Int) {
    let capacity = max(needed, byteCapacity * 2)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.moveInitialize(from: bytes, count: byteCount)
    bytes.deallocate()
    bytes = larger
    byteCapacity = capacity
  }
}
