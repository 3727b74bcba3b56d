// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Something that happens once, and that one task waits for.
@Client package final class Latch {
  private let clock: any LoopClock
  private let result = PendingResult<Void>()

  /// - Parameter clock: measures how long is waited at most.
  package init(clock: any LoopClock) { self.clock = clock }

  /// It has happened. Further calls do nothing.
  package func open() { result.give(.success(())) }

  /// Waits until it happens, at most `limit`; nil: however long it takes. Called once.
  /// - Throws: `CancellationError`.
  package func wait(for limit: Duration? = nil) async throws {
    let timer = limit.map { clock.schedule(after: $0) { [weak self] in self?.open() } }
    defer { timer?.cancel() }
    try await result.value()
  }
}
