// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Steps towards whom we have blocked (XEP-0191 3.3).
@Client @Suite("Who is blocked", .onLoop) struct BlockedFriendTests {
  @Test("is neither asked nor accepted, alone or with their server", arguments: ["eve@example.net", "example.net"])
  func asked(_ entry: String) async throws {
    let rig = try await FriendRig(features: FriendRig.preapproval)
    _ = try await rig.begin(blocked: [entry])
    let eve = try JID("eve@example.net")
    await rig.presence(.subscribe, from: "eve@example.net")
    _ = rig.fixture.sent()
    let error = FriendError(.isBlocked(try JID(entry)), eve)
    await #expect(throws: error) { _ = try await rig.friends.add(eve, name: "Eve") }
    await #expect(throws: error) { _ = try await rig.friends.accept(eve, oneWay: true) }
    await #expect(throws: error) { try await rig.friends.approve(beforehand: eve) }
    #expect(rig.fixture.sent().isEmpty && rig.friends.hasAsked(eve))
    #expect(error.description.contains("blocked \(entry)") && error.description.contains("eve@example.net"))
  }

  @Test("and a friend already is no more than that, and can be removed")
  func friend() async throws {
    let rig = try await FriendRig([FriendRig.item("bob@example.org", .both)])
    _ = try await rig.begin(blocked: ["bob@example.org"])
    #expect(try await rig.friends.add(rig.bob) == .already)
    #expect(try await rig.friends.accept(rig.bob, oneWay: false) == .already)
    try await rig.friends.remove(rig.bob)
    #expect(rig.friends.friends.isEmpty)
  }

  @Test("may not be known: then they are asked as anybody")
  func unknown() async throws {
    let rig = try await FriendRig()
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.name == "blocklist" else { return answer(element) }
      return [iq.failure(StanzaError(kind: .wait, condition: "internal-server-error")).element]
    }
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    try await rig.fixture.settleIn()
    #expect(try await rig.friends.add(rig.bob) == .requested)
  }

  @Test("is not waited for longer than some seconds where the server does not say")
  func silent() async throws {
    let rig = try await FriendRig()
    let fixture = rig.fixture
    let answer = fixture.answer
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.name == "blocklist" else { return answer(element) }
      return []
    }
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.logIn()
    let login = StartedTask { try await fixture.session.settleIn(showing: Presence()) }
    await fixture.clock.elapse(.seconds(10))
    #expect(login.hasEnded && login.error == nil)
    let adding = StartedTask { try await rig.friends.add(rig.bob) }
    await fixture.clock.elapse(.seconds(4))
    #expect(!adding.hasEnded)
    await fixture.clock.elapse(.seconds(1))
    #expect(adding.hasEnded && adding.error == nil)
  }
}
