// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Tasks that wait for one and the same thing. Each may give up by itself, when its time is over or it is cancelled,
/// without any notice to the others.
@Client final class WaitingList<Value: Sendable> {
  private var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
  private var nextTicket = 0

  /// How many wait.
  var count: Int { waiting.count }

  /// Waits until ``end(_:)``.
  /// - Throws: what that gave; `CancellationError`.
  func wait() async throws -> Value { try await wait(ticket()) }

  /// Waits until ``end(_:)``, at most `limit`.
  /// - Parameter late: what is thrown when the time is over.
  /// - Throws: what ``end(_:)`` gave; `late`; `CancellationError`.
  func wait(
    for limit: Duration, on clock: any LoopClock, orThrow late: @escaping @Client () -> any Error
  ) async throws -> Value {
    let ticket = ticket()
    let timer = clock.schedule(after: limit) { [weak self] in self?.end(ticket, .failure(late())) }
    defer { timer.cancel() }
    return try await wait(ticket)
  }

  /// Gives everybody who waits now this result, in the order in which they came.
  func end(_ result: Result<Value, any Error>) {
    let ended = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    for (_, continuation) in ended { continuation.resume(with: result) }
  }

  private func ticket() -> Int {
    defer { nextTicket += 1 }
    return nextTicket
  }

  private func wait(_ ticket: Int) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting[ticket] = $0 }
    } onCancel: {
      Task(executorPreference: EventLoop.main) { await self.end(ticket, .failure(CancellationError())) }
    }
  }

  private func end(_ ticket: Int, _ result: Result<Value, any Error>) {
    waiting.removeValue(forKey: ticket)?.resume(with: result)
  }
}
