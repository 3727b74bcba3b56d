// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The names of elements that are built one after the other and have most of them in common, as a program's messages do: kept by whoever
/// builds them, so that not each has a table of its own. What it holds never changes.
package struct ElementNames: Sendable {
  fileprivate let table: NameTable?
  fileprivate let count: Int

  /// None yet.
  package init() { (table, count) = (nil, 1) }

  fileprivate init(_ table: NameTable, count: Int) { (self.table, self.count) = (table, count) }
}

/// The names of an element that is being built, and how those of the arena being copied map to them.
struct NameList: ~Copyable {
  private enum Ownership {
    case own
    /// Other elements have it, or will: what is added is added to a copy.
    case shared
  }

  /// All of them, and room for more. No node refers to what is not set yet.
  private(set) var table: NameTable
  private var ownership: Ownership
  private var count: Int
  /// Behind the one that was found last, and behind the last of all that were found.
  private var (next, furthest) = (1, 1)
  /// Only for many names: a few are found faster by looking at each.
  /// Bounded by the names of one element.
  private var indices: [[UInt8]: UInt32] = [:]

  /// The index of "".
  static let none: UInt32 = 0
  private static let few = 24
  /// How many names most elements have.
  private static let usual = 16
  private static let unknown = UInt32.max

  /// - Parameter names: of elements like this one.
  init(_ names: ElementNames) {
    if let table = names.table {
      (self.table, count, ownership) = (table, names.count, .shared)
    } else {
      (table, count, ownership) = (NameTable(capacity: Self.usual), 1, .own)
    }
  }

  /// The names, for the next element of the kind; nil where they are as they were, or more than are found soon.
  var learned: ElementNames? {
    guard ownership == .own, count <= Self.few else { return nil }
    return ElementNames(table, count: count)
  }

  mutating func index(_ name: String) -> UInt32 {
    let index = expected(name) ?? find(name) ?? add(name)
    next = Int(index) + 1
    furthest = max(furthest, next)
    return index
  }

  /// Elements of one kind have their names in one order, which those interrupt that stand for the second time.
  private func expected(_ name: String) -> UInt32? {
    if next < count, table.entry(UInt32(next), is: name) { return UInt32(next) }
    if furthest > next, furthest < count, table.entry(UInt32(furthest), is: name) { return UInt32(furthest) }
    return nil
  }

  private func find(_ name: String) -> UInt32? {
    guard count > Self.few else { return (0..<UInt32(count)).first { table.entry($0, is: name) } }
    return indices[Array(name.utf8)]
  }

  private mutating func add(_ name: String) -> UInt32 {
    let index = UInt32(count)
    if count == table.capacity || ownership == .shared {
      table = NameTable(table, capacity: max(Self.usual, 2 * count))
      ownership = .own
    }
    table.set(index, name)
    count += 1
    if count > Self.few {
      let unindexed = indices.isEmpty ? 0..<UInt32(count) : index..<UInt32(count)
      for index in unindexed { indices[Array(table[index].utf8)] = index }
    }
    return index
  }

  /// Copies nodes of another arena.
  /// - Parameter shift: by how much further their bytes stand here than there.
  mutating func copy(_ range: Range<Int>, of arena: Arena, shift: Int, to nodes: inout [Node]) {
    let source = arena.names
    // Of a few nodes each name is looked for as it comes. Bounded by the names of one stanza.
    var translations = range.count > Self.usual ? Array(repeating: Self.unknown, count: source.capacity) : []
    for position in range {
      var node = arena.nodes[position]
      if !node.isText {
        node.name = translate(node.name, of: source, &translations)
        node.namespace = translate(node.namespace, of: source, &translations)
      }
      if !node.isElement { node.extent = UInt32(Int(node.extent) + shift) }
      nodes.append(node)
    }
  }

  /// - Parameter translations: what is known of them; empty: nothing is to be remembered.
  private mutating func translate(_ index: UInt32, of source: NameTable, _ translations: inout [UInt32]) -> UInt32 {
    guard index != Self.none else { return Self.none }
    guard !translations.isEmpty else { return self.index(source[index]) }
    if translations[Int(index)] == Self.unknown { translations[Int(index)] = self.index(source[index]) }
    return translations[Int(index)]
  }
}
