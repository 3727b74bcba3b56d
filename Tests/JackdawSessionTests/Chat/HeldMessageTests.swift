// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What comes while the archive is still being read: safe before the server is told that it came, and told in its place, whatever
/// happens meanwhile.
@Client @Suite(.onLoop) struct HeldMessageTests {
  private let store = AccountStore.inMemory()
  private let archive = ArchiveServer()
  private let streams = ScriptedServer.ManagedStreams()

  init() throws {
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = ["old", "missed", "live"]
  }

  private static let live =
    "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>live</body>"
    + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a3'/></message>"

  /// A run of the program.
  /// - Parameter archiveAnswers: false: it keeps silent as long as this run lasts.
  private func run(archiveAnswers: Bool = true, messages: (any MessageStore)? = nil) throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()),
      stores: SessionStores(messages: messages ?? store.messages, streams: store.streams),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    rig.fixture.managedStreams = streams
    archive.serve(rig.fixture)
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      let isQuery = (try? IQ(element))?.payload?.matches("query", MessageArchive.namespace) == true
      return isQuery && !archiveAnswers ? [] : answer(element)
    }
    return rig
  }

  private func told(_ rig: LiveRig) -> [String] { rig.fixture.events(MessageArrived.self).map(\.body) }
  private func heldBodies() throws -> [String] { try store.messages.postponed() }

  @Test("a live message is in the store before it is acknowledged")
  func itIsInTheStoreBeforeTheServerIsToldThatItCame() async throws {
    let rig = try run(archiveAnswers: false)
    try await rig.start()
    await rig.fixture.receive("<r xmlns='urn:xmpp:sm:3'/>")
    let before = try #require(streams.clientsCount.flatMap { Int($0) })
    await rig.fixture.receive(Self.live + "<r xmlns='urn:xmpp:sm:3'/>")
    #expect(streams.clientsCount == String(before + 1))
    #expect(try heldBodies() == ["live"])
    #expect(told(rig).isEmpty, "what came before it is not known yet")
  }

  @Test("after a kill the next run displays the message in its place")
  func itIsToldInItsPlaceByTheRunAfterAKill() async throws {
    var first: LiveRig? = try run(archiveAnswers: false)
    try await first?.start()
    await first?.fixture.receive(Self.live + "<r xmlns='urn:xmpp:sm:3'/>")
    first?.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    first = nil
    let second = try run()
    try await second.start()
    #expect(second.live.state == .resumed)
    #expect(told(second) == ["missed", "live"])
    #expect(try heldBodies().isEmpty)
    let third = try run()
    try await third.start()
    #expect(told(third).isEmpty)
  }

  @Test("a second look that ends with its stream lets nothing through on the next one")
  func secondLookOverACut() async throws {
    archive.bodies = ["old"]
    let rig = try run()
    try await rig.start()
    archive.lie = { _, _ in [] }
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    streams.holds = false
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .online)
    await rig.fixture.receive(Self.live)
    #expect(told(rig).isEmpty, "the archive has not been read on this stream")
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    archive.lie = nil
    archive.bodies = ["old", "missed", "live"]
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(told(rig) == ["missed", "live"])
  }

  /// The archive need not have it: servers keep some messages in none, and some keep none at all.
  @Test("after a kill the message is displayed even where there is no archive")
  func itNeedsNoArchiveToBeToldAfterAKill() async throws {
    archive.bodies = ["old", "missed"]
    var first: LiveRig? = try run(archiveAnswers: false)
    try await first?.start()
    await first?.fixture.receive(Self.live + "<r xmlns='urn:xmpp:sm:3'/>")
    first?.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    first = nil
    let second = try run()
    try await second.start()
    #expect(told(second) == ["missed", "live"])
    #expect(second.fixture.events(MessageArrived.self).last?.delayed != nil, "it says when it came")
    archive.bodies = ["old", "missed", "live"]
    let third = try run()
    try await third.start()
    #expect(told(third).isEmpty, "it is no news when the archive has it")
  }

  /// On a new machine nothing of the archive is read but where it ends.
  @Test("a message that comes during the first log-in ever keeps its place")
  func whatComesWhileTheFirstLogInEverIsDoneKeepsItsPlace() async throws {
    let store = AccountStore.inMemory()
    let rig = try run(messages: store.messages)
    streams.holds = false
    rig.fixture.answer = { _ in [] }
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.receive(Self.live)
    #expect(try store.messages.postponed(limit: 10).count == 1)
    rig.fixture.date = Timestamp(milliseconds: rig.fixture.date.milliseconds + 1_000)
    archive.serve(rig.fixture)
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(ConnectionKeeperLimits.firstWait)
    #expect(told(rig) == ["live"])
    archive.bodies = ["old", "missed", "live", "later"]
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["live", "later"])
  }

  /// ejabberd makes us available first, and sends what it stored then.
  @Test("messages that the server stored come before those that arrive while it sends them")
  func whatTheServerStoredComesBeforeWhatIsSaidWhileItSendsThat() async throws {
    let rig = try run(messages: AccountStore.inMemory().messages)
    let answer = rig.fixture.answer
    archive.bodies = ["old", "missed"]
    var query: Element?
    rig.fixture.answer = { element in
      guard (try? IQ(element))?.payload?.matches("query", MessageArchive.namespace) == true else {
        return answer(element)
      }
      query = element
      return []
    }
    try await rig.start()
    await rig.fixture.receive(Self.live)
    await rig.fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m1'><body>missed</body>"
        + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2026-07-28T09:59:00Z'/></message>")
    #expect(told(rig).isEmpty, "what came before it is not known yet")
    for element in answer(try #require(query)) {
      rig.fixture.connector.transport?.deliver(rig.fixture.server.bytes(of: element))
    }
    await rig.fixture.clock.settle()
    #expect(told(rig) == ["missed", "live"])
  }

  /// On a machine where `history sync` came first, or `history` with somebody else: the server still has what nobody was presented.
  @Test(
    "what the server kept comes before what was said after a command fetched the archive, and once",
    arguments: [true, false])
  func keptBeforeAFetch(isFetched: Bool) async throws {
    try store.messages.keepArchiveCursor("a2")
    archive.bodies = ["old", "kept", "fresh"]
    // One that was not fetched is known by its time alone.
    let stamp = Timestamp(milliseconds: ArchiveServer.start + (isFetched ? 120_000 : 119_000))
    let (bob, alice) = (try JID("bob@example.net/x"), try JID("alice@example.org"))
    if isFetched {
      let fetched = ArrivedMessage(
        MessageArrived(id: "m1", from: bob, to: alice, kind: .chat, body: "kept"), archiveID: "a2",
        hasUniqueID: false, mayBeRepeated: true, time: stamp)
      _ = try store.earlier.keep([fetched], of: nil, ArchiveWalk(), before: "a2", isComplete: true)
    }
    let kept = try Element(
      parsing: "<message from='\(bob)' to='\(alice)' type='chat' id='m1'><body>kept</body>"
        + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(stamp)'/>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='\(alice)' id='a2'/></message>")
    let rig = try run()
    let answer = rig.fixture.answer
    var isFirst = true
    rig.fixture.answer = { element in
      let isQuery = (try? IQ(element))?.payload?.matches("query", MessageArchive.namespace) == true
      guard isQuery, isFirst else { return answer(element) }
      isFirst = false
      return [kept] + answer(element)
    }
    try await rig.start()
    #expect(told(rig) == ["kept", "fresh"])
    #expect(try store.messages.unpresented() == ["kept", "fresh"])
    #expect(try heldBodies().isEmpty)
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["kept", "fresh"])
  }

  /// The session is told of the end of a connection a turn later than the next page can be asked for in vain.
  @Test("when the connection ends after a page of the archive the live message waits for the other pages")
  func aConnectionThatEndsBehindAPageLetsItWaitForTheOthers() async throws {
    let rig = try run()
    streams.holds = false
    rig.fixture.answer = { _ in [] }
    rig.fixture.edit = { _, reply in reply.contains("<fin") ? .hangsUp(reply) : .says(reply) }
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.receive(Self.live.replacing("a3", with: "a4"))
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    archive.bodies = ["old", "missed", "missed too", "live"]
    archive.pageSize = 1
    archive.serve(rig.fixture)
    await rig.fixture.clock.elapse(ConnectionKeeperLimits.firstWait)
    #expect(told(rig) == ["missed"])
    #expect(try heldBodies() == ["live"])
    rig.fixture.edit = { .says($1) }
    await rig.fixture.clock.elapse(.seconds(8))
    #expect(told(rig) == ["missed", "missed too", "live"])
  }

  @Test("after /quit the message is displayed by the next run") func quittingLeavesItToTheNextRun() async throws {
    let first = try run(archiveAnswers: false)
    try await first.start()
    await first.fixture.receive(Self.live)
    await first.live.leave()
    #expect(told(first).isEmpty)
    let second = try run()
    try await second.start()
    #expect(told(second) == ["missed", "live"])
  }

  @Test("with a cut and a resumption in that time the message is displayed once")
  func aCutAndAResumptionInThatTimeTellItOnce() async throws {
    let rig = try run(archiveAnswers: false)
    try await rig.start()
    await rig.fixture.receive(Self.live)
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    archive.serve(rig.fixture)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
    #expect(told(rig) == ["missed", "live"])
    #expect(try heldBodies().isEmpty)
  }

  /// The first log-in's questions end with its stream, when the next one has begun already.
  @Test("a log-in that was overtaken by the next one displays nothing")
  func aLoginThatWasOvertakenByTheNextLetsNothingThrough() async throws {
    let rig = try run()
    let answer = rig.fixture.answer
    var open: [Element] = []
    rig.fixture.answer = { element in
      guard (try? IQ(element))?.payload?.namespace == ServiceDiscovery.information else { return answer(element) }
      open.append(element)
      return []
    }
    rig.live.start()
    await rig.fixture.clock.settle()
    #expect(rig.live.state == .online)
    streams.holds = false
    open = []
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.states.suffix(1) == [.online])
    await rig.fixture.receive(Self.live)
    #expect(told(rig).isEmpty, "what came before it is not known yet")
    for element in open.flatMap(answer) {
      rig.fixture.connector.transport?.deliver(rig.fixture.server.bytes(of: element))
    }
    await rig.fixture.clock.settle()
    #expect(told(rig) == ["missed", "live"])
  }

  /// Who lies of ids of the archive must not hide a message: the server that does not vouch for them is not believed.
  @Test("the archive ID of a message counts only where our server vouches for it")
  func whatItIsCalledCountsOnlyWhereTheServerVouchesForIt() async throws {
    archive.features = [MessageArchive.namespace]
    archive.bodies = ["old", "missed", "another one"]
    let rig = try run(archiveAnswers: false)
    try await rig.start()
    await rig.fixture.receive(Self.live)
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    archive.serve(rig.fixture)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(told(rig) == ["missed", "another one", "live"])
  }

  /// A full disk: the server is told all the same, else it would send the message for ever; what nobody keeps is told.
  @Test("a store that fails stops neither the stream's count nor the message")
  func aStoreThatTakesNothingStopsNeitherTheCountNorTheMessage() async throws {
    let rig = try run(archiveAnswers: false, messages: FullStore())
    try await rig.start()
    await rig.fixture.receive("<r xmlns='urn:xmpp:sm:3'/>")
    let before = try #require(streams.clientsCount.flatMap { Int($0) })
    await rig.fixture.receive(Self.live + "<r xmlns='urn:xmpp:sm:3'/>")
    #expect(streams.clientsCount == String(before + 1))
    #expect(told(rig) == ["live"])
  }

  /// A full disk, and a flood of messages: what there is no room for is told out of its place.
  @Test("with a store that fails the messages kept in memory are bounded")
  func whatAStoreThatTakesNothingLeavesInMemoryIsBounded() async throws {
    let rig = try run(archiveAnswers: false, messages: FullStore())
    try await rig.start()
    let intake = rig.fixture.session.intake
    let bob = try JID("bob@example.net/x")
    let message = ArrivedMessage(
      MessageArrived(id: "m", from: bob, to: try JID("alice@example.org"), kind: .chat, body: "flood"), archiveID: nil,
      hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 0))
    intake.hold(Array(repeating: message, count: SessionLimits.postponedRemembered - 1))
    intake.hold(Array(repeating: message, count: 3))
    #expect(intake.unlogged.count == SessionLimits.postponedRemembered)
    #expect(told(rig).count == 2)
  }

  private static func asksAccount(_ element: Element) -> Bool {
    guard let iq = try? IQ(element) else { return false }
    return iq.payload?.namespace == ServiceDiscovery.information && iq.to?.localpart != nil
  }

  @Test(
    "it is told once, and after twenty seconds, where the server does not say whether the archive's ids are to be believed"
  )
  func withoutAWordOnIDs() async throws {
    let rig = try run()
    let answer = rig.fixture.answer
    let live = try Element(parsing: Self.live)
    rig.fixture.answer = { element in
      if Self.asksAccount(element) { return [] }
      let isQuery = (try? IQ(element))?.payload?.matches("query", MessageArchive.namespace) == true
      return isQuery ? [live] + answer(element) : answer(element)
    }
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.clock.elapse(SessionLimits.rosterPatience)
    #expect(told(rig) == ["missed", "live"])
    #expect(try heldBodies().isEmpty)
  }

  @Test("a question of the log-in that is answered after a cut counts on the stream that goes on")
  func answeredAfterACut() async throws {
    let rig = try run()
    let answer = rig.fixture.answer
    var late: [Element] = []
    rig.fixture.answer = { element in
      guard Self.asksAccount(element) else { return answer(element) }
      late = answer(element)
      return []
    }
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.clock.elapse(SessionLimits.rosterPatience)
    let intake = rig.fixture.session.intake
    #expect(rig.live.state == .online && intake.lacksAnswers)
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed && intake.lacksAnswers)
    for element in late { rig.fixture.connector.transport?.deliver(rig.fixture.server.bytes(of: element)) }
    await rig.fixture.clock.settle()
    #expect(!intake.lacksAnswers)
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(intake.isUpToDate)
  }
}
