// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML
import Support
import Testing

/// Leaving, dropping, cancelling, letting go: each ends everything, and leaves nothing behind.
@Client @Suite(.onLoop) struct SessionLeavingTests {
  /// The server says nothing from some moment on.
  @Client private final class Silence { var isOn = false }

  @Test("Leaving closes the stream properly") func leavingIsPolite() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    var ends: [(any Error)?] = []
    fixture.session.onConnectionEnd = { ends.append($0) }
    await fixture.session.leave()
    #expect(fixture.connector.records[0].text.hasSuffix("</stream:stream>"))
    #expect(fixture.connector.records[0].isClosed)
    #expect(ends.count == 1 && ends[0] == nil)
    #expect(fixture.session.phase == .ended)
    await fixture.clock.settle()
    #expect(fixture.clock.pendingTimers == 0)
    #expect(fixture.connector.transport == nil)
    // It is over for good.
    await #expect(throws: ConnectionError.self) { try await fixture.session.logIn() }
    await fixture.session.leave()
    #expect(ends.count == 1)
  }

  @Test("Leaving a silent server takes two seconds", arguments: [false, true])
  func leavingASilentServerTakesTwoSeconds(_ isStuck: Bool) async throws {
    let fixture = try SessionFixture()
    // Not by the number of its writes, which depends on what the loop's turns bring together.
    let silence = Silence()
    fixture.edit = { silence.isOn ? .saysOnly("") : .says($1) }
    fixture.connector.outcome = { [unowned fixture] _ in
      let transport = fixture.makeTransport()
      transport.ignoresClose = true
      return .connects(transport)
    }
    try await fixture.settleIn(showing: nil)
    silence.isOn = true
    fixture.connector.transport?.isStuck = isStuck
    let leaving = fixture.start { await fixture.session.leave() }
    await fixture.clock.elapse(.milliseconds(1_999))
    #expect(!leaving.hasEnded)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(leaving.hasEnded)
    #expect(fixture.session.phase == .ended)
    await fixture.clock.elapse(.seconds(2))
    #expect(fixture.clock.pendingTimers == 0)
    #expect(fixture.connector.transport == nil)
  }

  /// Notes what it is told of the last word on a stream, and of resources.
  @Client private final class Streams: StreamStore {
    var onBegunAnew: (@Client () -> Void)?
    var acknowledged: [Int64] = []
    var forgotten: [String] = []
    func resource(_ wish: String?) -> String { wish ?? "jackdaw" }
    func forgetResource(_ name: String) { forgotten.append(name) }
    func hasLeftovers() -> Bool { false }
    func loadStream() -> (resumption: StreamResumption, time: Timestamp)? { nil }
    func keepStream(_ resumption: StreamResumption, at time: Timestamp) {}
    func lastLogged() -> Int64? { 7 }
    func noteAcknowledged(through number: Int64) { acknowledged.append(number) }
    func forgetStream() {}
  }

  /// Where the line breaks in that moment it gives again what it was told of, where it has no archive.
  @Test("Leaving takes our last acknowledgement as heard only where the server answers it", arguments: [false, true])
  func theServerHasHeardOurLastWordWhereItAnswersIt(_ isCut: Bool) async throws {
    let streams = Streams()
    let fixture = try SessionFixture(stores: SessionStores(streams: streams))
    let silence = Silence()
    fixture.edit = { silence.isOn ? .saysOnly("") : .says($1) }
    try await fixture.settleIn(showing: nil)
    silence.isOn = isCut
    let leaving = fixture.start { await fixture.session.leave() }
    if isCut {
      await fixture.clock.settle()
      fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    }
    await fixture.clock.elapse(.seconds(3))
    #expect(leaving.hasEnded)
    #expect(streams.acknowledged == (isCut ? [] : [7]))
  }

  /// The data of a machine were copied to another one, whose programs log in by the same resource.
  @Test(
    "whom another log-in throws out takes a new resource where it was made up, and keeps one that was asked for",
    arguments: ["alice@example.org", "alice@example.org/here"])
  func aResourceThatSomebodyElseHas(account: String) async throws {
    let streams = Streams()
    let fixture = try SessionFixture(account: account, stores: SessionStores(streams: streams))
    try await fixture.settleIn(showing: nil)
    await fixture.clock.elapse(.seconds(61))
    await fixture.receive(
      "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    #expect(streams.forgotten == (account.contains("/") ? [] : ["jackdaw"]))
  }

  @Test("Stanzas that come before the server's end of the stream still count")
  func whatComesBeforeTheServersEndStillCounts() async throws {
    let fixture = try SessionFixture()
    fixture.edit = { write, reply in
      .says(
        reply.hasSuffix("</stream:stream>")
          ? "<message from='bob@example.org'><body>bye</body></message>" + reply : reply)
    }
    try await fixture.settleIn()
    await fixture.session.leave()
    #expect(fixture.events(MessageArrived.self).map(\.body) == ["bye"])
  }

  @Test("Several callers may leave at once") func severalMayLeaveAtOnce() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let first = fixture.start { await fixture.session.leave() }
    let second = fixture.start { await fixture.session.leave() }
    await fixture.clock.settle()
    #expect(first.hasEnded && second.hasEnded)
  }

  @Test("Dropping the connection ends the wait of those who leave") func droppingFreesWhoeverLeaves() async throws {
    let fixture = try SessionFixture()
    // Not by the number of its writes, which depends on what the loop's turns bring together.
    let silence = Silence()
    fixture.edit = { silence.isOn ? .saysOnly("") : .says($1) }
    try await fixture.settleIn()
    silence.isOn = true
    let leaving = fixture.start { await fixture.session.leave() }
    await fixture.clock.settle()
    fixture.session.drop(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    #expect(leaving.hasEnded)
  }

  @Test("Leaving during the log-in ends it", arguments: LoginMoment.allCases)
  func leavingDuringTheLoginEndsIt(_ moment: LoginMoment) async throws {
    let fixture = try SessionFixture()
    moment.stop(fixture, by: .silence)
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.settle()
    let leaving = fixture.start { await fixture.session.leave() }
    await fixture.clock.elapse(.seconds(2))
    #expect(leaving.hasEnded)
    #expect((login.error as? ConnectionError)?.code == .closed)
    await fixture.clock.elapse(.seconds(2))
    #expect(fixture.clock.pendingTimers == 0)
    #expect(fixture.connector.transport == nil)
  }

  @Test("Leaving during the connection attempt ends it") func leavingDuringTheConnectingEndsIt() async throws {
    let fixture = try SessionFixture()
    fixture.connector.outcome = { _ in .hangs }
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.settle()
    let leaving = fixture.start { await fixture.session.leave() }
    await fixture.clock.settle()
    #expect(leaving.hasEnded)
    #expect((login.error as? ConnectionError)?.code == .closed)
    #expect(fixture.connector.underway == 0)
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("Dropping the connection ends every request with the reason")
  func aDropEndsEveryRequestWithItsReason() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let requests = fixture.session.requests
    let waiting = (1...3).map { _ in fixture.start { try await requests.roundTrip(timeout: .seconds(30)) } }
    await fixture.clock.settle()
    #expect(requests.count == 3)
    var ends = 0
    fixture.session.onConnectionEnd = { _ in ends += 1 }
    fixture.session.drop(ConnectionError(.lost, "the cable was cut."))
    await fixture.clock.settle()
    for request in waiting {
      let error = request.error as? RequestError
      #expect(error?.code == .connectionGone)
      #expect((error?.cause as? ConnectionError)?.description == "the cable was cut.")
    }
    #expect(ends == 0)
    #expect(requests.count == 0)
    #expect(fixture.session.phase == .suspended)
    #expect(fixture.connector.records[0].isAborted)
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("Another log-in replaces the connection, and its requests end")
  func anotherLoginTakesTheConnectionsPlace() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let waiting = fixture.start { try await fixture.session.requests.roundTrip(timeout: .seconds(30)) }
    await fixture.clock.settle()
    try await fixture.logIn()
    #expect((waiting.error as? RequestError)?.code == .connectionGone)
    #expect(fixture.connector.records[0].isAborted)
    #expect(fixture.session.isOnline)
  }

  @Test("Cancelling a log-in leaves nothing behind", arguments: LoginMoment.allCases)
  func cancellingALoginLeavesNothingBehind(_ moment: LoginMoment) async throws {
    let fixture = try SessionFixture()
    moment.stop(fixture, by: .silence)
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.settle()
    login.cancel()
    await fixture.clock.settle()
    #expect(login.error is CancellationError)
    #expect(fixture.connector.records[0].isAborted)
    #expect(fixture.connector.transport == nil)
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("Cancelling a connection attempt leaves nothing behind")
  func cancellingTheConnectingLeavesNothingBehind() async throws {
    let fixture = try SessionFixture()
    fixture.connector.outcome = { _ in .hangs }
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.settle()
    login.cancel()
    await fixture.clock.settle()
    #expect(login.error is CancellationError)
    #expect(fixture.connector.underway == 0)
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("Cancelling after the log-in disturbs nothing") func cancellingAfterTheLoginDisturbsNothing() async throws {
    let fixture = try SessionFixture()
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.settle()
    login.cancel()
    await fixture.clock.settle()
    #expect(fixture.session.isOnline)
    await fixture.receive("<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(fixture.sent().count == 1)
  }

  /// The cancelling comes while the log-in ends.
  @Test("Cancelling at the last moment disturbs nothing") func cancellingAtTheLastMomentDisturbsNothing() async throws {
    let fixture = try SessionFixture()
    let login = fixture.start { try await fixture.session.logIn() }
    fixture.session.onLoginStep = { if case .bound = $0 { login.cancel() } }
    await fixture.clock.settle()
    #expect(login.hasEnded)
    #expect(fixture.session.isOnline)
    await fixture.receive("<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(fixture.sent().count == 1)
  }

  /// No cycle keeps a session alive, nor its connection, nor its features.
  @Test("A session that is online ends with its last reference", arguments: [false, true])
  func aSessionEndsWithItsLastReference(_ isOnline: Bool) async throws {
    var fixture: SessionFixture? = try SessionFixture()
    let clock = try #require(fixture?.clock)
    let connector = try #require(fixture?.connector)
    weak let session = fixture?.session
    weak let friends = fixture?.session.features[FriendManager.self]
    weak let events = fixture?.session.events
    fixture?.answer = { _ in [] }
    if isOnline { try await fixture?.logIn() }
    // A request that nobody answers does not keep it either.
    if isOnline { try session?.delivery.send("hello", to: try JID("bob@example.org")) }
    let loading = fixture?.start { [weak friends] in try await friends?.load() }
    let asking = fixture?.start { [requests = fixture?.session.requests] in
      try await requests?.roundTrip(timeout: .seconds(3_600))
    }
    await clock.settle()
    fixture = nil
    await clock.settle()
    #expect(session == nil)
    #expect(friends == nil)
    #expect(events == nil)
    #expect(loading?.hasEnded == true)
    #expect(asking?.hasEnded == true)
    #expect(clock.pendingTimers == 0)
    if isOnline { #expect(connector.records[0].isAborted) }
  }

  @Test("A session that logs in ends with its task") func aSessionThatLogsInEndsWithItsTask() async throws {
    var fixture: SessionFixture? = try SessionFixture()
    let clock = try #require(fixture?.clock)
    fixture.map { LoginMoment.challenge.stop($0, by: .silence) }
    weak let session = fixture?.session
    let login = fixture?.start { [session = fixture?.session] in try await session?.logIn() }
    await clock.settle()
    fixture = nil
    login?.cancel()
    await clock.settle()
    #expect(session == nil)
    #expect(clock.pendingTimers == 0)
  }
}
