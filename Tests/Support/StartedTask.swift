// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Something asynchronous that a test has begun and looks at from outside.
@Client package final class StartedTask<Value: Sendable> {
  /// How it ended; nil while it runs.
  package private(set) var result: Result<Value, any Error>?
  private var task: Task<Void, Never>?

  package init(_ body: @escaping @Client () async throws -> Value) {
    task = EventLoop.main.start { [weak self] in
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      self?.result = result
    }
  }

  package var hasEnded: Bool { result != nil }

  /// What it threw; nil also while it runs.
  package var error: (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }

  /// What it returned; nil also while it runs.
  package var value: Value? {
    if case .success(let value) = result { value } else { nil }
  }

  package func cancel() { task?.cancel() }
}

extension SessionFixture {
  /// Begins something that a test looks at from outside.
  package func start<Value: Sendable>(_ body: @escaping @Client () async throws -> Value) -> StartedTask<Value> {
    StartedTask(body)
  }
}
