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

/// Servers that fall silent, hang up, redirect, or send broken XML or a stream error (RFC 6120 4.9).
@Client @Suite(.onLoop) struct SessionFailureTests {
  @Test("A server that is silent at any phase of the log-in times out", arguments: LoginMoment.allCases)
  func silenceAtEachPhaseEndsByTheDeadline(_ moment: LoginMoment) async throws {
    let fixture = try SessionFixture(timeout: .seconds(20))
    moment.stop(fixture, by: .silence)
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.milliseconds(19_999))
    #expect(!login.hasEnded)
    await fixture.clock.elapse(.milliseconds(1))
    let error = login.error as? ConnectionError
    #expect(error?.code == .timedOut)
    #expect(
      error?.description
        == "The log-in took longer than 20 seconds: it was still waiting for \(moment.awaited).")
    await fixture.clock.elapse(.seconds(2))
    #expect(fixture.clock.pendingTimers == 0)
    #expect(fixture.connector.records[0].hasEnded)
  }

  @Test("A network that is silent during the connection attempt times out")
  func silenceOfTheNetworkEndsByTheDeadline() async throws {
    let fixture = try SessionFixture(timeout: .milliseconds(1_500))
    fixture.connector.outcome = { _ in .hangs }
    let login = fixture.start { try await fixture.session.logIn() }
    await fixture.clock.elapse(.milliseconds(1_500))
    #expect((login.error as? ConnectionError)?.code == .timedOut)
    #expect(fixture.connector.underway == 0)
  }

  @Test(
    "A connection that ends at any phase is one error, and may be retried", arguments: LoginMoment.allCases,
    [LoginMoment.Failure.properEnd, .brokenLine])
  func anEndAtEachPhaseIsOneErrorAndMayBeTriedAgain(
    _ moment: LoginMoment, _ failure: LoginMoment.Failure
  ) async throws {
    let fixture = try SessionFixture()
    moment.stop(fixture, by: failure)
    let error = await #expect(throws: ConnectionError.self) { try await fixture.session.logIn() }
    #expect(error?.code == .lost)
    #expect(error?.mayRetry == true)
    if failure == .properEnd, moment != .handshake {
      #expect(error?.description == "The server hung up while this side was waiting for \(moment.awaited).")
    }
    await fixture.clock.settle()
    #expect(fixture.clock.pendingTimers == 0)
    #expect(fixture.connector.transport == nil)
    // Another try is a fresh one.
    fixture.edit = { .says($1) }
    fixture.handshake = .succeeds(FakeConnector.security)
    try await fixture.logIn()
    #expect(fixture.session.isOnline)
  }

  /// It makes no difference that the bytes come one at a time.
  @Test("A server that writes single bytes is understood")
  func aServerThatWritesSingleBytesIsUnderstood() async throws {
    let fixture = try SessionFixture()
    fixture.connector.outcome = { [unowned fixture] _ in
      let whole = fixture.makeTransport()
      return .connects(whole)
    }
    try await fixture.logIn()
    for byte in "<message from='bob@example.org'><body>h\u{e9}</body></message>".utf8 {
      fixture.connector.transport?.deliver([byte])
      await fixture.clock.settle()
    }
    #expect(fixture.events(MessageArrived.self).map(\.body) == ["h\u{e9}"])
  }

  /// Half a stanza, then FIN.
  @Test("Half a stanza is never delivered") func halfAStanzaIsNeverDelivered() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    var end: (any Error)?
    fixture.session.onConnectionEnd = { end = $0 }
    fixture.connector.transport?.deliver(Array("<message from='bob@example.org'><body>half".utf8))
    fixture.connector.transport?.peerEnds(nil)
    await fixture.clock.settle()
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect((end as? ConnectionError)?.code == .serverGone)
  }

  /// Nothing after a stream error is processed (RFC 6120 4.9.1.1), not even from the same buffer.
  @Test(
    "Nothing after a fatal error is delivered",
    arguments: [
      "<a></b>", "<!DOCTYPE x>", "<?pi?>", "<x y='1' y='2'/>", "<n:x/>", "<message><body>&nbsp;</body></message>",
      "<message><body>\u{1}</body></message>",
    ])
  func nothingAfterAFatalErrorIsDelivered(_ fatal: String) async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    var ends: [(any Error)?] = []
    fixture.session.onConnectionEnd = { ends.append($0) }
    let message = "<message from='bob@example.org'><body>text</body></message>"
    await fixture.receive(message + fatal + message)
    await fixture.receive(message)
    #expect(fixture.events(MessageArrived.self).count == 1)
    #expect(ends.count == 1)
    let error = ends.first as? ConnectionError
    #expect(error?.code == .protocolViolation)
    // The stream was ready, and one stanza broke it: the next stream brings others.
    #expect(error?.mayRetry == true)
    #expect(fixture.connector.records[0].text.hasSuffix("</stream:error></stream:stream>"))
    #expect(fixture.session.phase == .suspended)
  }

  @Test(
    "A stream error tells whether to reconnect",
    arguments: [
      ("conflict", ConnectionError.Code.conflict, false), ("system-shutdown", .serverGone, true),
      ("reset", .serverGone, true), ("connection-timeout", .serverGone, true), ("policy-violation", .refused, true),
      ("host-unknown", .refused, false), ("of-the-future", .serverGone, true),
    ])
  func aStreamErrorSaysWhetherToComeBack(
    _ condition: String, _ code: ConnectionError.Code, _ mayRetry: Bool
  ) async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    // The first conflict within a minute of a log-in is retried.
    await fixture.clock.elapse(.seconds(61))
    var end: (any Error)?
    fixture.session.onConnectionEnd = { end = $0 }
    let message = "<message from='bob@example.org'><body>text</body></message>"
    await fixture.receive(
      "<stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>" + message)
    #expect((end as? ConnectionError)?.code == code)
    #expect((end as? ConnectionError)?.mayRetry == mayRetry)
    #expect((end as? ConnectionError)?.condition == condition)
    #expect(fixture.events(MessageArrived.self).isEmpty)
  }

  @Test("When the server closes the stream we close it too, and report it")
  func aPoliteCloseIsAnsweredAndTold() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    var end: (any Error)?
    fixture.session.onConnectionEnd = { end = $0 }
    await fixture.receive("</stream:stream>")
    #expect((end as? ConnectionError)?.code == .serverGone)
    #expect(fixture.connector.records[0].text.hasSuffix("</stream:stream>"))
    #expect(fixture.connector.records[0].isClosed)
  }

  @Test("A redirection is thrown") func aRedirectionIsThrown() async throws {
    let fixture = try SessionFixture()
    fixture.edit = { write, reply in
      .says(
        write == 3 ? reply.replacing("<stream:features>", with: Self.elsewhere("[2001:db8::1]:5999") + "<x>") : reply)
    }
    let elsewhere = HostPort(host: "2001:db8::1", port: 5_999)
    await #expect(throws: ConnectionRedirect(to: elsewhere)) { try await fixture.session.logIn() }
    fixture.edit = { .says($1) }
    try await fixture.session.logIn(at: elsewhere)
    #expect(fixture.connector.plans[1].server?.host == "2001:db8::1")
    #expect(fixture.connector.plans[1].domain == "example.org")
  }

  private static func elsewhere(_ host: String) -> String {
    "<stream:error><see-other-host xmlns='urn:ietf:params:xml:ns:xmpp-streams'>\(host)</see-other-host></stream:error>"
  }

  @Test("Elements in other namespaces are not taken for ours") func whatIsInAnotherNamespaceIsIgnored() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    await fixture.receive(
      "<message xmlns='urn:evil' from='bob@example.org'><body xmlns='jabber:client'>x</body></message>"
        + "<iq xmlns='urn:evil' type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq><thing xmlns='urn:new'/>"
        + "<message from='bob@example.org'><body xmlns='urn:evil'>x</body></message>")
    #expect(
      fixture.events(MessageArrived.self).map(\.payload?.content) == [MessageContent(.unknown, items: ["urn:evil"])])
    #expect(fixture.events(MessageArrived.self).map(\.body) == [""])
    #expect(fixture.sent().isEmpty)
    #expect(fixture.session.isOnline)
  }

  @Test("A server that reads nothing cannot fill our memory")
  func aServerThatReadsNothingCannotFillTheMemory() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    fixture.connector.transport?.isStuck = true
    let chat = fixture.session.delivery
    let text = String(repeating: "x", count: 1_000_000)
    for _ in 0..<40 { try chat.send(text, to: try JID("bob@example.org")) }
    await fixture.clock.settle()
    #expect(fixture.events(MessageStateChanged.self).count == 34, "what is more waits")
    // Requests of others are then not answered, and that is no end.
    await fixture.receive("<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(fixture.session.isOnline)
  }
}
