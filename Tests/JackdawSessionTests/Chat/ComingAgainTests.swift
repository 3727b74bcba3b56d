// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import Support
import Testing

@testable import JackdawSession

/// What features remember of messages that the log has not taken, and that the server is asked to send again.
@Client @Suite(.onLoop) struct ComingAgainTests {
  private static let text =
    "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m1'><body>hi</body></message>"

  @Test("a call, and what cannot be shown, are told as they come again, and once")
  func contentsOverACut() async throws {
    let store = AccountStore.inMemory()
    let log = LockableStore(store.messages)
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: log, streams: store.streams),
      features: SessionFixture.core + [CallProposals.self, UnknownContents.self])
    rig.fixture.managedStreams = ScriptedServer.ManagedStreams()
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    log.isLocked = true
    let contents = [
      "<propose xmlns='urn:xmpp:jingle-message:0' id='x1'/>", "<thing xmlns='urn:example:unknown'/>",
    ].enumerated().map { number, content in
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='c\(number)'>\(content)</message>"
    }
    await rig.fixture.receive(Self.text + contents.joined())
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
    await rig.fixture.receive(Self.text + contents.joined())
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    #expect(rig.fixture.events(MessageArrived.self).map { $0.payload?.content?.kind } == [nil, .call, .unknown])
    // Another one of each is not told.
    await rig.fixture.receive(contents.joined().replacing("id='c", with: "id='d"))
    #expect(rig.fixture.events(MessageArrived.self).count == 3)
  }
}
