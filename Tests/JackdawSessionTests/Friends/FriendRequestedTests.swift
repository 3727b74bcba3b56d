// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// What others ask, grant and end (RFC 6121 3).
@Client @Suite(.onLoop) struct FriendRequestedTests {
  @Test("A request is reported with its message") func aRequestIsToldWithWhatItSays() async throws {
    let rig = try await FriendRig()
    await rig.presence(
      .subscribe, from: "bob@example.org/phone",
      "<status>Hi, it's Bob</status><nick xmlns='http://jabber.org/protocol/nick'>Bobby</nick>")
    let request = FriendRequested(jid: rig.bob, displayName: "Bobby", message: "Hi, it's Bob")
    #expect(rig.fixture.events(FriendRequested.self) == [request])
    #expect(rig.friends.pendingRequests == [request])
    #expect(rig.friends.state(of: rig.bob) == SubscriptionState(theirs: .pending))
  }

  /// A stranger's request is never approved automatically, and no presence is sent in reply.
  @Test("A stranger's request is not granted by itself") func aStrangerIsGrantedNothing() async throws {
    let rig = try await FriendRig()
    await rig.presence(.subscribe, from: "mallory@example.net", "<preauth xmlns='urn:xmpp:pars:0' token='x'/>")
    #expect(rig.passedOn.isEmpty)
    #expect(rig.fixture.sent().isEmpty, "neither to them nor about them")
  }

  @Test("A repeated request is reported once") func aRequestRepeatedIsOneNotice() async throws {
    let rig = try await FriendRig()
    for resource in ["", "/a", "/b", ""] { await rig.presence(.subscribe, from: "bob@example.org" + resource) }
    #expect(rig.fixture.events(FriendRequested.self).count == 1)
    #expect(rig.friends.pendingRequests.count == 1)
  }

  /// The server tells open requests again after each log-in.
  @Test("A request that is sent again on the next stream is not reported as a new one")
  func aRequestToldAgainOnTheNextStreamIsNoSecondNotice() async throws {
    let rig = try await FriendRig(asking: ["bob@example.org", "carol@example.org"])
    try await rig.fixture.settleIn()
    await rig.presence(.subscribe, from: "bob@example.org")
    try await rig.friends.settle()
    #expect(rig.fixture.events(FriendRequested.self).count == 2)
    // Carol's has been withdrawn meanwhile.
    #expect(rig.friends.pendingRequests.map(\.jid) == [rig.bob])
  }

  @Test("A request that is withdrawn can be neither accepted nor rejected")
  func aRequestThatIsWithdrawnIsGone() async throws {
    let rig = try await FriendRig(asking: ["bob@example.org"])
    await rig.presence(.unsubscribe, from: "bob@example.org")
    #expect(rig.friends.pendingRequests.isEmpty)
    await #expect(throws: FriendError(.hasWithdrawn, rig.bob)) { try await rig.friends.reject(rig.bob) }
    await #expect(throws: FriendError(.hasWithdrawn, rig.bob)) {
      _ = try await rig.friends.accept(rig.bob, oneWay: false)
    }
  }

  @Test("A request that another device answered is gone") func aRequestAnsweredOnAnotherDeviceIsGone() async throws {
    let rig = try await FriendRig(asking: ["bob@example.org"])
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .from)))
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  /// A request from our own account.
  @Test("A request from our own account is ignored", arguments: ["alice@example.org", "alice@example.org/other"])
  func oneselfDoesNotAsk(_ from: String) async throws {
    let rig = try await FriendRig()
    await rig.presence(.subscribe, from: from)
    await rig.fixture.receive("<presence type='subscribe'/>")
    #expect(rig.friends.pendingRequests.isEmpty)
    #expect(rig.fixture.events(FriendRequested.self).isEmpty)
    #expect(rig.fixture.sent().isEmpty)
  }

  @Test("A request of a contact who is subscribed already is not reported")
  func whoSeesUsAlreadyDoesNotAskAgain() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .from)])
    await rig.presence(.subscribe, from: "bob@example.org")
    #expect(rig.friends.pendingRequests.isEmpty)
    #expect(rig.fixture.events(FriendRequested.self).isEmpty)
  }

  // MARK: Whom we have asked

  @Test("A request of a contact whom we have asked makes a friend", arguments: [false, true])
  func whoIsAskedAndAsksIsAFriend(_ haveAnswered: Bool) async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)])
    if haveAnswered { await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .to))) }
    rig.server.asking = ["bob@example.org"]
    await rig.presence(.subscribe, from: "bob@example.org")
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    #expect(rig.friends.item(for: rig.bob)?.subscription == (haveAnswered ? .both : .from))
    #expect(rig.friends.pendingRequests.isEmpty)
    #expect(rig.fixture.events(FriendRequested.self).isEmpty)
  }

  /// The request comes before the roster, which says that we have asked them.
  @Test("A request of a contact whom we have asked, which comes before the roster, is granted once the roster is here")
  func whoAsksBeforeTheRosterIsHereIsAFriendWhenItIs() async throws {
    let fixture = try SessionFixture()
    let server = RosterServer(fixture)
    server.items["bob@example.org"] = try FriendRig.item(ask: true)
    server.asking = ["bob@example.org", "carol@example.org"]
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    await fixture.receive(
      "<presence type='subscribe' from='bob@example.org'/><presence type='subscribe' from='carol@example.org'/>")
    #expect(friends.pendingRequests.count == 2)
    #expect(fixture.events(FriendRequested.self).isEmpty)
    try await friends.load()
    await fixture.clock.settle()
    #expect(server.passedOn == ["subscribed bob@example.org"])
    #expect(friends.pendingRequests.map(\.jid.localpart) == ["carol"])
    #expect(fixture.events(FriendRequested.self).map(\.jid.localpart) == ["carol"])
  }

  // MARK: Ends

  /// Unsolicited subscribed, unsubscribed and unsubscribe change nothing; only the roster does.
  @Test(
    "Subscription presence that nobody asked for changes nothing",
    arguments: [Presence.Kind.subscribed, .unsubscribed, .unsubscribe])
  func whatNobodyAskedForChangesNothing(_ kind: Presence.Kind) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    for from in ["mallory@example.net", "bob@example.org"] { await rig.presence(kind, from: from) }
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", .both)])
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
    #expect(rig.fixture.sent().isEmpty)
  }

  @Test(
    "Being removed is reported once",
    arguments: [(RosterItem.Subscription.both, RosterItem.Subscription.from), (.to, .none)])
  func beingRemovedIsToldOnce(_ before: RosterItem.Subscription, _ after: RosterItem.Subscription) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", before)])
    await rig.presence(.unsubscribed, from: "bob@example.org")
    let item = try FriendRig.item("bob@example.org", after)
    await rig.fixture.receive(rig.server.keep(item))
    await rig.presence(.unsubscribed, from: "bob@example.org")
    await rig.fixture.receive(rig.server.keep(item))
    #expect(rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, .removed)])
  }

  @Test("Being refused is reported once") func beingRefusedIsToldOnce() async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)])
    await rig.presence(.unsubscribed, from: "bob@example.org")
    await rig.fixture.receive(rig.server.keep(try FriendRig.item()))
    #expect(rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, .refused)])
  }

  @Test("When a contact stops seeing our presence the friendship is not reported as ended")
  func theirEndOfSeeingUsIsNoEndOfOurs() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    await rig.presence(.unsubscribe, from: "bob@example.org")
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .to)))
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
  }

  @Test("A friendship that ended while we were offline is reported")
  func aFriendshipThatEndedWhileWeWereAwayIsTold() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    rig.server.items["bob@example.org"] = try FriendRig.item("bob@example.org")
    try await rig.fixture.settleIn()
    #expect(rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, .removed)])
  }

  static let notFound =
    "<error type='cancel'><remote-server-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"

  /// Servers try for minutes before they say so, and send it again at each log-in.
  @Test(
    "A request that cannot be delivered is reported once, with what withdraws it where that is read",
    arguments: [(SessionRole.script(nil), "friends cancel"), (.interactive(nil), "/friends cancel")])
  func aRequestThatCannotBeDeliveredIsToldOnce(_ role: SessionRole, _ command: String) async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)], role: role)
    await rig.presence(.error, from: "bob@example.org", Self.notFound)
    #expect(rig.fixture.notices.count == 1)
    #expect(
      rig.fixture.notices.first?.hasPrefix(
        "Your request to bob@example.org could not be delivered ('\(command) bob@example.org' withdraws it): ") == true)
    #expect(rig.fixture.remarks.isEmpty)
    await rig.presence(.error, from: "bob@example.org", Self.notFound)
    #expect(rig.fixture.notices.count == 1)
    #expect(rig.fixture.remarks.count == 1)
  }

  /// What comes back may be our presence.
  @Test("Error presence from a contact who sees us is a remark and not a notice")
  func whatCannotBeDeliveredToWhoSeesUsIsARemark() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .from, ask: true)])
    await rig.presence(.error, from: "bob@example.org", Self.notFound)
    #expect(rig.fixture.notices.isEmpty)
    #expect(rig.fixture.remarks.first?.contains("bob@example.org could not be asked") == true)
    // Nor is what comes from whom we have not asked.
    await rig.presence(.error, from: "carol@example.org", Self.notFound)
    #expect(rig.fixture.notices.isEmpty)
  }

  // MARK: Floods

  /// A flood of requests.
  @Test("A flood of requests is one event each, and bounded") func aFloodOfRequestsIsOneEachAndBounded() async throws {
    let rig = try await FriendRig()
    let long = String(repeating: "m", count: 1_100)
    var flood = ""
    for number in 0..<10_500 {
      flood += "<presence type='subscribe' from='u\(number)@example.net'><status>\(long)</status></presence>"
    }
    await rig.fixture.receive(flood + "<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(rig.friends.pendingRequests.count == SessionLimits.pendingFriendRequests)
    #expect(rig.fixture.events(FriendRequested.self).count == SessionLimits.pendingFriendRequests)
    #expect(rig.friends.pendingRequests.allSatisfy { $0.message?.utf8.count == SessionLimits.requestText })
    #expect(rig.fixture.remarks.count == 1)
    // The ping is answered, and nobody is asked anything.
    let sent = rig.fixture.sent()
    #expect(sent.contains { $0.attribute("id") == "p" })
    #expect(!sent.contains { $0.attribute("type") == "get" })
  }

  /// Asking and taking it back, again and again.
  @Test("A requester who asks and withdraws again and again is reported once")
  func whoAsksAndWithdrawsInTurnIsToldOfOnce() async throws {
    let rig = try await FriendRig()
    for _ in 0..<20 {
      await rig.presence(.subscribe, from: "eve@example.net")
      await rig.presence(.unsubscribe, from: "eve@example.net")
    }
    await rig.presence(.subscribe, from: "eve@example.net")
    #expect(rig.fixture.events(FriendRequested.self).count == 1)
    #expect(rig.friends.pendingRequests.count == 1, "it is listed all the same")
    #expect(rig.fixture.sent().isEmpty)
    await rig.presence(.unsubscribe, from: "eve@example.net")
    await rig.fixture.clock.elapse(SessionLimits.repeatedRequestSilence)
    await rig.presence(.subscribe, from: "eve@example.net")
    #expect(rig.fixture.events(FriendRequested.self).count == 2)
  }
}
