// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import Support
import Testing

@testable import JackdawCommands

/// A room of which nothing is known but what stands in the log.
@Client @Suite("A room that only the log knows", .onLoop)
struct LoggedRoomTests {
  @Test("is written to as a room without a connection, too, and a person as a person", arguments: [true, false])
  func offline(isRoom: Bool) async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let tea = try JID("tea@rooms.example.net")
    let said = MessageArrived(
      id: "m1", from: try tea.with(resource: "Bob"), to: try JID("alice@example.org"),
      kind: isRoom ? .groupchat : .chat,
      body: "Cake?")
    _ = try rig.store.messages.record(
      [
        ArrivedMessage(said, archiveID: nil, hasUniqueID: true, mayBeRepeated: false, time: rig.fixture.date)
      ], archiveCursor: nil)
    rig.fixture.connector.outcome = { _ in .hangs }
    _ = try await rig.start("chat", "tea@rooms.example.net")
    rig.prompt.type("Yes")
    await rig.fixture.clock.elapse(.milliseconds(100))
    let waiting = try rig.store.messages.outbox().map(\.message)
    #expect(waiting.map(\.body) == ["Yes"], "\(rig.output.failures)")
    #expect(waiting.map(\.addressing) == [isRoom ? .room : .person])
  }
}
