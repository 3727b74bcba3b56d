// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Roster pushes, good and bad (RFC 6121 2.1.6), and the arrival of the roster.
@Client @Suite(.onLoop) struct RosterPushTests {
  private static func push(_ item: String, from: String? = nil) -> String {
    "<iq type='set' id='p1'\(from.map { " from='\($0)'" } ?? "")><query xmlns='jabber:iq:roster'>\(item)</query></iq>"
  }

  private func answer(_ rig: FriendRig) throws -> IQ {
    let sent = rig.fixture.sent()
    #expect(sent.count == 1)
    return try IQ(try #require(sent.first))
  }

  /// Valid pushes.
  @Test("A push is applied and answered", arguments: [nil, "alice@example.org", "ALICE@example.org"])
  func aPushIsAppliedAndAnswered(_ from: String?) async throws {
    let rig = try await FriendRig()
    await rig.fixture.receive(
      Self.push("<item jid='bob@example.org' name='Bob' subscription='both'><group>g</group></item>", from: from))
    let item = try FriendRig.item("bob@example.org", .both, name: "Bob", groups: ["g"])
    #expect(rig.friends.item(for: try JID("bob@example.org/x")) == item)
    #expect(rig.fixture.events(FriendChanged.self) == [FriendChanged(item: item, change: .added)])
    let answer = try answer(rig)
    #expect(answer == IQ(kind: .result, id: "p1", to: try from.map { try JID($0) }))
  }

  /// Spoofed roster pushes (CVE-2015-8688, CVE-2016-9928, CVE-2019-16236).
  @Test(
    "A push from anybody but our account changes nothing",
    arguments: [
      "mallory@example.net", "alice@example.org/here", "alice@example.org/other", "example.org",
      "alice@example.org.example.net", "alice@examp1e.org", "\u{430}lice@example.org", "alice\u{131}@example.org",
    ])
  func aPushOfAnybodyElseChangesNothing(_ from: String) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let before = rig.fixture.posted.count
    await rig.fixture.receive(Self.push("<item jid='mallory@example.net' subscription='both'/>", from: from))
    await rig.fixture.receive(Self.push("<item jid='bob@example.org' subscription='remove'/>", from: from))
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", .both)])
    #expect(rig.fixture.posted.count == before)
    let refusals = try rig.fixture.sent().map { try IQ($0) }
    #expect(
      refusals == Array(repeating: IQ(kind: .error, id: "p1", to: try JID(from), error: .serviceUnavailable), count: 2))
    #expect(rig.fixture.remarks.count == 2)
  }

  /// Malformed pushes: there must be exactly one item, with a valid JID.
  @Test(
    "A malformed push is answered with bad-request",
    arguments: [
      "", "<item/>", "<item jid=''/>", "<item jid='@@/'/>",
      "<item jid='a@example.org'/><item jid='b@example.org'/>",
    ])
  func aMalformedPushIsABadRequest(_ items: String) async throws {
    let rig = try await FriendRig([FriendRig.item()])
    await rig.fixture.receive(Self.push(items))
    #expect(try answer(rig).error == .badRequest)
    #expect(rig.friends.friends == [try FriendRig.item()])
    #expect(rig.fixture.events(FriendChanged.self).isEmpty)
  }

  /// RFC 6121 2.1.2.5: unknown subscription.
  @Test("An unknown subscription value is read as none") func anUnknownSubscriptionIsNone() async throws {
    let rig = try await FriendRig()
    await rig.fixture.receive(Self.push("<item jid='bob@example.org' subscription='frenemy'/>"))
    #expect(rig.friends.item(for: rig.bob) == (try FriendRig.item()))
    #expect(try answer(rig).kind == .result)
  }

  @Test("A name of ten kilobytes with control characters is kept as it is")
  func aNameOfTenKilobytesWithControlsIsKeptAsItIs() async throws {
    let rig = try await FriendRig()
    let name = String(repeating: "n", count: 10_240) + "\n\u{9b}2J"
    await rig.fixture.receive(rig.server.push(RosterServer.element(try FriendRig.item(name: name))))
    #expect(rig.friends.item(for: rig.bob)?.name == name)
  }

  @Test("A push without a change is answered and not reported")
  func aPushThatSaysNothingNewIsAnsweredAndNotTold() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    await rig.fixture.receive(Self.push("<item jid='bob@example.org' subscription='both'/>"))
    await rig.fixture.receive(Self.push("<item jid='carol@example.org' subscription='remove'/>"))
    #expect(rig.fixture.sent().count == 2)
    #expect(rig.fixture.events(FriendChanged.self).isEmpty)
  }

  @Test("A removal is reported with the former entry") func aRemovalIsToldWithWhatWasThere() async throws {
    let item = try FriendRig.item("bob@example.org", .both, name: "Bob")
    let rig = try await FriendRig([item])
    await rig.fixture.receive(Self.push("<item jid='bob@example.org' subscription='remove'/>"))
    #expect(rig.friends.friends.isEmpty)
    #expect(rig.fixture.events(FriendChanged.self) == [FriendChanged(item: item, change: .removed, before: item)])
  }

  // MARK: The roster's coming

  @Test("The roster is requested once however many callers wait for it")
  func theRosterIsAskedForOnceHoweverManyWait() async throws {
    let fixture = try SessionFixture()
    let server = RosterServer(fixture)
    server.items["bob@example.org"] = try FriendRig.item()
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let waiting = (1...3).map { _ in fixture.start { try await friends.load() } }
    await fixture.clock.settle()
    #expect(waiting.allSatisfy { $0.hasEnded && $0.error == nil })
    try await friends.load()
    #expect(server.requests.count == 1)
    #expect(friends.friends == [try FriendRig.item()])
  }

  @Test("A caller who is cancelled does not end the wait of the others")
  func whoGivesUpWaitingDoesNotEndItForTheOthers() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let first = fixture.start { try await friends.load() }
    let second = fixture.start { try await friends.load() }
    await fixture.clock.settle()
    first.cancel()
    await fixture.clock.settle()
    #expect(first.error is CancellationError)
    #expect(!second.hasEnded)
    let id = try #require(fixture.sent().first?.attribute("id"))
    await fixture.receive("<iq type='result' id='\(id)'><query xmlns='jabber:iq:roster'/></iq>")
    #expect(second.hasEnded && second.error == nil)
  }

  /// Through an agent, whose session has 30 s, a command of many steps waited as long, whatever its `--timeout` said.
  @Test("A command with a short timeout waits for the roster no longer than that")
  func aCommandInAHurryWaitsForTheRosterNoLongerThanItsTime() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let hasty = fixture.start {
      try await PatienceOfCommand.$current.withValue(.exactly(.seconds(2))) { try await friends.load() }
    }
    await fixture.clock.settle()
    let other = fixture.start { try await friends.load() }
    await fixture.clock.elapse(.seconds(2))
    #expect((hasty.error as? RequestError)?.code == .timedOut)
    await fixture.clock.elapse(.seconds(27))
    #expect(!other.hasEnded, "it is asked for others, too")
    await fixture.clock.elapse(.seconds(1))
    #expect((other.error as? RequestError)?.code == .timedOut)
    // One that has more time than the session gives it to what it asks.
    let patient = fixture.start {
      try await PatienceOfCommand.$current.withValue(.atLeast(.seconds(45))) { try await friends.load() }
    }
    await fixture.clock.elapse(.seconds(44))
    #expect(!patient.hasEnded)
    await fixture.clock.elapse(.seconds(1))
    #expect((patient.error as? RequestError)?.code == .timedOut)
  }

  /// A push in the same bytes as the roster is newer than it.
  @Test("A push right behind the roster is not lost") func aPushRightBehindTheRosterIsNotLost() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let loading = fixture.start { try await friends.load() }
    await fixture.clock.settle()
    let id = try #require(fixture.sent().first?.attribute("id"))
    await fixture.receive(
      "<iq type='result' id='\(id)'><query xmlns='jabber:iq:roster'><item jid='bob@example.org'/></query></iq>"
        + Self.push("<item jid='bob@example.org' subscription='both'/>"))
    #expect(loading.hasEnded)
    #expect(friends.item(for: try JID("bob@example.org"))?.subscription == .both)
  }

  @Test("A roster request that is refused is repeated") func aRosterThatIsRefusedIsAskedForAgain() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { element in
      (try? IQ(element)).map { [$0.failure(StanzaError(kind: .wait, condition: "internal-server-error")).element] }
        ?? []
    }
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let error = await #expect(throws: RequestError.self) { try await friends.load() }
    #expect(error?.stanzaError?.condition == "internal-server-error")
    fixture.answer = SessionFixture.manners
    try await friends.load()
  }

  @Test("When the connection ends the wait for the roster ends") func aConnectionThatEndsEndsTheWaiting() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let loading = fixture.start { try await friends.load() }
    await fixture.clock.settle()
    fixture.session.drop(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    #expect((loading.error as? RequestError)?.code == .connectionGone)
    let late = await #expect(throws: RequestError.self) { try await friends.load() }
    #expect(late?.code == .notSent)
  }

  @Test("Each stream requests the roster again") func eachStreamHasTheRosterAnew() async throws {
    let rig = try await FriendRig([FriendRig.item()])
    rig.server.items = ["carol@example.org": try FriendRig.item("carol@example.org")]
    try await rig.fixture.settleIn()
    #expect(rig.friends.friends.map(\.jid.localpart) == ["carol"])
  }
}
