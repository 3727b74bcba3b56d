// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The objects that a client of the agent was sent, until it says that it has taken them. A value.
struct SentObjects {
  /// Where each ends that the client has not confirmed, and where an error does behind one, which the client does not count.
  /// Bounded by what is on its way.
  private var waiting = FIFO<(end: Int, isCounted: Bool)>()
  private var bytes = 0
  private var confirmed = 0

  /// One of so many bytes.
  /// - Returns: where it ends in all that was printed.
  mutating func add(_ count: Int) -> Int {
    bytes += count
    return bytes
  }

  /// It is for the client to confirm.
  /// - Returns: where those end that are presented now.
  mutating func wait(for end: Int, isCounted: Bool) -> [Int] {
    waiting.append((end, isCounted))
    return popUncounted()
  }

  /// The client has taken so many since the beginning.
  /// - Returns: where those end that are presented now.
  mutating func confirm(_ count: Int) -> [Int] {
    var ends: [Int] = []
    while confirmed < count, let place = waiting.popFirst() {
      confirmed += 1
      ends.append(place.end)
      ends += popUncounted()
    }
    return ends
  }

  /// What the client does not count goes with what it counts before it.
  private mutating func popUncounted() -> [Int] {
    var ends: [Int] = []
    while let place = waiting.first, !place.isCounted {
      _ = waiting.popFirst()
      ends.append(place.end)
    }
    return ends
  }
}
