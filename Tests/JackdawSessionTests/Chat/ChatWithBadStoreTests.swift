// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// A store that fails stops no message.
@Client @Suite(.onLoop) struct ChatWithBadStoreTests {
  private let streams = ScriptedServer.ManagedStreams()
  private let bob: JID

  init() throws { bob = try JID("bob@example.net") }

  private var taken: [String] { streams.taken.compactMap { try? Message($0).body } }

  private func states(_ rig: LiveRig) -> [String] {
    rig.fixture.events(MessageStateChanged.self).map(\.state.name)
  }

  @Test(
    "a message that can neither be sent nor stored is not taken, and goes out when it is given again with a connection")
  func notTaken() async throws {
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: FullStore()))
    rig.fixture.managedStreams = streams
    let chat = rig.fixture.session.delivery
    await #expect(throws: MessageNotStored.self) { try await chat.queue("early", to: bob) }
    #expect(chat.openCount == 0 && chat.unstored.isEmpty)
    try await rig.start()
    streams.answersQuestions = false
    try await chat.queue("out", to: bob)
    await rig.fixture.clock.settle()
    #expect(taken == ["out"])
    // As long as the server may not have it nobody else does.
    #expect(chat.unstored.map(\.body) == ["out"])
  }

  @Test("With a store that fails messages are still sent and received")
  func messagesComeAndGoAllTheSame() async throws {
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: FullStore()))
    rig.fixture.managedStreams = streams
    let chat = rig.fixture.session.delivery
    let early = try chat.send("before there is a connection", to: bob)
    try await rig.start()
    try await chat.confirm([early])
    let id = try chat.send("out", to: bob)
    try await chat.confirm([id])
    #expect(taken == ["before there is a connection", "out"])
    #expect(states(rig) == ["waiting", "sent", "server", "sent", "server"])
    await rig.fixture.receive("<message from='bob@example.net/x' id='m1'><body>in</body></message>")
    #expect(rig.fixture.events(MessageArrived.self).map(\.body) == ["in"])
    // Cut and resumed: what was on its way goes once, though nothing says where it stood.
    streams.answersQuestions = false
    _ = try chat.send("cut", to: bob)
    await rig.fixture.clock.settle()
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    streams.answersQuestions = true
    await rig.fixture.clock.elapse(.seconds(3))
    #expect(rig.live.state == .resumed)
    #expect(taken == ["before there is a connection", "out", "cut"])
  }
}
