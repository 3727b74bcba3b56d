// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML
import Support
import Testing

/// A whole log-in, good and bad, through the real decoder and machine.
@Client @Suite(.onLoop) struct SessionLoginTests {
  @Test("a log-in ends with a bound resource") func aLoginEndsWithABoundResource() async throws {
    let fixture = try SessionFixture()
    var steps: [LoginStep] = []
    fixture.session.onLoginStep = { steps.append($0) }
    try await fixture.logIn()
    #expect(fixture.session.isOnline)
    #expect(fixture.session.phase == .fresh)
    #expect(fixture.session.identity.bound?.description == "alice@example.org/here")
    #expect(fixture.session.login?.mechanism == "SCRAM-SHA-256")
    #expect(
      steps == [
        .found(["example.org port 5222"]), .connected(FakeConnector.address),
        .secured(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", isResumed: false),
        .authenticated(AcceptedLogin(try #require(fixture.session.login))),
        .bound(try JID("alice@example.org/here"), roundTrips: 4),
      ])
    #expect(fixture.sent().isEmpty)
    #expect(fixture.connector.records[0].isNegotiating == false)
    // The farewell's timer comes with the farewell: nothing of the log-in is left.
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("direct TLS needs no STARTTLS") func directTLSNeedsNoSTARTTLS() async throws {
    let fixture = try SessionFixture()
    fixture.script.isDirectTLS = true
    try await fixture.logIn()
    #expect(fixture.connector.records[0].handshakes == 0)
    #expect(!fixture.connector.records[0].text.contains("starttls"))
  }

  @Test("elements that belong together are one write") func whatBelongsTogetherIsOneWrite() async throws {
    let fixture = try SessionFixture()
    try await fixture.logIn()
    // Header, STARTTLS, header, SASL twice, header with the bind request.
    #expect(fixture.connector.records[0].writes.count == 6)
  }

  @Test("a wrong password is refused and not tried again") func aWrongPasswordIsRefusedAndNotTriedAgain() async throws {
    let fixture = try SessionFixture(password: "guess")
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == .authentication)
    #expect(error?.mayRetry == false)
    #expect(fixture.server.attempts == ["SCRAM-SHA-256"])
    #expect(!fixture.session.isOnline)
    #expect(fixture.session.phase == .suspended)
  }

  @Test("a server where the log-in failed is tried last")
  func aServerWhereTheLoginCameToNothingIsTriedLast() async throws {
    let fixture = try SessionFixture()
    let targets = ["one", "two"].map { ConnectionTarget(host: "\($0).example.org", port: 5222, usesDirectTLS: false) }
    fixture.handshake = .fails(FakeConnector.brokenLine)
    for index in [0, 1, 0] {
      fixture.connector.target = targets[index]
      await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    }
    fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "nobody is there")) }
    await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    fixture.connector.outcome = { [unowned fixture] _ in .connects(fixture.makeTransport()) }
    fixture.handshake = .succeeds(FakeConnector.security)
    try await fixture.logIn()
    // After a good one the domain's own order counts again.
    try await fixture.logIn()
    #expect(
      fixture.connector.plans.map { $0.triedLast.map(\.target.host.first) } == [
        [], ["o"], ["o", "t"], ["t", "o"], ["t", "o"], [],
      ])
  }

  @Test("an address of a server at which the log-in came to nothing is remembered beside the server's others")
  func failedAddress() async throws {
    let fixture = try SessionFixture()
    fixture.handshake = .fails(FakeConnector.brokenLine)
    for host in ["192.0.2.1", "192.0.2.2", "192.0.2.1"] {
      fixture.connector.reached = SocketAddress(ipv4: host, port: 5222)
      await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    }
    await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(
      fixture.connector.plans.map { $0.triedLast.map(\.address.host) } == [
        [], ["192.0.2.1"], ["192.0.2.1", "192.0.2.2"], ["192.0.2.2", "192.0.2.1"],
      ])
  }

  @Test(
    "an error of the connection is thrown with its sentence and says whether to retry",
    arguments: [
      (TransportError.Code.unresolved, ConnectionError.Code.unresolved, true),
      (.notOffered, .unresolved, false), (.unreachable, .unreachable, true), (.timedOut, .timedOut, true),
      (.certificate, .unsafe, false), (.tls, .unsafe, true), (.caFile, .configuration, false), (.lost, .lost, true),
    ])
  func whatStopsTheConnectionIsToldWithItsSentence(
    _ code: TransportError.Code, _ told: ConnectionError.Code, _ mayRetry: Bool
  ) async throws {
    let fixture = try SessionFixture()
    fixture.connector.outcome = { _ in .fails(TransportError(code, "so it was.")) }
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == told)
    #expect(error?.description == "so it was.")
    #expect(error?.mayRetry == mayRetry)
  }

  @Test("a TLS handshake that fails ends the log-in") func aHandshakeThatFailsEndsTheLogin() async throws {
    let fixture = try SessionFixture()
    fixture.handshake = .fails(TransportError(.certificate, "the certificate is for another name."))
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == .unsafe)
    #expect(error?.description == "the certificate is for another name.")
  }

  /// `</stream:stream>` says the machine behind a failure, and it is in the queue of a transport that nobody needs any more.
  @Test("the last data that we write reaches the server") func whatIsSaidLastReachesTheServer() async throws {
    let fixture = try SessionFixture()
    fixture.edit = { write, reply in .says(write == 4 ? "<message xmlns='jabber:client'/>" : reply) }
    await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    // Even before the loop has turned once more: the program may end with this error.
    #expect(fixture.connector.records[0].text.hasSuffix("</stream:error></stream:stream>"))
    await fixture.clock.settle()
    #expect(fixture.connector.records[0].hasEnded)
    #expect(fixture.connector.transport == nil)
  }

  @Test("a server that keeps the connection open is left after two seconds")
  func aServerThatKeepsTheLineOpenIsLeftAfterTwoSeconds() async throws {
    let fixture = try SessionFixture()
    var transport: FakeTransport?
    fixture.edit = { write, reply in
      write < 4 ? .says(reply) : .saysOnly(write == 4 ? "<presence xmlns='jabber:client'/>" : reply)
    }
    fixture.connector.outcome = { [unowned fixture] _ in
      let made = fixture.makeTransport()
      made.ignoresClose = true
      transport = made
      return .connects(made)
    }
    await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    transport = nil
    await fixture.clock.elapse(.milliseconds(1_999))
    #expect(!fixture.connector.records[0].hasEnded)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(fixture.connector.records[0].hasEnded)
    #expect(transport == nil && fixture.connector.transport == nil)
  }

  /// STARTTLS plaintext injection (RFC 6120 5.4.2.3; on servers CVE-2011-0411), with the real decoder.
  @Test(
    "bytes behind the consent to STARTTLS end the log-in",
    arguments: ["<stream:features/>", " ", "<message xmlns='jabber:client'><body>now</body></message>", "<", "\0"])
  func bytesBehindTheConsentToTLSEndTheLogin(_ injected: String) async throws {
    let fixture = try SessionFixture()
    fixture.edit = { write, reply in .says(write == 2 ? reply + injected : reply) }
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == .protocolViolation)
    #expect(error?.description.contains("\(injected.utf8.count) bytes") == true)
    // What stood behind the restart was not done.
    #expect(fixture.connector.records[0].handshakes == 0)
    #expect(fixture.connector.records[0].writes.count == 2)
  }

  @Test("bytes behind the SASL success end the log-in") func bytesBehindTheSuccessEndTheLogin() async throws {
    let fixture = try SessionFixture()
    fixture.edit = { write, reply in .says(write == 5 ? reply + "<stream:features/>" : reply) }
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.code == .serverGone)
    #expect(!fixture.connector.records[0].text.contains("xmpp-bind"))
  }

  /// Stanzas that come before TLS or SASL has finished.
  @Test("a stanza before the end of SASL is neither displayed nor answered", arguments: 1...5)
  func aStanzaBeforeTheEndOfSASLIsNeitherShownNorAnswered(_ write: Int) async throws {
    let fixture = try SessionFixture()
    let stanzas =
      "<message from='bob@example.org' xmlns='jabber:client'><body>hi</body></message>"
      + "<iq type='get' id='p' from='example.org' xmlns='jabber:client'><ping xmlns='urn:xmpp:ping'/></iq>"
    fixture.edit = { number, reply in .says(number == write ? reply + stanzas : reply) }
    await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    await fixture.clock.settle()
    #expect(fixture.posted.isEmpty)
    #expect(!fixture.connector.records[0].text.contains("id='p'"))
  }

  /// Stanzas in the same bytes as the answer to bind meet a session that knows who it is and can answer.
  @Test("a stanza right behind the bind result is answered") func aStanzaRightBehindTheBindIsAnswered() async throws {
    let fixture = try SessionFixture()
    fixture.edit = { write, reply in
      .says(
        write == 6
          ? reply
            + "<iq type='get' id='p' from='example.org' to='alice@example.org/here'><ping xmlns='urn:xmpp:ping'/></iq>"
          : reply)
    }
    try await fixture.logIn()
    #expect(fixture.sent() == [IQ(kind: .result, id: "p", to: try JID("example.org")).element])
  }

  @Test("the mechanism is remembered against a downgrade")
  func theMechanismIsRememberedAgainstADowngrade() async throws {
    let memory = Mechanisms()
    let fixture = try SessionFixture(stores: SessionStores(logins: memory))
    try await fixture.logIn()
    #expect(memory.kept == ["SCRAM-SHA-256"])
    fixture.script.mechanisms = ["PLAIN"]
    let error = await #expect(throws: ConnectionError.self) { try await fixture.session.logIn() }
    #expect(error?.mayRetry == false)
    #expect(fixture.server.attempts.isEmpty)

    let later = try SessionFixture(stores: SessionStores(logins: memory))
    later.script.mechanisms = ["PLAIN"]
    await #expect(throws: ConnectionError.self) { try await later.logIn() }
    #expect(later.server.attempts.isEmpty)
    #expect(memory.kept == ["SCRAM-SHA-256"])
  }

  /// Nobody knows then whether the server could do better.
  @Test("the first log-in reports that the password itself was sent, a later one does not")
  func thatTheBarePasswordWasGivenIsSaidAtTheFirstLogin() async throws {
    let memory = Mechanisms()
    let fixture = try SessionFixture(stores: SessionStores(logins: memory))
    fixture.script.mechanisms = ["PLAIN"]
    try await fixture.logIn()
    let sentence = "The server offers PLAIN only: it was sent the password itself, within TLS."
    #expect(fixture.notices == [sentence] && memory.kept == ["PLAIN"])
    let later = try SessionFixture(stores: SessionStores(logins: memory))
    later.script.mechanisms = ["PLAIN"]
    try await later.logIn()
    #expect(later.notices.isEmpty && later.remarks.contains(sentence))
  }

  @Test("that the server was sent the password itself is said of a first log-in that is refused, too, and once")
  func bareRefusedPassword() async throws {
    let memory = Mechanisms()
    let fixture = try SessionFixture(stores: SessionStores(logins: memory))
    (fixture.script.mechanisms, fixture.script.password) = (["PLAIN"], "another")
    for _ in 0..<2 { await #expect(throws: ConnectionError.self) { try await fixture.session.logIn() } }
    let sentence = "The server offers PLAIN only: it was sent the password itself, within TLS."
    #expect(fixture.notices == [sentence])
    fixture.script.password = "secret"
    try await fixture.session.logIn()
    #expect(fixture.notices == [sentence] && memory.kept == ["PLAIN"])
    // A server that was given it before has it already; to one that does better it was not given.
    for (mechanisms, known) in [(["PLAIN"], ["PLAIN"]), (["SCRAM-SHA-1", "PLAIN"], [])] {
      memory.kept = known
      let later = try SessionFixture(stores: SessionStores(logins: memory))
      (later.script.mechanisms, later.script.password) = (mechanisms, "another")
      await #expect(throws: ConnectionError.self) { try await later.session.logIn() }
      #expect(later.notices.isEmpty, "\(mechanisms)")
    }
  }

  @Test("a store that fails is a remark, and the log-in goes on") func aStoreThatFailsIsARemarkAndNoEnd() async throws {
    let memory = Mechanisms()
    memory.isBroken = true
    let fixture = try SessionFixture(stores: SessionStores(logins: memory))
    try await fixture.logIn()
    #expect(fixture.session.isOnline)
    #expect(fixture.remarks.count == 2)
  }

  /// A database that somebody keeps locked would hide a downgrade.
  @Test("the password itself is not sent where the remembered mechanism cannot be read")
  func theBarePasswordIsNotGivenWhereTheLastMechanismCannotBeRead() async throws {
    let memory = Mechanisms()
    memory.isBroken = true
    let fixture = try SessionFixture(stores: SessionStores(logins: memory))
    fixture.script.mechanisms = ["PLAIN"]
    let error = await #expect(throws: ConnectionError.self) { try await fixture.logIn() }
    #expect(error?.mayRetry == true)
    #expect(fixture.server.attempts.isEmpty)
    memory.isBroken = false
    try await fixture.session.logIn()
    #expect(fixture.session.isOnline)
  }
}

@Client private final class Mechanisms: LoginMemoryStore {
  var kept: [String] = []
  var keys: KeptKeys?
  var isBroken = false

  func loadMechanism() throws -> String? {
    if isBroken { throw Broken() }
    return kept.last
  }

  func keepMechanism(_ mechanism: String) throws {
    if isBroken { throw Broken() }
    kept.append(mechanism)
  }

  func forgetMechanism() throws {
    if isBroken { throw Broken() }
    kept.removeAll()
  }

  func loadInstallation() throws -> Installation? { nil }
  func keepInstallation(_ installation: Installation) throws {}
  func forgetToken(_ token: LoginToken) throws {}
  func loadKeys() throws -> KeptKeys? { keys }
  func keepKeys(_ keys: KeptKeys?) throws { self.keys = keys }
  func forgetKeys(_ keys: SCRAMKeys) throws { if self.keys?.keys == keys { self.keys = nil } }
  func takeTicket() -> KeptTicket? { nil }
  func keepTicket(_ ticket: KeptTicket) {}
  func settleTicket() {}
  func forgetTicket() throws {}

  private struct Broken: Error {}
}
