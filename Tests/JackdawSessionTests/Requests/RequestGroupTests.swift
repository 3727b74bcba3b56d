// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

@Client @Suite("A request group", .onLoop) struct RequestGroupTests {
  let clock = ManualClock()
  let log = Log()

  /// Waits on the clock, and keeps a record of how many wait at a time.
  private func work(_ name: String, _ seconds: Int64 = 1, fails: Bool = false) async throws -> String {
    log.note("+\(name)")
    do {
      try await clock.sleep(for: .seconds(seconds))
    } catch {
      log.note("!\(name)")
      throw error
    }
    log.note("-\(name)")
    if fails { throw Reason("\(name) failed") }
    return name.uppercased()
  }

  private func start(_ group: RequestGroup) -> Task<RequestGroupError?, Never> {
    Task(executorPreference: EventLoop.main) { await outcome(of: group) }
  }

  private func outcome(of group: RequestGroup) async -> RequestGroupError? {
    do throws(RequestGroupError) {
      try await group.run()
      return nil
    } catch {
      return error
    }
  }

  @Test("returns results of different types, after the longest of its requests and not their sum")
  func returnsResultsOfDifferentTypes() async throws {
    let group = RequestGroup(limit: 3)
    let name = group.add("name") { try await work("a", 5) }
    let number = group.add("number") {
      _ = try await work("b", 3)
      return 7
    }
    let nothing = group.add("nothing") { _ = try await work("c", 1) }
    #expect(throws: RequestUnfinished.self) { try name.value }
    let started = clock.now
    let task = start(group)
    await clock.elapse(.seconds(5))
    #expect(await task.value == nil)
    #expect(try name.value == "A")
    #expect(try number.value == 7)
    try nothing.value
    #expect(log.lines == ["+a", "+b", "+c", "-c", "-b", "-a"])
    #expect(clock.now - started == .seconds(5))
  }

  @Test("runs no more than its limit at a time", arguments: [1, 2, 3, 7, 100, 0, -1])
  func runsNoMoreThanItsLimit(limit: Int) async throws {
    let group = RequestGroup(limit: limit)
    var running = 0
    var most = 0
    for number in 0..<20 {
      group.add("\(number)") {
        running += 1
        most = max(most, running)
        try await clock.sleep(for: .milliseconds(Int64(number * 37 % 11 + 1)))
        running -= 1
      }
    }
    let task = start(group)
    await clock.elapse(.seconds(1))
    #expect(await task.value == nil)
    #expect(most == min(20, max(1, limit)))
  }

  @Test("tells every failure with its label, in the order of adding, and lets the rest go on")
  func tellsEveryFailure() async throws {
    let group = RequestGroup(limit: 2)
    let good = ["b", "d"].map { name in (name, group.add(name) { try await work(name, 1) }) }
    group.add("slow") { try await work("slow", 9, fails: true) }
    group.add("fast") { try await work("fast", 1, fails: true) }
    let task = start(group)
    await clock.elapse(.seconds(20))
    let error = await task.value
    #expect(error?.failures.map(\.label) == ["slow", "fast"])
    #expect(error?.failures.map { "\($0.error)" } == ["slow failed", "fast failed"])
    #expect(error?.first.label == "fast" && error?.count == 4)
    #expect(error?.description == "2 of 4 failed\nslow: slow failed\nfast: fast failed")
    for (name, request) in good { #expect(try request.value == name.uppercased()) }
  }

  @Test("each request's own completion runs as it ends, and before the group's")
  func ownCompletionsRun() async throws {
    let group = RequestGroup(limit: 2)
    for (name, seconds) in [("a", 3), ("b", 1), ("c", 1)] as [(String, Int64)] {
      group.add(name, completed: { log.note("\(name) \((try? $0.get()) ?? "failed")") }) {
        try await work(name, seconds, fails: name == "c")
      }
    }
    let task = start(group)
    await clock.elapse(.seconds(3))
    _ = await task.value
    log.note("all")
    #expect(log.lines == ["+a", "+b", "-b", "b B", "+c", "-c", "c failed", "-a", "a A", "all"])
  }

  @Test("a failure cancels the rest when asked to")
  func aFailureCancelsTheRest() async throws {
    let group = RequestGroup(limit: 2, cancelOnFailure: true)
    for (name, seconds) in [("a", 9), ("b", 1), ("c", 1)] as [(String, Int64)] {
      group.add(name) { try await work(name, seconds, fails: name == "b") }
    }
    let task = start(group)
    await clock.elapse(.seconds(1))
    let error = await task.value
    #expect(log.lines == ["+a", "+b", "-b", "!a"])
    #expect(error?.first.label == "b")
    #expect(error?.failures.map(\.label) == ["a", "b", "c"])
    #expect(error?.failures.map { $0.error is CancellationError } == [true, false, true])
  }

  @Test("cancelling ends those that run and never starts the others, by call and by task", arguments: [false, true])
  func cancelling(byTask: Bool) async throws {
    let group = RequestGroup(limit: 1)
    var completed = 0
    for name in ["a", "b", "c"] {
      group.add(name, completed: { _ in completed += 1 }) { try await work(name, 5) }
    }
    let task = start(group)
    await clock.elapse(.seconds(6))
    if byTask { task.cancel() } else { group.cancel() }
    let error = await task.value
    #expect(log.lines == ["+a", "-a", "+b", "!b"])
    #expect(error?.failures.map(\.label) == ["b", "c"])
    #expect(completed == 3 && clock.pendingTimers == 0)
    group.add("late") { try await work("late") }
    #expect(await outcome(of: group)?.failures.map(\.label) == ["b", "c", "late"])
    #expect(log.lines.count == 4)
  }

  @Test("a task that is cancelled already starts nothing")
  func aTaskThatIsCancelledAlready() async throws {
    let group = RequestGroup()
    group.add("a") { try await work("a") }
    let task = start(group)
    task.cancel()
    #expect(await task.value?.failures.count == 1)
    #expect(log.lines == [])
  }

  @Test("waits for what takes its time to end after cancelling")
  func waitsForStragglers() async throws {
    let group = RequestGroup()
    group.add("stubborn") {
      log.note("begun")
      await withCheckedContinuation { continuation in
        clock.nextTurn { continuation.resume() }
      }
      log.note("done")
    }
    let task = start(group)
    task.cancel()
    _ = await task.value
    #expect(log.lines == [] || log.lines == ["begun", "done"])
  }

  @Test("what a request adds runs too, at once where there is room")
  func requestsMayAddMore() async throws {
    let group = RequestGroup(limit: 2)
    group.add("a") {
      group.add("b") { try await work("b", 1) }
      group.add("c") { try await work("c", 1) }
      return try await work("a", 5)
    }
    let task = start(group)
    await clock.elapse(.seconds(5))
    #expect(await task.value == nil)
    #expect(log.lines == ["+a", "+b", "-b", "+c", "-c", "-a"])
  }

  @Test("may run again with more, and empty")
  func mayRunAgain() async throws {
    let group = RequestGroup()
    try await group.run()
    group.add("a") { log.note("a") }
    await clock.settle()
    #expect(log.lines == [])
    try await group.run()
    group.add("b") { log.note("b") }
    await clock.settle()
    #expect(log.lines == ["a"])
    try await group.run()
    #expect(log.lines == ["a", "b"])
  }

  @Test("groups nest, and their cancelling reaches the inner one")
  func groupsNest() async throws {
    let outer = RequestGroup(limit: 2)
    for half in ["x", "y"] {
      outer.add(half) {
        let inner = RequestGroup(limit: 1)
        for part in ["1", "2"] { inner.add(half + part) { try await work(half + part, 1) } }
        try await inner.run()
      }
    }
    let task = start(outer)
    await clock.elapse(.milliseconds(1500))
    task.cancel()
    let error = await task.value
    #expect(log.lines == ["+x1", "+y1", "-x1", "+x2", "-y1", "+y2", "!x2", "!y2"])
    #expect((error?.failures.first?.error as? RequestGroupError)?.failures.map(\.label) == ["x2"])
    #expect(clock.pendingTimers == 0)
  }

  @Test("groups side by side do not touch each other")
  func groupsSideBySide() async throws {
    let one = RequestGroup(limit: 1)
    let other = RequestGroup(limit: 1)
    one.add("a") { try await work("a", 5) }
    let b = other.add("b") { try await work("b", 5) }
    let (first, second) = (start(one), start(other))
    await clock.settle()
    one.cancel()
    await clock.elapse(.seconds(5))
    #expect(await first.value != nil)
    #expect(await second.value == nil)
    #expect(try b.value == "B")
    #expect(log.lines == ["+a", "+b", "!a", "-b"])
  }

  @Test("does the same for each item, in the items' order")
  func doesTheSameForEach() async throws {
    let task = Task(executorPreference: EventLoop.main) { try await workOnEach(of: [3, 1, 2]) }
    await clock.elapse(.seconds(3))
    #expect(try await task.value == ["3", "1", "2"])
    #expect(log.lines.filter { $0.hasPrefix("=") } == ["=1", "=2", "=3"])
  }

  private func workOnEach(of items: [Int64]) async throws -> [String] {
    try await RequestGroup.each(
      of: items, label: { "\($0)" }, completed: { item, _ in log.note("=\(item)") },
      { try await work("\($0)", $0) })
  }

  @Test("requests of the tracker join as they are: all are sent in one turn, and all end when the connection does")
  func requestsOfTheTrackerJoin() async throws {
    let rig = try TrackerRig()
    let group = RequestGroup(limit: 3)
    let ping = IQ(kind: .get, payload: Element("ping", "urn:xmpp:ping"))
    let requests = ["roster", "carbons", "blocked"].map { label in
      group.add(label) { try await rig.tracker.request(ping) }
    }
    let task = start(group)
    await clock.settle()
    #expect(rig.sender.sent.count == 3)
    #expect(rig.answerLast())
    rig.tracker.removeAll(reason: Reason("lost"))
    let error = await task.value
    #expect(error?.failures.map(\.label) == ["roster", "carbons"])
    #expect((error?.first.error as? RequestError)?.code == .connectionGone)
    #expect(try requests[2].value.kind == .result)
  }

  @Test("ten thousand requests of a group all run, three at a time, and leave nothing behind")
  func tenThousandRequests() async throws {
    var group: RequestGroup? = RequestGroup()
    var sum = 0
    for number in 0..<10_000 { group?.add("\(number)") { sum += number } }
    try await group?.run()
    #expect(sum == 49_995_000)
    weak let gone = group
    group = nil
    #expect(gone == nil)
  }
}
