// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

@Client @Suite("Waiting for events", .onLoop) struct EventBusWaitingTests {
  let clock = ManualClock()
  let bus: EventBus
  let bob: JID
  let eve: JID

  init() throws {
    bus = EventBus(clock: clock)
    bob = try JID("bob@example.org/phone")
    eve = try JID("eve@example.org/web")
  }

  private func message(_ from: JID, _ body: String) -> MessageArrived {
    MessageArrived(id: nil, from: from, to: bob, kind: .chat, body: body)
  }

  private func wait(
    named name: String, topics: [JID]? = nil, timeout: Timeout = .seconds(10),
    where fits: @escaping @Client (any ClientEvent) -> Bool = { _ in true }
  ) -> Task<String, Never> {
    Task(executorPreference: EventLoop.main) { await word(named: name, topics: topics, timeout: timeout, where: fits) }
  }

  private func word(
    named name: String, topics: [JID]?, timeout: Timeout, where fits: @escaping @Client (any ClientEvent) -> Bool
  ) async -> String {
    do throws(EventWaitError) {
      let event = try await bus.next(named: name, topics: topics, timeout: timeout, where: fits)
      return (event as? MessageArrived)?.body ?? (event as? ScriptEvent)?.text ?? event.name
    } catch {
      return error.code.name
    }
  }

  @Test("a script can wait for an event by name, sender and content")
  func waitsByName() async {
    let wait = wait(named: "message", topics: [bob]) { ($0 as? MessageArrived)?.body.contains("yes") == true }
    await clock.settle()
    bus.post(TypingChanged(from: bob, state: .composing))
    bus.post(message(bob, "no"))
    bus.post(message(eve, "yes"))
    bus.post(message(bob, "yes!"))
    bus.post(message(bob, "yes again"))
    #expect(await wait.value == "yes!")
    #expect(clock.pendingTimers == 0)
  }

  @Test("every name of the catalogue can be waited for", arguments: EventCatalogue.names)
  func everyNameCanBeWaitedFor(name: String) async throws {
    let wait = wait(named: name)
    await clock.settle()
    for (event, _) in try ClientEventJSONTests.rows() where event.name == name { bus.post(event) }
    // An event without a row there is a failure, not a wait for ever.
    clock.advance(by: .seconds(86_400))
    let told = await wait.value
    #expect(told != "timed-out" && told != "unknown-event")
  }

  @Test("a script can post an event of its own by name for another to wait for, and none of ours")
  func scriptsPostByName() async throws {
    let wait = wait(named: "x-lunch")
    await clock.settle()
    try bus.post(named: "x-dinner", text: "later")
    try bus.post(named: "x-lunch", topic: eve, text: "pizza")
    #expect(await wait.value == "pizza")
    for name in ["message", "presence", "lunch", "x-", ""] {
      #expect(throws: EventNameError.self) { try bus.post(named: name) }
    }
  }

  @Test("ends without an event: too late, cancelled, no such name")
  func endsWithoutAnEvent() async {
    let late = wait(named: "message", timeout: .seconds(5))
    await clock.settle()
    clock.advance(by: .seconds(5))
    #expect(await late.value == "timed-out")

    let cancelled = wait(named: "message", timeout: .never)
    await clock.settle()
    cancelled.cancel()
    #expect(await cancelled.value == "cancelled")

    let early = wait(named: "message", timeout: .never)
    early.cancel()
    #expect(await early.value == "cancelled")

    #expect(await wait(named: "mesage").value == "unknown-event")
    #expect(clock.pendingTimers == 0)
  }

  @Test("a typed wait returns the event as it is")
  func typedWait() async throws {
    let task = Task(executorPreference: EventLoop.main) { [bus] in
      try await bus.next(PresenceChanged.self, timeout: .never, where: { $0.show == "away" })
    }
    await clock.settle()
    bus.post(PresenceChanged(from: eve, show: "chat", status: nil, priority: 0))
    bus.post(PresenceChanged(from: bob, show: "away", status: nil, priority: 0))
    #expect(try await task.value.from == bob)
  }

  // MARK: Streams

  private func bodies(_ stream: EventStream<MessageArrived>, _ count: Int) async throws -> [String] {
    var iterator = stream.makeAsyncIterator()
    var bodies: [String] = []
    while bodies.count < count, let event = try await iterator.next(isolation: #isolation) { bodies.append(event.body) }
    return bodies
  }

  @Test(
    "a stream keeps what its buffer holds, and says what gives way",
    arguments: [(.dropOldest, ["3", "4"]), (.dropNewest, ["1", "2"]), (.fail, ["1", "2"])]
      as [(EventStream<MessageArrived>.WhenFull, [String])])
  func aStreamKeepsWhatItsBufferHolds(whenFull: EventStream<MessageArrived>.WhenFull, expected: [String]) async throws {
    let stream = bus.stream(of: MessageArrived.self, topics: [bob], buffer: 2, whenFull: whenFull)
    for body in ["1", "2", "3", "4"] {
      bus.post(message(bob, body))
      bus.post(message(eve, "other"))
    }
    #expect(try await bodies(stream, 2) == expected)
    guard whenFull == .fail else { return }
    await #expect(throws: EventStreamOverflow.self) { try await bodies(stream, 1) }
  }

  @Test("a stream ends with its bus, after what is still in its buffer")
  func aStreamEndsWithItsBus() async throws {
    var bus: EventBus? = EventBus(clock: clock)
    let stream = try #require(bus?.stream(of: MessageArrived.self, buffer: 5, whenFull: .fail))
    bus?.post(message(bob, "last"))
    bus = nil
    #expect(try await bodies(stream, 9) == ["last"])
  }

  @Test("a stream ends when its task is cancelled, and its subscription with it")
  func aStreamEndsWhenItsTaskIsCancelled() async throws {
    let log = Log()
    let task = Task(executorPreference: EventLoop.main) { try await drain(into: log) }
    await clock.settle()
    bus.post(message(bob, "1"))
    await clock.settle()
    task.cancel()
    try await task.value
    bus.post(message(bob, "2"))
    #expect(log.lines == ["1", "end"])
  }

  private func drain(into log: Log) async throws {
    for try await event in bus.stream(of: MessageArrived.self, buffer: 9, whenFull: .dropOldest) {
      log.note(event.body)
    }
    log.note("end")
  }
}
