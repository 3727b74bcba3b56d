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
  @Test("A silent connection is pinged, and dropped without an answer")
  func aSilentLinkIsAskedAndThenDropped() async throws {
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
    #expect(fixture.events(ConnectionChanged.self).last?.reason == "The server does not answer any more.")
    #expect((request.error as? RequestError)?.code == .connectionGone)
    #expect(fixture.connector.records[0].isAborted)
    fixture.answer = SessionFixture.manners
    await fixture.clock.elapse(.seconds(2))
    #expect(live.state == .online)
  }

  @Test("Incoming data is a sign of life") func trafficIsASignOfLife() async throws {
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

  /// A server that takes long over much of ours has no time to say anything, but it reads.
  @Test("Data that the server acknowledges is a sign of life") func whatTheServerTakesIsASignOfLife() async throws {
    let rig = try LiveRig()
    let fixture = rig.fixture
    try await rig.start()
    fixture.answer = { _ in [] }
    let transport = try #require(fixture.connector.transport)
    transport.outputProgress = OutputProgress(acknowledged: 1_000, waiting: 2_000_000, age: .seconds(50))
    await fixture.clock.elapse(.seconds(60))
    // It was asked. What stands before the question takes minutes.
    for second in 1...200 {
      transport.outputProgress = OutputProgress(
        acknowledged: 1_000 + second * 10_000, waiting: 2_000_000 - second * 10_000, age: .zero)
      await fixture.clock.elapse(.seconds(1))
    }
    #expect(!transport.record.hasEnded)
    // What its machine takes behind the question says nothing of the server.
    for second in 1...30 {
      transport.outputProgress = OutputProgress(acknowledged: 2_001_000 + second * 100, waiting: 0, age: .zero)
      await fixture.clock.elapse(.seconds(1))
    }
    #expect(transport.record.hasEnded)
  }

  @Test("After the program was suspended the connection is checked at once")
  func returningFromASuspensionProvesTheLinkAtOnce() async throws {
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

  /// What tells of a sleep, or of having been stopped.
  enum Waking: CaseIterable {
    case theKernel, traffic, aKey, aTimer, anAddressThatWent
  }

  @Test(
    "After the machine woke up the connection is checked at once", arguments: Waking.allCases,
    [SessionRole.interactive(Presence()), .script(nil)])
  func wakingUpProvesTheLinkAtOnce(_ waking: Waking, _ mode: SessionRole) async throws {
    let rig = try LiveRig(mode)
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    await fixture.clock.elapse(.seconds(20))
    await fixture.receive(" ")
    live.userActed()
    await fixture.clock.settle()
    _ = fixture.sent()
    fixture.clock.suspendedTime = .seconds(1)
    await fixture.receive(" ")
    #expect(fixture.sent().isEmpty, "less than two clocks' disagreement")
    fixture.answer = { _ in [] }
    switch waking {
    case .theKernel: fixture.clock.wake()
    case .anAddressThatWent: fixture.connector.onAddressChange?(.gone)
    case .traffic:
      fixture.clock.suspendedTime = .seconds(3600)
      await fixture.receive(" ")
    case .aKey:
      fixture.clock.suspendedTime = .seconds(3600)
      live.userActed()
    case .aTimer:
      fixture.clock.suspendedTime = .seconds(3600)
      // The deadline of the log-in's first minute, which traffic has put off since.
      await fixture.clock.elapse(.seconds(40))
    }
    await fixture.clock.settle()
    #expect(fixture.sent().map { $0.firstChild?.name } == ["ping"])
    await fixture.clock.elapse(.seconds(15))
    #expect(live.state == .retrying)
    #expect(rig.states.last == .retrying)
  }

  @Test("A new address of this machine causes no check, but ends the wait for the next attempt")
  func anAddressThatCameIsNoReasonToDoubtButOneToTry() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    _ = fixture.sent()
    fixture.connector.onAddressChange?(.came)
    await fixture.clock.settle()
    #expect(fixture.sent().isEmpty)
    fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "no network leads there")) }
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    // 2, 4, 8, 16 s: now it waits for more than that.
    await fixture.clock.elapse(.seconds(40))
    #expect(live.state == .retrying)
    #expect((live.retryIn ?? 0) > 5)
    fixture.connector.outcome = { [unowned fixture] _ in .connects(fixture.makeTransport()) }
    fixture.connector.onAddressChange?(.came)
    await fixture.clock.elapse(.seconds(2))
    #expect(live.state == .online)
  }

  @Test("Waking up and new addresses concern neither a session that has left nor a one-shot one")
  func whoHasLeftIsNotWokenAndNeitherIsASingleCommand() async throws {
    let rig = try LiveRig()
    try await rig.start()
    #expect(rig.fixture.connector.onAddressChange != nil)
    await rig.live.leave()
    #expect(rig.fixture.connector.onAddressChange == nil)
    let single = try LiveRig(.oneShot)
    try await single.start()
    #expect(single.fixture.connector.onAddressChange == nil)
    _ = single.fixture.sent()
    single.fixture.clock.wake()
    await single.fixture.clock.settle()
    #expect(single.fixture.sent().isEmpty)
  }

  @Test("A thousand reconnects leave nothing behind") func aThousandReconnectsLeaveNothingBehind() async throws {
    let streams = ScriptedServer.ManagedStreams()
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.managedStreams = streams
    try await rig.start()
    await fixture.clock.elapse(.seconds(10))
    let timers = fixture.clock.pendingTimers
    for number in 0..<1000 {
      // A stream that goes on, one that cannot, and one that was cut.
      streams.holds = !number.isMultiple(of: 3)
      if number.isMultiple(of: 2) {
        live.reconnectNow()
      } else {
        fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
      }
      await fixture.clock.elapse(.seconds(3))
      // Of the waits, a stable minute is what begins anew.
      if !number.isMultiple(of: 2) { await fixture.clock.elapse(.seconds(61)) }
      #expect(live.state == .online || live.state == .resumed)
    }
    await fixture.clock.elapse(.seconds(10))
    #expect(fixture.connector.plans.count == 1001)
    #expect(fixture.connector.underway == 0)
    #expect(fixture.clock.pendingTimers <= timers)
    #expect(fixture.connector.records.dropLast().allSatisfy { $0.isReleased })
  }
}
