// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@Client @Suite(.onLoop) struct ManualClockTests {
  @Test("Advancing the clock fires what is due, in order, each at its moment")
  func advancingFiresWhatIsDueInOrderEachAtItsMoment() {
    let clock = ManualClock()
    let start = clock.now
    var fired: [String] = []
    let timers = [("b", 2), ("a", 1), ("c", 2), ("d", 4)].map { name, seconds in
      clock.schedule(after: .seconds(seconds)) { fired.append("\(name) \(clock.now - start)") }
    }
    clock.advance(by: .seconds(3))
    #expect(fired == ["a 1.0 seconds", "b 2.0 seconds", "c 2.0 seconds"])
    #expect(clock.now == start + .seconds(3))
    #expect(clock.pendingTimers == 1 && clock.untilNextTimer == .seconds(1))
    withExtendedLifetime(timers) {}
  }

  @Test("A timer that a timer schedules fires in the same advance when it is due")
  func whatATimerSchedulesFiresInTheSameAdvance() {
    let clock = ManualClock()
    var ticks = 0
    var timer: LoopTimer?
    func tick() {
      ticks += 1
      timer = clock.schedule(after: .seconds(1), tick)
    }
    tick()
    clock.advance(by: .seconds(10))
    #expect(ticks == 11)
    withExtendedLifetime(timer) {}
  }

  @Test("A timer of the manual clock that is cancelled or released does not fire")
  func aTimerThatIsCancelledOrReleasedDoesNotFire() {
    let clock = ManualClock()
    var second: LoopTimer?
    let first = clock.schedule(after: .seconds(1)) { second?.cancel() }
    second = clock.schedule(after: .seconds(1)) { Issue.record("fired") }
    _ = clock.schedule(after: .seconds(1)) { Issue.record("fired") }
    clock.advance(by: .seconds(1))
    #expect(clock.pendingTimers == 0)
    withExtendedLifetime(first) {}
  }

  @Test("Actions for the next turn run between two timers") func nextTurnActionsRunBetweenTimers() {
    let clock = ManualClock()
    var order: [String] = []
    clock.nextTurn { order.append("before") }
    let timers = [1, 2].map { seconds in
      clock.schedule(after: .seconds(seconds)) {
        order.append("timer \(seconds)")
        clock.nextTurn { order.append("after \(seconds)") }
      }
    }
    clock.advance(by: .seconds(2))
    #expect(order == ["before", "timer 1", "after 1", "timer 2", "after 2"])
    withExtendedLifetime(timers) {}
  }

  @Test("Actions for the next turn run without moving the clock") func nextTurnActionsRunWithoutMovingTheClock() async {
    let clock = ManualClock()
    var order: [Int] = []
    clock.nextTurn {
      order.append(1)
      clock.nextTurn { order.append(3) }
    }
    clock.nextTurn { order.append(2) }
    #expect(order == [])
    await clock.settle()
    #expect(order == [1, 2, 3])
  }

  @Test("While the clock elapses tasks go on at each moment") func elapsingLetsTasksGoOnAtEachMoment() async {
    let clock = ManualClock()
    let start = clock.now
    var moments: [Duration] = []
    EventLoop.main.start {
      for _ in 0..<5 {
        try? await clock.sleep(for: .seconds(2))
        moments.append(clock.now - start)
      }
    }
    await clock.elapse(.seconds(7))
    #expect(moments == [.seconds(2), .seconds(4), .seconds(6)])
    await clock.elapse(.seconds(3))
    #expect(moments.count == 5)
  }
}
