// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// A clock that stands still until a test moves it.
///
/// ``advance(by:)`` moves it and runs what is due. Code that waits in `async` functions goes on only when the loop gets to it:
/// use ``settle()``, or ``elapse(_:)``, which lets such code catch up at each moment something is due.
@Client package final class ManualClock: LoopClock {
  package private(set) var now: MonotonicTime
  private var timers = TimerQueue<@Client () -> Void>()
  private var nextTurnActions: [@Client () -> Void] = []
  private var isTurnScheduled = false
  /// Whom ``wake()`` tells.
  private var wakers: [UInt64: @Client () -> Void] = [:]
  private var nextWaker: UInt64 = 0

  /// - Parameter start: the first moment, in seconds. Not zero, so that code that takes zero for "never" is found out.
  package init(start: Int64 = 1000) { now = MonotonicTime(nanoseconds: start * 1_000_000_000) }

  /// Grows when the machine is to have slept.
  package var suspendedTime = Duration.zero

  package func onWake(_ action: @escaping @Client () -> Void) -> WakeWatch {
    nextWaker += 1
    let number = nextWaker
    wakers[number] = action
    return WakeWatch { [weak self] in self?.wakers[number] = nil }
  }

  /// The process runs again after it was stopped, or after a sleep of which the kernel tells.
  package func wake() {
    for action in wakers.values { action() }
  }

  /// How many timers wait.
  package var pendingTimers: Int { timers.count }
  /// How long it is until the first timer is due; nil without timers.
  package var untilNextTimer: Duration? { timers.nextDeadline.map { $0 - now } }

  package func schedule(at deadline: MonotonicTime, _ action: @escaping @Client () -> Void) -> LoopTimer {
    let token = timers.insert(action, at: deadline)
    return LoopTimer { [weak self] in
      let action = self?.timers.remove(token)
      withExtendedLifetime(action) {}
    }
  }

  package func nextTurn(_ action: @escaping @Client () -> Void) {
    nextTurnActions.append(action)
    guard !isTurnScheduled else { return }
    isTurnScheduled = true
    EventLoop.main.nextTurn { self.runTurn() }
  }

  /// Moves the clock and runs every timer that becomes due, in the order of deadlines, then of scheduling; each at its own
  /// moment, with what it asked for on the next turn run before the next timer.
  package func advance(by duration: Duration) {
    let end = now + duration
    runTurns()
    while fireNext(dueAt: end) { runTurns() }
    now = end
  }

  /// As ``advance(by:)``, but lets waiting tasks go on before the first timer and after each.
  package func elapse(_ duration: Duration) async {
    let end = now + duration
    await settle()
    while fireNext(dueAt: end) { await settle() }
    now = end
    await settle()
  }

  /// Waits until every job that can run has run and every next-turn action too: only timers of this clock are left.
  ///
  /// What a plain `Task { … }` does escapes it, as that resumes by way of other threads: begin tasks with
  /// ``EventLoop/start(_:)``.
  package func settle() async {
    await EventLoop.main.idle()
  }

  private func fireNext(dueAt end: MonotonicTime) -> Bool {
    guard let deadline = timers.nextDeadline, let action = timers.popFirst(dueAt: end) else { return false }
    now = max(now, deadline)
    action()
    return true
  }

  /// Runs what waits for the next turn, and nothing that it asks for: a program may be killed between the two.
  package func runTurn() {
    isTurnScheduled = false
    let actions = nextTurnActions
    nextTurnActions.removeAll()
    for action in actions { action() }
  }

  private func runTurns() {
    while !nextTurnActions.isEmpty { runTurn() }
  }
}
