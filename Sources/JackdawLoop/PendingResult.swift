// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A result that one task waits for and any thread may give, once: whoever gives it first decides, the rest is dropped.
///
/// Cancelling the waiting task gives `CancellationError`.
package final class PendingResult<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case awaited(UnsafeContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
    case taken
  }

  private let state = Locked(State.pending)

  /// Nothing is given yet.
  package init() {}

  /// Gives the result. May be called from any thread; only the first call counts.
  package func give(_ result: Result<Value, any Error>) {
    let continuation: UnsafeContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .pending:
        state = .given(result)
        return nil
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .given, .taken:
        return nil
      }
    }
    continuation?.resume(with: result)
  }

  /// Waits for the result. Called once.
  @Client package func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let given: Result<Value, any Error>? = state.withLock { state in
          switch state {
          case .pending:
            state = .awaited(continuation)
            return nil
          case .given(let result):
            state = .taken
            return result
          case .awaited, .taken:
            preconditionFailure("a result is waited for once")
          }
        }
        if let given { continuation.resume(with: given) }
      }
    } onCancel: {
      give(.failure(CancellationError()))
    }
  }
}
