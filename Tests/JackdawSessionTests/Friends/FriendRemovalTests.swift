// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// What becomes of our entry when somebody removes us.
@Client @Suite(.onLoop) struct FriendRemovalTests {
  private static let ended = [
    Element("presence", Namespace.client, ["type": "unsubscribed", "from": "bob@example.org"])
  ]

  /// Bob takes alice off his list: her server ends both of his and her subscriptions (RFC 6121 2.5.2).
  private func removedByBob(_ rig: FriendRig) async throws {
    await rig.presence(.unsubscribe, from: "bob@example.org")
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .to, name: "Bob")))
    await rig.presence(.unsubscribed, from: "bob@example.org")
    await rig.fixture.receive(rig.server.keep(try FriendRig.item(name: "Bob")))
  }

  @Test(
    "A friend who ends the friendship is reported once, and the policy decides what becomes of the entry",
    arguments: WhenRemoved.allCases)
  func whoIsRemovedIsToldOnceAndThePolicyDoesTheRest(_ policy: WhenRemoved) async throws {
    let rig = try await FriendRig(
      [FriendRig.item("bob@example.org", .both, name: "Bob")], whenRemoved: policy)
    try await removedByBob(rig)
    #expect(
      rig.fixture.events(FriendshipEnded.self)
        == [FriendshipEnded(jid: rig.bob, .removed, policy: policy)])
    switch policy {
    case .keep, .ask: #expect(rig.friends.friends == [try FriendRig.item(name: "Bob")])
    case .remove: #expect(rig.friends.friends.isEmpty)
    }
    #expect(rig.sets == (policy == .remove ? 1 : 0))
  }

  /// Both halves come in one piece, as from a server that was away.
  @Test("When both halves of a friendship end at once the entry is removed once") func theEntryIsTakenOffOnce()
    async throws
  {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)], whenRemoved: .remove)
    await rig.fixture.receive(
      Self.ended + rig.server.keep(try FriendRig.item("bob@example.org", .from)) + rig.server.keep(try FriendRig.item())
    )
    #expect(rig.sets == 1)
    #expect(rig.server.items.isEmpty)
    #expect(rig.fixture.events(FriendshipEnded.self).count == 1)
  }

  @Test("A refused request leaves the entry") func aRefusalLeavesTheEntry() async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)], whenRemoved: .remove)
    await rig.fixture.receive(rig.server.keep(try FriendRig.item()) + Self.ended)
    #expect(rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, .refused)])
    #expect(rig.sets == 0)
  }

  @Test("A contact who removed us while we were offline is removed from the roster too")
  func whoRemovedUsWhileWeWereAwayIsTakenOffToo() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)], whenRemoved: .remove)
    rig.server.items["bob@example.org"] = try FriendRig.item()
    try await rig.fixture.settleIn()
    #expect(rig.server.items.isEmpty)
    #expect(rig.friends.friends.isEmpty)
  }

  /// Another client of ours with the same policy was quicker.
  @Test("An entry that is gone already is not a failure", arguments: [("item-not-found", 0), ("not-allowed", 1)])
  func anEntryThatIsGoneAlreadyIsNoFailure(_ condition: String, _ remarks: Int) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)], whenRemoved: .remove)
    rig.server.refusal = StanzaError(kind: .cancel, condition: condition)
    await rig.fixture.receive(rig.server.keep(try FriendRig.item()) + Self.ended)
    #expect(rig.fixture.remarks.count == remarks)
  }

  @Test("whom another client of ours removes at the same moment is removed")
  func removedTwice() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    rig.server.refusal = StanzaError(kind: .cancel, condition: "item-not-found")
    let removal = rig.fixture.start { try await rig.friends.remove(rig.bob) }
    await rig.fixture.clock.settle()
    #expect(rig.sets == 1 && !removal.hasEnded)
    await rig.fixture.receive(
      rig.server.push(Element("item", Namespace.roster, ["jid": "bob@example.org", "subscription": "remove"])))
    #expect(removal.hasEnded && removal.error == nil && rig.friends.friends.isEmpty)
  }

  // MARK: Whose doing it was

  /// Prosody sends their stanza before the push, ejabberd after it.
  @Test(
    "A friendship that the contact ends is reported once, in either order of presence and push",
    arguments: [true, false])
  func whatTheyEndIsToldInEitherOrder(_ stanzaComesFirst: Bool) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .to)])
    let push = rig.server.keep(try FriendRig.item())
    for part in stanzaComesFirst ? [Self.ended, push] : [push, Self.ended] { await rig.fixture.receive(part) }
    #expect(rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, .removed)])
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(rig.fixture.events(FriendshipEnded.self).count == 1)
  }

  /// On another device we withdrew a request, or stopped seeing somebody: they did nothing, and the entry stays.
  @Test(
    "A friendship or request that we end on another device is not reported as ended by the contact",
    arguments: [true, false])
  func whatWeEndOnAnotherDeviceIsNotTheirDoing(_ wasRequest: Bool) async throws {
    let before = try wasRequest ? FriendRig.item(ask: true) : FriendRig.item("bob@example.org", .to)
    let rig = try await FriendRig([before], whenRemoved: .remove)
    await rig.fixture.receive(rig.server.keep(try FriendRig.item()))
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(
      rig.fixture.remarks.last == "Another client of ours has ended what bob@example.org and we had, or were to have.")
    // A stanza that has no push of its own changes nothing.
    await rig.fixture.receive(Self.ended)
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
    #expect(rig.sets == 0)
    #expect(rig.friends.friends == [try FriendRig.item()])
  }

  /// ejabberd sends no such stanza to who is not available.
  @Test(
    "While we are unavailable the roster push alone reports the end", arguments: [RosterItem.Subscription.to, .both])
  func whoIsUnseenGoesByThePushAlone(_ before: RosterItem.Subscription) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", before)])
    try rig.fixture.session.features[PresenceBoard.self].announce(Presence(kind: .unavailable))
    await rig.fixture.receive(rig.server.keep(try FriendRig.item()))
    // Both halves at once end only where they removed us.
    let reason: FriendshipEnded.Reason = before == .both ? .removed : .unknown
    #expect(rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, reason)])
  }

  /// What another device of ours ended while this one was away is not told as their doing, and nothing is removed for it.
  @Test(
    "The end of a friendship while we were offline may be our own doing, so the entry stays",
    arguments: [
      (RosterItem.Subscription.both, false, RosterItem.Subscription.from), (.to, false, .none), (.none, true, .none),
    ])
  func whatEndedWhileWeWereAwayMayBeOurDoing(
    _ before: RosterItem.Subscription, _ ask: Bool, _ after: RosterItem.Subscription
  ) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", before, ask: ask)], whenRemoved: .remove)
    rig.server.items["bob@example.org"] = try FriendRig.item("bob@example.org", after)
    try await rig.fixture.settleIn()
    #expect(
      rig.fixture.events(FriendshipEnded.self) == [FriendshipEnded(jid: rig.bob, .unknown, wasRequest: ask)])
    #expect(rig.sets == 0)
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", after)])
  }

  /// Asked again meanwhile: what ended is no news any more.
  @Test("A friendship that was made anew is not reported as ended") func whatBeganAnewHasNotEnded() async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)])
    await rig.fixture.receive(
      rig.server.keep(try FriendRig.item()) + rig.server.keep(try FriendRig.item(ask: true)) + Self.ended)
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
  }

  @Test("Our own steps are not reported as an end") func ourOwnStepsEndNothing() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)], whenRemoved: .remove)
    try await rig.friends.unsubscribe(rig.bob)
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", .from)])
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
  }
}
