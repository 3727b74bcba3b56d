// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Synchronization

extension EventLoop {
  /// Runs a blocking `work` (name look-up, key derivation) on the helper thread and returns what it returned.
  ///
  /// Calls run one after the other in the order of asking. A call cannot be interrupted: when the task is cancelled, the
  /// result is dropped and the helper goes on to the next call, on another thread if it has to.
  /// - Throws: what `work` throws; `CancellationError`, at once, when the task is cancelled; ``HelperThreadError``.
  @Client package func offload<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await offload { _ in try work() }
  }

  /// The same with work that takes long, and looks now and then whether anybody still waits for it.
  @Client package func offload<Value: Sendable>(
    _ work: @escaping @Sendable (OffloadedCall) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let state = OffloadedCall()
    let result = PendingResult<Value>()
    guard let call = helpers.submit({ result.give(Result { try work(state) }) }) else { throw HelperThreadError() }
    do {
      return try await result.value()
    } catch let error as CancellationError {
      // Harmless when `work` has ended, and threw this itself.
      state.isOver.store(true, ordering: .relaxed)
      helpers.abandon(call)
      throw error
    }
  }
}

/// What a blocking call can know of those who made it.
package final class OffloadedCall: Sendable {
  fileprivate let isOver = Atomic(false)

  /// Somebody waits for its result.
  package var isWanted: Bool { !isOver.load(ordering: .relaxed) }
}

/// No thread could be started for a blocking call.
package struct HelperThreadError: Error, Sendable, CustomStringConvertible {
  package var description: String { "The system does not allow another thread." }
}
