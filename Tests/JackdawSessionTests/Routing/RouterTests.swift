// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Which stanzas the session answers, delivers or drops (RFC 6120 8).
@Client @Suite(.onLoop) struct RouterTests {
  private func online() async throws -> SessionFixture {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    return fixture
  }

  private static func error(_ id: String, to: String?, _ type: String, _ condition: String) throws -> Element {
    let to = to.map { " to='\($0)'" } ?? ""
    return try Element(
      parsing: "<iq type='error' id='\(id)'\(to)><error type='\(type)'>"
        + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
  }

  /// Every request must be answered (RFC 6120 8.2.3 and 8.4).
  @Test(
    "An unknown request is answered with service-unavailable", arguments: ["get", "set"], ["bob@example.org/x", nil])
  func anUnknownRequestIsRefused(_ type: String, _ from: String?) async throws {
    let fixture = try await online()
    let sender = from.map { "from='\($0)'" } ?? ""
    await fixture.receive("<iq type='\(type)' id='u1' \(sender)><query xmlns='urn:of:the:future'/></iq>")
    #expect(try fixture.sent() == [Self.error("u1", to: from, "cancel", "service-unavailable")])
  }

  @Test(
    "A request without exactly one child is answered with bad-request", arguments: ["get", "set"],
    ["", "<ping xmlns='urn:xmpp:ping'/><ping xmlns='urn:xmpp:ping'/>"])
  func aRequestWithoutExactlyOneChildIsABadRequest(_ type: String, _ content: String) async throws {
    let fixture = try await online()
    await fixture.receive("<iq type='\(type)' id='b1' from='alice@example.org/x'>\(content)</iq>")
    #expect(try fixture.sent() == [Self.error("b1", to: "alice@example.org/x", "modify", "bad-request")])
  }

  @Test("An IQ of an unknown type is answered with bad-request", arguments: ["", " type='frob'", " type='RESULT'"])
  func aRequestOfNoKnownTypeIsABadRequest(_ type: String) async throws {
    let fixture = try await online()
    await fixture.receive("<iq id='b2' from='alice@example.org/x'\(type)><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(try fixture.sent() == [Self.error("b2", to: "alice@example.org/x", "modify", "bad-request")])
  }

  /// To a stranger we look like nobody: that is what their server says of an address that is not there (RFC 6121 8.5.3.2.3).
  @Test(
    "A stranger's request is answered as if nobody were there",
    arguments: [
      "type='get'><ping xmlns='urn:xmpp:ping'/>", "type='get'><query xmlns='jabber:iq:version'/>",
      "type='get'><query xmlns='http://jabber.org/protocol/disco#info'/>", "type='get'>", "type='frob'>",
      "type='set'><query xmlns='jabber:iq:roster'/>",
    ])
  func aStrangerIsToldThatNobodyIsThere(_ content: String) async throws {
    let fixture = try await online()
    await fixture.receive("<iq id='s1' from='mallory@example.net/x' \(content)</iq>")
    #expect(try fixture.sent() == [Self.error("s1", to: "mallory@example.net/x", "cancel", "service-unavailable")])
  }

  /// Whom to answer is not known, or what about.
  @Test(
    "A request that cannot be answered is dropped",
    arguments: [
      "<iq type='get' id='n1' from='@@/'><ping xmlns='urn:xmpp:ping'/></iq>",
      "<iq type='get' from='bob@example.org/x'><ping xmlns='urn:xmpp:ping'/></iq>",
      "<iq type='get' id='' from='bob@example.org/x'><ping xmlns='urn:xmpp:ping'/></iq>",
      "<iq type='frob' id='n2' from='bob@@example.org'/>",
    ])
  func whatCannotBeAnsweredIsDropped(_ stanza: String) async throws {
    let fixture = try await online()
    await fixture.receive(stanza)
    #expect(fixture.sent().isEmpty)
    #expect(fixture.session.isOnline)
    #expect(fixture.remarks.count == 1)
  }

  /// Results and errors are never answered (RFC 6120 8.2.3 and 8.3.1); late, foreign and malformed ones are dropped.
  @Test(
    "An IQ result or error is never answered",
    arguments: [
      "<iq type='result' id='x'/>", "<iq type='error' id='x'/>", "<iq type='result'/>",
      "<iq type='error' id='x' from='@@'><error type='cancel'/></iq>",
      "<iq type='result' id='x' from='mallory@example.net'><a xmlns='urn:a'/><b xmlns='urn:b'/></iq>",
      "<message type='error' from='bob@example.org'><body>x</body></message>",
      "<message type='error' id='x' from='bob@example.org'/>",
      "<presence type='error' from='bob@example.org'/>",
    ])
  func whatIsAnAnswerIsNeverAnswered(_ stanza: String) async throws {
    let fixture = try await online()
    await fixture.receive(stanza)
    #expect(fixture.sent().isEmpty)
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(fixture.session.isOnline)
  }

  /// A spoofed reply (CVE-2013-6483, CVE-2014-0364, CVE-2024-46957).
  @Test(
    "A forged answer is dropped, and the true one still arrives",
    arguments: ["mallory@example.net", "alice@example.org/other", "example.net", "alice@example.org.example.net"])
  func aForgedAnswerIsDroppedAndTheTrueOneStillArrives(_ forger: String) async throws {
    let fixture = try await online()
    fixture.answer = { _ in [] }
    let asked = fixture.start { try await fixture.session.requests.roundTrip(timeout: .seconds(30)) }
    await fixture.clock.settle()
    let id = try #require(fixture.sent().first?.attribute("id"))
    await fixture.receive("<iq type='result' id='\(id)' from='\(forger)'/>")
    await fixture.receive("<presence id='\(id)' from='example.org'/>")
    #expect(!asked.hasEnded)
    await fixture.receive("<iq type='result' id='\(id)' from='alice@example.org'/>")
    #expect(asked.hasEnded && asked.error == nil)
  }

  /// A flood of requests (XEP-0205).
  @Test("Five thousand pings are all answered") func fiveThousandPingsAreAllAnswered() async throws {
    let fixture = try await online()
    var flood = ""
    for number in 0..<5_000 {
      flood += "<iq type='get' id='f\(number)' from='mallory@example.net/x'><ping xmlns='urn:xmpp:ping'/></iq>"
    }
    await fixture.receive(flood)
    let sent = fixture.sent()
    #expect(sent.count == 5_000)
    #expect(sent.enumerated().allSatisfy { $1.attribute("id") == "f\($0)" && $1.attribute("type") == "error" })
    #expect(fixture.session.isOnline)
  }

  /// RFC 6120 8.1.2.1.
  @Test("A message without a sender comes from our own account")
  func aMessageWithoutSenderComesFromOurOwnAccount() async throws {
    let fixture = try await online()
    await fixture.receive("<message to='alice@example.org/here'><body>note</body></message>")
    #expect(fixture.events(MessageArrived.self).map(\.from.description) == ["alice@example.org"])
  }

  @Test(
    "A message with a malformed address is dropped",
    arguments: [
      "from='@@/'", "from=''", "from='bob@'", "from='bob@example.org' to='@'",
      "from='\(String(repeating: "x", count: 3_000))@example.org'",
    ])
  func aMessageWithABadAddressIsDropped(_ addresses: String) async throws {
    let fixture = try await online()
    await fixture.receive("<message \(addresses)><body>x</body></message><presence \(addresses)/>")
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(fixture.events(PresenceChanged.self).isEmpty)
    #expect(fixture.remarks.count == 2)
    #expect(fixture.session.isOnline)
  }

  @Test("A message of an unknown type is a normal one") func aMessageOfAnUnknownTypeIsANormalOne() async throws {
    let fixture = try await online()
    await fixture.receive("<message type='frob' from='bob@example.org/%n'><body>x</body></message>")
    #expect(fixture.events(MessageArrived.self).map(\.kind) == [.normal])
  }

  /// Malformed presence (RFC 6121 4.7).
  @Test("Malformed presence is read as far as possible") func malformedPresenceIsReadAsFarAsItGoes() async throws {
    let fixture = try await online()
    let status = String(repeating: "s", count: 100_000)
    await fixture.receive(
      "<presence from='alice@example.org/a'><priority>9999</priority><show>frob</show></presence>"
        + "<presence from='alice@example.org/b'><priority>abc</priority><status>\(status)</status></presence>"
        + "<presence from='alice@example.org/c' type='frob'/><presence from='alice@example.org/d' type='available'/>")
    let changes = fixture.events(PresenceChanged.self)
    #expect(changes.map(\.from.resource) == ["a", "b"])
    #expect(changes.map(\.show) == ["available", "available"])
    #expect(changes.map(\.priority) == [0, 0])
    #expect(changes.last?.status?.count == SessionLimits.statusText)
    let kept = fixture.session.features[PresenceBoard.self].resources(of: try JID("alice@example.org"))
    #expect(kept.count == 2 && kept.allSatisfy { $0.status?.count ?? 0 <= SessionLimits.statusText })
  }
}
