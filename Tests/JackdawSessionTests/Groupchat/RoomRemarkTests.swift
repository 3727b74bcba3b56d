// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What is said in rooms of messages of our own that the room has not sent back yet.
@Client @Suite(.onLoop) struct RoomRemarkTests {
  private func rig(_ features: [String]? = RoomServer.features) async throws -> GroupchatRig {
    let rig = try GroupchatRig(AccountStore.inMemory(), features: features)
    rig.room.reflects = false
    try await rig.enter()
    return rig
  }

  /// A message, and what takes it back.
  private func takeBack(_ rig: GroupchatRig) async throws -> (said: String, retraction: String) {
    let said = try rig.delivery.send("hi", to: rig.jid)
    let retraction = try rig.delivery.send("", to: rig.jid, saying: [.retracts(said)])
    await rig.fixture.clock.settle()
    return (said, retraction)
  }

  private func sent(_ rig: GroupchatRig) -> [Element] { rig.fixture.sent().filter { $0.name == "message" } }

  private func names(_ element: Element?) -> String? {
    element?.child("retract", MessageRelation.Namespace.retraction)?.attribute("id")
  }

  @Test("A retraction waits for the room's stanza ID of the message")
  func aRetractionWaitsForWhatTheRoomCallsTheMessage() async throws {
    let rig = try await rig()
    let (said, retraction) = try await takeBack(rig)
    #expect(sent(rig).map { $0.attribute("id") } == [said])
    let id = "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r7'/>"
    await rig.say("hi", by: "alice", id: said, id)
    await rig.fixture.clock.settle()
    let written = sent(rig)
    #expect(written.map { $0.attribute("id") } == [retraction] && names(written.first) == "r7")
  }

  @Test("A message after a retraction goes after it, and other conversations do not wait")
  func whatWasSaidBehindItComesBehindItAndOtherPeopleWaitForNoneOfIt() async throws {
    let rig = try await rig()
    let (said, retraction) = try await takeBack(rig)
    let next = try rig.delivery.send("next", to: rig.jid)
    let other = try rig.delivery.send("hello", to: try JID("bob@example.org"))
    await rig.fixture.clock.settle()
    #expect(sent(rig).map { $0.attribute("id") } == [said, other])
    await rig.say("hi", by: "alice", id: said, "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r7'/>")
    await rig.fixture.clock.settle()
    #expect(sent(rig).map { $0.attribute("id") } == [retraction, next])
  }

  @Test("In a room without stanza IDs a retraction names the sender's ID")
  func whereTheRoomGivesNoIDsItGoesByTheSenders() async throws {
    let rig = try await rig(nil)
    let (said, _) = try await takeBack(rig)
    _ = sent(rig)
    await rig.say("hi", by: "alice", id: said)
    await rig.fixture.clock.settle()
    #expect(names(sent(rig).first) == said)
  }

  @Test("Where the room never reflects the message its retraction goes after a timeout")
  func whereTheRoomNeverSendsTheMessageBackItGoesAfterAWhile() async throws {
    let rig = try await rig()
    let (said, _) = try await takeBack(rig)
    _ = sent(rig)
    await rig.fixture.clock.elapse(FeatureLimits.reflectionAwaited)
    #expect(sent(rig).compactMap { names($0) } == [said])
  }

  @Test("The retraction of a message that failed waits no longer")
  func whereTheMessageFailedItWaitsNoLonger() async throws {
    let rig = try await rig()
    let (said, _) = try await takeBack(rig)
    _ = sent(rig)
    await rig.fixture.receive(
      "<message from='\(RoomServer.address)' type='error' id='\(said)'><error type='auth'>"
        + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    await rig.fixture.clock.settle()
    #expect(sent(rig).compactMap { names($0) } == [said])
  }
}
