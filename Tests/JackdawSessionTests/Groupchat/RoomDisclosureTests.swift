// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What people in rooms tell each other beside what they say: that they are typing, and have read.
@Client @Suite(.onLoop) struct RoomDisclosureTests {
  private let store = AccountStore.inMemory()
  /// What a room says that is for members who see each other.
  private static let ofMembers = RoomServer.features + ["muc_membersonly", "muc_nonanonymous"]

  private func entered(_ features: [String] = ofMembers) async throws -> GroupchatRig {
    let rig = try GroupchatRig(store, features: features, discloses: Set(Disclosure.allCases))
    try await rig.enter()
    return rig
  }

  /// What was sent to others of that kind, each as what it is, of what, and whom to.
  private func told(_ rig: GroupchatRig) async -> [String] {
    await rig.fixture.clock.settle()
    return rig.fixture.sent().compactMap { try? Message($0) }.flatMap { message in
      message.payloads.filter {
        [DeliveryReceipts.namespace, ChatMarkers.namespace, ChatStates.namespace].contains($0.namespace)
      }
      .map {
        "\($0.name)\($0.attribute("id").map { " \($0)" } ?? "") \(message.kind.rawValue) \(message.to?.resource ?? "all")"
      }
    }
  }

  private func state(_ name: String) -> String { "<\(name) xmlns='\(ChatStates.namespace)'/>" }

  private func receive(_ content: String, by nick: String, type: String = "groupchat", _ rig: GroupchatRig) async {
    await rig.fixture.receive(
      "<message from='\(RoomServer.address)/\(nick)' type='\(type)' id='x'>\(content)</message>")
  }

  private func typists(_ rig: GroupchatRig, _ nick: String? = nil) throws -> [String] {
    let conversation = try nick.map { try rig.jid.with(resource: $0) } ?? rig.jid
    return rig.fixture.session.features[ChatStates.self].typists(in: conversation).compactMap(\.resource)
  }

  // MARK: Typing

  @Test("Who types in a room is known by nick") func whoTypesInARoomIsKnownByNick() async throws {
    let rig = try await entered([])
    for nick in ["carol", "bob"] { await receive(state("composing"), by: nick, rig) }
    #expect(try typists(rig) == ["bob", "carol"])
    #expect(rig.fixture.events(TypingChanged.self).map(\.from.resource) == ["carol", "bob"])
    await rig.say("here", by: "bob")
    await receive(state("gone"), by: "carol", rig)
    #expect(try typists(rig) == [])
  }

  @Test("Who types a private message is not typing to the whole room")
  func whoTypesToOneAloneIsNotTypingToAll() async throws {
    let rig = try await entered()
    await receive(state("composing"), by: "bob", type: "chat", rig)
    #expect(try typists(rig) == [])
    #expect(try typists(rig, "bob") == ["bob"])
    #expect(try typists(rig, "carol") == [])
  }

  @Test("Our own typing is not reported as somebody else's") func ownTypingIsNobodyElses() async throws {
    let rig = try await entered()
    await receive(state("composing"), by: "alice", rig)
    #expect(try typists(rig) == [])
  }

  @Test("That the user types is sent where members see each other")
  func thatTheUserTypesIsToldWhereMembersSeeEachOther() async throws {
    let rig = try await entered()
    let states = rig.fixture.session.features[ChatStates.self]
    states.typed(to: rig.jid)
    #expect(await told(rig) == ["composing groupchat all"])
    let bob = try rig.jid.with(resource: "bob")
    states.typed(to: bob)
    #expect(await told(rig) == ["active groupchat all", "composing chat bob"])
    try rig.delivery.send("psst", to: bob)
    #expect(await told(rig) == ["active chat bob"])
  }

  @Test(
    "Strangers are told neither that the user types nor that the user reads",
    arguments: [
      RoomServer.features, RoomServer.features + ["muc_membersonly"], RoomServer.features + ["muc_nonanonymous"],
    ])
  func strangersAreToldNeitherThatTheUserTypesNorReads(features: [String]) async throws {
    let rig = try await entered(features)
    rig.fixture.session.features[ChatStates.self].typed(to: rig.jid)
    await rig.say("hi", "<markable xmlns='\(ChatMarkers.namespace)'/>")
    try store.log.markRead(rig.jid, through: 1)
    await rig.fixture.clock.elapse(.seconds(2))
    try rig.delivery.send("hi", to: rig.jid)
    #expect(await told(rig) == [])
  }

  @Test("The setting of a single room overrides the general one") func theUserMaySayOtherwiseOfARoom() async throws {
    var rig = try await entered(RoomServer.features)
    try store.log.privacy.disclose(.typing, to: rig.jid, true)
    rig.fixture.session.features[ChatStates.self].typed(to: rig.jid)
    #expect(await told(rig) == ["composing groupchat all"])
    rig = try await entered()
    try store.log.privacy.disclose(.typing, to: rig.jid, false)
    rig.fixture.session.features[ChatStates.self].typed(to: rig.jid)
    #expect(await told(rig) == [])
  }

  @Test("a room that was opened to everybody while there was no stream is told nothing any more")
  func openedMeanwhile() async throws {
    let rig = try await entered()
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    rig.room.features = RoomServer.features
    try await rig.fixture.settleIn()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
    rig.fixture.session.features[ChatStates.self].typed(to: rig.jid)
    #expect(await told(rig) == [])
  }

  @Test("A large room is told nothing") func alargeRoomIsToldNothing() async throws {
    let rig = try await entered()
    for number in 0..<RoomLimits.toldOccupants { await rig.receive(RoomServer.presence("n\(number)")) }
    rig.fixture.session.features[ChatStates.self].typed(to: rig.jid)
    #expect(await told(rig) == [])
  }

  // MARK: Reading

  @Test("A displayed marker goes to the whole room and has the room's stanza ID")
  func thatAMessageWasReadIsToldByTheRoomsIDToAll() async throws {
    let rig = try await entered()
    let markable = "<markable xmlns='\(ChatMarkers.namespace)'/>"
    await rig.say("hi", "\(markable)<stanza-id xmlns='\(StanzaID.namespace)' id='r7' by='\(RoomServer.address)'/>")
    try store.log.markRead(rig.jid, through: 1)
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(await told(rig) == ["displayed r7 groupchat all"])
    #expect(try store.log.privacy.unsentMarkers(limit: 10) == [])
  }

  @Test("A marker for what was read without a connection is sent once the room is joined again")
  func whatWasReadWithoutAConnectionIsToldOnceTheRoomIsEnteredAgain() async throws {
    let rig = try await entered()
    await rig.say("hi", "<markable xmlns='\(ChatMarkers.namespace)'/>")
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    try store.log.markRead(rig.jid, through: 1)
    try await rig.fixture.settleIn()
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(await told(rig).contains("displayed m1 groupchat all"))
  }

  private func read(_ id: String, by nick: String, _ rig: GroupchatRig, _ more: String = "") async {
    await receive("<displayed xmlns='\(ChatMarkers.namespace)' id='\(id)'/>\(more)", by: nick, rig)
  }

  private func readers(_ rig: GroupchatRig) -> [String] {
    rig.fixture.events(MessageStateChanged.self).filter { $0.state == .displayed }
      .map { "\($0.id) \($0.by?.resource ?? "nobody")" }
  }

  @Test("Each occupant who displays our message is reported once")
  func eachWhoReadsIsToldOnceOfOurOwnMessages() async throws {
    let rig = try await entered()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(await told(rig) == ["markable groupchat all", "active groupchat all"])
    // The room has called it r1.
    for nick in ["bob", "bob", "carol"] { await read("r1", by: nick, rig) }
    #expect(readers(rig) == ["\(id) bob", "\(id) carol"])
    #expect(try store.log.message(ofID: id, in: rig.jid, isOutgoing: true)?.state == .displayed)
    await rig.say("hello", by: "bob", id: "m2")
    await read("m2", by: "carol", rig)
    await read("never-sent", by: "carol", rig)
    await read("r1", by: "dave", rig, "<delay xmlns='urn:xmpp:delay' stamp='2020-01-01T00:00:00Z' from='\(rig.jid)'/>")
    #expect(readers(rig).count == 2)
  }

  @Test("A marker confirms no message that the room has not reflected")
  func aMarkerConfirmsNoMessageThatTheRoomHasNotReflected() async throws {
    let rig = try await entered()
    rig.room.reflects = false
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    await read(id, by: "bob", rig)
    await receive("<received xmlns='\(DeliveryReceipts.namespace)' id='\(id)'/>", by: "bob", rig)
    #expect(rig.states(of: id) == [.sent])
  }

  @Test("A marker of another device of ours makes the room's messages read here")
  func whatAnotherDeviceOfOursHasReadThereIsReadHere() async throws {
    let rig = try await entered()
    await rig.say("hi", id: "m1", "<stanza-id xmlns='\(StanzaID.namespace)' id='r7' by='\(RoomServer.address)'/>")
    #expect(try store.log.unread().messages == 1)
    await read("r7", by: "alice", rig)
    #expect(try store.log.unread().messages == 0)
  }

  @Test("Typing in a room does not displace typing elsewhere")
  func whoTypesInARoomTakesNobodysPlaceElsewhere() async throws {
    let rig = try await entered([])
    _ = try rig.delivery.send("hello", to: try JID("eve@example.net"))
    await rig.fixture.clock.settle()
    for number in 0...FeatureLimits.typists { await receive(state("composing"), by: "n\(number)", rig) }
    #expect(try typists(rig).count == FeatureLimits.typists)
    await rig.fixture.receive("<message from='eve@example.net/x' type='chat' id='x'>\(state("composing"))</message>")
    #expect(rig.fixture.events(TypingChanged.self).last?.from.description == "eve@example.net/x")
  }
}
