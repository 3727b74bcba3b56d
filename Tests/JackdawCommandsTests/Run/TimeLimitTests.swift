// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A time limit", .onLoop)
struct TimeLimitTests {
  let clock = ManualClock()

  @Test("cancels what takes too long, counted from its beginning")
  func cancels() async {
    let clock = clock
    let limit = TimeLimit(.seconds(3), clock: clock)
    let work = StartedTask { try await limit.run { try await Latch(clock: clock).wait() } }
    await clock.elapse(.seconds(100))
    #expect(!work.hasEnded && !limit.hasPassed)
    limit.begin()
    await clock.elapse(.milliseconds(2_999))
    limit.begin()
    #expect(!work.hasEnded)
    await clock.elapse(.milliseconds(1))
    #expect(work.error is CancellationError && limit.hasPassed)
  }

  @Client private final class Questions {
    var time = Duration.seconds(7)
  }

  @Test("goes on for as long as a person was asked meanwhile")
  func sparesWhoeverIsAsked() async {
    let clock = clock
    let questions = Questions()
    let limit = TimeLimit(.seconds(3), clock: clock) { questions.time }
    let work = StartedTask { try await limit.run { try await Latch(clock: clock).wait() } }
    await clock.settle()
    #expect(limit.left == .seconds(3))
    limit.begin()
    await clock.elapse(.seconds(2))
    #expect(limit.left == .seconds(1))
    questions.time = .seconds(12)
    #expect(limit.left == .seconds(6))
    await clock.elapse(.milliseconds(5_999))
    #expect(!work.hasEnded && !limit.hasPassed)
    await clock.elapse(.milliseconds(1))
    #expect(work.error is CancellationError && limit.hasPassed)
  }

  @Test("leaves what is in time alone")
  func leavesAlone() async throws {
    let limit = TimeLimit(.seconds(3), clock: clock)
    limit.begin()
    #expect(try await limit.run { 5 } == 5)
    await clock.elapse(.seconds(5))
    #expect(!limit.hasPassed && clock.pendingTimers == 0)
  }

  @Test("passes on that the caller was cancelled")
  func passesOn() async {
    let clock = clock
    let limit = TimeLimit(.seconds(3), clock: clock)
    let work = StartedTask { try await limit.run { try await Latch(clock: clock).wait() } }
    await clock.settle()
    work.cancel()
    await clock.settle()
    #expect(work.error is CancellationError && !limit.hasPassed)
  }

  @Test(
    "is said in seconds",
    arguments: [
      (Duration.seconds(30), "30 s"), (.milliseconds(500), "0.5 s"), (.seconds(86_400), "86400 s"),
      (.milliseconds(1_250), "1.25 s"),
    ])
  func isSaid(_ duration: Duration, _ text: String) { #expect(duration.inSeconds == text) }
}
