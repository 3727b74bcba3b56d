// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// What came while we were not there, told before what comes now; and ours that may have arrived.
@Client @Suite(.onLoop) struct CatchingUpTests {
  private let store = AccountStore.inMemory()
  private let archive = ArchiveServer()

  private func run() throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    archive.serve(rig.fixture)
    return rig
  }

  private static func isQuery(_ element: Element) -> Bool {
    (try? IQ(element))?.payload?.matches("query", MessageArchive.namespace) == true
  }

  private func told(_ rig: LiveRig) -> [String] { rig.fixture.events(MessageArrived.self).map(\.body) }

  /// Servers send what comes before our presence to the archive only, and never again to those who have asked that.
  @Test("the archive is queried after our presence was sent") func theArchiveIsAskedAfterOurPresence() async throws {
    let rig = try run()
    try await rig.start()
    let received = rig.fixture.server.received
    let presence = try #require(received.firstIndex { $0.name == "presence" })
    let query = try #require(received.firstIndex { Self.isQuery($0) })
    #expect(presence < query)
  }

  @Test(
    "a live message that comes during the archive query is displayed after the missed ones, and once",
    arguments: [true, false])
  func whatComesMeanwhileIsToldAfterwardsAndOnce(_ archiveHasItAlready: Bool) async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = archiveHasItAlready ? ["old", "missed", "live"] : ["old", "missed"]
    let rig = try run()
    let answer = rig.fixture.answer
    let live = try Element(
      parsing: "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>live</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a3'/></message>")
    rig.fixture.answer = { Self.isQuery($0) ? [live] + answer($0) : answer($0) }
    try await rig.start()
    #expect(told(rig) == ["missed", "live"])
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["missed", "live"])
    #expect(try store.messages.archiveCursor() == (archiveHasItAlready ? "a3" : "a2"))
  }

  /// ejabberd keeps what is on its way at the moment of our presence for the next one, and a cluster's archive has it late.
  @Test("a message that reaches the archive a moment later is displayed once")
  func whatReachesTheArchiveAMomentLaterIsToldOnce() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = ["old", "missed"]
    let rig = try run()
    try await rig.start()
    #expect(told(rig) == ["missed"])
    archive.bodies += ["late", "live"]
    await rig.fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m3'><body>live</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a4'/></message>")
    #expect(try store.messages.archiveCursor() == "a2", "not before the second look")
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["missed", "live", "late"])
    #expect(try store.messages.archiveCursor() == "a4")
    let queries = archive.queries.count
    await rig.fixture.clock.elapse(SessionLimits.secondLook * 10)
    #expect(archive.queries.count == queries, "there is no third one")
  }

  @Test("a message that another program of the account logged first is told once, though the archive gives it again")
  func loggedByAnother() async throws {
    try await TestDirectory.with { @Sendable folder in try await logElsewhere(in: folder) }
  }

  private func logElsewhere(in folder: TestDirectory) async throws {
    let alice = try JID("alice@example.org")
    let stores = (0..<2).map { _ in
      AccountStore(directory: folder.path, account: alice, isOneShot: false) { Issue.record("\($0)") }
    }
    try stores[0].messages.keepArchiveCursor("a1")
    archive.bodies = ["old"]
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: stores[1].messages),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    archive.serve(rig.fixture)
    try await rig.start()
    archive.bodies.append("live")
    let live = ArrivedMessage(
      MessageArrived(id: "m2", from: try JID("bob@example.net/x"), to: alice, kind: .chat, body: "live"),
      archiveID: "a2", hasUniqueID: false, mayBeRepeated: false, time: rig.fixture.date)
    _ = try stores[0].messages.record([live], archiveCursor: nil)
    await rig.fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>live</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a2'/></message>")
    #expect(told(rig) == ["live"])
    let queries = archive.queries.count
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(archive.queries.count > queries)
    #expect(told(rig) == ["live"])
  }

  @Test("what another program of the account has logged meanwhile is not counted as what the archive brought")
  func countedByAnother() async throws {
    try await TestDirectory.with { @Sendable folder in try await countBesideAnother(in: folder) }
  }

  private func countBesideAnother(in folder: TestDirectory) async throws {
    let alice = try JID("alice@example.org")
    let stores = (0..<2).map { _ in
      AccountStore(directory: folder.path, account: alice, isOneShot: false) { Issue.record("\($0)") }
    }
    try stores[0].messages.keepArchiveCursor("a1")
    let there = ArrivedMessage(
      MessageArrived(id: "m1", from: try JID("bob@example.net/x"), to: alice, kind: .chat, body: "there"),
      archiveID: "a2", hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: ArchiveServer.start))
    _ = try stores[0].messages.record([there], archiveCursor: nil)
    archive.bodies = ["old", "there", "missed"]
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: stores[1].messages),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    archive.serve(rig.fixture)
    try await rig.start()
    #expect(told(rig) == ["there", "missed"], "for whoever was not there when it was logged")
    #expect(rig.fixture.events(CaughtUp.self) == [CaughtUp(messages: 1)])
  }

  @Test("a correction, a reaction and a retraction come with the messages, and are not counted as such")
  func whatIsNoMessageOfItsOwn() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = ["old", "at nein", "at nine", " ", "retracts"]
    archive.payload = { body in
      switch body {
      case "at nine": "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/>"
      case " ": "<reactions xmlns='urn:xmpp:reactions:0' id='m1'><reaction>👍</reaction></reactions>"
      case "retracts": "<retract xmlns='urn:xmpp:message-retract:1' id='m0'/>"
      default: ""
      }
    }
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages),
      features: SessionFixture.core + [
        MessageArchive.self, StanzaIDs.self, MessageCorrection.self, MessageReactions.self, MessageRetraction.self,
      ])
    archive.serve(rig.fixture)
    try await rig.start()
    #expect(told(rig) == ["at nein", "at nine", "", ""])
    #expect(rig.fixture.events(CaughtUp.self) == [CaughtUp(messages: 1)])
  }

  /// What a server says of its archive when it stops is not the last word on what came before.
  @Test("when the server stops, a failed archive query displays no live message before the missed ones")
  func aServerThatStopsLetsNothingThrough() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = ["old", "missed", "live"]
    let rig = try run()
    let live =
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>live</body>"
      + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a3'/></message>"
    archive.lie = { iq, _ in [iq.failure(.serviceUnavailable).element] }
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.receive(live)
    #expect(told(rig).isEmpty)
    rig.fixture.connector.transport?.peerEnds(nil)
    await rig.fixture.clock.settle()
    #expect(rig.live.state == .retrying)
    archive.lie = nil
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(told(rig) == ["missed", "live"])
  }

  /// A server whose archive is broken keeps nobody from talking.
  @Test("an archive that fails is queried four times, then the live message is displayed")
  func anArchiveThatCannotBeReadIsAskedFourTimes() async throws {
    let rig = try run()
    archive.lie = { iq, _ in [iq.failure(.serviceUnavailable).element] }
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>live</body></message>")
    #expect(told(rig).isEmpty)
    await rig.fixture.clock.elapse(.seconds(7))
    #expect(told(rig) == ["live"])
    #expect(archive.queries.count == 4)
  }

  @Test("after an archive that was empty its first message is news")
  func whatComesBehindAnEmptyArchiveIsNews() async throws {
    var first: LiveRig? = try run()
    try await first?.start()
    first = nil
    archive.bodies = ["the first one"]
    let second = try run()
    try await second.start()
    #expect(told(second) == ["the first one"])
  }

  @Test("at the first start old messages of the archive are not news")
  func whatIsOldAtTheFirstStartIsNoNews() async throws {
    archive.bodies = ["old"]
    let rig = try run()
    try await rig.start()
    #expect(told(rig).isEmpty)
  }

  /// It may have reached no stream. However wrong our clock is, the server's counts.
  @Test("what the archive got since the first log-in began is news, once", arguments: [0, 3_000_000, -3_000_000])
  func newsOfTheFirstLogin(_ difference: Int64) async throws {
    archive.bodies = ["old", "as we came"]
    archive.time = Timestamp(milliseconds: ArchiveServer.start + 60_199)
    let rig = try run()
    rig.fixture.date = Timestamp(milliseconds: ArchiveServer.start + 60_300 - difference)
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["as we came"])
    #expect(try store.messages.archiveCursor() == "a2")
    let queries = archive.queries.count
    await rig.fixture.clock.elapse(SessionLimits.secondLook * 10)
    #expect(archive.queries.count == queries && told(rig) == ["as we came"])
  }

  @Test("what it got before that is old, whether it is known when that was or not", arguments: [60_201, 60_000, nil])
  func noNewsOfTheFirstLogin(_ time: Int64?) async throws {
    archive.bodies = ["old", "as old"]
    archive.time = time.map { Timestamp(milliseconds: ArchiveServer.start + $0) }
    let rig = try run()
    rig.fixture.date = Timestamp(milliseconds: ArchiveServer.start + 60_300)
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig).isEmpty)
    #expect(try store.messages.archiveCursor() == "a2")
  }

  /// So ejabberd may do while it writes what comes.
  @Test("an archive that denied at the first log-in to have anything makes nothing old news")
  func archiveThatDenies() async throws {
    archive.bodies = ["old", "as we came"]
    archive.time = Timestamp(milliseconds: ArchiveServer.start + 60_199)
    archive.lie = { iq, _ in [ArchiveServer.end(of: iq, isComplete: true, last: nil)] }
    let rig = try run()
    rig.fixture.date = Timestamp(milliseconds: ArchiveServer.start + 60_300)
    try await rig.start()
    archive.lie = nil
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["as we came"])
  }

  /// We were away from its time on: nobody else has got what came then.
  @Test("what stands in the archive behind the first message that was kept for us is news") func behindWhatWasKept()
    async throws
  {
    archive.bodies = ["old", "kept", "between", "live"]
    let rig = try run()
    rig.fixture.date = Timestamp(milliseconds: ArchiveServer.start + 180_300)
    let answer = rig.fixture.answer
    func message(_ number: Int, _ more: String = "") throws -> Element {
      try Element(
        parsing: "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m\(number - 1)'>"
          + "<body>\(archive.bodies[number - 1])</body>\(more)"
          + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a\(number)'/></message>")
    }
    let stamp = Timestamp(milliseconds: ArchiveServer.start + 60_000)
    let kept = try message(2, "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(stamp)'/>")
    let live = try message(4)
    var isFirst = true
    rig.fixture.answer = { element in
      guard Self.isQuery(element), isFirst else { return answer(element) }
      isFirst = false
      return [kept, live] + answer(element)
    }
    try await rig.start()
    #expect(told(rig) == ["kept", "live"])
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["kept", "live", "between"])
  }

  @Test("what is kept for us on a later stream says nothing of where the news since the first log-in began")
  func keptOnALaterStream() async throws {
    let rig = try run()
    try await rig.start()
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    archive.bodies = ["one", "two", "kept"]
    let answer = rig.fixture.answer
    let stamp = Timestamp(milliseconds: ArchiveServer.start + 180_000)
    let kept = try Element(
      parsing: "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>kept</body>"
        + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(stamp)'/>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a3'/></message>")
    rig.fixture.answer = { Self.isQuery($0) ? [kept] : answer($0) }
    await rig.fixture.clock.elapse(ConnectionKeeperLimits.firstWait)
    #expect(rig.live.state == .online && told(rig).isEmpty)
    rig.fixture.answer = answer
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(8))
    #expect(told(rig) == ["one", "two", "kept"])
  }

  /// The archive is looked through for it; what was known before it was written is no news for that.
  @Test("a search of the archive for an uncertain message makes no older message news")
  func whatIsUncertainWithoutAMarkMakesNothingOldNews() async throws {
    let bob = try JID("bob@example.net")
    let uncertain = OutgoingMessage(id: "u1", to: bob, body: "uncertain", time: Timestamp(milliseconds: 1_000))
    _ = try store.messages.keep([OutboxRecord(uncertain, state: .sent)], from: try JID("alice@example.org"))
    try store.messages.keepArchiveCursor("a2")
    archive.bodies = ["old", "known", "missed"]
    let rig = try run()
    try await rig.start()
    #expect(told(rig) == ["missed"])
    #expect(try store.messages.archiveCursor() == "a3")
    #expect(rig.fixture.server.received.compactMap { try? Message($0).body } == ["uncertain"])
  }

  @Test(
    "what goes to another device is read by the next run where the server sends no copies of it",
    arguments: [true, false])
  func withoutCopies(_ hasCopies: Bool) async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = ["old"]
    var first: LiveRig? = try run()
    first?.fixture.session.intake.hasCopies = hasCopies
    try await first?.start()
    await first?.fixture.clock.elapse(SessionLimits.secondLook)
    archive.bodies += ["elsewhere", "here"]
    await first?.fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>here</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a3'/></message>")
    #expect(try store.messages.archiveCursor() == (hasCopies ? "a3" : "a1"))
    first = nil
    let second = try run()
    try await second.start()
    #expect(told(second) == (hasCopies ? [] : ["elsewhere"]))
  }

  @Test("ours of a stream that is over is looked for where the server's count of it cannot be")
  func impossibleCount() async throws {
    let bob = try JID("bob@example.net")
    let rig = try run()
    let streams = ScriptedServer.ManagedStreams()
    rig.fixture.managedStreams = streams
    try await rig.start()
    streams.answersQuestions = false
    _ = try rig.fixture.session.delivery.send("one", to: bob)
    await rig.fixture.clock.settle()
    (streams.holds, streams.lie) = (false, "4000")
    // The archive takes its time.
    archive.lie = { _, _ in [] }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(rig.live.state == .online)
    #expect(streams.taken.compactMap { try? Message($0).body } == ["one"])
  }

  /// What is uncertain is neither stuck nor overtaken when the stream is cut while the archive is asked, and goes on.
  @Test("a connection that is cut during the archive query leaves no timer and no open query")
  func aCutWhileTheArchiveIsAskedLeavesNothingBehind() async throws {
    let bob = try JID("bob@example.net")
    _ = try store.messages.keep(
      [
        OutboxRecord(
          OutgoingMessage(id: "u1", to: bob, body: "uncertain", time: Timestamp(milliseconds: 1_000)), state: .sent,
          place: StreamPlace(stream: "gone", position: 1), archiveCursor: "a1")
      ], from: try JID("alice@example.org"))
    archive.bodies = ["old"]
    let rig = try run()
    let streams = ScriptedServer.ManagedStreams()
    rig.fixture.managedStreams = streams
    let answer = rig.fixture.answer
    var queries = 0
    rig.fixture.answer = { [fixture = rig.fixture] element in
      guard Self.isQuery(element) else { return answer(element) }
      queries += 1
      guard queries == 1 else { return answer(element) }
      fixture.clock.nextTurn { fixture.connector.transport?.peerEnds(FakeConnector.brokenLine) }
      return []
    }
    rig.live.start()
    await rig.fixture.clock.settle()
    _ = try rig.fixture.session.delivery.send("new", to: bob)
    await rig.fixture.clock.settle()
    #expect(rig.live.state == .retrying)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.fixture.session.phase == .resumed)
    #expect(streams.taken.compactMap { try? Message($0).body } == ["uncertain", "new"])
  }
}
