// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

/// What occupants of a room may do, and what they are for good (XEP-0045 5).
@Client @Suite("The standing of occupants", .onLoop) struct OccupantRoleTests {
  @Test("of which something changes says what they could do before")
  func changes() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    await rig.receive(RoomServer.presence("bob", affiliation: "member"))
    await rig.receive(RoomServer.presence("bob", affiliation: "member"))
    await rig.receive(RoomServer.presence("bob", role: "moderator", affiliation: "admin"))
    await rig.receive(RoomServer.presence("bob", affiliation: "member"))
    await rig.receive(RoomServer.presence("alice", codes: [110], affiliation: "member"))
    let told = rig.fixture.events(OccupantChanged.self)
    #expect(told.map(\.change) == [.role, .role, .role, .role])
    #expect(told.map(\.nick) == ["bob", "bob", "bob", "alice"])
    #expect(told.map(\.isOwn) == [false, false, false, true])
    #expect(told.map(\.role) == [.participant, .moderator, .participant, .participant])
    #expect(told.map(\.roleBefore) == [.participant, .participant, .moderator, .participant])
  }
}
