// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

@Suite("Log-in against servers that err or attack")
struct AuthenticationTests {
  private static let nonce = "fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j"
  private static let serverFirst = "r=\(nonce),s=QSXCR+Q6sek8bf92,i=4096"

  @Test("SCRAM-SHA-1 byte for byte: auth, response, and after success header and bind in one")
  func bytes() throws {
    let driver = StreamDriver(try StreamDriver.request("user@example.org", password: "pencil"))
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    driver.server(Say.header + Say.mechanisms("SCRAM-SHA-1"))
    let first = Say.base64("n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL")
    #expect(
      driver.sent.last
        == "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='SCRAM-SHA-1'>\(first)</auth>")
    driver.server(Say.sasl("challenge", Self.serverFirst))
    let final = Say.base64("c=biws,r=\(Self.nonce),p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=")
    #expect(driver.sent.last == "<response xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(final)</response>")
    let before = driver.sent.count
    driver.server(Say.sasl("success", "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="))
    #expect(driver.sent.count == before + 1)
    let flight = try #require(driver.sent.last)
    #expect(flight.contains("<stream:stream"))
    #expect(flight.hasSuffix("</iq>"))
    #expect(flight.contains("urn:ietf:params:xml:ns:xmpp-bind"))
    #expect(!flight.contains("<resource"))
  }

  struct Attack: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// After our `<auth/>` for SCRAM-SHA-1 (user, pencil).
    var pieces: [String]
    var code = StreamFailure.Code.protocolViolation
    var sentence: String
    init(
      _ name: String, _ pieces: [String], _ sentence: String, code: StreamFailure.Code = .protocolViolation
    ) {
      (testDescription, self.pieces, self.sentence, self.code) = (name, pieces, sentence, code)
    }
  }

  private static let challenge = Say.sasl("challenge", serverFirst)
  private static let rightSignature = "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="

  static let attacks: [Attack] = [
    Attack(
      "server signature: success without data", [challenge, Say.saslText("success", "")], "without its signature"),
    Attack("server signature: success with =", [challenge, Say.saslText("success", "=")], "breaks the syntax"),
    Attack(
      "server signature: wrong", [challenge, Say.sasl("success", "v=rmF9pqV8S7suAoZWja4dJRkFsKU=")],
      "signature is wrong"),
    Attack("server signature: empty", [challenge, Say.sasl("success", "v=")], "breaks the syntax"),
    Attack(
      "server signature: truncated", [challenge, Say.sasl("success", "v=rmF9pqV8S7suAoZWja4dJRkFsA==")],
      "signature is wrong"),
    Attack(
      "server signature: longer", [challenge, Say.sasl("success", "v=rmF9pqV8S7suAoZWja4dJRkFsKQA")],
      "signature is wrong"),
    Attack(
      "server signature: an error in success", [challenge, Say.sasl("success", "e=invalid-proof")],
      "does not accept", code: .authentication),
    Attack(
      "server signature: success right after client-first", [Say.sasl("success", rightSignature)], "before it asked"),
    Attack(
      "server signature: success right after client-first, empty", [Say.saslText("success", "")], "before it asked"),
    Attack(
      "signature in a challenge: wrong", [challenge, Say.sasl("challenge", "v=rmF9pqV8S7suAoZWja4dJRkFsKU=")],
      "signature is wrong"),
    Attack(
      "signature in a challenge, then another", [challenge, Say.sasl("challenge", rightSignature), challenge],
      "where none can be"),
    Attack(
      "signature in a challenge, then again in success",
      [challenge, Say.sasl("challenge", rightSignature), Say.sasl("success", rightSignature)], "twice"),
    Attack("nonce: not ours", [Say.sasl("challenge", "r=evil,s=QSXCR+Q6sek8bf92,i=4096")], "nonce"),
    Attack("iteration count: 1", [Say.sasl("challenge", "r=\(nonce),s=QSXCR+Q6sek8bf92,i=1")], "iterations"),
    Attack("syntax: m=", [Say.sasl("challenge", "m=x," + serverFirst)], "extension"),
    Attack("syntax: challenge not base 64", [Say.saslText("challenge", "r=abc")], "base 64"),
    Attack("syntax: challenge with line breaks", [Say.saslText("challenge", "QQ==\n")], "base 64"),
    Attack("syntax: challenge empty", [Say.saslText("challenge", "")], "SCRAM"),
    Attack("syntax: challenge of no bytes", [Say.saslText("challenge", "=")], "SCRAM"),
    Attack("syntax: challenge with NUL", [Say.saslText("challenge", "AA==")], "not text"),
    Attack(
      "syntax: a challenge of 80 kB", [Say.saslText("challenge", String(repeating: "QUFB", count: 20_000))],
      "longer than any"),
    Attack("syntax: 300 challenges", [String(repeating: challenge, count: 300)], "where none can be"),
    Attack(
      "downgrade hash: wrong", [Say.sasl("challenge", serverFirst + ",h=AAAAAAAAAAAAAAAAAAAAAAAAAAA=")],
      "possible man in the middle"),
    Attack("downgrade hash: truncated", [Say.sasl("challenge", serverFirst + ",h=LrtF")], "possible man in the middle"),
    Attack(
      "stanzas before authentication: message", ["<message from='evil@example.org'><body>x</body></message>"],
      "sent a stanza before"),
    Attack(
      "stanzas before authentication: roster push",
      [challenge, "<iq type='set' id='1'><query xmlns='jabber:iq:roster'/></iq>"], "sent a stanza before"),
    Attack("an element of nobody's", ["<x xmlns='urn:x'/>"], "has no place"),
    Attack("challenge of another namespace", ["<challenge xmlns='urn:evil'>QQ==</challenge>"], "has no place"),
    Attack("proceed again", [Say.proceed], "has no place"),
    Attack(
      "bytes after success", [challenge, Say.sasl("success", rightSignature) + Say.header + Say.lastFeatures],
      "new stream", code: .serverGone),
  ]

  @Test("Aborted, and nothing later is read", arguments: attacks)
  func attack(_ attack: Attack) throws {
    let driver = StreamDriver(try StreamDriver.request("user@example.org", password: "pencil"))
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    driver.server(Say.header + Say.mechanisms("SCRAM-SHA-1"))
    for piece in attack.pieces { driver.server(piece) }
    let failure = try #require(driver.failure)
    #expect(failure.code == attack.code)
    #expect(failure.mayRetry == (attack.code == .serverGone), "who may be an impostor is left alone")
    #expect(failure.sentence.contains(attack.sentence), "\(failure)")
    #expect(!driver.machine.isReady)
    #expect(driver.stanzas.isEmpty)
    let sent = driver.sent.count
    driver.server(Say.sasl("success", Self.rightSignature))
    driver.server(Say.header + Say.lastFeatures + Say.bound("user@example.org/x"))
    #expect(driver.sent.count == sent)
    #expect(driver.outcome == nil)
  }

  @Test("Signature in a challenge, then an empty success", arguments: ["", "="])
  func signatureInChallenge(success: String) throws {
    let driver = StreamDriver(try StreamDriver.request("user@example.org", password: "pencil"))
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    driver.server(Say.header + Say.mechanisms("SCRAM-SHA-1"))
    driver.server(Self.challenge)
    driver.server(Say.sasl("challenge", Self.rightSignature))
    #expect(driver.sent.last == "<response xmlns='urn:ietf:params:xml:ns:xmpp-sasl'></response>")
    driver.server(Say.saslText("success", success))
    #expect(driver.failure == nil)
    #expect(driver.sent.last?.contains("xmpp-bind") == true)
  }

  @Test("Downgrade hash: right, it goes on")
  func rightHash() throws {
    let driver = StreamDriver(try StreamDriver.request("user@example.org", password: "pencil"))
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    driver.server(Say.header + Say.mechanisms("SCRAM-SHA-1"))
    driver.server(Say.sasl("challenge", Self.serverFirst + ",h=LrtFoCs8XsoI+diY4u3rG69UGN8="))
    #expect(driver.failure == nil)
    #expect(driver.sent.last?.hasPrefix("<response") == true)
  }

  @Test("Authentication skipped by the server")
  func skipped() throws {
    let driver = try StreamDriver.authenticating(Say.lastFeatures)
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.failure?.sentence.contains("skipped the log-in") == true)
    for element in [Say.saslText("success", ""), Say.bound("alice@example.org/x"), Say.tlsFeatures] {
      let driver = try StreamDriver.authenticating(element)
      #expect(driver.failure != nil)
      #expect(driver.outcome == nil)
    }
  }

  @Test(
    "Failures are told for what they are",
    arguments: [
      ("aborted", StreamFailure.Code.refused, false), ("account-disabled", .authentication, false),
      ("credentials-expired", .authentication, false), ("encryption-required", .refused, false),
      ("incorrect-encoding", .refused, false), ("invalid-authzid", .authentication, false),
      ("invalid-mechanism", .refused, false), ("malformed-request", .refused, false),
      ("mechanism-too-weak", .refused, false), ("not-authorized", .authentication, false),
      ("temporary-auth-failure", .temporaryAuthentication, true), ("frobnicated", .temporaryAuthentication, true),
    ])
  func conditions(condition: String, code: StreamFailure.Code, mayRetry: Bool) throws {
    let driver = try StreamDriver.authenticating(Say.mechanisms("PLAIN"))
    driver.server(
      Say.saslText(
        "failure", "<\(condition)/><text xml:lang='en'>\u{9B}2J\(String(repeating: "x", count: 5_000))</text>"))
    let failure = try #require(driver.failure)
    #expect(failure.code == code)
    #expect(failure.condition == condition)
    #expect(failure.mayRetry == mayRetry)
    #expect(!failure.sentence.contains("\u{9B}"))
    // The words are the peer's, kept apart for the escaper, and bounded.
    #expect(failure.peerText?.hasPrefix("\u{9B}2J") == true)
    #expect(failure.peerText?.count == StreamLimits.peerText)
  }

  @Test("A failure without a condition, or of another namespace")
  func oddFailures() throws {
    let empty = try StreamDriver.authenticating()
    empty.server(Say.saslText("failure", ""))
    #expect(empty.failure?.code == .temporaryAuthentication)
    let foreign = try StreamDriver.authenticating()
    foreign.server("<failure xmlns='urn:evil'><not-authorized/></failure>")
    #expect(foreign.failure?.code == .protocolViolation)
  }

  @Test("Fallback after failure: a wrong password is never repeated in a weaker mechanism")
  func noFallback() throws {
    let script = Say.mechanisms("PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-256")
    for pieces in [[Say.failure("not-authorized")], [Say.failure("mechanism-too-weak")]] {
      let driver = try StreamDriver.authenticating(script)
      let sent = driver.sent.count
      for piece in pieces { driver.server(piece) }
      #expect(driver.failure != nil)
      #expect(driver.sent[sent...].allSatisfy { !$0.contains("auth") })
      #expect(!driver.sent.contains { $0.contains("PLAIN") })
    }
  }

  @Test("-PLUS announced and then refused: possible man in the middle, and no second try")
  func refusedBinding() throws {
    let features =
      "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-1</mechanism>"
      + "<mechanism>SCRAM-SHA-1-PLUS</mechanism></mechanisms><sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>"
      + "<channel-binding type='tls-exporter'/></sasl-channel-binding></stream:features>"
    for (condition, code) in [
      ("malformed-request", StreamFailure.Code.protocolViolation), ("not-authorized", .authentication),
    ] {
      let driver = try StreamDriver.authenticating(features)
      #expect(driver.lastMessage?.hasPrefix("p=tls-exporter,,n=alice,r=") == true)
      driver.server(Say.failure(condition))
      let failure = try #require(driver.failure)
      #expect(failure.code == code)
      #expect(failure.sentence.contains("possible man in the middle"))
      #expect(failure.sentence.contains("channel_binding = \"off\""))
      #expect((failure.advice?.contains("account check") == true) == (condition == "not-authorized"))
      #expect(driver.sent.filter { $0.contains("<auth") }.count == 1)
    }
  }

  @Test("refused before the proof, by a server without -PLUS: 'account check' says that its offer may be hidden")
  func refusedWithoutBinding() throws {
    let driver = try StreamDriver.authenticating(Say.mechanisms("SCRAM-SHA-1"), channelBindings: ["tls-exporter": [1]])
    #expect(driver.lastMessage?.hasPrefix("y,,n=alice,r=") == true)
    driver.server(Say.failure("not-authorized"))
    let failure = try #require(driver.failure)
    #expect(failure.code == .authentication && failure.sentence.contains("possible man in the middle"))
    #expect(failure.advice?.contains("account check") == true)
  }

  @Test("refused for its form, without binding: it is not said that the log-in was to be bound")
  func refusedFormWithoutBinding() throws {
    for condition in ["malformed-request", "invalid-mechanism"] {
      let driver = try StreamDriver.authenticating(
        Say.mechanisms("SCRAM-SHA-1"), channelBindings: ["tls-exporter": [1]])
      driver.server(Say.failure(condition))
      let failure = try #require(driver.failure)
      #expect(failure.code == .protocolViolation)
      #expect(failure.sentence.hasPrefix("The server refuses a log-in that is not bound to this TLS connection"))
      #expect(failure.sentence.contains("possible man in the middle"))
      #expect(failure.sentence.contains("channel_binding = \"off\""))
    }
  }

  @Test("Types not announced: each is tried with a nonce of its own, then y; no other failure goes on")
  func triedInTurn() throws {
    let mechanisms = Say.mechanisms("SCRAM-SHA-1-PLUS", "SCRAM-SHA-1", "PLAIN")
    let bindings: [String: [UInt8]] = ["tls-exporter": [1], "tls-server-end-point": [2]]
    let driver = try StreamDriver.authenticating(mechanisms, channelBindings: bindings)
    var messages = [driver.lastMessage]
    driver.server(Say.failure("not-authorized"))
    messages.append(driver.lastMessage)
    driver.server(Say.failure("malformed-request"))
    messages.append(driver.lastMessage)
    #expect(
      messages == [
        "p=tls-exporter,,n=alice,r=fyko+d2lbbFgONRv9qkxdawL",
        "p=tls-server-end-point,,n=alice,r=fyko+d2lbbFgONRv9qkxdawL.1", "y,,n=alice,r=fyko+d2lbbFgONRv9qkxdawL.2",
      ])
    #expect(driver.failure == nil)
    driver.server(Say.failure("malformed-request"))
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.failure?.sentence.contains("possible man in the middle") == true)
    #expect(!driver.sent.contains { $0.contains("PLAIN") })

    for condition in ["account-disabled", "temporary-auth-failure", "credentials-expired", "aborted"] {
      let driver = try StreamDriver.authenticating(mechanisms, channelBindings: bindings)
      driver.server(Say.failure(condition))
      #expect(driver.failure?.condition == condition)
    }
  }

  @Test("Types not announced: once the proof is out, a failure is the password's and ends it")
  func refusedProof() throws {
    let driver = try StreamDriver.authenticating(Say.mechanisms("SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"))
    driver.server(Self.challenge)
    #expect(driver.sent.last?.hasPrefix("<response") == true)
    driver.server(Say.failure("not-authorized"))
    #expect(driver.failure?.code == .authentication)
    #expect(driver.sent.filter { $0.contains("<auth") }.count == 1)
  }

  @Test("Keys that come too late are no harm; keys that cannot be made end the log-in")
  func derivation() throws {
    let late = try StreamDriver.authenticating()
    var derivation: SCRAMDerivation?
    late.derive = {
      derivation = $0
      return nil
    }
    late.server(Self.challenge)
    #expect(late.machine.awaited == "the keys of the log-in")
    late.server(Say.failure("temporary-auth-failure"))
    #expect(late.failure?.code == .temporaryAuthentication)
    let sent = late.sent.count
    late.handle(.keysDerived(try #require(derivation?.run())))
    late.handle(.keyDerivationFailed)
    #expect(late.sent.count == sent)

    let impossible = try StreamDriver.authenticating()
    impossible.derive = { _ in .keyDerivationFailed }
    impossible.server(Self.challenge)
    #expect(impossible.failure?.code == .unable)
  }

  @Test("The server goes on while the keys are made")
  func impatient() throws {
    for (said, isViolation) in [(Self.challenge, true), (Say.sasl("success", Self.rightSignature), true), ("", false)] {
      let driver = try StreamDriver.authenticating()
      driver.derive = { _ in nil }
      driver.server(Self.challenge)
      driver.server(said)
      #expect((driver.failure?.code == .protocolViolation) == isViolation)
    }
  }
}
