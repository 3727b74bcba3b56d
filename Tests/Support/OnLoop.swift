// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
package import Testing

/// Runs tests on the event loop: makes sure that ``EventLoop/main`` runs, on a thread of its own, before a test hops to
/// ``Client``, and keeps whatever the test calls on that thread.
///
/// ```swift
/// @Client @Suite(.onLoop) struct ThingTests {
///   @Test("A thing happens") func thing() async { … }
/// }
/// ```
package struct OnLoopTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    LoopThread.start
    try await withTaskExecutorPreference(EventLoop.main) { try await function() }
  }
}

extension Trait where Self == OnLoopTrait {
  /// Runs the test on the event loop's thread; see ``OnLoopTrait``.
  package static var onLoop: Self { OnLoopTrait() }
}

/// Starts the event loop's thread when the test program is loaded.
///
/// A trait alone would come too late: the testing library finds the tests of a suite that is isolated to ``Client`` by calling
/// into the suite, so it hops to the loop before any trait has a say.
@section(".init_array") @used private let startAtLoad: @convention(c) () -> Void = { LoopThread.start }

/// The thread of the test process that is in ``EventLoop/run()``.
private enum LoopThread {
  /// Starts it at the first use.
  static let start: Void = {
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { _ in
        EventLoop.main.run()
        return nil
      }, nil)
    precondition(result == 0, "no thread for the event loop")
    pthread_detach(thread)
  }()
}
