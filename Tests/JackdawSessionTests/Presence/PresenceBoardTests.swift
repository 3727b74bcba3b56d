// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Who is online and how.
@Client @Suite(.onLoop) struct PresenceBoardTests {
  private let fixture: SessionFixture
  private let board: PresenceBoard
  private let bob: JID

  init() throws {
    fixture = try SessionFixture(features: SessionFixture.core)
    board = fixture.session.features[PresenceBoard.self]
    bob = try JID("bob@example.org")
  }

  private func online(_ friends: [(jid: String, subscription: String)] = [("bob@example.org", "both")]) async throws {
    befriend(friends)
    try await fixture.settleIn()
  }

  private func arrives(_ from: String, _ content: String = "") async {
    await fixture.receive("<presence from='\(from)'>\(content)</presence>")
  }

  private func leaves(_ from: String) async { await fixture.receive("<presence type='unavailable' from='\(from)'/>") }

  private var shows: [String] { fixture.events(PresenceChanged.self).map { "\($0.from) \($0.show)" } }

  @Test("becoming available and unavailable is reported") func comingAndGoingIsTold() async throws {
    try await online()
    #expect(board.summary(of: bob) == nil)
    await arrives("bob@example.org/a", "<show>away</show><status>lunch</status><priority>5</priority>")
    #expect(board.summary(of: bob) == "away")
    let resources = board.resources(of: try JID("bob@example.org/x"))
    #expect(resources.map(\.jid.resource) == ["a"])
    #expect(resources.first?.status == "lunch")
    #expect(resources.first?.priority == 5)
    await leaves("bob@example.org/a")
    #expect(board.summary(of: bob) == "unavailable")
    #expect(board.resources(of: bob).isEmpty)
    #expect(shows == ["bob@example.org/a away", "bob@example.org/a unavailable"])
  }

  @Test("the time since a contact went offline is known") func whoHasGoneWasSeenThen() async throws {
    try await online()
    #expect(board.lastSeen(of: bob) == nil)
    await arrives("bob@example.org/a")
    await arrives("bob@example.org/b")
    await leaves("bob@example.org/a")
    // One is still there.
    #expect(board.lastSeen(of: bob) == nil)
    await leaves("bob@example.org/b")
    #expect(board.lastSeen(of: try JID("bob@example.org/x")) == fixture.date)
    fixture.date = Timestamp(milliseconds: fixture.date.milliseconds + 90_000)
    #expect(board.timeAway(of: bob) == 90)
    await arrives("bob@example.org/a")
    #expect(board.timeAway(of: bob) == nil)
  }

  @Test("a server that answers for a contact who is offline says since when")
  func aServerThatAnswersForThemSaysSinceWhen() async throws {
    try await online()
    func leaves(_ from: String, _ stamp: Int64) async {
      let delay = Delay(stamp: Timestamp(milliseconds: fixture.date.milliseconds + stamp)).element
      await fixture.receive("<presence type='unavailable' from='\(from)'>\(delay)</presence>")
    }
    await leaves("bob@example.org", -3_600_000)
    #expect(board.timeAway(of: bob) == 3_600)
    // Nobody was seen in time to come.
    await leaves("bob@example.org", 5_000)
    #expect(board.timeAway(of: bob) == 0)
    await self.leaves("carol@example.org")
    #expect(board.lastSeen(of: try JID("carol@example.org")) == nil)
  }

  @Test("every value of show is known", arguments: ["chat", "away", "xa", "dnd"])
  func everyShowIsKnown(_ show: String) async throws {
    try await online()
    await arrives("bob@example.org/a", "<show>\(show)</show>")
    #expect(board.summary(of: bob) == show)
  }

  @Test("the most available resource counts for the contact") func theBestResourceSpeaksForAll() async throws {
    try await online()
    await arrives("bob@example.org/low", "<show>dnd</show><priority>-1</priority>")
    await arrives("bob@example.org/old", "<show>away</show><priority>10</priority>")
    fixture.clock.advance(by: .seconds(1))
    await arrives("bob@example.org/new", "<show>chat</show><priority>10</priority>")
    await arrives("bob@example.org/mid", "<show>xa</show>")
    #expect(board.resources(of: bob).map(\.jid.resource) == ["new", "old", "mid", "low"])
    #expect(board.summary(of: bob) == "chat")
    // Between equals the later word counts.
    fixture.clock.advance(by: .seconds(1))
    await arrives("bob@example.org/old", "<priority>10</priority>")
    #expect(board.summary(of: bob) == "available")
    await leaves("bob@example.org/old")
    #expect(board.summary(of: bob) == "chat")
  }

  @Test("repeated presence is not news") func theSameOnceMoreIsNoNews() async throws {
    try await online()
    await arrives("bob@example.org/a", "<status>x</status>")
    await arrives("bob@example.org/a", "<status>x</status><c xmlns='http://jabber.org/protocol/caps'/>")
    await arrives("bob@example.org/a", "<status>y</status>")
    #expect(fixture.events(PresenceChanged.self).map(\.status) == ["x", "y"])
  }

  @Test("unavailable presence from a bare address ends all resources")
  func anEndOfTheWholeAccountEndsAllOfIt() async throws {
    try await online()
    for resource in ["a", "b"] { await arrives("bob@example.org/\(resource)") }
    await leaves("bob@example.org")
    #expect(board.resources(of: bob).isEmpty)
    #expect(shows.suffix(1) == ["bob@example.org unavailable"])
    // Who is not there does not leave.
    await leaves("bob@example.org/a")
    await leaves("carol@example.org")
    #expect(shows.count == 3)
  }

  @Test("presence of other types than available and unavailable changes nothing")
  func whatIsNoPresenceChangesNothing() async throws {
    try await online()
    for kind in ["subscribe", "subscribed", "unsubscribe", "unsubscribed", "probe", "error"] {
      await fixture.receive("<presence type='\(kind)' from='bob@example.org/a'/>")
    }
    #expect(board.resources(of: bob).isEmpty)
    #expect(fixture.events(PresenceChanged.self).isEmpty)
  }

  @Test("when the connection is lost presence is forgotten") func aLostConnectionForgetsWhoWasThere() async throws {
    try await online()
    await arrives("bob@example.org/a")
    fixture.session.drop(ConnectionError(.lost, "cut"))
    #expect(board.summary(of: bob) == nil)
    #expect(board.own == nil)
  }

  // MARK: What is not known

  private func befriend(_ jids: [(jid: String, subscription: String)]) {
    let items = jids.map { "<item jid='\($0.jid)' subscription='\($0.subscription)'/>" }.joined()
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get, iq.payload?.matches("query", Namespace.roster) == true,
        let query = try? Element(parsing: "<query xmlns='\(Namespace.roster)'>\(items)</query>")
      else { return SessionFixture.manners(element) }
      return [iq.result(query).element]
    }
  }

  @Test("the silence of a contact is no absence before the server has answered what came after our presence")
  func silence() async throws {
    try await online()
    #expect(board.summary(of: bob) == nil)
    try await board.settle()
    #expect(board.summary(of: bob) == "unavailable")
    await arrives("bob@example.org/a")
    #expect(board.summary(of: bob) == "available")
  }

  @Test("the silence of a contact for whom another server answers says nothing, but that server may (RFC 6121 4.3.2)")
  func elsewhere() async throws {
    try await online([("eve@example.net", "both")])
    try await board.settle()
    let eve = try JID("eve@example.net")
    #expect(board.summary(of: eve) == nil)
    await leaves("eve@example.net")
    #expect(board.summary(of: eve) == "unavailable")
  }

  @Test(
    "nothing is known of somebody who does not let us see them, whatever a server says, but what they show us themselves",
    arguments: ["from", "none"])
  func unseen(_ subscription: String) async throws {
    try await online([("bob@example.org", subscription)])
    try await board.settle()
    await leaves("bob@example.org")
    #expect(board.summary(of: bob) == nil)
    await arrives("bob@example.org/a")
    #expect(board.summary(of: bob) == "available")
    await leaves("bob@example.org/a")
    #expect(board.summary(of: bob) == nil)
  }

  @Test("who goes offline is told nothing more, and all anew afterwards")
  func offline() async throws {
    try await online()
    await arrives("bob@example.org/a")
    try await board.settle()
    try board.announce(Presence(kind: .unavailable))
    #expect(board.summary(of: bob) == nil)
    try await board.settle()
    #expect(board.summary(of: bob) == nil)
    try board.announce(Presence())
    #expect(board.summary(of: bob) == nil)
    try await board.settle()
    #expect(board.summary(of: bob) == "unavailable")
  }

  // MARK: Ours

  @Test("our own presence is sent, reported and known") func ourOwnPresenceIsToldAndKnown() async throws {
    try await fixture.logIn()
    #expect(board.own == nil)
    try board.announce(Presence(show: .away, status: "lunch"))
    await fixture.clock.settle()
    #expect(board.own?.show == .away)
    #expect(fixture.sent() == [Presence(show: .away, status: "lunch").element])
    try board.announce(Presence(kind: .unavailable))
    #expect(board.own == nil)
  }

  @Test("our own presence that the server reflects is not news") func ourOwnPresenceSentBackIsNoNews() async throws {
    try await online()
    await arrives("alice@example.org/here")
    #expect(fixture.events(PresenceChanged.self).isEmpty)
    await arrives("alice@example.org/phone", "<show>away</show>")
    #expect(shows == ["alice@example.org/phone away"])
  }

  @Test("being made reachable sends priority -1 once, and changes no presence that the user set")
  func beingReachableTakesNoMessagesAndChangesNothingThatIsShown() async throws {
    try await fixture.logIn()
    try board.beReachable(storedMessagesAreKept: false)
    try board.beReachable(storedMessagesAreKept: false)
    await fixture.clock.settle()
    #expect(fixture.sent() == [Presence(priority: -1).element])
    try board.announce(Presence(show: .dnd))
    try board.beReachable(storedMessagesAreKept: false)
    await fixture.clock.settle()
    #expect(fixture.sent() == [Presence(show: .dnd).element])
  }

  @Test("a user who wants to be invisible is not made reachable")
  func whoWantsNotToBeSeenIsNotMadeReachable() async throws {
    try await fixture.logIn()
    try board.announce(Presence(kind: .unavailable))
    #expect(board.isToBeUnseen)
    await fixture.clock.settle()
    _ = fixture.sent()
    try board.beReachable(storedMessagesAreKept: true)
    await fixture.clock.settle()
    #expect(fixture.sent().isEmpty && board.own == nil)
    try board.announce(Presence())
    #expect(!board.isToBeUnseen)
  }

  @Test("being made reachable lasts for this stream alone") func beingReachableIsForThisStreamAlone() async throws {
    try await fixture.logIn()
    try board.beReachable(storedMessagesAreKept: false)
    #expect(board.own?.priority == -1)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.settleIn(showing: nil)
    #expect(board.own == nil)
    #expect(!fixture.server.received.contains { $0.name == "presence" })
  }

  @Test("where the server keeps stored messages a program is made reachable by priority 0, then -1")
  func aServerThatKeepsStoredMessagesSeesAMomentOfPriorityZero() async throws {
    try await fixture.logIn()
    try board.beReachable(storedMessagesAreKept: true)
    await fixture.clock.settle()
    #expect(fixture.sent() == [Presence().element, Presence(priority: -1).element])
  }

  @Test("without a connection no presence is sent") func withoutAConnectionNothingIsShown() async throws {
    #expect(throws: ConnectionError.self) { try board.announce(Presence()) }
    #expect(board.own == nil)
  }

  // MARK: Floods

  @Test("the resources of one contact are bounded") func aContactsResourcesAreBounded() async throws {
    try await online()
    var flood = ""
    for number in 0..<(SessionLimits.resourcesPerContact + 10) {
      flood += "<presence from='bob@example.org/\(number)'/>"
    }
    await fixture.receive(flood)
    #expect(board.resources(of: bob).count == SessionLimits.resourcesPerContact)
    #expect(fixture.remarks.count == 1)
    // Those that are known may still change and go, which makes room.
    await arrives("bob@example.org/0", "<show>away</show>")
    await leaves("bob@example.org/1")
    await arrives("bob@example.org/new")
    #expect(board.resources(of: bob).count == SessionLimits.resourcesPerContact)
    #expect(
      shows.suffix(3) == ["bob@example.org/0 away", "bob@example.org/1 unavailable", "bob@example.org/new available"])
  }

  /// A flood of presence.
  @Test("twenty thousand presences are processed, and the ping behind them is answered")
  func twentyThousandPresencesAreTakenInAndThePingBehindThemIsAnswered() async throws {
    try await online((0..<20_000).map { ("u\($0)@example.org", "to") })
    var flood = ""
    for number in 0..<20_000 { flood += "<presence from='u\(number)@example.org/x'><priority>1</priority></presence>" }
    await fixture.receive(flood + "<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(fixture.events(PresenceChanged.self).count == 20_000)
    #expect(fixture.sent().map { $0.attribute("id") } == ["p"])
    #expect(board.summary(of: try JID("u19999@example.org")) == "available")
  }

  /// Anybody may send presence to us (RFC 6121 4.6).
  @Test("strangers are no news, and take no friend's room", arguments: ["none", "from", nil])
  func strangers(_ subscription: String?) async throws {
    let eve = subscription.map { [(jid: "eve@example.net", subscription: $0)] } ?? []
    try await online([("bob@example.org", "to")] + eve)
    await arrives("eve@example.net/x", "<status>Buy now</status>")
    let text = String(repeating: "s", count: 2_000)
    var flood = ""
    for number in 0..<SessionLimits.strangersResources + 500 {
      flood += "<presence from='u\(number)@example.net/x'><status>\(text)</status></presence>"
    }
    await fixture.receive(flood + "<presence from='bob@example.org/x'/>")
    #expect(shows == ["bob@example.org/x available"])
    #expect(board.summary(of: bob) == "available")
    let kept = try (0..<SessionLimits.strangersResources + 500)
      .flatMap { board.resources(of: try JID("u\($0)@example.net")) }
    #expect(kept.count == SessionLimits.strangersResources - 1)
    #expect(fixture.remarks.isEmpty)
    await leaves("eve@example.net/x")
    #expect(shows == ["bob@example.org/x available"])
    #expect(board.resources(of: try JID("eve@example.net")).isEmpty)
    #expect(board.lastSeen(of: try JID("eve@example.net")) == nil)
  }

  @Test("strangers to whom we wrote are seen, however many others send presence", arguments: [true, false])
  func correspondents(_ wroteBefore: Bool) async throws {
    try await online([("bob@example.org", "to")])
    let eve = try JID("eve@example.net")
    func write() async throws {
      try fixture.session.delivery.send("Are you there?", to: eve)
      await fixture.receive("")
    }
    func flood(_ numbers: Range<Int>) async {
      await fixture.receive(numbers.map { "<presence from='u\($0)@example.net/x'/>" }.joined())
    }
    if wroteBefore {
      try await write()
      await flood(0..<SessionLimits.strangersResources)
      await arrives("eve@example.net/x", "<show>away</show>")
    } else {
      await arrives("eve@example.net/x", "<show>away</show>")
      try await write()
      await flood(0..<SessionLimits.strangersResources)
    }
    // Her resource takes nobody's room, and the last of the others has its own.
    let last = try JID("u\(SessionLimits.strangersResources - 1)@example.net")
    #expect(board.summary(of: eve) == "away")
    #expect(board.summary(of: last) == "available")
    #expect(shows.isEmpty)
    await leaves("eve@example.net/x")
    #expect(board.resources(of: eve).isEmpty)
  }
}
