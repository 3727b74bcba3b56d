// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

/// Addresses that are entered and are no rooms.
@Client @Suite("What is no room", .onLoop) struct NoRoomTests {
  @Test("a friend is not asked to let the user in, and it is said at once")
  func aPerson() async throws {
    let rig = try GroupchatRig()
    rig.room.isPerson = true
    try await rig.fixture.settleIn()
    let error = await #expect(throws: RequestError.self) { try await rig.groupchat.join(rig.jid) }
    #expect(error?.stanzaError?.condition == "item-not-found")
    #expect(error?.description == "\(RoomServer.address) is a person, and no room.")
    #expect(rig.room.entries.isEmpty)
  }
}
