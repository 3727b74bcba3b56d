// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML
import Support
import Testing

/// A session in the keeper's care: coming back, giving up, and those who wait meanwhile.
@Client @Suite(.onLoop) struct LiveSessionTests {
  @Test("starting the session brings it online") func startingBringsOnline() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    #expect(live.state == .offline)
    live.start()
    let session = try await live.online(within: LiveRig.patience)
    #expect(session === fixture.session)
    await fixture.clock.settle()
    #expect(live.state == .online)
    #expect(rig.states == [.connecting, .online])
    #expect(fixture.sent().map(\.name) == ["iq", "iq", "presence"])
    // Who asks when it is online does not wait.
    _ = try await live.online(within: .zero)
  }

  @Test("a one-shot session sends no presence") func aSingleCommandShowsNobodyOnline() async throws {
    let rig = try LiveRig(.oneShot)
    let fixture = rig.fixture
    try await rig.start()
    await fixture.clock.settle()
    #expect(fixture.sent().isEmpty)
  }

  @Test("a script's session may send no presence") func aScriptMayStayUnseen() async throws {
    let rig = try LiveRig(.script(nil))
    let fixture = rig.fixture
    try await rig.start()
    #expect(fixture.sent().map(\.name) == ["iq", "iq"])
  }

  @Test(
    "one-shot and script sessions do not retry their first connection",
    arguments: [SessionRole.oneShot, .script(Presence())])
  func aCommandsFirstTryIsItsLast(_ mode: SessionRole) async throws {
    let rig = try LiveRig(mode)
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "no address answers.")) }
    live.start()
    let error = await #expect(throws: ConnectionError.self) { try await live.online(within: LiveRig.patience) }
    #expect(error?.code == .unreachable)
    #expect(error?.description == "no address answers.")
    await fixture.clock.elapse(.seconds(600))
    #expect(fixture.connector.plans.count == 1)
    #expect(rig.states == [.connecting, .offline])
    // Who asks later is told at once, and why.
    let later = await #expect(throws: ConnectionError.self) { try await live.online(within: LiveRig.patience) }
    #expect(later?.code == .unreachable)
  }

  @Test("an interactive session retries without end") func aPersonIsTriedForAgainAndAgain() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.connector.outcome = { [unowned fixture] number in
      number < 4 ? .fails(TransportError(.unreachable, "no address answers.")) : .connects(fixture.makeTransport())
    }
    live.start()
    let waiting = fixture.start { _ = try await live.online(within: .seconds(60)) }
    await fixture.clock.settle()
    #expect(live.state == .retrying)
    #expect(live.retryIn == 2)
    await fixture.clock.elapse(.seconds(2 + 4 + 8))
    #expect(waiting.hasEnded && waiting.error == nil)
    #expect(fixture.connector.plans.count == 4)
    #expect(live.retryIn == nil)
    #expect(
      rig.states == [
        .connecting, .retrying, .connecting, .retrying, .connecting, .retrying, .connecting, .online,
      ])
  }

  /// An agent of several accounts stays for the others: it is to have this one, too, when its server is back.
  @Test(
    "a first try that fails, or is under way and fails later, is repeated where others go on", arguments: [false, true])
  func firstTryForOthers(isUnderWay: Bool) async throws {
    let rig = try LiveRig(.script(Presence()))
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.connector.outcome = { [unowned fixture] number in
      number < 4 ? .fails(TransportError(.unreachable, "no address answers.")) : .connects(fixture.makeTransport())
    }
    live.start()
    if isUnderWay { live.keepTrying() }
    await fixture.clock.settle()
    if !isUnderWay {
      #expect(live.state == .offline)
      live.keepTrying()
      await fixture.clock.settle()
    }
    #expect(live.state == .retrying)
    await fixture.clock.elapse(.seconds(isUnderWay ? 2 + 4 + 8 : 2 + 4))
    #expect(live.state == .online && fixture.connector.plans.count == 4)
  }

  @Test("waiting for the connection ends with the reason of the failure")
  func waitingHasAnEndAndSaysWhy() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.connector.outcome = { _ in .fails(TransportError(.unresolved, "the name does not resolve")) }
    live.start()
    let waiting = fixture.start { _ = try await live.online(within: .seconds(5)) }
    let other = fixture.start { _ = try await live.online(within: .seconds(500)) }
    await fixture.clock.elapse(.seconds(5))
    #expect((waiting.error as? ConnectionError)?.code == .unresolved)
    #expect(!other.hasEnded)
    other.cancel()
    await fixture.clock.settle()
    #expect(other.error is CancellationError)
  }

  @Test("waiting for a silent server times out") func waitingForSilenceTimesOut() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.connector.outcome = { _ in .hangs }
    live.start()
    let waiting = fixture.start { _ = try await live.online(within: .seconds(5)) }
    await fixture.clock.elapse(.seconds(5))
    #expect((waiting.error as? ConnectionError)?.code == .timedOut)
  }

  /// A line of a script may have a `--timeout` of its own, which is shorter than the log-in's.
  @Test("who waits for less time than a log-in has is told of that time")
  func whoWaitsIsToldOfTheirTime() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    LoginMoment.header.stop(fixture, by: .silence)
    live.start()
    let waiting = fixture.start { _ = try await live.online(within: .seconds(5)) }
    let soon = fixture.start { _ = try await live.onlineSoon(within: .seconds(3)) }
    await fixture.clock.elapse(.seconds(5))
    for (work, seconds) in [(waiting, 5), (soon, 3)] {
      let expected =
        "The log-in took longer than \(seconds) seconds: it was still waiting for the server's stream header."
      #expect((work.error as? ConnectionError)?.description == expected)
    }
  }

  /// Prosody that stops after its `<success/>` opens the stream before we do, to say that it stops; on a slow line both are one
  /// read. A script in the middle of its lines ended there, with a breach of the protocol.
  @Test("a server that shuts down right after the authentication is reconnected to")
  func aServerThatStopsAfterProvingItselfIsComeBackTo() async throws {
    let rig = try LiveRig(.script(Presence()))
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    fixture.edit = { write, reply in
      write == 5
        ? .hangsUp(
          reply
            + "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
            + "id='s2' from='example.org' version='1.0'><stream:error><system-shutdown "
            + "xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
        : .says(reply)
    }
    await fixture.receive("</stream:stream>")
    await fixture.clock.elapse(.seconds(2))
    #expect(fixture.connector.plans.count == 2)
    #expect(live.state == .retrying)
    fixture.edit = { .says($1) }
    await fixture.clock.elapse(.seconds(4))
    #expect(live.state == .online)
  }

  @Test("a wrong password ends the session") func aWrongPasswordIsTheEnd() async throws {
    let rig = try LiveRig(password: "guess")
    let (fixture, live) = (rig.fixture, rig.live)
    live.start()
    let error = await #expect(throws: ConnectionError.self) { try await live.online(within: LiveRig.patience) }
    #expect(error?.code == .authentication)
    #expect(fixture.events(ConnectionChanged.self).last?.reason == "Wrong user name or password.")
    // Nor is it tried again for others that go on.
    live.keepTrying()
    await fixture.clock.elapse(.seconds(3_600))
    #expect(fixture.connector.plans.count == 1)
    #expect(live.state == .offline)
  }

  @Test("a conflict ends the session until the user reconnects")
  func aConflictIsTheEndUntilTheUserWantsOtherwise() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    await fixture.clock.elapse(.seconds(61))
    await fixture.receive(
      "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    await fixture.clock.elapse(.seconds(3_600))
    #expect(fixture.connector.plans.count == 1)
    #expect(rig.states.last == .offline)
    let error = await #expect(throws: ConnectionError.self) { try await live.online(within: LiveRig.patience) }
    #expect(error?.code == .conflict)
    live.reconnectNow()
    _ = try await live.online(within: LiveRig.patience)
    #expect(fixture.connector.plans.count == 2)
  }

  @Test("a reconnect restores the presence", arguments: [SessionRole.script(Presence()), .interactive(Presence())])
  func aLostConnectionComesBackAsItWas(_ mode: SessionRole) async throws {
    let rig = try LiveRig(mode)
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    let board = fixture.session.features[PresenceBoard.self]
    var announcements = 0
    board.onAnnounced = { announcements += 1 }
    try board.announce(Presence(show: .dnd, status: "busy"))
    await fixture.clock.settle()
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await fixture.clock.settle()
    #expect(live.state == .retrying)
    #expect(fixture.events(ConnectionChanged.self).last?.reason == "the line broke.")
    let waiting = fixture.start { _ = try await live.online(within: LiveRig.patience) }
    await fixture.clock.elapse(.seconds(2))
    #expect(waiting.hasEnded && waiting.error == nil)
    // The roster and the server's word are fetched anew, and the presence is the one that was last shown.
    let sent = fixture.sent()
    #expect(sent.map(\.name) == ["iq", "iq", "presence"])
    #expect(sent.last?.text(of: "show", Namespace.client) == "dnd")
    #expect(sent.last?.text(of: "status", Namespace.client) == "busy")
    // Nobody has said anything new.
    #expect(announcements == 1)
  }

  /// STARTTLS injection (RFC 6120 5.4.2.3) ends a log-in, and is no way for somebody on the path to end a session that was online.
  @Test(
    "bytes in the clear behind the consent to TLS are tried again once one has been online", arguments: [true, false])
  func injected(wasOnline: Bool) async throws {
    let rig = try LiveRig(.script(Presence()))
    if wasOnline { try await rig.start() }
    rig.fixture.edit = { write, reply in .says(write == 2 ? reply + "<" : reply) }
    if wasOnline { rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine) } else { rig.live.start() }
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(rig.live.state == (wasOnline ? .retrying : .offline))
    rig.fixture.edit = { .says($1) }
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == (wasOnline ? .online : .offline))
  }

  @Test("a user who is invisible stays invisible after a reconnect")
  func whoWantsNotToBeSeenStaysUnseenAfterAReconnect() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    try fixture.session.features[PresenceBoard.self].announce(Presence(kind: .unavailable))
    live.reconnectNow()
    _ = try await live.online(within: LiveRig.patience)
    await fixture.clock.settle()
    #expect(fixture.connector.plans.count == 2)
    #expect(fixture.sent().map(\.name) == ["iq", "iq"])
  }

  @Test("a connection that is lost right after the log-in is retried")
  func aConnectionLostWhileSettlingInIsTriedAgain() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    fixture.answer = { _ in [] }
    live.start()
    let waiting = fixture.start { _ = try await live.online(within: .seconds(60)) }
    await fixture.clock.settle()
    #expect(live.state == .online)
    #expect(!waiting.hasEnded)
    fixture.answer = SessionFixture.manners
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await fixture.clock.elapse(.seconds(2))
    #expect(waiting.hasEnded && waiting.error == nil)
    #expect(rig.states == [.connecting, .online, .retrying, .connecting, .online])
  }

  /// A server that redirects in a circle (see-other-host, RFC 6120 4.9.3.19).
  @Test("redirections in a circle are followed three times") func redirectionsAreFollowedThreeTimes() async throws {
    let rig = try LiveRig(.script(nil))
    let (fixture, live) = (rig.fixture, rig.live)
    let error =
      "<stream:error><see-other-host xmlns='urn:ietf:params:xml:ns:xmpp-streams'>b.example.net:5999</see-other-host>"
      + "</stream:error>"
    fixture.edit = { write, reply in
      .says(write == 3 ? reply.replacing("<stream:features>", with: error + "<stream:features>") : reply)
    }
    live.start()
    let thrown = await #expect(throws: ConnectionError.self) { try await live.online(within: LiveRig.patience) }
    #expect(thrown?.description == "The server redirects in a circle.")
    await fixture.clock.settle()
    #expect(
      fixture.connector.plans.map { $0.server?.host } == [nil, "b.example.net", "b.example.net", "b.example.net"])
    // The certificate has to be the account's domain's everywhere.
    #expect(Set(fixture.connector.plans.map(\.domain)) == ["example.org"])
  }

  @Test("a redirection to another host is followed") func aRedirectionThatLeadsSomewhereIsTaken() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    await fixture.receive(
      "<stream:error><see-other-host xmlns='urn:ietf:params:xml:ns:xmpp-streams'>b.example.net</see-other-host>"
        + "</stream:error>")
    _ = try await live.online(within: LiveRig.patience)
    #expect(fixture.connector.plans.map { $0.server?.host } == [nil, "b.example.net"])
  }

  @Test("leaving ends the session") func leavingEndsIt() async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    try await rig.start()
    await live.leave()
    #expect(rig.states.last == .offline)
    await fixture.clock.settle()
    #expect(fixture.clock.pendingTimers == 0)
    let error = await #expect(throws: ConnectionError.self) { try await live.online(within: LiveRig.patience) }
    #expect(error?.code == .closed)
  }

  @Test("leaving during a connection attempt ends it", arguments: [false, true])
  func leavingDuringATryEndsIt(_ isConnected: Bool) async throws {
    let rig = try LiveRig()
    let (fixture, live) = (rig.fixture, rig.live)
    if isConnected {
      LoginMoment.mechanisms.stop(fixture, by: .silence)
    } else {
      fixture.connector.outcome = { _ in .hangs }
    }
    live.start()
    let waiting = fixture.start { _ = try await live.online(within: LiveRig.patience) }
    await fixture.clock.settle()
    let leaving = fixture.start { await live.leave() }
    await fixture.clock.elapse(.seconds(2))
    #expect(leaving.hasEnded)
    #expect((waiting.error as? ConnectionError)?.code == .closed)
    #expect(rig.states == [.connecting, .offline])
    await fixture.clock.elapse(.seconds(2))
    #expect(fixture.clock.pendingTimers == 0)
    #expect(fixture.connector.underway == 0)
  }

  @Test("a session ends with its last reference", arguments: [LoginMoment.challenge, nil])
  func aLiveSessionEndsWithItsLastReference(_ moment: LoginMoment?) async throws {
    var fixture: SessionFixture? = try SessionFixture()
    let clock = try #require(fixture?.clock)
    let connector = try #require(fixture?.connector)
    if let moment { fixture.map { moment.stop($0, by: .silence) } }
    var live: LiveSession? = fixture.map { LiveSession($0.session, clock: clock) }
    live?.start()
    await clock.settle()
    if moment == nil { #expect(live?.state == .online) }
    weak let session = fixture?.session
    weak let gone = live
    fixture = nil
    live = nil
    await clock.settle()
    #expect(gone == nil)
    #expect(session == nil)
    #expect(connector.transport == nil)
    #expect(clock.pendingTimers == 0)
  }
}
