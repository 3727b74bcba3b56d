// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Messages that the log says stand on the stream.
@Client @Suite(.onLoop) struct BoundMessageTests {
  @Test(
    "what there is no room for waits, but where another program keeps the log from taking its place on the stream back",
    arguments: [false, true])
  func noRoom(isLocked: Bool) async throws {
    let store = AccountStore.inMemory()
    let log = LockableStore(store.messages)
    let streams = ScriptedServer.ManagedStreams()
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: log, streams: store.streams))
    rig.fixture.managedStreams = streams
    try await rig.start()
    let bob = try JID("bob@example.net")
    let transport = try #require(rig.fixture.connector.transport)
    transport.isStuck = true
    // There is room for about ten of them.
    transport.untaken = SessionLimits.pendingOutput - 1_000_000
    log.locksAfterKeeping = isLocked
    let text = String(repeating: "x", count: 100_000)
    for _ in 0..<40 { try rig.fixture.session.delivery.send(text, to: bob) }
    await rig.fixture.clock.settle()
    #expect(log.isLocked == isLocked)
    #expect((transport.pendingOutput > SessionLimits.pendingOutput + 2_500_000) == isLocked)
    transport.isStuck = false
    transport.send([0x20])
    await rig.fixture.clock.settle()
    #expect(streams.taken.count { $0.name == "message" } == 40)
  }
}
