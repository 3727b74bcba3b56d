// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawTransport
import JackdawXML
import Support
import Testing

/// Log-ins that ask whether a stream goes on (XEP-0198 5).
@Client @Suite(.onLoop) struct ResumingLoginTests {
  @Test("a cut while logging in to resume loses and repeats nothing")
  func aCutWhileLoggingInAgainChangesNothing() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    await rig.cut()
    rig.streams.isTaking = true
    rig.fixture.edit = { write, reply in write == 3 ? .breaks : .says(reply) }
    await rig.comeBack()
    #expect(rig.live.state == .retrying)
    #expect(rig.fixture.session.phase == .interrupted)
    rig.fixture.edit = { .says($1) }
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
    #expect(rig.taken == ["one"])
  }

  @Test("the location that the server gave for the resumption is tried once")
  func theServersPlaceIsTriedOnce() async throws {
    let rig = try ResumptionRig()
    rig.streams.location = "other.example.org:5299"
    try await rig.start()
    await rig.cut()
    let connector = rig.fixture.connector
    let connects = connector.outcome
    connector.outcome = { number in
      number == 2 ? .fails(TransportError(.unreachable, "no address answers")) : connects(number)
    }
    await rig.comeBack()
    #expect(connector.plans[1].server == HostPort(host: "other.example.org", port: 5_299))
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(connector.plans[2].server == nil)
    #expect(rig.live.state == .resumed)
  }

  /// Prosody 0.12 leaves without a word where more than 500 stanzas wait for us.
  @Test(
    "when the server closes the stream instead of resuming, the session logs in anew at once",
    arguments: [LoginMoment.lastHeader, .lastFeatures])
  func whoIsLeftWhenAskingForTheStreamLogsInAfreshAtOnce(_ moment: LoginMoment) async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    rig.streams.isTaking = false
    let id = try rig.chat.send("one", to: rig.bob)
    await rig.fixture.clock.settle()
    await rig.cut()
    rig.streams.isTaking = true
    moment.stop(rig.fixture, by: .properEnd)
    let (connector, makeTransport) = (rig.fixture.connector, rig.fixture.connector.outcome)
    connector.outcome = { number in
      if number == 3 { rig.fixture.edit = { .says($1) } }
      return makeTransport(number)
    }
    await rig.comeBack()
    #expect(rig.live.state == .online)
    #expect(connector.plans.count == 3)
    #expect(connector.records[1].text.contains("<resume") && !connector.records[2].text.contains("<resume"))
    #expect(rig.rig.states.suffix(3) == [.retrying, .connecting, .online])
    #expect(rig.taken == ["one"])
    #expect(rig.states == ["\(id) sent", "\(id) sent", "\(id) server"])
  }

  /// Nobody knows then whether the server heard the question.
  @Test("when the connection is cut while resuming, the session asks to resume again")
  func whoIsCutWhenAskingForTheStreamAsksAgain() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.cut()
    LoginMoment.lastHeader.stop(rig.fixture, by: .brokenLine)
    await rig.comeBack()
    #expect(rig.live.state == .retrying)
    rig.fixture.edit = { .says($1) }
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
  }

  /// ejabberd gets round to a `<resume/>` of a connection that is dead when the next one has the stream already, and throws that
  /// one out.
  @Test(
    "a conflict caused by our own earlier attempt is retried once", arguments: [LoginMoment.lastHeader, .lastFeatures])
  func whomAnEarlierTryOfOursThrewOutComesBackOnce(_ moment: LoginMoment) async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.cut()
    let answers = rig.fixture.edit
    moment.stop(rig.fixture, by: .brokenLine)
    await rig.comeBack()
    #expect(rig.live.state == .retrying)
    rig.fixture.edit = answers
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
    await rig.fixture.receive(Self.conflict)
    #expect(rig.live.state == .retrying)
    await rig.fixture.clock.elapse(.seconds(8))
    #expect(rig.live.state == .resumed)
    // The next one is somebody else's doing.
    await rig.fixture.receive(Self.conflict)
    #expect(rig.live.state == .offline)
  }

  /// A killed program's bind request is handled when its successor is there already: nobody here knows of it.
  @Test("the first conflict within a minute of a log-in is retried, and the next one ends it")
  func conflictAfterLogin() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.fixture.clock.elapse(.seconds(50))
    await rig.fixture.receive(Self.conflict)
    #expect(rig.live.state == .retrying)
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(rig.live.state == .resumed)
    await rig.fixture.receive(Self.conflict)
    #expect(rig.live.state == .offline)
  }

  @Test("a conflict on a connection that has stood for a minute ends it")
  func conflictLater() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.fixture.clock.elapse(.seconds(61))
    await rig.fixture.receive(Self.conflict)
    #expect(rig.live.state == .offline)
  }

  private static let conflict =
    "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>"
}
