// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The clock and the timers that protocol code is given: the event loop in the program, a manual clock in tests.
@Client package protocol LoopClock: AnyObject {
  /// The present moment.
  var now: MonotonicTime { get }

  /// Runs `action` once, on the loop, not before `deadline`, unless the returned timer is cancelled or released first.
  func schedule(at deadline: MonotonicTime, _ action: @escaping @Client () -> Void) -> LoopTimer

  /// Runs `action` on the loop's next turn, after everything that is already queued.
  func nextTurn(_ action: @escaping @Client () -> Void)

  /// How long the machine has been suspended since some moment, to a few microseconds: ``now`` stands still meanwhile.
  var suspendedTime: Duration { get }

  /// Calls `action` when the world may have gone on without us: the process was stopped (SIGSTOP, Ctrl-Z) and runs again, or
  /// the machine slept. It may be called without reason, when the time of day was set.
  func onWake(_ action: @escaping @Client () -> Void) -> WakeWatch
}

extension LoopClock {
  /// Runs `action` once after `delay`; see ``schedule(at:_:)``.
  package func schedule(after delay: Duration, _ action: @escaping @Client () -> Void) -> LoopTimer {
    schedule(at: now + delay, action)
  }

  /// Suspends the calling task for `duration` of this clock; throws `CancellationError` when the task is cancelled.
  package func sleep(for duration: Duration) async throws {
    let end = PendingResult<Void>()
    let timer = schedule(after: duration) { end.give(.success(())) }
    defer { timer.cancel() }
    try await end.value()
  }
}
