// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// A single command ends with what it has written.
@Client @Suite("Messages that are to be written, and no more", .onLoop) struct WrittenMessagesTests {
  private let store = AccountStore.inMemory()
  private let streams = ScriptedServer.ManagedStreams()
  private let rig: LiveRig
  private let bob: JID
  private let count = SessionLimits.sentUncounted + 300

  init() throws {
    bob = try JID("bob@example.net")
    rig = try LiveRig(
      .oneShot, stores: SessionStores(messages: store.messages, streams: store.streams), features: SessionFixture.core)
    rig.fixture.managedStreams = streams
    // The server has not said yet that it counts.
    rig.fixture.edit = { _, reply in .says(reply.contains("<enabled") ? "" : reply) }
    streams.answersQuestions = false
  }

  private var delivery: Delivery { rig.fixture.session.delivery }
  private var taken: Int { streams.taken.count { $0.name == "message" } }

  private func write(_ count: Int) throws -> StartedTask<Void> {
    let delivery = delivery
    let ids = try (0..<count).map { try delivery.send("\($0)", to: bob) }
    return rig.fixture.start { try await delivery.written(ids, within: LiveRig.patience) }
  }

  private func states() throws -> [String] { try store.messages.outbox().map(\.state.name) }

  @Test("wait for the server to count where they are many: those that wait are in the outbox as that, and go then")
  func many() async throws {
    try await rig.start()
    let writing = try write(count)
    // No ping has asked about them.
    await rig.fixture.clock.elapse(SessionLimits.confirmationDelay / 2)
    #expect(!writing.hasEnded && taken == SessionLimits.sentUncounted)
    let sent = try states().count { $0 == "sent" }
    #expect(sent == SessionLimits.sentUncounted)
    await rig.fixture.receive("<enabled xmlns='urn:xmpp:sm:3'/>")
    await rig.fixture.clock.elapse(SessionLimits.writingPause)
    #expect(writing.value != nil && taken == count)
    #expect(delivery.openCount == count, "the server's word on them is not waited for")
    #expect(try states() == Array(repeating: "sent", count: count))
  }

  @Test("are told as unsent where they cannot be written")
  func late() async throws {
    try await rig.start()
    let writing = try write(count)
    await rig.fixture.clock.elapse(LiveRig.patience + SessionLimits.writingPause)
    #expect(
      (writing.error as? RequestError)?.description
        == "300 messages are still unsent: There was no room on the connection in time.")
  }

  @Test("are waited for until the kernel has them")
  func kernel() async throws {
    try await rig.start()
    let transport = try #require(rig.fixture.connector.transport)
    transport.isStuck = true
    let writing = try write(1)
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(!writing.hasEnded && taken == 0)
    transport.isStuck = false
    transport.send(Array(" ".utf8))
    await rig.fixture.clock.elapse(SessionLimits.writingPause)
    #expect(writing.value != nil && taken == 1)
  }

  @Test("are told as unsent where the connection is lost before")
  func lost() async throws {
    try await rig.start()
    let transport = try #require(rig.fixture.connector.transport)
    transport.isStuck = true
    let writing = try write(1)
    await rig.fixture.clock.settle()
    transport.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(SessionLimits.writingPause)
    #expect((writing.error as? ConnectionError)?.description.hasSuffix("1 message is still unsent.") == true)
  }
}
