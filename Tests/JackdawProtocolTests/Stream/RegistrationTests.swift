// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

/// XEP-0077 3.1, before anybody is logged in.
@Suite("Making an account")
struct RegistrationTests {
  private static let form =
    "<iq type='result' id='r1' from='example.org'><query xmlns='jabber:iq:register'><username/><password/></query></iq>"
  private static let done = "<iq type='result' id='r1.2'/>"

  private static func request(
    _ account: String = "alice@example.org", password: String = "secret", fields: [String: String] = [:],
    canAsk: Bool = false
  ) throws -> RegistrationRequest {
    RegistrationRequest(account: try JID(account), password: password, fields: fields, canAsk: canAsk, id: "r1")
  }

  /// Over TLS, with the first question out.
  private func asking(_ request: RegistrationRequest? = nil) throws -> StreamDriver {
    let driver = StreamDriver(registering: try request ?? Self.request())
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    driver.server(Say.header + Say.mechanisms("SCRAM-SHA-1"))
    return driver
  }

  @Test("It is asked for, filled in and confirmed; then the stream is over")
  func wholeWay() throws {
    let driver = StreamDriver(registering: try Self.request("alice@example.org/here"))
    driver.handle(.connected)
    driver.server(Say.header + Say.tlsFeatures)
    driver.server(Say.proceed)
    #expect(driver.handshakes == 1)
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    driver.server(Say.header + Say.mechanisms("PLAIN", "SCRAM-SHA-1"))
    #expect(driver.sent.last == "<iq type='get' id='r1' to='example.org'><query xmlns='jabber:iq:register'/></iq>")
    #expect(driver.machine.awaited == "the server's questions for a new account")
    driver.server(Self.form)
    #expect(
      driver.sent.last
        == "<iq type='set' id='r1.2' to='example.org'><query xmlns='jabber:iq:register'><username>alice</username>"
        + "<password>secret</password></query></iq>")
    #expect(driver.machine.awaited == "the new account")
    #expect(!driver.isRegistered)
    driver.server(Self.done)
    #expect(driver.isRegistered)
    #expect(driver.sent.last == "</stream:stream>")
    #expect(driver.outcome == nil && !driver.machine.isReady && driver.failure == nil)
    // Whatever comes after that has no effect.
    driver.server("<message><body>x</body></message><iq type='result' id='r1.2'/>")
    driver.server("</stream:stream>")
    #expect(driver.isClosed && driver.stanzas.isEmpty && driver.failure == nil)
  }

  @Test("Nobody is named in a header, since nobody is there yet")
  func headers() throws {
    let driver = StreamDriver(registering: try Self.request())
    driver.handle(.connected)
    driver.server(Say.header + Say.tlsFeatures + Say.proceed)
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    #expect(driver.sent.filter { $0.contains("stream:stream") }.count == 2)
    #expect(driver.sent.allSatisfy { !$0.contains("alice") && !$0.contains("secret") })
  }

  @Test("What a server asks besides is answered")
  func moreFields() throws {
    let driver = try asking(Self.request(fields: ["email": "a@x.org", "username": "mallory", "password": "other"]))
    driver.server(
      "<iq type='result' id='r1'><query xmlns='jabber:iq:register'><username/><password/><email/></query></iq>")
    #expect(
      driver.sent.last?.contains(
        "<username>alice</username><password>secret</password><email>a@x.org</email>") == true)
  }

  @Test("Where somebody can be asked, the server's questions end the stream, and nothing of the account is sent")
  func questions() throws {
    let driver = try asking(Self.request(canAsk: true))
    driver.server(
      "<iq type='result' id='r1'><query xmlns='jabber:iq:register'><username/><password/><email/></query></iq>")
    #expect(driver.asked?.fields == ["username", "password", "email"])
    #expect(driver.sent.last == "</stream:stream>" && driver.sent.allSatisfy { !$0.contains("secret") })
    driver.server("</stream:stream>")
    #expect(driver.isClosed && driver.failure == nil && !driver.isRegistered)

    let plain = try asking(Self.request(canAsk: true))
    plain.server(Self.form + Self.done)
    #expect(plain.isRegistered && plain.asked == nil)
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var toForm: String?
    var toAccount: String?
    var condition: String
    var sentence: String
    var mayRetry = false

    init(
      _ name: String, form: String? = nil, account: String? = nil, _ condition: String, _ sentence: String,
      mayRetry: Bool = false
    ) {
      testDescription = name
      toForm = form
      toAccount = account
      self.condition = condition
      self.sentence = sentence
      self.mayRetry = mayRetry
    }

    static func error(_ id: String, _ condition: String, type: String = "cancel", text: String = "") -> String {
      "<iq type='error' id='\(id)'><error type='\(type)'><\(condition) xmlns='\(Namespace.stanzaErrors)'/>"
        + "<text xmlns='\(Namespace.stanzaErrors)'>\(text)</text></error></iq>"
    }
  }

  static let refusals = [
    Answer(
      "a server without registration", form: Answer.error("r1", "service-unavailable"), "service-unavailable",
      "example.org does not let you register over XMPP: ask its operator, or look at its website."),
    Answer(
      "one that says why", form: Answer.error("r1", "not-allowed", text: "Invitations only"), "not-allowed",
      "example.org does not let you register over XMPP: ask its operator, or look at its website: Invitations only."),
    Answer(
      "a name that is taken", account: Answer.error("r1.2", "conflict"), "conflict",
      "The name 'alice' is taken at example.org."),
    Answer(
      "a password that is too weak", account: Answer.error("r1.2", "not-acceptable", type: "modify", text: "Too weak"),
      "not-acceptable", "example.org does not take the name, the password or what else was given: Too weak."),
    Answer(
      "too many at once", account: Answer.error("r1.2", "resource-constraint", type: "wait"), "resource-constraint",
      "example.org does not make the account: The server is too busy or has no room left.", mayRetry: true),
    Answer(
      "questions that were not foreseen",
      form: "<iq type='result' id='r1'><query xmlns='jabber:iq:register'><username/><password/><email/></query></iq>",
      "missing-fields", "The server asks for more: email."),
  ]

  @Test("A refusal is told with its reason", arguments: refusals)
  func refused(_ answer: Answer) throws {
    let driver = try asking()
    driver.server(answer.toForm ?? Self.form)
    if let said = answer.toAccount { driver.server(said) }
    #expect(driver.failure?.code == .refused)
    #expect(driver.failure?.condition == answer.condition)
    #expect(driver.failure?.description == answer.sentence)
    #expect(driver.failure?.mayRetry == answer.mayRetry)
    #expect(driver.sent.last == "</stream:stream>")
    #expect(!driver.isRegistered)
  }

  @Test(
    "The gate: nothing but the two answers may come, and from nobody else",
    arguments: [
      "<message from='bob@example.org'><body>x</body></message>", "<presence/>",
      "<iq type='set' id='r1'><query xmlns='jabber:iq:roster'/></iq>", "<iq type='result' id='r2'/>",
      "<iq type='result' id='r1' from='mallory@example.org'><query xmlns='jabber:iq:register'/></iq>",
      "<iq type='result' id='r1' from='example.net'><query xmlns='jabber:iq:register'/></iq>",
      "<iq type='result' id='r1.2'/>", "<iq type='get' id='r1'><query xmlns='jabber:iq:register'/></iq>",
      "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>", "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
      "<r xmlns='urn:xmpp:sm:3'/>", "<iq type='result' id='r1'/>",
      "<iq type='result' id='r1'><query xmlns='jabber:iq:roster'/></iq>",
    ])
  func gate(_ words: String) throws {
    let driver = try asking()
    let said = driver.sent.count
    driver.server(words)
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.stanzas.isEmpty && driver.others.isEmpty && !driver.isRegistered)
    #expect(driver.sent[said...].allSatisfy { !$0.contains("secret") })
  }

  @Test("Without TLS nothing is asked, let alone told", arguments: [Say.mechanisms("PLAIN"), "<stream:features/>"])
  func stripped(_ features: String) throws {
    let driver = StreamDriver(registering: try Self.request())
    driver.handle(.connected)
    driver.server(Say.header + features)
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.sent.allSatisfy { !$0.contains("register") && !$0.contains("secret") })
  }

  @Test("A server that sends a stranger elsewhere, ends the stream or hangs up is told so")
  func ends() throws {
    let redirected = try asking()
    redirected.server(Say.streamError("see-other-host", "other.example:5222"))
    #expect(redirected.redirection == "other.example:5222")

    let refused = try asking()
    refused.server(Say.streamError("not-authorized"))
    #expect(refused.failure?.code == .refused)
    #expect(refused.failure?.sentence.hasPrefix("example.org does not let you register over XMPP") == true)
    let late = try asking()
    late.server(Self.form + Say.streamError("not-authorized"))
    #expect(late.failure?.sentence.contains("makes no accounts") == false)

    let closed = try asking()
    closed.server("</stream:stream>")
    #expect(
      closed.failure?.sentence
        == "The server ended the stream while this side waited for the server's questions for a new account.")
  }

  @Test("What no server can take is not sent")
  func unusable() throws {
    for request in [try Self.request("example.org"), try Self.request(password: "a\u{7}b")] {
      let driver = StreamDriver(registering: request)
      driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
      #expect(driver.failure?.code == .refused)
      #expect(driver.sent.isEmpty)
    }
  }

  @Test("The password is sent as it will be at each log-in")
  func preparedPassword() throws {
    // SASLprep maps the no-break space to a space.
    let driver = try asking(Self.request(password: "I\u{A0}am"))
    driver.server(Self.form)
    #expect(driver.sent.last?.contains("<password>I am</password>") == true)
  }

  @Test("Leaving in mid-registration closes the stream")
  func leaving() throws {
    let driver = try asking()
    driver.handle(.closeRequested)
    #expect(driver.sent.last == "</stream:stream>")
    driver.server(Self.form + "</stream:stream>")
    #expect(driver.isClosed && !driver.isRegistered)
  }
}
