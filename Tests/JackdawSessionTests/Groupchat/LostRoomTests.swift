// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
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

  // MARK: Left

  @Test("that is left is not entered again for what still waited for it, which is told not to have been sent")
  func leftWithWaiting() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    await rig.fixture.clock.settle()
    let answer = rig.fixture.answer
    rig.fixture.answer = { $0.attribute("to")?.hasPrefix(RoomServer.address) == true ? [] : answer($0) }
    try await rig.fixture.settleIn()
    let id = try rig.delivery.send("two", to: rig.jid)
    await rig.fixture.clock.settle()
    let leaving = StartedTask { try await rig.groupchat.leave(rig.jid) }
    await rig.fixture.clock.settle()
    rig.fixture.clock.advance(by: RoomLimits.leaving)
    await rig.fixture.clock.settle()
    #expect(leaving.hasEnded && leaving.error == nil)
    #expect(rig.states(of: id).last == .failed(reason: "You left lunch@rooms.example.org before it was sent."))
    rig.fixture.answer = answer
    try rig.delivery.send("hi bob", to: try JID("bob@example.org"))
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 1 && rig.groupchat.room(rig.jid) == nil)
    #expect(rig.delivery.openRooms.isEmpty)
  }

  @Test("that is being left is not entered again for what was written just before")
  func leftWhileWriting() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    let id = try rig.delivery.send("bye all", to: rig.jid)
    try await rig.groupchat.leave(rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 1 && rig.groupchat.room(rig.jid) == nil)
    #expect(rig.states(of: id).last == .failed(reason: "You left lunch@rooms.example.org before it was sent."))
  }

  @Test("that did not confirm what was said before the user left it has that told, and nothing is said anew")
  func leftUnconfirmed() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.reflects = false
    try await rig.enter()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    try await rig.groupchat.leave(rig.jid)
    await rig.fixture.clock.settle()
    #expect(
      rig.states(of: id) == [.sent, .failed(reason: "lunch@rooms.example.org did not confirm it before you left.")])
    #expect(rig.room.entries.count == 1)
  }

  @Test("that the user wants again before it has confirmed that they left counts as left, and is entered")
  func wantedAgain() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    let answer = rig.fixture.answer
    rig.fixture.answer = { $0.attribute("type") == "unavailable" ? [] : answer($0) }
    let leaving = StartedTask { try await rig.groupchat.leave(rig.jid) }
    await rig.fixture.clock.settle()
    #expect(!leaving.hasEnded)
    try await rig.groupchat.join(rig.jid)
    await rig.fixture.clock.settle()
    #expect(leaving.hasEnded && leaving.error == nil)
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test("and does not answer is left in time, also where the bookmarks are read meanwhile")
  func leftWhileReading() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    let answer = rig.fixture.answer
    rig.fixture.answer = { $0.attribute("type") == "unavailable" ? [] : answer($0) }
    let leaving = StartedTask { try await rig.groupchat.leave(rig.jid) }
    await rig.fixture.clock.settle()
    rig.groupchat.bookmarksWereRead([], removed: [])
    rig.fixture.clock.advance(by: RoomLimits.leaving)
    await rig.fixture.clock.settle()
    #expect(leaving.hasEnded && leaving.error == nil)
    #expect(rig.groupchat.room(rig.jid) == nil)
  }
  @Test("as another device has left it, which is read before the user is back in it: that is told")
  func leftElsewhereBeforeTheReturn() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    var record = try #require(rig.groupchat.record(of: rig.jid))
    record.autojoin = true
    try rig.groupchat.keep(record)
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    await rig.fixture.clock.settle()
    rig.groupchat.bookmarksWereRead([], removed: [rig.jid])
    #expect(rig.groupchat.room(rig.jid) == nil)
    #expect(rig.changes.map(\.change) == [.joined, .left])
  }
}
