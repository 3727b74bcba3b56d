// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// The steps that we take in a friendship, each until the server has confirmed it.
@Client @Suite(.onLoop) struct FriendStepsTests {
  // MARK: Remove

  @Test("removing a contact removes the roster entry", arguments: RosterServer.Order.allCases)
  func removingTakesTheEntryAway(_ order: RosterServer.Order) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    rig.server.order = order
    try await rig.friends.remove(rig.bob)
    #expect(rig.friends.friends.isEmpty)
    #expect(rig.server.items.isEmpty)
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
    await #expect(throws: FriendError(.notOnList, rig.bob)) { try await rig.friends.remove(rig.bob) }
  }

  @Test("removing a contact whom we have asked withdraws the request")
  func removingWhomWeHaveAskedTakesTheRequestBack() async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)])
    try await rig.friends.remove(rig.bob)
    #expect(rig.passedOn == ["unsubscribe bob@example.org"])
    #expect(rig.friends.friends.isEmpty && rig.server.items.isEmpty)
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
  }

  @Test("removing a contact who has asked us rejects their request too", arguments: [false, true])
  func removingWhoHasAskedAnswersToo(_ isOnList: Bool) async throws {
    let rig = try await FriendRig(isOnList ? [FriendRig.item()] : [], asking: ["bob@example.org"])
    try await rig.friends.remove(rig.bob)
    #expect(rig.passedOn == ["unsubscribed bob@example.org"])
    #expect(rig.friends.pendingRequests.isEmpty)
    #expect(rig.server.items.isEmpty)
  }

  // MARK: Name and groups

  @Test(
    "another log-in that changes an entry at the same moment loses nothing of it",
    arguments: RosterServer.Order.allCases)
  func changedTwice(_ order: RosterServer.Order) async throws {
    let rig = try await FriendRig([FriendRig.item(name: "Bob", groups: ["Work"])])
    rig.server.order = order
    let answer = rig.fixture.answer
    var isFirst = true
    rig.fixture.answer = { element in
      guard isFirst, let iq = try? IQ(element), iq.kind == .set, let query = iq.payload,
        query.matches("query", Namespace.roster), let other = try? FriendRig.item(name: "Bob", groups: ["Chess"])
      else { return answer(element) }
      isFirst = false
      return rig.server.keep(other) + answer(element)
    }
    try await rig.friends.rename(rig.bob, to: "Robert")
    #expect(rig.server.items["bob@example.org"] == (try FriendRig.item(name: "Robert", groups: ["Chess"])))
    #expect(rig.friends.item(for: rig.bob)?.groups == ["Chess"] && rig.sets == 2)
  }

  // MARK: Accept and reject

  @Test("accepting a request sends one back") func acceptingAsksBack() async throws {
    let rig = try await FriendRig(asking: ["bob@example.org"])
    #expect(try await rig.friends.accept(rig.bob, oneWay: false) == .accepted)
    #expect(rig.passedOn == ["subscribed bob@example.org", "subscribe bob@example.org"])
    #expect(rig.friends.item(for: rig.bob) == (try FriendRig.item("bob@example.org", .from, ask: true)))
    #expect(rig.friends.pendingRequests.isEmpty)
    // Again: it is done.
    #expect(try await rig.friends.accept(rig.bob, oneWay: false) == .already)
  }

  @Test("accepting one way does not send a request back") func acceptingOneWayDoesNotAskBack() async throws {
    let rig = try await FriendRig(asking: ["bob@example.org"])
    #expect(try await rig.friends.accept(rig.bob, oneWay: true) == .accepted)
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    #expect(rig.friends.state(of: rig.bob) == SubscriptionState(theirs: .subscribed))
  }

  @Test("accepting or rejecting a contact who has not asked fails") func whoHasNotAskedCannotBeAnswered() async throws {
    let rig = try await FriendRig([FriendRig.item()])
    await #expect(throws: FriendError(.hasNotAsked, rig.bob)) {
      _ = try await rig.friends.accept(rig.bob, oneWay: false)
    }
    await #expect(throws: FriendError(.hasNotAsked, rig.bob)) { try await rig.friends.reject(rig.bob) }
    #expect(rig.passedOn.isEmpty)
  }

  @Test("rejecting a request answers it and removes an entry without a subscription")
  func rejectingAnswersAndRemovesWhatIsLeftOver() async throws {
    let rig = try await FriendRig([FriendRig.item()], asking: ["bob@example.org"])
    try await rig.friends.reject(rig.bob)
    #expect(rig.passedOn == ["unsubscribed bob@example.org"])
    #expect(rig.friends.friends.isEmpty)
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  @Test("rejecting a request keeps an entry with a name") func rejectingKeepsAnEntryThatMeansSomething() async throws {
    let item = try FriendRig.item(name: "Bob")
    let rig = try await FriendRig([item], asking: ["bob@example.org"])
    try await rig.friends.reject(rig.bob)
    #expect(rig.friends.friends == [item])
    #expect(rig.fixture.sent().map(\.name) == ["presence", "iq"])
  }

  // MARK: Cancel, unsubscribe, revoke, approve

  @Test("cancelling withdraws our request") func cancellingWithdrawsARequest() async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)])
    try await rig.friends.cancel(rig.bob)
    #expect(rig.passedOn == ["unsubscribe bob@example.org"])
    #expect(rig.friends.friends == [try FriendRig.item()])
    // It is our doing: nobody is said to have refused.
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
    await #expect(throws: FriendError(.notAsked, rig.bob)) { try await rig.friends.cancel(rig.bob) }
  }

  @Test(
    "unsubscribing keeps the entry",
    arguments: [(RosterItem.Subscription.both, RosterItem.Subscription.from), (.to, .none)])
  func unsubscribingKeepsTheEntry(_ before: RosterItem.Subscription, _ after: RosterItem.Subscription) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", before)])
    try await rig.friends.unsubscribe(rig.bob)
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", after)])
    #expect(rig.fixture.events(FriendshipEnded.self).isEmpty)
    try await rig.friends.unsubscribe(rig.bob)
    #expect(rig.passedOn == ["unsubscribe bob@example.org"])
  }

  @Test(
    "revoking keeps the entry", arguments: [(RosterItem.Subscription.both, RosterItem.Subscription.to), (.from, .none)])
  func revokingKeepsTheEntry(_ before: RosterItem.Subscription, _ after: RosterItem.Subscription) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", before)])
    try await rig.friends.revoke(rig.bob)
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", after)])
    try await rig.friends.revoke(rig.bob)
    #expect(rig.passedOn == ["unsubscribed bob@example.org"])
  }

  @Test("revoking an open request rejects it") func revokingARequestIsAnAnswer() async throws {
    let rig = try await FriendRig(asking: ["bob@example.org"])
    try await rig.friends.revoke(rig.bob)
    #expect(rig.passedOn == ["unsubscribed bob@example.org"])
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  @Test("changing the subscription, name or groups of somebody who is not on the list fails")
  func whoIsNotThereHasNothingToEnd() async throws {
    let rig = try await FriendRig()
    let error = FriendError(.notOnList, rig.bob)
    await #expect(throws: error) { try await rig.friends.unsubscribe(rig.bob) }
    await #expect(throws: error) { try await rig.friends.revoke(rig.bob) }
    await #expect(throws: error) { try await rig.friends.rename(rig.bob, to: "Bob") }
    await #expect(throws: error) { try await rig.friends.group(rig.bob, in: ["g"]) }
    #expect(rig.fixture.sent().isEmpty)
  }

  @Test("a request cannot be approved beforehand where the server does not offer that")
  func anApprovalBeforehandIsTheServersToOffer() async throws {
    let rig = try await FriendRig()
    await #expect(throws: FriendError(.cannotApprove, rig.bob)) { try await rig.friends.approve(beforehand: rig.bob) }
    #expect(rig.fixture.sent().isEmpty)
  }

  @Test("an approval beforehand is confirmed and can be revoked")
  func anApprovalBeforehandIsConfirmedAndCanBeTakenBack() async throws {
    let rig = try await FriendRig(features: FriendRig.preapproval)
    try await rig.friends.approve(beforehand: rig.bob)
    #expect(rig.friends.friends == [try FriendRig.item(approved: true)])
    try await rig.friends.approve(beforehand: rig.bob)
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    try await rig.friends.revoke(rig.bob)
    #expect(rig.friends.friends == [try FriendRig.item()])
  }

  @Test("approving beforehand a contact who has asked accepts the request")
  func anApprovalOfWhoHasAskedIsAnAnswer() async throws {
    let rig = try await FriendRig(asking: ["bob@example.org"], features: FriendRig.preapproval)
    try await rig.friends.approve(beforehand: rig.bob)
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", .from)])
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  // MARK: Names and groups

  @Test("renaming keeps the groups") func renamingKeepsTheGroups() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both, name: "Bob", groups: ["a", "b"])])
    try await rig.friends.rename(rig.bob, to: "R. <\"&'>")
    #expect(
      rig.friends.item(for: rig.bob)
        == (try FriendRig.item("bob@example.org", .both, name: "R. <\"&'>", groups: ["a", "b"])))
    try await rig.friends.rename(rig.bob, to: "")
    #expect(rig.friends.item(for: rig.bob)?.name == nil)
    #expect(rig.friends.item(for: rig.bob)?.groups == ["a", "b"])
    // As it is already: nothing to be done.
    try await rig.friends.rename(rig.bob, to: "")
    #expect(rig.sets == 2)
  }

  @Test("changing the groups keeps the name") func groupingKeepsTheName() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both, name: "Bob", groups: ["a"])])
    try await rig.friends.group(rig.bob, in: ["x y", "<z>", "x y"])
    #expect(
      rig.friends.item(for: rig.bob)
        == (try FriendRig.item("bob@example.org", .both, name: "Bob", groups: ["x y", "<z>"])))
    try await rig.friends.group(rig.bob, in: [])
    #expect(rig.friends.item(for: rig.bob)?.groups == [])
  }

  @Test(
    "a name and groups that are given at the same moment are both kept, and an entry that goes meanwhile does not come back"
  )
  func namingAndGrouping() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both, name: "Bob")])
    let naming = rig.fixture.start { try await rig.friends.rename(rig.bob, to: "Robert") }
    let grouping = rig.fixture.start { try await rig.friends.group(rig.bob, in: ["Work"]) }
    await rig.fixture.clock.settle()
    #expect(naming.hasEnded && grouping.hasEnded && rig.sets == 2)
    #expect(
      rig.friends.item(for: rig.bob) == (try FriendRig.item("bob@example.org", .both, name: "Robert", groups: ["Work"]))
    )
    let removal = rig.fixture.start { try await rig.friends.remove(rig.bob) }
    let late = rig.fixture.start { try await rig.friends.group(rig.bob, in: []) }
    await rig.fixture.clock.settle()
    #expect(removal.hasEnded && removal.error == nil && late.error as? FriendError == FriendError(.notOnList, rig.bob))
    #expect(rig.friends.item(for: rig.bob) == nil)
  }

  @Test("removing goes on to the entry where the server never confirms the end of our request")
  func removingWithoutConfirmation() async throws {
    let rig = try await FriendRig([FriendRig.item(ask: true)])
    rig.server.ignoresUnsubscribe = true
    let removal = rig.fixture.start { try await rig.friends.remove(rig.bob) }
    await rig.fixture.clock.elapse(.seconds(29))
    #expect(!removal.hasEnded && rig.sets == 0)
    await rig.fixture.clock.elapse(.seconds(1))
    #expect(removal.hasEnded && removal.error == nil)
    #expect(rig.friends.item(for: rig.bob) == nil && rig.sets == 1)
  }

  @Test("cancelling removes the entry and makes it again where the server never confirms the end of our request")
  func cancellingWithoutConfirmation() async throws {
    let rig = try await FriendRig([FriendRig.item(name: "Bob", ask: true, groups: ["Work"])])
    rig.server.ignoresUnsubscribe = true
    let end = rig.fixture.start { try await rig.friends.cancel(rig.bob) }
    await rig.fixture.clock.elapse(.seconds(30))
    #expect(end.hasEnded && end.error == nil)
    #expect(rig.friends.item(for: rig.bob) == (try FriendRig.item(name: "Bob", groups: ["Work"])))
    #expect(rig.sets == 2)
  }

  @Test("cancelling does not remove the entry of somebody who sees us: our presence would be taken from them, too")
  func cancellingWithoutConfirmationWhereTheySeeUs() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .from, ask: true)])
    rig.server.ignoresUnsubscribe = true
    let end = rig.fixture.start { try await rig.friends.cancel(rig.bob) }
    await rig.fixture.clock.elapse(.seconds(30))
    #expect(end.error.map { "\($0)" }?.contains("did not confirm") == true)
    #expect(rig.friends.item(for: rig.bob) == (try FriendRig.item("bob@example.org", .from, ask: true)))
    #expect(rig.sets == 0)
  }

  /// What is asked for all of a turn had the session's 30 s, whatever the command's `--timeout` said.
  @Test("what several steps wait for together ends after the command's own time")
  func commonStep() async throws {
    let rig = try await FriendRig()
    rig.fixture.answer = { _ in [] }
    let hasty = rig.fixture.start {
      try await PatienceOfCommand.$current.withValue(.exactly(.seconds(2))) { try await rig.friends.settle() }
    }
    await rig.fixture.clock.elapse(.seconds(2))
    #expect((hasty.error as? RequestError)?.code == .timedOut)
    let patient = rig.fixture.start {
      try await PatienceOfCommand.$current.withValue(.atLeast(.seconds(45))) { try await rig.friends.settle() }
    }
    await rig.fixture.clock.elapse(.seconds(44))
    #expect(!patient.hasEnded)
    await rig.fixture.clock.elapse(.seconds(1))
    #expect((patient.error as? RequestError)?.code == .timedOut)
  }

  // MARK: Entries of devices

  @Test("an entry of a device is renamed, grouped and removed by its address, and that of the account by its own")
  func device() async throws {
    let phone = try JID("bob@example.org/phone")
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both), FriendRig.item(phone.description)])
    try await rig.friends.rename(phone, to: "Phone")
    try await rig.friends.group(phone, in: ["Work"])
    #expect(
      rig.server.items[phone.description] == (try FriendRig.item(phone.description, name: "Phone", groups: ["Work"])))
    try await rig.friends.remove(phone)
    #expect(rig.friends.friends.map(\.jid) == [rig.bob])
    #expect(rig.passedOn.isEmpty && rig.fixture.events(FriendChanged.self).allSatisfy(\.isOurs))
    try await rig.friends.remove(phone)
    #expect(rig.friends.friends.isEmpty, "no other device has one")
  }

  // MARK: What only looks as if it were done

  @Test(
    "white space in names and groups is changed too, and a blank name is none",
    arguments: [("Carol  X", "Carol X"), ("", " ")])
  func whiteSpace(_ before: String, _ wanted: String) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both, name: before.isEmpty ? nil : before)])
    try await rig.friends.rename(rig.bob, to: wanted)
    let name = wanted == " " ? nil : wanted
    #expect(rig.server.items["bob@example.org"]?.name == name)
    #expect(rig.sets == (name == nil ? 0 : 1))
  }

  /// Prosody 0.12 does not show in the roster whom we approved, and keeps it for all that `unsubscribed` says, until the entry is set.
  @Test("an approval that the server does not show ends with the entry being set as it is")
  func hiddenApproval() async throws {
    let rig = try await FriendRig(
      [FriendRig.item(name: "Bob", groups: ["Work"])], features: FriendRig.preapproval)
    try await rig.friends.revoke(rig.bob)
    #expect(rig.passedOn == ["unsubscribed bob@example.org"])
    #expect(rig.sets == 1)
    #expect(rig.server.items["bob@example.org"] == (try FriendRig.item(name: "Bob", groups: ["Work"])))
  }
}
