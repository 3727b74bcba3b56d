// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

/// Whose request is granted without a question: whom we have asked, as long as we did not end it.
@Client @Suite("Who asks to see us", .onLoop) struct InvitationTests {
  private func asks(_ rig: FriendRig) async {
    rig.server.asking = ["bob@example.org"]
    await rig.presence(.subscribe, from: "bob@example.org")
  }

  /// They were a friend, and what they saw has just been revoked, here or on another device.
  private func revoking(_ isHere: Bool) async throws -> FriendRig {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    if isHere {
      try await rig.friends.revoke(rig.bob)
    } else {
      await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .to)))
    }
    return rig
  }

  private func isAsked(_ rig: FriendRig) -> Bool {
    !rig.passedOn.contains("subscribed bob@example.org") && rig.friends.pendingRequests.map(\.jid) == [rig.bob]
  }

  @Test("is asked about where we see them and have not asked them, as far as is known")
  func seen() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .to)])
    await asks(rig)
    #expect(isAsked(rig))
  }

  @Test("is asked about after we have revoked what they saw, here or on another device", arguments: [true, false])
  func revoked(_ isHere: Bool) async throws {
    let rig = try await revoking(isHere)
    await asks(rig)
    #expect(isAsked(rig))
  }

  @Test("is asked about after we have asked them, and revoked that before they answered")
  func revokedBefore() async throws {
    let rig = try await FriendRig()
    _ = try await rig.friends.add(rig.bob)
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .to)))
    try await rig.friends.revoke(rig.bob)
    await asks(rig)
    #expect(isAsked(rig))
  }

  @Test("may come in where our request is open, which we have revoked and made again since")
  func addedAgain() async throws {
    let rig = try await FriendRig()
    _ = try await rig.friends.add(rig.bob)
    try await rig.friends.revoke(rig.bob)
    _ = try await rig.friends.add(rig.bob)
    await asks(rig)
    #expect(rig.passedOn.contains("subscribed bob@example.org") && rig.friends.pendingRequests.isEmpty)
  }

  @Test(
    "is asked about after we have revoked what they saw, also where they ask, and take that back, and ask again",
    arguments: [true, false])
  func revokedAndAskedTwice(_ isHere: Bool) async throws {
    let rig = try await revoking(isHere)
    await asks(rig)
    await rig.presence(.unsubscribe, from: "bob@example.org")
    await asks(rig)
    #expect(isAsked(rig))
  }

  @Test(
    "may come back after leaving by themselves, whichever comes first, the push or the stanza",
    arguments: [true, false])
  func left(_ stanzaComesFirst: Bool) async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    if stanzaComesFirst { await rig.presence(.unsubscribe, from: "bob@example.org") }
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .to)))
    if !stanzaComesFirst { await rig.presence(.unsubscribe, from: "bob@example.org") }
    await asks(rig)
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    #expect(rig.friends.pendingRequests.isEmpty)
  }

  @Test("may come in where we have added them since")
  func added() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    try await rig.friends.revoke(rig.bob)
    #expect(try await rig.friends.add(rig.bob) == .already)
    await asks(rig)
    #expect(rig.passedOn.last == "subscribed bob@example.org")
  }

  @Test("what an earlier run asked holds, until it has ended")
  func kept() async throws {
    let store = FriendRequestStoreTests.Store()
    var rig = try await FriendRig([FriendRig.item(ask: true)], requests: store)
    #expect(try store.isInvited(rig.bob))
    rig = try await FriendRig([FriendRig.item("bob@example.org", .to)], requests: store)
    await asks(rig)
    #expect(rig.passedOn == ["subscribed bob@example.org"])
    #expect(try !store.isInvited(rig.bob))
  }
}
