// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

/// What those said last whom the server tells nothing more of.
@Client @Suite("Presence of whom we see no more", .onLoop) struct PresenceForgettingTests {
  private func sees(_ rig: FriendRig) async -> PresenceBoard {
    await rig.fixture.receive(
      "<presence from='bob@example.org/phone'><show>dnd</show><status>secret meeting</status></presence>")
    return rig.fixture.session.features[PresenceBoard.self]
  }

  @Test("is known no more, whoever ended it", arguments: [true, false])
  func unsubscribed(_ isHere: Bool) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let board = await sees(rig)
    #expect(board.summary(of: rig.bob) == "dnd")
    if isHere {
      try await rig.friends.unsubscribe(rig.bob)
    } else {
      await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .from)))
    }
    #expect(board.summary(of: rig.bob) == nil)
    #expect(board.resources(of: rig.bob).isEmpty)
    #expect(board.lastSeen(of: rig.bob) == nil)
  }

  @Test("is known no more after they were removed")
  func removed() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let board = await sees(rig)
    try await rig.friends.remove(rig.bob)
    #expect(board.resources(of: rig.bob).isEmpty)
  }

  @Test(
    "is not known while they are blocked, nor after that before they say something",
    arguments: ["bob@example.org", "bob@example.org/phone", "example.org"])
  func blocked(_ what: String) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let board = await sees(rig)
    try await board.settle()
    let jid = try JID(what)
    rig.fixture.session.events.post(BlockChanged(jid: jid, change: .blocked))
    #expect(board.summary(of: rig.bob) == nil)
    rig.fixture.session.events.post(BlockChanged(jid: jid, change: .unblocked))
    #expect(board.summary(of: rig.bob) == nil)
    await rig.fixture.receive("<presence from='bob@example.org/phone'/>")
    #expect(board.summary(of: rig.bob) == "available")
    await rig.fixture.receive("<presence type='unavailable' from='bob@example.org/phone'/>")
    #expect(board.summary(of: rig.bob) == "unavailable")
  }

  @Test("is not known to have ended when they went before they came back")
  func cameBack() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let board = await sees(rig)
    await rig.fixture.receive("<presence type='unavailable' from='bob@example.org/phone'/>")
    #expect(board.lastSeen(of: rig.bob) != nil)
    _ = await sees(rig)
    rig.fixture.session.events.post(BlockChanged(jid: rig.bob, change: .blocked))
    #expect(board.lastSeen(of: rig.bob) == nil)
  }
}
