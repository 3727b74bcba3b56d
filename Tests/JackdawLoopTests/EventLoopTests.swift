// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@Client @Suite(.onLoop) struct EventLoopTests {
  @Test("A synchronous test on @Client runs on the loop's thread") func aSynchronousTestOnClientRunsOnTheLoopThread() {
    #expect(EventLoop.main.isCurrentThread)
  }

  @Test("Every step of an asynchronous chain stays on the loop's thread")
  func everyHopOfAnAsyncChainStaysOnTheLoopThread() async throws {
    var elsewhere: [String] = []
    func note(_ place: String) { if !EventLoop.main.isCurrentThread { elsewhere.append(place) } }
    note("start")
    try await EventLoop.main.sleep(for: .nanoseconds(1))
    note("timer")
    let helperIsLoop = try await EventLoop.main.offload { EventLoop.main.isCurrentThread }
    #expect(!helperIsLoop)
    note("offload")
    let pipe = Pipe()
    pipe.write("x")
    await pipe.readable()
    note("descriptor")
    _ = try await ChildProcess.run(["true"])
    note("child process")
    await Task.yield()
    note("yield")
    await EventLoop.main.idle()
    note("idle")
    if await !nonisolatedHop() { elsewhere.append("in a nonisolated function") }
    note("nonisolated function")
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 { group.addTask { await self.nonisolatedHop() } }
      for await isThere in group where !isThere { elsewhere.append("in a child task") }
    }
    note("task group")
    #expect(elsewhere == [])
  }

  @Test("A started task stays on the loop's thread") func aStartedTaskStaysOnTheLoopThread() async {
    var places: [Bool] = []
    await EventLoop.main.start {
      places.append(EventLoop.main.isCurrentThread)
      places.append(await self.nonisolatedHop())
      try? await EventLoop.main.sleep(for: .nanoseconds(1))
      places.append(EventLoop.main.isCurrentThread)
    }.value
    #expect(places == [true, true, true])
  }

  @Test("A started task returns its value or throws its error")
  func aStartedTaskGivesItsValueOrItsError() async throws {
    struct Failure: Error {}
    #expect(await EventLoop.main.start { 1 }.value == 1)
    let failing = EventLoop.main.start { throw Failure() }
    await #expect(throws: Failure.self) { try await failing.value }
  }

  private nonisolated func nonisolatedHop() async -> Bool {
    await Task.yield()
    return EventLoop.main.isCurrentThread
  }

  @Test("Handlers are isolated to @Client") func handlersAreIsolatedToClient() async {
    await withUnsafeContinuation { done in
      EventLoop.main.nextTurn {
        Client.preconditionIsolated()
        Client.assertIsolated()
        done.resume()
      }
    }
  }

  @Test("An isolated deinit runs at once on the loop") func anIsolatedDeinitRunsAtOnceOnTheLoop() async {
    final class Log { var entries: [String] = [] }
    @Client final class Ends {
      let log: Log
      init(log: Log) { self.log = log }
      isolated deinit { log.entries.append("deinit") }
    }
    let log = Log()
    func release(_ place: String) {
      var ends: Ends? = Ends(log: log)
      withExtendedLifetime(ends) {}
      ends = nil
      log.entries.append(place)
    }
    release("job")
    await withUnsafeContinuation { done in
      EventLoop.main.nextTurn {
        release("handler")
        done.resume()
      }
    }
    #expect(log.entries == ["deinit", "job", "deinit", "handler"])
  }

  @Test("Jobs of other threads wake the loop up") func jobsOfOtherThreadsWakeTheLoopUp() async throws {
    // Each round trip has the loop asleep in poll until the helper's thread resumes the continuation.
    for round in 0..<200 {
      #expect(try await EventLoop.main.offload { round } == round)
    }
  }

  @Test("Actions for the next turn run in order, after what is queued")
  func nextTurnComesAfterWhatIsQueuedAndInOrder() async {
    var order: [String] = []
    let jobs = (0..<3).map { number in EventLoop.main.start { order.append("job \(number)") } }
    EventLoop.main.nextTurn {
      order.append("action 0")
      EventLoop.main.nextTurn { order.append("action of action 0") }
    }
    EventLoop.main.nextTurn { order.append("action 1") }
    for job in jobs { await job.value }
    await EventLoop.main.idle()
    #expect(order == ["job 0", "job 1", "job 2", "action 0", "action 1", "action of action 0"])
  }

  @Test("Waiting until the loop is idle waits for chains of jobs and actions")
  func idleWaitsForChainsOfJobsAndActions() async {
    var steps = 0
    EventLoop.main.start {
      for _ in 0..<1000 {
        await Task.yield()
        steps += 1
      }
      EventLoop.main.nextTurn { EventLoop.main.nextTurn { EventLoop.main.start { steps += 1 } } }
    }
    await EventLoop.main.idle()
    #expect(steps == 1001)
  }
}
