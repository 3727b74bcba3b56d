// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// A roster push that is to come after a step of ours, waited for from before the step until after it.
@Client final class AwaitedPush {
  private let holds: @Client (RosterItem?) -> Bool
  private var hasCome = false
  /// How an earlier push left the entry, the last of those that did not fit.
  private(set) var before: RosterItem?
  private let waiting = WaitingList<Void>()

  /// - Parameter holds: whether an entry (nil: none) shows what is awaited.
  init(_ holds: @escaping @Client (RosterItem?) -> Bool) { self.holds = holds }

  /// A push left the entry like this. The first that fits counts, whatever follows.
  func noted(_ item: RosterItem?) {
    guard !hasCome else { return }
    guard holds(item) else { return before = item }
    hasCome = true
    waiting.end(.success(()))
  }

  /// No push will come any more.
  func fail(_ error: any Error) { waiting.end(.failure(error)) }

  /// - Throws: `late` after `limit`; what ``fail(_:)`` was given; `CancellationError`.
  func wait(for limit: Duration, on clock: any LoopClock, orThrow late: any Error) async throws {
    if !hasCome { try await waiting.wait(for: limit, on: clock) { late } }
  }
}
