// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@Client @Suite(.onLoop) struct LoopTimerTests {
  @Test("Timers fire in the order of their deadlines") func timersFireInTheOrderOfTheirDeadlines() async {
    let start = EventLoop.main.now
    var fired: [Int] = []
    var timers: [LoopTimer] = []
    await withUnsafeContinuation { done in
      for delay in [3, 1, 4, 2, 0] {
        timers.append(
          EventLoop.main.schedule(at: start + .milliseconds(delay)) {
            fired.append(delay)
            if delay == 4 { done.resume() }
          })
      }
    }
    #expect(fired == [0, 1, 2, 3, 4])
    #expect(EventLoop.main.now >= start + .milliseconds(4), "never early")
  }

  @Test("A timer that is cancelled or released does not fire")
  func aCancelledOrReleasedTimerDoesNotFire() async throws {
    let cancelled = EventLoop.main.schedule(after: .zero) { Issue.record("fired") }
    cancelled.cancel()
    cancelled.cancel()
    _ = EventLoop.main.schedule(after: .zero) { Issue.record("fired") }
    try await EventLoop.main.sleep(for: .milliseconds(1))
  }

  @Test("A timer that is cancelled by another one due at the same time does not fire")
  func aTimerCancelledByAnotherThatIsDueWithItDoesNotFire() async throws {
    var second: LoopTimer?
    let first = EventLoop.main.schedule(after: .zero) { second = nil }
    second = EventLoop.main.schedule(after: .zero) { Issue.record("fired") }
    try await EventLoop.main.sleep(for: .milliseconds(1))
    withExtendedLifetime((first, second)) {}
  }

  @Test("A timer that is released on another thread does not fire")
  func aReleaseOnAnotherThreadCancelsToo() async throws {
    final class Held {}
    weak var held: Held?
    do {
      let strong = Held()
      held = strong
      let timer = EventLoop.main.schedule(after: .seconds(1000)) { withExtendedLifetime(strong) {} }
      _ = try await EventLoop.main.offload { withExtendedLifetime(timer) {} }
    }
    // The helper lets go of one call, and what it held, before it takes the next.
    try await EventLoop.main.offload {}
    await EventLoop.main.idle()
    #expect(held == nil)
  }

  @Test("Sleeping ends at once when the task is cancelled") func sleepingEndsAtOnceWhenCancelled() async {
    let clock = ManualClock()
    let task = EventLoop.main.start { try await clock.sleep(for: .seconds(5)) }
    await clock.settle()
    #expect(clock.pendingTimers == 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingTimers == 0)
  }

  @Test("A task that is cancelled already does not sleep at all") func aCancelledTaskDoesNotSleepAtAll() async {
    let clock = ManualClock()
    let task = EventLoop.main.start {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(5))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingTimers == 0)
  }

  @Test(
    "Adding a duration of any length saturates instead of overflowing",
    arguments: [
      (Duration.seconds(Int64.max), Int64.max), (.seconds(Int64.min), .min), (.seconds(9_300_000_000), .max),
      (.zero, 5), (.nanoseconds(7), 12), (.nanoseconds(-7), -2),
    ])
  func addingADurationOfAnyLengthSaturates(duration: Duration, sum: Int64) {
    #expect((MonotonicTime(nanoseconds: 5) + duration).nanoseconds == sum)
  }

  @Test("Differences of times saturate instead of overflowing") func differencesSaturate() {
    let (first, last) = (MonotonicTime(nanoseconds: .min), MonotonicTime(nanoseconds: .max))
    #expect(last - first == .nanoseconds(Int64.max))
    #expect(first - last == .nanoseconds(Int64.min))
    #expect(last - last == .zero)
  }

  @Test("A timer that is never due does not trap") func aTimerThatIsNeverDueDoesNotTrap() {
    let timer = EventLoop.main.schedule(after: .seconds(Int64.max)) {}
    timer.cancel()
  }

  @Test("The time that the machine was suspended is not negative beyond the skew of two readings")
  func theMachinesSleepIsNotNegativeBeyondTheReadingsSkew() {
    #expect(EventLoop.main.suspendedTime > .seconds(-1))
  }
}
