// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import Support
import Testing

@testable import JackdawSession

/// Channels of other networks, where a message is one line: a gateway makes several of one of ours, and keeps nothing but the text.
@Client @Suite("Rooms that hand on each line for itself", .onLoop) struct GatewayRoomTests {
  private let store = AccountStore.inMemory()

  private func rig() throws -> GroupchatRig {
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.isLineByLine = true
    rig.room.keepsIDs = false
    rig.room.archivedAt = rig.fixture.date
    return rig
  }

  private func bodies(_ rig: GroupchatRig) throws -> [String] {
    try store.log.page(LogQuery(conversation: rig.jid), after: nil).messages.map(\.event.body)
  }

  @Test("a message of several lines stands in the log once, and the next run knows it")
  func severalLines() async throws {
    let first = try rig()
    try await first.enter()
    let id = try first.delivery.send("one\ntwo\n\none", to: first.jid)
    await first.fixture.clock.settle()
    #expect(first.states(of: id).last == .server)
    #expect(first.told.isEmpty)
    await first.say("hi", id: "m9", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r9'/>")
    #expect(try bodies(first) == ["one\ntwo\n\none", "hi"])
    #expect(try store.log.archiveID(ofMessage: id, in: first.jid) == "r4", "of its last line")
    let second = try rig()
    second.room.archive = first.room.archive + [(id: "r9", from: "bob", stanza: "m9", body: "hi")]
    try await second.enter()
    #expect(second.told.isEmpty)
    #expect(try bodies(second) == ["one\ntwo\n\none", "hi"])
  }

  @Test(
    "a message that begins with an empty line has arrived with the first line that has a text, and is not sent again")
  func emptyLine() async throws {
    let rig = try rig()
    try await rig.enter()
    let id = try rig.delivery.send("\nlate start", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.states(of: id).last == .server)
    #expect(try bodies(rig) == ["\nlate start"])
  }

  @Test("what says something of another message is not told once more as its text")
  func aboutAnother() async throws {
    let rig = try rig()
    try await rig.enter()
    await rig.say("Lunch?", id: "m1", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r0'/>")
    try rig.delivery.send("yes", to: rig.jid, saying: [.replies(to: "m1", quote: "> Lunch?\n")])
    let oops = try rig.delivery.send("oops", to: rig.jid)
    try rig.delivery.send("", to: rig.jid, saying: [.retracts(oops)])
    await rig.fixture.clock.settle()
    #expect(rig.room.archive.map(\.body).prefix(3) == ["> Lunch?", "yes", "oops"])
    #expect(try bodies(rig) == ["Lunch?", "yes", "oops"])
    #expect(rig.told.map(\.body) == ["Lunch?"])
  }

  @Test("what was under way when the stream was cut is known again by its lines in the archive")
  func underWay() async throws {
    let rig = try rig()
    rig.room.reflects = false
    try await rig.enter()
    let id = try rig.delivery.send("one\ntwo\n\nthree", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.states(of: id).last != .server)
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    rig.room.reflects = true
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    #expect(rig.room.archive.count == 4, "it is not sent again")
    #expect(rig.states(of: id).last == .server)
    #expect(rig.told.filter { $0.carbon == nil }.isEmpty, "nobody else said it")
    #expect(try bodies(rig) == ["one\ntwo\n\nthree"])
  }

  @Test("what another device of ours, or somebody else, says is told though it is like a line of ours")
  func alike() async throws {
    let rig = try rig()
    try await rig.enter()
    try rig.delivery.send("one\ntwo", to: rig.jid)
    await rig.fixture.clock.settle()
    await rig.say("one", by: "alice", id: "p1", "<origin-id xmlns='urn:xmpp:sid:0' id='p1'/>")
    await rig.say("two", by: "bob", id: "b1")
    #expect(try bodies(rig) == ["one\ntwo", "one", "two"])
  }

  @Test("a room that gives what is said other ids has got a message of ours when it sends it back")
  func otherIDs() async throws {
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.reflects = false
    try await rig.enter()
    let id = try rig.delivery.send("hello", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.states(of: id).last != .server)
    await rig.say("hello", by: "alice", id: "other", "<origin-id xmlns='urn:xmpp:sid:0' id='\(id)'/>")
    #expect(rig.states(of: id).last == .server)
    #expect(try bodies(rig) == ["hello"])
  }

  @Test("pieces are taken in their order, however they are cut")
  func pieces() {
    var pieces = MessagePieces(id: "m1", text: "\nwörd wörd\r\n end\n")
    let taken = [pieces.take("wörd "), pieces.take("end"), pieces.take(""), pieces.take("wörd"), pieces.take(" end")]
    #expect(taken == [true, false, false, true, true])
    #expect(pieces.isComplete)
    var trimmed = MessagePieces(id: "m2", text: "one\ntwo \n ")
    #expect(trimmed.take("one") && !trimmed.isComplete && trimmed.take("two") && trimmed.isComplete)
    #expect(MessagePieces.lines(of: "\na\r\n \nb\u{2028}c\n") == ["a", "b\u{2028}c"])
  }
}
