// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Requests are kept until they are answered, and come with the vCard of who asks.
@Client @Suite(.onLoop) struct FriendRequestStoreTests {
  @Client final class Store: FriendRequestStore {
    var kept: [FriendRequest] = []
    private(set) var writes = 0
    private(set) var reads = 0
    var isBroken = false

    struct Broken: Error {}

    func loadRequests() throws -> [FriendRequest] {
      reads += 1
      if isBroken { throw Broken() }
      return kept
    }

    private var invited: Set<JID> = []

    func isInvited(_ jid: JID) throws -> Bool {
      if isBroken { throw Broken() }
      return invited.contains(jid)
    }

    func changeInvited(keep: [JID], forget: [JID]) throws {
      if isBroken { throw Broken() }
      invited.subtract(forget)
      invited.formUnion(keep)
    }

    func changeRequests(keep: [FriendRequest], forget: [JID]) throws {
      writes += 1
      if isBroken { throw Broken() }
      let gone = Set(forget)
      kept.removeAll { gone.contains($0.jid) }
      for request in keep {
        if let index = kept.firstIndex(where: { $0.jid == request.jid }) {
          kept[index] = request
        } else {
          kept.append(request)
        }
      }
    }
  }

  @Test("A request is stored until it is answered") func aRequestIsKeptUntilItIsAnswered() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    await rig.presence(.subscribe, from: "bob@example.org/phone", "<status>Hi</status>")
    #expect(store.kept.map(\.message) == ["Hi"])
    rig.server.asking = ["bob@example.org"]
    _ = try await rig.friends.accept(rig.bob, oneWay: false)
    await rig.fixture.clock.settle()
    #expect(store.kept.isEmpty)
  }

  @Test("A request that was there before a restart is not reported a second time")
  func aRequestSurvivesARestartAndIsNoSecondNotice() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"), message: "Hi", cardName: "Bob", hasCard: true)]
    let rig = try await FriendRig(requests: store)
    let request = FriendRequested(jid: rig.bob, displayName: "Bob", message: "Hi")
    #expect(rig.friends.pendingRequests == [request])
    // The server tells it again, without what was written with it.
    await rig.presence(.subscribe, from: "bob@example.org")
    try await rig.friends.settle()
    #expect(rig.friends.pendingRequests == [request])
    #expect(rig.fixture.events(FriendRequested.self).isEmpty)
    #expect(store.writes == 0)
  }

  @Test("Requests of an earlier run that the server sends again are listed as open")
  func thoseOfAnEarlierRunAreLeftOpenWhileTheServerTellsThem() async throws {
    let store = Store()
    store.kept = try ["bob", "carol"].map { FriendRequest(jid: try JID("\($0)@example.org")) }
    let rig = try await FriendRig(requests: store)
    for who in ["bob", "eve"] { await rig.presence(.subscribe, from: "\(who)@example.org") }
    #expect(try await rig.friends.requestsLeftOpen().map(\.jid.localpart) == ["bob"])
  }

  @Test("Without requests of an earlier run the server is not asked")
  func withNoneFromBeforeTheServerIsNotAsked() async throws {
    let rig = try await FriendRig(requests: Store())
    await rig.presence(.subscribe, from: "eve@example.org")
    let count = rig.fixture.server.received.count
    #expect(try await rig.friends.requestsLeftOpen().isEmpty)
    #expect(rig.fixture.server.received.count == count)
  }

  @Test("A stored request that the server does not send again is forgotten")
  func whatTheServerDoesNotTellAgainIsGone() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let rig = try await FriendRig(requests: store)
    try await rig.friends.settle()
    #expect(rig.friends.pendingRequests.isEmpty)
    await rig.fixture.clock.settle()
    #expect(store.kept.isEmpty)
  }

  @Test("A stored request of a contact whom we asked is granted when the server sends it again")
  func aRequestOfSomebodyWeAskedWhileAwayIsGranted() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let rig = try await FriendRig([FriendRig.item(ask: true)], requests: store)
    // It may have been withdrawn meanwhile, and to grant what nobody asks for would be an approval of what is to come.
    #expect(rig.passedOn.isEmpty)
    await rig.presence(.subscribe, from: "bob@example.org")
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  @Test("A request that another device granted is taken as answered", arguments: [RosterItem.Subscription.from, .both])
  func aRequestThatAnotherDeviceGrantedIsAnswered(_ subscription: RosterItem.Subscription) async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org")), FriendRequest(jid: try JID("eve@example.org"))]
    let rig = try await FriendRig([FriendRig.item("bob@example.org", subscription)], requests: store)
    #expect(rig.friends.pendingRequests.map(\.jid.localpart) == ["eve"])
    #expect(store.kept.map(\.jid.localpart) == ["eve"])
    #expect(rig.passedOn.isEmpty)
  }

  // MARK: Not told again

  /// A log-in with a request that is kept and not told again.
  struct Silence: Sendable {
    /// What the server is told of us before it is asked whether it has told all; nil: nothing.
    var presence: Presence?
    var approvesBeforehand = false
    /// Whether the request must have been withdrawn.
    var isOver: Bool
  }

  @Test(
    "A stored request is forgotten only when the server would have sent it again",
    arguments: [
      Silence(presence: nil, isOver: false), Silence(presence: nil, approvesBeforehand: true, isOver: false),
      Silence(presence: Presence(priority: -1), isOver: false),
      Silence(presence: Presence(priority: -1), approvesBeforehand: true, isOver: true),
      Silence(presence: Presence(), isOver: true), Silence(presence: Presence(show: .away, priority: 5), isOver: true),
    ])
  func aRequestIsForgottenOnlyWhereTheServerWouldHaveToldIt(_ silence: Silence) async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let fixture = try SessionFixture(stores: SessionStores(friendRequests: store))
    if silence.approvesBeforehand { fixture.script.moreFeatures = FriendRig.preapproval }
    try await fixture.settleIn(showing: silence.presence)
    let friends = fixture.session.features[FriendManager.self]
    for _ in 0..<2 { try await friends.settle() }
    await fixture.clock.settle()
    #expect(friends.pendingRequests.isEmpty == silence.isOver)
    #expect(store.kept.isEmpty == silence.isOver)
  }

  /// A moment of priority 0 is enough, and holds for its stream alone.
  @Test("For stored requests the highest priority of the stream counts")
  func theHighestPriorityOfTheStreamCounts() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let fixture = try SessionFixture(stores: SessionStores(friendRequests: store))
    try await fixture.settleIn(showing: nil)
    let friends = fixture.session.features[FriendManager.self]
    let board = fixture.session.features[PresenceBoard.self]
    try board.beReachable(storedMessagesAreKept: true)
    await fixture.receive("<presence type='subscribe' from='bob@example.org'/>")
    try await friends.settle()
    #expect(friends.hasAsked(try JID("bob@example.org")))
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.settleIn(showing: nil)
    try board.beReachable(storedMessagesAreKept: false)
    try await friends.settle()
    #expect(friends.hasAsked(try JID("bob@example.org")))
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.settleIn(showing: nil)
    try board.beReachable(storedMessagesAreKept: true)
    try await friends.settle()
    #expect(!friends.hasAsked(try JID("bob@example.org")))
  }

  @Test("Accepting a request that was stored and then withdrawn says that it was withdrawn", arguments: [false, true])
  func acceptingWhatWasKeptAndWithdrawnSaysSo(_ approvesBeforehand: Bool) async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let fixture = try SessionFixture(stores: SessionStores(friendRequests: store))
    if approvesBeforehand { fixture.script.moreFeatures = FriendRig.preapproval }
    try await fixture.settleIn(showing: nil)
    let friends = fixture.session.features[FriendManager.self]
    let bob = try JID("bob@example.org")
    let accepting = fixture.start { _ = try await friends.accept(bob, oneWay: false) }
    await fixture.clock.elapse(SessionLimits.acceptancePatience)
    #expect(accepting.error as? FriendError == FriendError(.hasWithdrawn, bob))
    // Once more nothing is sent.
    await #expect(throws: FriendError(.hasWithdrawn, bob)) { _ = try await friends.accept(bob, oneWay: true) }
    let steps = fixture.sent().compactMap { (try? Presence($0))?.kind }
    // An approval of what is to come was not meant.
    #expect(steps == (approvesBeforehand ? [.subscribed, .unsubscribed] : [.subscribed]))
    #expect(friends.pendingRequests.isEmpty && store.kept.isEmpty)
  }

  /// ejabberd says nothing of it to who is online.
  @Test("Accepting a request that was withdrawn unseen says so")
  func acceptingWhatWasWithdrawnUnseenSaysSo() async throws {
    let rig = try await FriendRig()
    await rig.presence(.subscribe, from: "bob@example.org")
    let answer = rig.fixture.answer
    rig.fixture.answer = { $0.attribute("type", equals: "subscribed") ? [] : answer($0) }
    let accepting = rig.fixture.start { try await rig.friends.accept(rig.bob, oneWay: false) }
    await rig.fixture.clock.elapse(SessionLimits.acceptancePatience)
    #expect(accepting.error as? FriendError == FriendError(.hasWithdrawn, rig.bob))
    #expect(accepting.error.map { "\($0)".hasSuffix(", or another of your devices has answered it.") } == true)
    #expect(rig.passedOn.isEmpty && rig.friends.pendingRequests.isEmpty)
  }

  /// The push that shows our request comes after theirs: each asked before they knew of the other.
  @Test("Two who ask each other at the same moment end as friends, without an open request")
  func twoWhoAskAtTheSameMomentAreLeftWithNoQuestion() async throws {
    let rig = try await FriendRig()
    rig.server.isMute = true
    let adding = rig.fixture.start { _ = try await rig.friends.add(rig.bob) }
    await rig.fixture.clock.settle()
    func push(_ ask: String) -> String {
      "<iq type='set' id='p'><query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='none'\(ask)/></query></iq>"
    }
    await rig.fixture.receive(push(""))
    #expect(rig.passedOn == ["subscribe bob@example.org"])
    rig.server.isMute = false
    rig.server.asking = ["bob@example.org"]
    await rig.fixture.receive("<presence type='subscribe' from='bob@example.org'/>" + push(" ask='subscribe'"))
    #expect(adding.hasEnded && adding.error == nil)
    #expect(rig.passedOn == ["subscribe bob@example.org", "subscribed bob@example.org"])
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  /// A request that was kept when we had not asked them is granted when it is told again, now that we have.
  @Test("A request that is sent again is granted to a contact whom we asked")
  func aRequestToldAgainIsGrantedToWhomWeAsked() async throws {
    let store = Store()
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    try store.changeInvited(keep: [try JID("bob@example.org")], forget: [])
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .to)], requests: store)
    rig.server.asking = ["bob@example.org"]
    await rig.presence(.subscribe, from: "bob@example.org")
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", .both)])
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  @Test("A stored request that is still open can be accepted", arguments: [false, true])
  func whatWasKeptAndIsStillOpenCanBeAccepted(_ oneWay: Bool) async throws {
    let store = Store()
    let fixture = try SessionFixture(stores: SessionStores(friendRequests: store))
    let server = RosterServer(fixture)
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    server.asking = ["bob@example.org"]
    try await fixture.settleIn(showing: Presence(priority: -1))
    let friends = fixture.session.features[FriendManager.self]
    #expect(try await friends.accept(JID("bob@example.org"), oneWay: oneWay) == .accepted)
    #expect(server.passedOn == ["subscribed bob@example.org"] + (oneWay ? [] : ["subscribe bob@example.org"]))
    #expect(friends.friends == [try FriendRig.item("bob@example.org", .from, ask: !oneWay)])
    await fixture.clock.settle()
    #expect(store.kept.isEmpty)
  }

  /// Adding somebody whose request is gone is adding anybody.
  @Test("Adding a contact who has withdrawn their request sends them ours")
  func addingWhoHasWithdrawnAsksThem() async throws {
    let store = Store()
    let fixture = try SessionFixture(stores: SessionStores(friendRequests: store))
    let server = RosterServer(fixture)
    store.kept = [FriendRequest(jid: try JID("bob@example.org"))]
    let answer = fixture.answer
    // It approves nothing beforehand: a step without a request does nothing.
    fixture.answer = { $0.attribute("type", equals: "subscribed") ? [] : answer($0) }
    try await fixture.settleIn(showing: Presence(priority: -1))
    let bob = try JID("bob@example.org")
    let adding = fixture.start { try await fixture.session.features[FriendManager.self].add(bob) }
    await fixture.clock.elapse(SessionLimits.acceptancePatience)
    #expect(adding.value == .requested)
    #expect(server.passedOn == ["subscribe bob@example.org"])
  }

  @Test("A request store that fails is one remark") func aBrokenStoreIsOneRemark() async throws {
    let store = Store()
    store.isBroken = true
    let rig = try await FriendRig(requests: store)
    for number in 0..<5 { await rig.presence(.subscribe, from: "u\(number)@example.org") }
    #expect(rig.friends.pendingRequests.count == 5)
    #expect(rig.fixture.remarks.count == 1)
  }

  /// A flood of requests: those that arrive in one turn of the loop are written in one transaction.
  @Test("A flood of requests is stored in one write") func aFloodIsWrittenInOnePiece() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    let flood = (0..<500).map { "<presence type='subscribe' from='u\($0)@example.net'/>" }.joined()
    await rig.fixture.receive(flood)
    #expect(store.kept.count == 500)
    #expect(store.writes == 1)
  }

  @Test("Changes are stored when the connection ends") func whatChangedIsKeptWhenTheConnectionEnds() async throws {
    let store = Store()
    let rig = try await FriendRig(requests: store)
    await rig.presence(.subscribe, from: "bob@example.org")
    await rig.presence(.unsubscribe, from: "bob@example.org")
    rig.fixture.session.drop(ConnectionError(.lost, "cut"))
    #expect(store.kept.isEmpty)
  }
}
