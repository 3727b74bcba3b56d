// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML
import Support
import Testing

/// Whether the link still stands: the heartbeat, and what replaces it.
@Client @Suite(.onLoop) struct LiveLinkTests {
  @Test func aSilentLinkIsAskedAndThenDropped() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    _ = fixture.sent()
    await fixture.clock.elapse(.seconds(60))
    #expect(fixture.sent().map { $0.firstChild?.name } == ["ping"])
    #expect(live.state == .online)
    // Answered: the next question comes a minute later.
    await fixture.clock.elapse(.seconds(59))
    #expect(fixture.sent().isEmpty)
    fixture.answer = { _ in [] }
    await fixture.clock.elapse(.seconds(1 + 14))
    #expect(live.state == .online)
    let request = fixture.start { try await fixture.session.requests.roundTrip(timeout: .seconds(30)) }
    await fixture.clock.elapse(.seconds(1))
    #expect(live.state == .retrying)
    #expect(fixture.events(ConnectionChanged.self).last?.reason == "the server does not answer any more")
    #expect((request.error as? RequestError)?.code == .connectionGone)
    #expect(fixture.connector.records[0].isAborted)
    fixture.answer = SessionFixture.manners
    await fixture.clock.elapse(.seconds(2))
    #expect(live.state == .online)
  }

  @Test func trafficIsASignOfLife() async throws {
    let rig = try LiveRig()
    let fixture = rig.fixture
    try await rig.start()
    _ = fixture.sent()
    for _ in 0..<4 {
      await fixture.clock.elapse(.seconds(45))
      await fixture.receive(" ")
    }
    #expect(fixture.sent().isEmpty)
  }

  @Test func returningFromASuspensionProvesTheLinkAtOnce() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.script.moreFeatures = "<csi xmlns='urn:xmpp:csi:0'/>"
    try await rig.start()
    _ = fixture.sent()
    _ = fixture.sent()
    live.suspends()
    live.resumes()
    await fixture.clock.settle()
    // Active comes first, so that what was held back comes before the answer.
    #expect(fixture.sent().map(\.name) == ["inactive", "active", "iq"])
    live.userActed()
    await fixture.clock.settle()
    #expect(fixture.sent().isEmpty)
  }
}
