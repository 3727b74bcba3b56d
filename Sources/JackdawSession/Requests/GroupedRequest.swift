// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// One request of a ``RequestGroup``: what ``RequestGroup/add(_:completed:_:)`` hands out, to ask for the result later.
@Client package final class GroupedRequest<Value> {
  package let label: String

  /// How it ended; nil while it waits or runs.
  package private(set) var result: Result<Value, any Error>?

  private enum Stage {
    case waiting(operation: @Client () async throws -> Value)
    case running(Task<Void, Never>)
    case ended
  }

  private var stage: Stage
  private let completed: (@Client (Result<Value, any Error>) -> Void)?

  init(
    label: String, completed: (@Client (Result<Value, any Error>) -> Void)?,
    operation: @escaping @Client () async throws -> Value
  ) {
    self.label = label
    self.completed = completed
    stage = .waiting(operation: operation)
  }

  /// What the request returned.
  /// - Throws: what it threw; ``RequestUnfinished`` while it has not ended.
  package var value: Value {
    get throws {
      guard let result else { throw RequestUnfinished(label: label) }
      return try result.get()
    }
  }

  /// Gives it up where it runs: it ends as its operation does that is cancelled.
  package func giveUp() {
    if case .running(let task) = stage { task.cancel() }
  }

  private func end(_ result: Result<Value, any Error>) {
    stage = .ended
    self.result = result
    completed?(result)
  }
}

extension GroupedRequest: GroupMember {
  var failure: (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }

  func start(whenEnded: @escaping @Client () -> Void) {
    guard case .waiting(let operation) = stage else { return }
    stage = .running(
      Task(executorPreference: EventLoop.main) { await self.run(operation, whenEnded: whenEnded) })
  }

  func cancel(whenEnded: @Client () -> Void) {
    switch stage {
    case .waiting:
      end(.failure(CancellationError()))
      whenEnded()
    case .running(let task): task.cancel()
    case .ended: break
    }
  }

  private func run(_ operation: @Client () async throws -> Value, whenEnded: @Client () -> Void) async {
    do {
      end(.success(try await operation()))
    } catch {
      end(.failure(error))
    }
    whenEnded()
  }
}

/// What a group knows of its requests, whatever they return.
@Client protocol GroupMember: AnyObject {
  var label: String { get }
  var failure: (any Error)? { get }

  /// Begins what has not begun. `whenEnded` is called once, after the request's own completion.
  func start(whenEnded: @escaping @Client () -> Void)

  /// Asks what runs to end soon; ends what has not begun, and calls `whenEnded` then.
  func cancel(whenEnded: @Client () -> Void)
}

/// The value of a request was asked for before its group had run.
package struct RequestUnfinished: Error, Sendable, CustomStringConvertible {
  /// What the group calls the request.
  package var label: String
  package var description: String { "\(label) has not ended yet" }
}
