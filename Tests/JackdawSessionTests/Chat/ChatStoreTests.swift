// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Messages over the end of the program: what one left, the next one takes up.
@Client @Suite(.onLoop) struct ChatStoreTests {
  private let store = AccountStore.inMemory()
  private let streams = ScriptedServer.ManagedStreams()
  private let bob: JID

  init() throws { bob = try JID("bob@example.net") }

  /// A run of the program; killed by being forgotten.
  private func run() throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages, streams: store.streams))
    rig.fixture.managedStreams = streams
    return rig
  }

  private func chat(_ rig: LiveRig) -> Delivery { rig.fixture.session.delivery }
  private func states(_ rig: LiveRig) -> [String] {
    rig.fixture.events(MessageStateChanged.self).map { "\($0.id) \($0.state.name)" }
  }
  private var taken: [String] { streams.taken.compactMap { try? Message($0).body } }

  @Test("A message is in the store before it is on the wire")
  func aMessageIsInTheStoreBeforeItIsOnTheWire() async throws {
    let rig = try run()
    try await rig.start()
    streams.answersQuestions = false
    let id = try chat(rig).send("one", to: bob)
    #expect(!rig.fixture.sent().contains { $0.name == "message" })
    chat(rig).flush()
    #expect(try store.messages.outbox().map(\.message.id) == [id])
    #expect(try store.messages.outbox().map(\.state) == [.sent])
  }

  @Test(
    "a message that is queued without a connection is in the store at once, behind those before it, and goes out once")
  func queued() async throws {
    let rig = try run()
    try chat(rig).send("one", to: bob)
    try await chat(rig).queue("two", to: bob)
    #expect(try store.messages.outbox().map(\.message.body) == ["one", "two"])
    #expect(chat(rig).unstored.isEmpty)
    await rig.fixture.clock.settle()
    #expect(states(rig).map { $0.split(separator: " ").last } == ["waiting", "waiting"])
    try await rig.start()
    #expect(taken == ["one", "two"])
  }

  @Test("A message that the server acknowledged leaves the outbox")
  func whatTheServerHasLeavesTheOutbox() async throws {
    let rig = try run()
    try await rig.start()
    let id = try chat(rig).send("one", to: bob)
    try await chat(rig).confirm([id])
    await rig.fixture.clock.settle()
    #expect(try store.messages.outbox().isEmpty)
  }

  @Test("A message that was never sent goes out with the next run")
  func whatWasNeverSentGoesOutWithTheNextRun() async throws {
    var first: LiveRig? = try run()
    let ids = try ["one", "two"].map { try chat(try #require(first)).send($0, to: bob) }
    chat(try #require(first)).flush()
    first = nil
    let second = try run()
    try await second.start()
    #expect(taken == ["one", "two"])
    #expect(states(second) == ids.map { "\($0) sent" } + ids.map { "\($0) server" })
    await second.fixture.clock.settle()
    #expect(try store.messages.outbox().isEmpty)
  }

  /// Another program took the first of them back: the second one stands where the first would have, and goes once.
  @Test("A message that another program withdraws takes no position in the stream, and the next one is sent once")
  func whatIsWithdrawnMeanwhileTakesNoPlace() async throws {
    let rig = try run()
    try await rig.start()
    streams.answersQuestions = false
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.settle()
    let ids = try ["one", "two"].map { try chat(rig).send($0, to: bob) }
    chat(rig).flush()
    #expect(try store.messages.withdraw(ids[0]) == .withdrawn(to: bob))
    await rig.fixture.clock.elapse(.seconds(2))
    await rig.fixture.clock.settle()
    #expect(rig.live.state == .resumed)
    #expect(taken == ["two"])
    #expect(states(rig).contains("\(ids[0]) failed"))
    #expect(try store.messages.adopt().ours.map(\.place?.position) == [streams.handled])
  }

  /// The stream goes on, and the server says how far it was: nothing comes twice, nothing is missing.
  @Test("The stream of a program that was killed is resumed") func aKilledProgramsStreamGoesOn() async throws {
    var first: LiveRig? = try run()
    try await first?.start()
    streams.answersQuestions = false
    let chat = chat(try #require(first))
    let one = try chat.send("one", to: bob)
    await first?.fixture.clock.settle()
    streams.isTaking = false
    let two = try chat.send("two", to: bob)
    await first?.fixture.clock.settle()
    #expect(taken == ["one"])
    first?.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    first = nil
    streams.isTaking = true
    streams.answersQuestions = true

    let second = try run()
    try await second.start()
    #expect(second.live.state == .resumed)
    #expect(taken == ["one", "two"])
    #expect(Set(states(second)) == ["\(one) server", "\(two) sent", "\(two) server"])
    // Whom the server takes for online already it would tell nothing of our contacts.
    let presences = second.fixture.server.received.filter { $0.name == "presence" }.map { $0.attribute("type") }
    #expect(presences.prefix(2) == ["unavailable", nil])
  }

  @Test("A stream that is too old is not resumed") func aStreamThatIsTooOldIsNotAskedFor() async throws {
    var first: LiveRig? = try run()
    try await first?.start()
    first?.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    first = nil
    let second = try run()
    second.fixture.date = Timestamp(milliseconds: second.fixture.date.milliseconds + 86_400_000)
    try await second.start()
    #expect(second.live.state == .online)
    #expect(!second.fixture.connector.records[0].text.contains("<resume"))
  }

  @Test("A stream that was closed is not resumed") func aStreamThatWasClosedIsNotAskedFor() async throws {
    let first = try run()
    try await first.start()
    await first.live.leave()
    #expect(try store.streams.loadStream() == nil)
  }

  @Test("An incoming message is stored before it is acknowledged, and displayed once")
  func whatCameIsKeptBeforeItIsAcknowledgedAndShownOnce() async throws {
    var first: LiveRig? = try run()
    try await first?.start()
    await first?.fixture.receive(
      "<message from='bob@example.net/x' id='m1'><body>hi</body><origin-id xmlns='urn:xmpp:sid:0' id='m1'/></message>")
    #expect(first?.fixture.events(MessageArrived.self).map(\.body) == ["hi"])
    first?.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    first = nil
    let second = try run()
    try await second.start()
    await second.fixture.receive(
      "<message from='bob@example.net/x' id='m1'><body>hi</body><origin-id xmlns='urn:xmpp:sid:0' id='m1'/></message>")
    #expect(second.fixture.events(MessageArrived.self).isEmpty)
  }

  @Test("A message that was not displayed is displayed at the next start")
  func whatWasNotShownIsShownAtTheNextStart() async throws {
    let arrived = ArrivedMessage(
      MessageArrived(id: "m1", from: bob, to: try JID("alice@example.org"), kind: .chat, body: "unseen"),
      archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
    #expect(try store.messages.record(arrived, movesCursor: false) == .new(1))
    let rig = try run()
    rig.live.start()
    let consumer = try #require(rig.fixture.session.intake.consumer(.screen))
    let unseen = try #require(consumer.unpresented(limit: 10)).messages
    #expect(unseen.map(\.body) == ["unseen"])
    consumer.presented(unseen.compactMap(\.place))
    #expect(consumer.unpresented(limit: 10)?.messages.isEmpty == true)
  }
}
