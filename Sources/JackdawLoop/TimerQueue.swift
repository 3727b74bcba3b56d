// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Actions waiting for their moments, ordered by deadline, then by order of insertion.
///
/// Inserting, removing and taking the first are O(log n); nothing of a removed action stays behind.
package struct TimerQueue<Action> {
  /// Names one inserted action for ``remove(_:)``. Stays valid, as the name of nothing, after the action is gone.
  package struct Token: Sendable {
    fileprivate var slot: Int
    fileprivate var generation: UInt64
  }

  private var order = DeadlineHeap()
  /// By slot.
  private var actions: [Action?] = []

  package init() {}

  /// How many actions wait.
  package var count: Int { order.count }
  /// True when no action waits.
  package var isEmpty: Bool { order.count == 0 }
  /// When the first action is due.
  package var nextDeadline: MonotonicTime? { order.first?.deadline }

  /// Adds an action, behind those with the same deadline. O(log n).
  /// - Returns: its name, to take it out again with ``remove(_:)``.
  package mutating func insert(_ action: Action, at deadline: MonotonicTime) -> Token {
    let node = order.insert(deadline)
    if node.slot == actions.count { actions.append(action) } else { actions[node.slot] = action }
    return Token(slot: node.slot, generation: node.generation)
  }

  /// Takes an action out; nil when it is gone already.
  package mutating func remove(_ token: Token) -> Action? {
    guard order.remove(slot: token.slot, generation: token.generation) else { return nil }
    return actions[token.slot].take()
  }

  /// Takes out the first action, if it is due at `now`.
  package mutating func popFirst(dueAt now: MonotonicTime) -> Action? {
    guard let first = order.first, first.deadline <= now else { return nil }
    order.removeFirst()
    return actions[first.slot].take()
  }
}
