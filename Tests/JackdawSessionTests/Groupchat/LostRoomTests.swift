// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Rooms that end, or forget the user, and do not say so.
@Client @Suite("A room that is gone", .onLoop)
struct LostRoomTests {
  @Test("is entered again where it ended as the only one in it took another nick, as Prosody 0.12 has it")
  func endedByRenaming() async throws {
    let rig = try GroupchatRig()
    rig.room.isEmpty = true
    try await rig.enter()
    try await rig.groupchat.rename(in: rig.jid, to: "Ali")
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 2 && !rig.room.hasEnded)
    #expect(rig.groupchat.room(rig.jid)?.isInside == true && rig.groupchat.room(rig.jid)?.nick == "Ali")
    #expect(rig.changes.map(\.change) == [.joined, .nick, .joined])
  }

  @Test("is not asked for after another nick where others are in it")
  func renamedAmongOthers() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    try await rig.groupchat.rename(in: rig.jid, to: "Ali")
    await rig.fixture.clock.settle()
    #expect(!rig.fixture.sent().contains { $0.name == "iq" } && rig.room.entries.count == 1)
  }

  @Test("is left at once, though it can only answer with an error")
  func left() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    rig.room.hasEnded = true
    let leaving = StartedTask { try await rig.groupchat.leave(rig.jid) }
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid) == nil)
    #expect(rig.changes.map(\.change) == [.joined, .left])
    rig.fixture.clock.advance(by: RoomLimits.leaving * 2)
    await rig.fixture.clock.settle()
    #expect(leaving.hasEnded && leaving.error == nil)
  }

  @Test("is entered again where it does not take a topic, or another nick")
  func refusesTopic() async throws {
    for act in ["topic", "nick"] {
      let rig = try GroupchatRig()
      try await rig.enter()
      rig.room.hasEnded = true
      await #expect(throws: RequestError.self) {
        if act == "topic" {
          try await rig.groupchat.setTopic("Tea", in: rig.jid)
        } else {
          try await rig.groupchat.rename(in: rig.jid, to: "Ali")
        }
      }
      await rig.fixture.clock.settle()
      #expect(rig.room.entries.count == 2 && rig.groupchat.room(rig.jid)?.isInside == true, "\(act)")
    }
  }
}
