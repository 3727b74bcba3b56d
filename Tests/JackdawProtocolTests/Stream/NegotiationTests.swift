// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

@Suite("Up to TLS")
struct NegotiationTests {
  private func connected() throws -> StreamDriver {
    let driver = StreamDriver(try StreamDriver.request())
    driver.handle(.connected)
    return driver
  }

  @Test("The first header does not tell who we are; the one under TLS does")
  func headerLeak() throws {
    let driver = try connected()
    #expect(driver.sent.count == 1)
    #expect(driver.sent[0].contains("to='example.org'") || driver.sent[0].contains("to=\"example.org\""))
    #expect(driver.sent[0].contains("version"))
    #expect(!driver.sent[0].contains("alice"))
    driver.server(Say.header + Say.tlsFeatures)
    #expect(driver.sent[1...] == ["<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"])
    driver.server(Say.proceed)
    #expect(driver.handshakes == 1)
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    #expect(driver.sent.count == 3)
    #expect(driver.sent[2].contains("alice@example.org"))
    #expect(!driver.sent[2].contains("/here"))
  }

  @Test("The decoder is restarted before the handshake begins")
  func orderAfterProceed() throws {
    let driver = try connected()
    driver.server(Say.header + Say.tlsFeatures)
    let proceed = Element("proceed", Namespace.tls)
    guard case .actions(let actions) = driver.machine.received(.element(proceed)) else {
      Issue.record("no actions")
      return
    }
    #expect(actions == [.restartDecoder, .startTLS])
  }

  @Test("Direct TLS: the first header is the one under TLS")
  func directTLS() throws {
    let driver = StreamDriver(try StreamDriver.request())
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    #expect(driver.sent.count == 1)
    #expect(driver.sent[0].contains("alice@example.org"))
    #expect(driver.handshakes == 0)
  }

  struct Attack: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// After our first header, each in its own piece.
    var pieces: [String]
    var sentence: String
    init(_ name: String, _ pieces: [String], _ sentence: String) {
      (testDescription, self.pieces, self.sentence) = (name, pieces, sentence)
    }
  }

  static let attacks: [Attack] = [
    Attack(
      "STARTTLS stripping: mechanisms in the clear", [Say.header + Say.mechanisms("PLAIN", "SCRAM-SHA-1")],
      "offers no TLS"),
    Attack("STARTTLS stripping: empty features", [Say.header + "<stream:features/>"], "offers no TLS"),
    Attack(
      "STARTTLS stripping: starttls of another namespace",
      [Say.header + "<stream:features><starttls xmlns='urn:evil'/></stream:features>"], "offers no TLS"),
    Attack(
      "STARTTLS stripping: bind in the clear", [Say.header + Say.lastFeatures], "offers no TLS"),
    Attack(
      "legacy fallback: no version",
      [
        "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' from='example.org'>"
      ],
      "version of XMPP"),
    Attack(
      "legacy fallback: version 0.9",
      [
        "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' version='0.9'>"
      ], "version of XMPP"),
    Attack(
      "STARTTLS refused",
      [
        Say.header + Say.tlsFeatures, "<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" + Say.mechanisms("PLAIN"),
      ], "then refused it"),
    Attack(
      "STARTTLS refused: success in place of proceed",
      [Say.header + Say.tlsFeatures, Say.saslText("success", "")], "Protocol violation"),
    Attack(
      "STARTTLS: proceed of another namespace", [Say.header + Say.tlsFeatures, "<proceed xmlns='urn:evil'/>"],
      "Protocol violation"),
    Attack(
      "STARTTLS plaintext injection",
      [
        Say.header + Say.tlsFeatures,
        Say.proceed + Say.header + Say.mechanisms("PLAIN") + "<message><body>injected</body></message>",
      ], "in the clear"),
    Attack(
      "STARTTLS plaintext injection: one space", [Say.header + Say.tlsFeatures, Say.proceed + " "], "in the clear"),
    Attack(
      "stanzas before TLS: message", [Say.header + "<message from='evil@example.org'><body>x</body></message>"],
      "sent a stanza before"),
    Attack(
      "stanzas before TLS: roster push",
      [Say.header + Say.tlsFeatures, "<iq type='set' id='1'><query xmlns='jabber:iq:roster'/></iq>"],
      "sent a stanza before"),
    Attack("stanzas before TLS: anything else", [Say.header + "<x xmlns='urn:x'/>"], "has no place"),
    Attack("not XMPP: HTTP", ["HTTP/1.1 400 Bad Request\r\n\r\n"], "not an XMPP server"),
    Attack("not XMPP: SSH", ["SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"], "not an XMPP server"),
    Attack("not XMPP: a TLS alert", ["\u{15}\u{3}\u{1}\0\u{2}\u{2}F"], "not an XMPP server"),
    Attack("not XMPP: another root", ["<html xmlns='http://www.w3.org/1999/xhtml'>"], "not an XMPP server"),
    Attack(
      "not XMPP: wrong stream namespace",
      ["<stream:stream xmlns='jabber:client' xmlns:stream='urn:evil' version='1.0'>"], "not an XMPP server"),
    Attack(
      "not XMPP for clients",
      ["<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"],
      "speaks to other servers"),
    Attack("not well-formed after the header", [Say.header + "<stream:features></wrong>"], ""),
    Attack("a DTD after the header", [Say.header + "<!DOCTYPE x>"], ""),
  ]

  @Test("Nothing goes over a connection that is not secure", arguments: attacks)
  func clearPhase(_ attack: Attack) throws {
    let driver = try connected()
    for piece in attack.pieces { driver.server(piece) }
    let failure = try #require(driver.failure)
    #expect(failure.code == .protocolViolation)
    #expect(!failure.mayRetry)
    #expect(failure.sentence.contains(attack.sentence), "\(failure)")
    #expect(driver.stanzas.isEmpty)
    #expect(!driver.sent.contains { $0.contains("auth") || $0.contains("alice") || $0.contains("jabber:iq:auth") })
    // Fatal means fatal.
    let sent = driver.sent.count
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    driver.server(Say.header)
    #expect(driver.sent.count == sent)
  }

  @Test("After the consent to TLS nothing is written in the clear, not even an error")
  func silenceAfterProceed() throws {
    let driver = try connected()
    driver.server(Say.header + Say.tlsFeatures)
    let sent = driver.sent.count
    driver.server(Say.proceed + "<x/>")
    #expect(driver.failure != nil)
    #expect(driver.handshakes == 0)
    #expect(driver.sent.count == sent)
  }

  @Test(
    "Features: optional STARTTLS, foreign features and compression change nothing",
    arguments: [
      "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
      "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>",
      "<compression xmlns='http://jabber.org/features/compress'><method>zlib</method></compression>"
        + "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
      "<auth xmlns='http://jabber.org/features/iq-auth'/><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
        + "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>",
      (0..<500).map { "<f\($0) xmlns='urn:f'/>" }.joined() + "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
    ])
  func startTLSAlways(features: String) throws {
    let driver = try connected()
    driver.server(Say.header + "<stream:features>\(features)</stream:features>")
    #expect(driver.failure == nil)
    #expect(driver.sent.last == "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
  }

  @Test("Features twice are ignored while we wait for the consent to TLS")
  func featuresTwice() throws {
    let driver = try connected()
    driver.server(Say.header + Say.tlsFeatures + Say.tlsFeatures + Say.proceed)
    #expect(driver.failure == nil)
    #expect(driver.handshakes == 1)
    #expect(driver.sent.count == 2)
  }

  @Test(
    "Header: a missing id, a foreign or impossible from, and a higher minor version do no harm",
    arguments: [
      "version='1.0'", "version='1.0' from='evil.example'", "version='1.0' from='@@/'", "version='1.9' id=''",
    ])
  func header(attributes: String) throws {
    let driver = try connected()
    driver.server(
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' \(attributes)>"
        + Say.tlsFeatures + Say.proceed)
    #expect(driver.handshakes == 1)
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    #expect(driver.sent.last?.contains("evil") == false)
    #expect(driver.sent.last?.contains("example.org") == true)
  }

  @Test("An account without a user, and an empty password, fail before anything is sent")
  func impossibleAccounts() throws {
    for (jid, password) in [("example.org", "secret"), ("alice@example.org", "")] {
      let driver = StreamDriver(try StreamDriver.request(jid, password: password))
      driver.handle(.connected)
      #expect(driver.failure?.code == .authentication)
      #expect(driver.sent.isEmpty)
    }
  }

  @Test("What the machine waits for is told at each step")
  func awaited() throws {
    let driver = StreamDriver(try StreamDriver.request())
    var told: [String] = [driver.machine.awaited]
    func step(_ change: () -> Void) {
      change()
      told.append(driver.machine.awaited)
    }
    step { driver.handle(.connected) }
    step { driver.server(Say.header) }
    step { driver.server(Say.tlsFeatures) }
    step { driver.server(Say.proceed) }
    step { driver.handle(.secured(channelBindings: [:], version: "TLSv1.3")) }
    step { driver.server(Say.header) }
    step { driver.server(Say.mechanisms("PLAIN")) }
    step { driver.server(Say.saslText("success", "")) }
    step { driver.server(Say.header) }
    step { driver.server(Say.lastFeatures) }
    step { driver.server(Say.bound("alice@example.org/here")) }
    step { driver.handle(.closeRequested) }
    step { driver.server("</stream:stream>") }
    #expect(
      told == [
        "the connection", "the server's stream header", "the server's features", "the server's consent to TLS",
        "the TLS handshake", "the server's stream header", "the server's features", "the server's answer to the log-in",
        "the server's stream header after the log-in", "the server's features after the log-in",
        "the server's answer to the request for a resource", "stanzas", "the server's end of the stream",
        "nothing: the stream is over",
      ])
  }
}
