// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// XEP-0191 3.3 and 3.4, of servers that tell nobody that somebody is blocked, or no longer.
@Client @Suite("Who is blocked sees us gone, and who is let through again sees us", .onLoop)
struct PresenceAudienceTests {
  private func jids(_ texts: String...) throws -> [JID] { try texts.map { try JID($0) } }

  @Test("a friend is told before the block, and both know of each other after it")
  func friend() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let blocking = try await rig.begin()
    try await blocking.block([rig.bob])
    #expect(rig.fixture.sent().map(\.name) == ["presence", "iq"])
    #expect(rig.passedOn == ["unavailable bob@example.org"])
    try await blocking.unblock([rig.bob])
    await rig.fixture.clock.settle()
    #expect(rig.passedOn.dropFirst() == ["available bob@example.org", "probe bob@example.org"])
  }

  @Test("we are shown as we are then")
  func shown() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .from)])
    let blocking = try await rig.begin()
    try await blocking.block([rig.bob])
    try rig.fixture.session.features[PresenceBoard.self].announce(Presence(show: .dnd, status: "busy"))
    _ = rig.fixture.sent()
    try await blocking.unblock([rig.bob])
    await rig.fixture.clock.settle()
    let told = try #require(rig.fixture.sent().last { $0.name == "presence" })
    #expect(try Presence(told).show == .dnd && Presence(told).to == rig.bob)
    #expect(rig.passedOn == ["unavailable bob@example.org", "available bob@example.org"])
  }

  @Test("of a domain those who see us, and of all who are let through")
  func domain() async throws {
    let rig = try await FriendRig([
      FriendRig.item("carol@example.net", .from), FriendRig.item("dave@example.net", .to),
      FriendRig.item("erin@example.net"), FriendRig.item("bob@example.org", .both),
    ])
    let blocking = try await rig.begin()
    try await blocking.block(jids("example.net", "eve@example.com"))
    #expect(rig.passedOn == ["unavailable carol@example.net"])
    _ = try await blocking.unblockAll()
    await rig.fixture.clock.settle()
    #expect(rig.passedOn.dropFirst() == ["available carol@example.net", "probe dave@example.net"])
  }

  @Test("a single device alone")
  func device() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let blocking = try await rig.begin()
    try await blocking.block(jids("bob@example.org/phone"))
    #expect(rig.passedOn == ["unavailable bob@example.org/phone"])
    try await blocking.unblock(jids("bob@example.org/phone"))
    await rig.fixture.clock.settle()
    #expect(rig.passedOn.dropFirst() == ["available bob@example.org/phone", "probe bob@example.org"])
  }

  @Test("nobody, where we are not shown")
  func unseen() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let blocking = try await rig.begin()
    try rig.fixture.session.features[PresenceBoard.self].announce(Presence(kind: .unavailable))
    try await blocking.block([rig.bob])
    try await blocking.unblock([rig.bob])
    await rig.fixture.clock.settle()
    #expect(rig.passedOn.isEmpty)
  }

  @Test("who could not be blocked sees us again")
  func refused() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    let blocking = try await rig.begin(refusal: StanzaError(kind: .wait, condition: "resource-constraint"))
    await #expect(throws: RequestError.self) { try await blocking.block([rig.bob]) }
    await rig.fixture.clock.settle()
    #expect(rig.passedOn == ["unavailable bob@example.org", "available bob@example.org"])
  }

  @Test("who was blocked before the log-in, and is let through by another device")
  func elsewhere() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    _ = try await rig.begin(blocked: ["bob@example.org"])
    let board = rig.fixture.session.features[PresenceBoard.self]
    try await board.settle()
    await rig.fixture.receive(
      "<iq type='set' id='p'><unblock xmlns='urn:xmpp:blocking'><item jid='bob@example.org'/></unblock></iq>")
    #expect(rig.passedOn == ["available bob@example.org", "probe bob@example.org"])
    // That nothing was said of them while they were blocked does not say that they are not there.
    #expect(board.summary(of: rig.bob) == nil)
    await rig.fixture.receive("<presence from='bob@example.org/phone'><show>away</show></presence>")
    #expect(board.summary(of: rig.bob) == "away")
  }
}
