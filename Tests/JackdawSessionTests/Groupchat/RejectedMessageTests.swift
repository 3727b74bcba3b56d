// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What a room does not take, as from somebody who is not in it.
@Client @Suite("A message that a room rejects, as the user is not in it", .onLoop)
struct RejectedMessageTests {
  private static let plain = StanzaError(kind: .modify, condition: "not-acceptable")

  private func bodies(_ rig: GroupchatRig) -> [String] {
    rig.fixture.sent().compactMap { $0.name == "message" ? $0.text(of: "body", Namespace.client) : nil }
  }

  private func hasFailed(_ id: String, in rig: GroupchatRig) -> Bool {
    rig.states(of: id).contains { if case .failed = $0 { true } else { false } }
  }

  private func reject(_ id: String, in rig: GroupchatRig) async {
    await rig.receive(Message(kind: .error, id: id, from: rig.jid, to: nil, body: nil, error: Self.plain).element)
  }

  @Test("goes out again, with those behind it, once the room is joined again")
  func forgotten() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    rig.room.forgetUser()
    let ids = try ["one", "two", "three"].map { try rig.delivery.send($0, to: rig.jid) }
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 2 && bodies(rig) == ["one", "two", "three", "one", "two", "three"])
    for id in ids { #expect(rig.states(of: id).last == .server && !hasFailed(id, in: rig)) }
    #expect(rig.delivery.hasRoom && !rig.delivery.hasOpen(in: rig.jid))
  }

  /// As a server does that counts a client as gone whose connection was cut, before it comes back to its stream.
  @Test("goes out after the pause, where the room had said that the user is gone")
  func lost() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    rig.room.reflects = false
    let id = try rig.delivery.send("one", to: rig.jid)
    await rig.fixture.clock.settle()
    await rig.receive(RoomServer.presence("alice", codes: [110], type: "unavailable", role: "none"))
    await reject(id, in: rig)
    let next = try rig.delivery.send("two", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(bodies(rig) == ["one"] && rig.states(of: id).last == .sent)
    rig.room.reflects = true
    rig.fixture.clock.advance(by: RoomLimits.firstPause)
    await rig.fixture.clock.settle()
    #expect(bodies(rig) == ["one", "two"])
    #expect(rig.states(of: id).last == .server && rig.states(of: next).last == .server)
  }

  @Test("has failed after a few times")
  func again() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    let answer = rig.fixture.answer
    rig.fixture.answer = { [jid = rig.jid] element in
      guard element.name == "message", element.attribute("to") == RoomServer.address else { return answer(element) }
      return [
        Message(kind: .error, id: element.attribute("id"), from: jid, to: nil, body: nil, error: Self.plain).element
      ]
    }
    let id = try rig.delivery.send("one", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(hasFailed(id, in: rig) && !rig.delivery.hasOpen(in: rig.jid))
    #expect(bodies(rig).count == SessionLimits.rejections + 1)
  }

  @Test("has failed where the user was thrown out, who does not come back by it")
  func thrownOut() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    rig.room.reflects = false
    let id = try rig.delivery.send("one", to: rig.jid)
    await rig.fixture.clock.settle()
    await rig.receive(RoomServer.presence("alice", codes: [110, 307], type: "unavailable", role: "none"))
    await reject(id, in: rig)
    rig.fixture.clock.advance(by: RoomLimits.firstPause * 4)
    await rig.fixture.clock.settle()
    #expect(hasFailed(id, in: rig) && rig.room.entries.count == 1)
  }

  @Test("does not keep what was written before and after it from being confirmed")
  func amongOthers() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    rig.room.reflects = false
    let bob = try JID("bob@example.org")
    let before = try rig.delivery.send("hi", to: bob)
    let id = try rig.delivery.send("one", to: rig.jid)
    let after = try rig.delivery.send("bye", to: bob)
    await rig.fixture.clock.settle()
    rig.room.reflects = true
    rig.room.forgetUser()
    await reject(id, in: rig)
    rig.fixture.clock.advance(by: SessionLimits.confirmationDelay)
    await rig.fixture.clock.settle()
    for id in [before, id, after] { #expect(rig.states(of: id).last == .server) }
  }
}
