// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What the archive says of the time without a stream: what came, and which of our own messages arrived.
@Client @Suite(.onLoop) struct ChatCatchingUpTests {
  private let store = AccountStore.inMemory()
  private let archive = ArchiveServer()
  private let fixture: SessionFixture
  private let bob: JID

  init() throws {
    bob = try JID("bob@example.net")
    fixture = try SessionFixture(
      stores: SessionStores(messages: store.messages, streams: store.streams),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    archive.serve(fixture)
  }

  private var chat: Delivery { fixture.session.delivery }
  private var told: [String] { fixture.events(MessageArrived.self).map(\.body) }
  private var states: [String] { fixture.events(MessageStateChanged.self).map { "\($0.id) \($0.state.name)" } }
  private func sentMessages() -> [String?] {
    fixture.sent().filter { $0.name == "message" }.map { $0.attribute("id") }
  }

  /// A message is written on a stream that is then lost, without a word on it.
  private func loseOne() async throws -> String {
    try store.messages.keepArchiveCursor("a1")
    fixture.session.begin()
    archive.bodies = ["old"]
    try await fixture.settleIn()
    fixture.answer = { _ in [] }
    let id = try chat.send("mine", to: bob)
    await fixture.clock.settle()
    #expect(sentMessages() == [id])
    fixture.session.drop(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    archive.serve(fixture)
    return id
  }

  @Test("what an earlier run left, known only while the archive is read, is looked for there before it goes out again")
  func leftoversBecomeKnownMeanwhile() async throws {
    let id = try await loseOne()
    var held: [IQ] = []
    archive.lie = { iq, _ in
      held.append(iq)
      return []
    }
    let settling = StartedTask { try await fixture.settleIn() }
    for _ in 0..<20 where held.isEmpty { await fixture.clock.settle() }
    let first = try #require(held.first)
    fixture.session.catchUp.adoptionIsLate()
    await fixture.receive(ArchiveServer.end(of: first, isComplete: true, last: "a1").description)
    #expect(sentMessages().isEmpty && held.count == 2)
    await fixture.receive(ArchiveServer.end(of: try #require(held.last), isComplete: true, last: "a1").description)
    #expect(sentMessages() == [id])
    settling.cancel()
  }

  // MARK: Theirs

  @Test("missed messages are displayed in their order") func whatCameMeanwhileIsToldInItsOrder() async throws {
    try store.messages.keepArchiveCursor("a1")
    fixture.session.begin()
    archive.bodies = ["old", "one", "two"]
    try await fixture.settleIn()
    #expect(told == ["one", "two"])
    #expect(fixture.events(MessageArrived.self).allSatisfy { $0.delayed != nil })
    #expect(fixture.events(CaughtUp.self) == [CaughtUp(messages: 2)])
    let order = fixture.posted.map(\.name).filter { $0 == CaughtUp.name || $0 == MessageArrived.name }
    #expect(order == [CaughtUp.name, MessageArrived.name, MessageArrived.name], "their number comes before them")
    #expect(try store.messages.archiveCursor() == "a3")

    fixture.session.drop(ConnectionError(.lost, "cut"))
    archive.bodies += ["three"]
    try await fixture.settleIn()
    #expect(told == ["one", "two", "three"])
    #expect(fixture.events(CaughtUp.self).last == CaughtUp(messages: 1))
  }

  @Test("of thousands each thousand is told behind its number")
  func thousands() async throws {
    try store.messages.keepArchiveCursor("a1")
    fixture.session.begin()
    let count = SessionLimits.toldTogether * 2 + 3
    archive.bodies = ["old"] + (1...count).map { "m\($0)" }
    try await fixture.settleIn()
    #expect(told == (1...count).map { "m\($0)" })
    let numbers = fixture.events(CaughtUp.self).map(\.messages)
    #expect(numbers.count == 3 && numbers.reduce(0, +) == count)
  }

  @Test("what has been read is told soon, though the next page does not come")
  func slowArchive() async throws {
    try store.messages.keepArchiveCursor("a1")
    fixture.session.begin()
    archive.bodies = ["old"] + (1...60).map { "m\($0)" }
    archive.pageSize = 30
    let answer = fixture.answer
    let archive = archive
    fixture.answer = { archive.queries.count < 1 ? answer($0) : [] }
    let settling = fixture.start { try await fixture.settleIn() }
    await fixture.clock.settle()
    await fixture.clock.elapse(SessionLimits.toldWithin - .milliseconds(1))
    #expect(told == [])
    await fixture.clock.elapse(.milliseconds(1))
    #expect(told == (1...30).map { "m\($0)" })
    #expect(fixture.events(CaughtUp.self) == [CaughtUp(messages: 30)])
    #expect(!settling.hasEnded)
  }

  @Test("a message that came live is not displayed again from the archive")
  func whatCameLiveIsNotToldAgainByTheArchive() async throws {
    try store.messages.keepArchiveCursor("a1")
    fixture.session.begin()
    archive.bodies = ["old"]
    try await fixture.settleIn()
    await fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m1'><body>one</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a2'/></message>")
    fixture.session.drop(ConnectionError(.lost, "cut"))
    archive.bodies += ["one", "two"]
    try await fixture.settleIn()
    #expect(told == ["one", "two"])
  }

  @Test("what comes while a server that stops refuses its archive is told behind what is there")
  func refusalOfAServerThatStops() async throws {
    try store.messages.keepArchiveCursor("a1")
    fixture.session.begin()
    archive.bodies = ["old", "one", "two", "three"]
    archive.lie = { iq, _ in [iq.failure(.serviceUnavailable).element] }
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: nil)
    let reading = fixture.start { await fixture.session.catchUp() }
    await fixture.clock.settle()
    await fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m3'><body>three</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a4'/></message>")
    await fixture.clock.elapse(.seconds(4))
    #expect(told.isEmpty)
    reading.cancel()
    fixture.session.drop(ConnectionError(.lost, "stopped"))
    archive.lie = nil
    try await fixture.settleIn()
    #expect(told == ["one", "two", "three"])
  }

  @Test("the first log-in of all takes the archive's messages as known")
  func theFirstLoginOfAllTakesWhatIsOldForKnown() async throws {
    fixture.session.begin()
    archive.bodies = ["old"]
    try await fixture.settleIn()
    #expect(told.isEmpty)
    #expect(try store.messages.archiveCursor() == "a1")
  }

  /// What is known to the archive no more has expired: whatever there is is newer, or known here.
  @Test("an archive that no longer knows the cursor is read from its beginning")
  func anArchiveThatForgotThePlaceIsReadFromItsBeginning() async throws {
    try store.messages.keepArchiveCursor("a99")
    fixture.session.begin()
    archive.bodies = ["one", "two"]
    try await fixture.settleIn()
    #expect(told == ["one", "two"])
    #expect(try store.messages.archiveCursor() == "a2")
  }

  @Test("a message that comes while the archive is read does not move the cursor")
  func whatIsSaidInThatTimeMovesNoMark() async throws {
    try store.messages.keepArchiveCursor("a1")
    fixture.session.begin()
    archive.lie = { _, _ in [] }
    try await fixture.logIn()
    let settling = fixture.start {
      try await fixture.session.settleIn(showing: nil)
      await fixture.session.catchUp()
    }
    await fixture.clock.settle()
    await fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m7'><body>live</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a7'/></message>")
    #expect(try store.messages.archiveCursor() == "a1", "what lies between is not known yet")
    await fixture.clock.elapse(.seconds(30))
    #expect(settling.hasEnded)
    #expect(try store.messages.archiveCursor() == "a1")
  }

  // MARK: Ours

  @Test("an uncertain message that is in the archive is not sent again")
  func aMessageThatIsInTheArchiveIsNotSentAgain() async throws {
    let id = try await loseOne()
    archive.lie = { iq, _ in
      let mine =
        "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-11-20T10:05:00Z'/><message "
        + "xmlns='jabber:client' from='alice@example.org/here' to='bob@example.net' type='chat' id='\(id)'>"
        + "<body>mine</body></message></forwarded>"
      return [ArchiveServer.result(iq.id, "a2", mine), ArchiveServer.end(of: iq, isComplete: true, last: "a2")]
    }
    try await fixture.settleIn()
    #expect(states.last == "\(id) server")
    #expect(!states.dropFirst().contains("\(id) sent"))
    #expect(told.isEmpty, "it is ours, and was shown when it was written")
    try await chat.confirm([id])
  }

  @Test("an uncertain message that is not in the archive is sent again")
  func aMessageThatIsNotInTheArchiveIsSentAgain() async throws {
    let id = try await loseOne()
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: nil)
    await fixture.session.catchUp()
    await fixture.clock.settle()
    #expect(sentMessages() == [id])
    #expect(
      archive.queries.last?.child("set", ResultSetRequest.namespace)?.text(of: "after", ResultSetRequest.namespace)
        == "a1")
    try await chat.confirm([id])
    #expect(states.last == "\(id) server")
  }

  /// Losing one is worse than that one comes twice.
  @Test("an uncertain message is sent again where the archive does not answer")
  func whereTheArchiveDoesNotAnswerItIsSentAgain() async throws {
    let id = try await loseOne()
    archive.lie = { iq, _ in [iq.failure(.serviceUnavailable).element] }
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: nil)
    _ = fixture.start { await fixture.session.catchUp() }
    await fixture.clock.settle()
    await fixture.clock.elapse(.seconds(6))
    #expect(sentMessages().isEmpty, "it is asked again")
    await fixture.clock.elapse(.seconds(1))
    #expect(sentMessages() == [id])
  }

  /// What is written then stays behind what is uncertain.
  @Test("no message is sent before the archive has answered")
  func nothingIsWrittenBeforeTheArchiveHasAnswered() async throws {
    let id = try await loseOne()
    archive.lie = { _, _ in [] }
    try await fixture.logIn()
    _ = fixture.start {
      try await fixture.session.settleIn(showing: nil)
      await fixture.session.catchUp()
    }
    await fixture.clock.settle()
    let next = try chat.send("next", to: bob)
    await fixture.clock.settle()
    #expect(sentMessages().isEmpty)
    // Cut again before the answer: the question stays open, and is asked again on the next stream.
    fixture.session.drop(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    archive.lie = nil
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: nil)
    await fixture.session.catchUp()
    await fixture.clock.settle()
    #expect(sentMessages() == [id, next])
  }
}
