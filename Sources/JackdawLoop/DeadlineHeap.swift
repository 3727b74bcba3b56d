// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The order of a ``TimerQueue``: a binary heap of numbered slots, by deadline, then by order of insertion.
///
/// It is no generic type on purpose. The compiler specialises none across modules, and to look up the types of a heap's
/// nodes at each step took half of the time of a tracked request.
struct DeadlineHeap {
  /// A slot in use. The generation counts insertions: equal deadlines keep their order by it, and it tells apart the users
  /// of one slot.
  struct Node {
    var deadline: MonotonicTime
    var generation: UInt64
    var slot: Int

    func comesBefore(_ other: Node) -> Bool {
      deadline == other.deadline ? generation < other.generation : deadline < other.deadline
    }
  }

  private var nodes: [Node] = []
  /// Where in `nodes` each slot is; meaningless for a free one.
  private var positions: [Int] = []
  private var freeSlots: [Int] = []
  private var insertions: UInt64 = 0

  var count: Int { nodes.count }
  var first: Node? { nodes.first }

  /// Takes a free slot into use, or the one that follows all there were.
  mutating func insert(_ deadline: MonotonicTime) -> Node {
    insertions += 1
    let slot = freeSlots.popLast() ?? positions.count
    if slot == positions.count { positions.append(nodes.count) } else { positions[slot] = nodes.count }
    let node = Node(deadline: deadline, generation: insertions, slot: slot)
    nodes.append(node)
    siftUp(from: nodes.count - 1)
    return node
  }

  /// - Returns: false when that user of the slot is gone already.
  mutating func remove(slot: Int, generation: UInt64) -> Bool {
    guard slot < positions.count else { return false }
    let position = positions[slot]
    guard position < nodes.count, nodes[position].slot == slot, nodes[position].generation == generation else {
      return false
    }
    removeNode(at: position)
    return true
  }

  mutating func removeFirst() { removeNode(at: 0) }

  private mutating func removeNode(at position: Int) {
    freeSlots.append(nodes[position].slot)
    let last = nodes.removeLast()
    guard position < nodes.count else { return }
    place(last, at: position)
    siftDown(from: position)
    siftUp(from: position)
  }

  private mutating func siftUp(from start: Int) {
    var position = start
    let node = nodes[position]
    while position > 0 {
      let parent = (position - 1) / 2
      guard node.comesBefore(nodes[parent]) else { break }
      place(nodes[parent], at: position)
      position = parent
    }
    if position != start { place(node, at: position) }
  }

  private mutating func siftDown(from start: Int) {
    var position = start
    let node = nodes[position]
    while true {
      var child = 2 * position + 1
      guard child < nodes.count else { break }
      if child + 1 < nodes.count, nodes[child + 1].comesBefore(nodes[child]) { child += 1 }
      guard nodes[child].comesBefore(node) else { break }
      place(nodes[child], at: position)
      position = child
    }
    if position != start { place(node, at: position) }
  }

  private mutating func place(_ node: Node, at position: Int) {
    nodes[position] = node
    positions[node.slot] = position
  }
}
