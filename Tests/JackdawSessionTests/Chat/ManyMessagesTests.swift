// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// More messages are written in one turn than go out at once, as a script does.
@Client @Suite("Thousands of messages in one turn", .onLoop) struct ManyMessagesTests {
  private let store = AccountStore.inMemory()
  private let log: LockableStore
  private let streams = ScriptedServer.ManagedStreams()
  private let rig: LiveRig
  private let bob: JID

  init() throws {
    bob = try JID("bob@example.net")
    log = LockableStore(store.messages)
    rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: log, streams: store.streams),
      features: SessionFixture.core)
    rig.fixture.managedStreams = streams
  }

  private let count = 2 * SessionLimits.messagesWrittenAtOnce + 500
  private var bodies: [String] { (0..<count).map { "\($0)" } }
  private var delivery: Delivery { rig.fixture.session.delivery }
  private var taken: [String] { streams.taken.compactMap { try? Message($0).body } }
  private func write() throws { for body in bodies { try delivery.send(body, to: bob) } }

  @Test("are kept as they go out, each once, and none is on the wire before it is in the log")
  func inPieces() async throws {
    try await rig.start()
    // What the log had when each of them was written.
    var missing = 0
    let states = rig.fixture.session.events.on(MessageStateChanged.self) { [delivery] in
      if $0.state == .sent, delivery.outbox[$0.id]?.stored == nil { missing += 1 }
    }
    defer { states.cancel() }
    try write()
    await rig.fixture.clock.settle()
    #expect(log.kept.map(\.bodies.count) == [1_000, 1_000, 500] && log.kept.allSatisfy(\.areSent))
    #expect(log.placed == 0 && missing == 0)
    #expect(taken == bodies)
    #expect(delivery.openCount == 0)
    #expect(try store.messages.outbox().isEmpty)
  }

  @Test("are all in the log where there is no stream, and stand on the next one where the log has them")
  func withoutAStream() async throws {
    try await rig.start()
    streams.holds = false
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.settle()
    try write()
    await rig.fixture.clock.settle()
    #expect(log.kept.map(\.bodies) == [bodies] && log.kept.allSatisfy { !$0.areSent })
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(taken == bodies && log.placed >= count)
  }

  @Test("that an earlier run left go out behind the answers to the log-in's questions, but for some")
  func behindTheAnswers() async throws {
    try write()
    delivery.flush()
    await rig.fixture.clock.settle()
    let manners = rig.fixture.answer
    var questions: [Element] = []
    rig.fixture.answer = { element in
      guard element.firstChild?.namespace == Namespace.roster else { return manners(element) }
      questions.append(element)
      return []
    }
    rig.live.start()
    await rig.fixture.clock.settle()
    #expect(taken == Array(bodies.prefix(SessionLimits.messagesBeforeRequest)))
    let transport = try #require(rig.fixture.connector.transport)
    let question = try #require(questions.first)
    for answer in manners(question) { transport.deliver(rig.fixture.server.bytes(of: answer)) }
    await rig.fixture.clock.settle()
    #expect(taken == bodies)
  }

  @Test("are all in the log where the server takes no more, and go out, once, when it does")
  func withoutRoom() async throws {
    try await rig.start()
    let transport = try #require(rig.fixture.connector.transport)
    transport.isStuck = true
    transport.untaken = SessionLimits.pendingOutput + 1
    try write()
    await rig.fixture.clock.settle()
    #expect(log.kept.flatMap(\.bodies) == bodies && taken.isEmpty)
    #expect(try store.messages.outbox().map(\.message.body) == bodies)
    transport.isStuck = false
    transport.send(Array(" ".utf8))
    await rig.fixture.clock.settle()
    transport.peerMakesRoom()
    await rig.fixture.clock.settle()
    #expect(taken == bodies && delivery.openCount == 0)
  }

  @Test("wait for the log where another program has it locked, with those that the log has alone on the wire")
  func lockedMeanwhile() async throws {
    try await rig.start()
    log.locksAfterKeeping = true
    try write()
    await rig.fixture.clock.settle()
    #expect(taken == Array(bodies.prefix(1_000)))
    log.locksAfterKeeping = false
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause * 2)
    #expect(taken == bodies && log.kept.flatMap(\.bodies) == bodies)
  }
}
