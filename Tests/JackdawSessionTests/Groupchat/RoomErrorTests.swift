// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Errors for what was said in a room: from the room, and from those who are in it.
@Client @Suite(.onLoop) struct RoomErrorTests {
  private func bounce(_ id: String, from: String, in rig: GroupchatRig) async {
    await rig.fixture.receive(
      "<message type='error' id='\(id)' from='\(from)'><body>hi</body><error type='auth'>"
        + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
  }

  private func hasFailed(_ id: String, in rig: GroupchatRig) -> Bool {
    rig.states(of: id).contains { if case .failed = $0 { true } else { false } }
  }

  /// Rooms hand them on as they do private messages, and everybody there knows the ids.
  @Test(
    "of somebody who is in it say nothing of what was said to all, whether it has come back or not",
    arguments: [true, false])
  func errorOfAnOccupant(reflects: Bool) async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.reflects = reflects
    try await rig.enter()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    for nick in ["bob", "alice"] { await bounce(id, from: "\(RoomServer.address)/\(nick)", in: rig) }
    #expect(rig.states(of: id).last == (reflects ? .server : .sent))
    #expect(rig.groupchat.room(rig.jid)?.isInside == true && rig.room.entries.count == 1)
  }

  @Test(
    "of the room, its server and ours are believed",
    arguments: [RoomServer.address, "rooms.example.org", "example.org"])
  func errorOfTheRoom(from: String) async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    await bounce(id, from: from, in: rig)
    #expect(hasFailed(id, in: rig))
  }

  @Test("for what was said to one alone come from that one, or from the room")
  func errorForAPrivateMessage() async throws {
    for place in ["\(RoomServer.address)/bob", RoomServer.address] {
      let rig = try GroupchatRig(AccountStore.inMemory())
      try await rig.enter()
      let id = try rig.delivery.send("psst", to: try rig.jid.with(resource: "bob"))
      await rig.fixture.clock.settle()
      await bounce(id, from: place, in: rig)
      #expect(hasFailed(id, in: rig), "\(place)")
    }
  }
}
