// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Adding somebody: entry and request in one, each until the server has confirmed it.
@Client @Suite(.onLoop) struct FriendAddingTests {
  @Test("Adding a stranger makes a roster entry and sends a request", arguments: RosterServer.Order.allCases)
  func addingAStrangerMakesAnEntryAndAsks(_ order: RosterServer.Order) async throws {
    let rig = try await FriendRig()
    rig.server.order = order
    let added = try await rig.friends.add(rig.bob, name: "Bob", groups: ["work", "", "work"])
    #expect(added == .requested)
    #expect(rig.passedOn == ["subscribe bob@example.org"])
    #expect(rig.friends.friends == [try FriendRig.item(name: "Bob", ask: true, groups: ["work"])])
  }

  @Test("A full address stands for its bare address") func aFullAddressMeansItsAccount() async throws {
    let rig = try await FriendRig()
    _ = try await rig.friends.add(try JID("bob@example.org/phone"))
    #expect(rig.passedOn == ["subscribe bob@example.org"])
  }

  @Test("The request contains nickname and message, and is sent again when one asks for that")
  func theyAreToldWhoAsksAndAskedAgainToBeTold() async throws {
    let rig = try await FriendRig()
    _ = try await rig.friends.add(rig.bob, saying: "It is me")
    #expect(try await rig.friends.add(rig.bob, saying: "Al, from Rome") == .requested)
    #expect(rig.passedOn == ["subscribe bob@example.org", "subscribe bob@example.org"])
    let requests = rig.fixture.server.received.filter { $0.attribute("type") == "subscribe" }
    #expect(requests.map { $0.child("status", "jabber:client")?.text } == ["It is me", "Al, from Rome"])
  }

  struct Addition: Sendable {
    var before: RosterItem.Subscription?
    var ask = false
    var hasAsked = false
    var added: FriendManager.Added
    var passedOn: [String]
  }

  @Test(
    "Adding a contact sends what is missing",
    arguments: [
      Addition(before: .both, added: .already, passedOn: []),
      Addition(before: .to, added: .already, passedOn: []),
      // One that is open may be lost.
      Addition(
        before: RosterItem.Subscription.none, ask: true, added: .requested, passedOn: ["subscribe bob@example.org"]),
      Addition(before: RosterItem.Subscription.none, added: .requested, passedOn: ["subscribe bob@example.org"]),
      Addition(before: .from, added: .requested, passedOn: ["subscribe bob@example.org"]),
      Addition(before: .from, ask: true, added: .requested, passedOn: ["subscribe bob@example.org"]),
      Addition(
        before: nil, hasAsked: true, added: .accepted,
        passedOn: ["subscribed bob@example.org", "subscribe bob@example.org"]),
    ])
  func addingDoesWhatIsMissing(_ addition: Addition) async throws {
    let items = try addition.before.map { [try FriendRig.item("bob@example.org", $0, ask: addition.ask)] } ?? []
    let rig = try await FriendRig(items, asking: addition.hasAsked ? ["bob@example.org"] : [])
    #expect(try await rig.friends.add(rig.bob) == addition.added)
    #expect(rig.passedOn == addition.passedOn)
    #expect(rig.friends.pendingRequests.isEmpty)
    // Once more changes nothing, and says nothing new.
    let before = rig.friends.friends
    let sets = rig.sets
    _ = try await rig.friends.add(rig.bob)
    #expect(rig.friends.friends == before)
    #expect(Set(rig.passedOn) == Set(addition.passedOn))
    #expect(rig.sets == sets)
  }

  /// They approved us before we asked: our server shows it at once.
  @Test("A contact who has approved us beforehand is seen at once") func whoHasApprovedUsGrantsAtOnce() async throws {
    let rig = try await FriendRig()
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      let pushes = answer(element)
      guard element.attribute("type", equals: "subscribe") else { return pushes }
      return pushes + rig.server.keep(RosterItem(jid: rig.bob, subscription: .to))
    }
    #expect(try await rig.friends.add(rig.bob) == .granted)
    #expect(try await rig.friends.add(rig.bob) == .already)
  }

  @Test("Adding keeps the existing name and groups") func addingKeepsTheNameAndTheGroupsThatAreThere() async throws {
    let item = try FriendRig.item("bob@example.org", .both, name: "Bob", groups: ["work"])
    let rig = try await FriendRig([item])
    _ = try await rig.friends.add(rig.bob)
    #expect(rig.sets == 0)
    _ = try await rig.friends.add(rig.bob, name: "Robert")
    #expect(
      rig.friends.item(for: rig.bob) == (try FriendRig.item("bob@example.org", .both, name: "Robert", groups: ["work"]))
    )
    _ = try await rig.friends.add(rig.bob, groups: [])
    #expect(rig.friends.item(for: rig.bob) == (try FriendRig.item("bob@example.org", .both, name: "Robert")))
  }

  @Test("The user's own address is refused before anything is sent")
  func oneselfIsRefusedBeforeAnythingIsSent() async throws {
    let rig = try await FriendRig()
    let own = try JID("alice@example.org/other")
    let error = FriendError(.isOurselves, try JID("alice@example.org"))
    await #expect(throws: error) { _ = try await rig.friends.add(own) }
    await #expect(throws: error) { try await rig.friends.remove(own) }
    await #expect(throws: error) { _ = try await rig.friends.accept(own, oneWay: false) }
    await #expect(throws: error) { try await rig.friends.reject(own) }
    await #expect(throws: error) { try await rig.friends.cancel(own) }
    await #expect(throws: error) { try await rig.friends.unsubscribe(own) }
    await #expect(throws: error) { try await rig.friends.revoke(own) }
    await #expect(throws: error) { try await rig.friends.approve(beforehand: own) }
    await #expect(throws: error) { try await rig.friends.rename(own, to: "me") }
    await #expect(throws: error) { try await rig.friends.group(own, in: []) }
    #expect(rig.fixture.sent().isEmpty)
  }

  @Test("A refusal of the server is thrown") func whatTheServerRefusesIsThrown() async throws {
    let rig = try await FriendRig()
    rig.server.refusal = StanzaError(kind: .cancel, condition: "not-allowed", text: "no more than 3 friends")
    let error = await #expect(throws: RequestError.self) { _ = try await rig.friends.add(rig.bob) }
    #expect(error?.stanzaError == rig.server.refusal)
    #expect(rig.passedOn.isEmpty)
  }

  @Test("A name that XML cannot carry is refused") func aNameThatXMLCannotCarryIsRefused() async throws {
    let rig = try await FriendRig()
    let error = await #expect(throws: RequestError.self) { _ = try await rig.friends.add(rig.bob, name: "\u{1}") }
    #expect(error?.cause is XMLWriteError)
    #expect(rig.fixture.session.isOnline)
    #expect(rig.sets == 0)
  }

  /// The server takes the request and never shows its effect.
  @Test("A roster push that does not come is reported as missing")
  func aPushThatDoesNotComeIsSaidToBeMissing() async throws {
    let rig = try await FriendRig()
    rig.server.isMute = true
    let adding = rig.fixture.start { _ = try await rig.friends.add(rig.bob) }
    await rig.fixture.clock.elapse(.milliseconds(29_999))
    #expect(!adding.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(1))
    #expect(adding.error as? FriendError == FriendError(.unconfirmed("the entry of bob@example.org"), rig.bob))
  }

  @Test("When the connection ends the wait for a roster push ends")
  func aConnectionThatEndsEndsTheWaitForAPush() async throws {
    let rig = try await FriendRig([FriendRig.item()])
    rig.server.isMute = true
    let adding = rig.fixture.start { _ = try await rig.friends.add(rig.bob) }
    await rig.fixture.clock.settle()
    #expect(!adding.hasEnded)
    rig.fixture.session.drop(ConnectionError(.lost, "cut"))
    await rig.fixture.clock.settle()
    #expect((adding.error as? ConnectionError)?.code == .lost)
  }

  @Test("Cancelling ends the wait for a roster push") func cancellingEndsTheWaitForAPush() async throws {
    let rig = try await FriendRig([FriendRig.item()])
    rig.server.isMute = true
    let adding = rig.fixture.start { _ = try await rig.friends.add(rig.bob) }
    await rig.fixture.clock.settle()
    adding.cancel()
    await rig.fixture.clock.settle()
    #expect(adding.error is CancellationError)
    #expect(rig.fixture.clock.pendingTimers == 0)
  }

  /// The first push that fits is the confirmation; what comes next in the same bytes is the outcome.
  @Test("A request that is refused at once is reported as refused")
  func aRequestThatIsRefusedAtOnceIsSaidToBe() async throws {
    let rig = try await FriendRig([FriendRig.item()])
    rig.server.isMute = true
    let adding = rig.fixture.start { try await rig.friends.add(rig.bob) }
    await rig.fixture.clock.settle()
    rig.server.isMute = false
    await rig.fixture.receive(
      rig.server.keep(try FriendRig.item(ask: true)) + rig.server.keep(try FriendRig.item())
        + [Element("presence", Namespace.client, ["type": "unsubscribed", "from": "bob@example.org"])])
    #expect(adding.error as? FriendError == FriendError(.isRefused, rig.bob))
    #expect(rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, .refused)])
  }

  /// What the server says of an address that it cannot reach, is thrown.
  @Test("A request that bounces throws") func aRequestThatComesBackIsThrown() async throws {
    let rig = try await FriendRig()
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      let more =
        element.attribute("type", equals: "subscribe")
        ? try? Element(
          parsing: """
            <presence xmlns='jabber:client' type='error' from='bob@example.org'><error type='cancel'>\
            <remote-server-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></presence>
            """) : nil
      return answer(element) + (more.map { [$0] } ?? [])
    }
    let error = await #expect(throws: FriendError.self) { _ = try await rig.friends.add(rig.bob) }
    #expect(
      error?.reason == .undeliverable(StanzaError(kind: .cancel, condition: "remote-server-not-found"))
        && error?.jid == rig.bob)
    #expect(rig.fixture.remarks.isEmpty && rig.fixture.notices.isEmpty)
    // The server sends it again at the next log-in: that is no news.
    await rig.presence(
      .error, from: "bob@example.org",
      "<error type='cancel'><remote-server-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>")
    #expect(rig.fixture.notices.isEmpty)
  }

  // MARK: Rooms

  /// Answers service discovery at `rooms.example.org` with this category.
  private func identify(_ rig: FriendRig, as category: String?) {
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == ServiceDiscovery.information else {
        return answer(element)
      }
      guard let category else { return [] }
      var result = iq.result(
        DiscoveryInformation(
          identities: [.init(category: category, type: "text", name: "Rooms")], features: []
        ).element(node: nil))
      result.from = iq.to
      return [result.element]
    }
  }

  @Test("A room is refused before anything is sent to it") func aRoomIsRefusedBeforeAnythingIsSentToIt() async throws {
    let rig = try await FriendRig(features: FriendRig.preapproval)
    identify(rig, as: "conference")
    let room = try JID("tea@rooms.example.org")
    await #expect(throws: FriendError(.isRoom, room)) { _ = try await rig.friends.add(room) }
    #expect(rig.fixture.sent().map { $0.attribute("to") } == ["rooms.example.org"])
    // The domain is not asked again.
    await #expect(throws: FriendError(.isRoom, room)) { try await rig.friends.approve(beforehand: room) }
    #expect(rig.fixture.sent().isEmpty)
  }

  /// biboumi says of itself that it is rooms, and nothing of who is on IRC.
  @Test(
    "a person at the domain of a gateway is no room",
    arguments: [(nil, true), ("item-not-found", true), ("feature-not-implemented", false)])
  func personAtGateway(condition: String?, isRoom: Bool) async throws {
    let rig = try await FriendRig()
    identify(rig, as: "conference")
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      guard let condition, element.attribute("to", equals: "bobby%irc@rooms.example.org"), let iq = try? IQ(element)
      else { return answer(element) }
      var failure = iq.failure(StanzaError(kind: .cancel, condition: condition))
      failure.from = iq.to
      return [failure.element]
    }
    #expect(try await rig.friends.isRoom(try JID("bobby%irc@rooms.example.org/x")) == isRoom)
  }

  @Test("An address at a service that is not a room service is added") func whoIsNoRoomIsAdded() async throws {
    let rig = try await FriendRig()
    identify(rig, as: "gateway")
    #expect(try await rig.friends.add(try JID("tea@rooms.example.org")) == .requested)
  }

  /// A domain that does not answer keeps nobody from being added.
  @Test("A domain that does not answer is waited for only a moment")
  func aDomainThatIsSilentIsWaitedForOnlyAMoment() async throws {
    let rig = try await FriendRig()
    identify(rig, as: nil)
    let adding = rig.fixture.start { try await rig.friends.add(try JID("tea@rooms.example.org")) }
    await rig.fixture.clock.settle()
    #expect(!adding.hasEnded)
    await rig.fixture.clock.elapse(SessionLimits.roomCheckPatience)
    #expect(adding.value == .requested)
  }

  @Test("Several contacts are added side by side") func severalAreAddedSideBySide() async throws {
    let rig = try await FriendRig()
    let adding = try (0..<20).map { try JID("u\($0)@example.org") }.map { jid in
      rig.fixture.start { try await rig.friends.add(jid) }
    }
    await rig.fixture.clock.settle()
    #expect(adding.allSatisfy { $0.value == .requested })
    #expect(rig.friends.friends.count == 20)
  }
}
