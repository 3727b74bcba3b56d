// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// XEP-0203: whose stamps are trusted, and impossible ones.
@Client @Suite(.onLoop) struct DelayedDeliveryTests {
  /// What a message's event says of its delay, with these stamps in the message.
  /// - Parameter pause: how long after the log-in it comes.
  private func delay(_ stamps: String, after pause: Duration = .zero) async throws -> String? {
    let fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    try await fixture.settleIn()
    await fixture.clock.elapse(pause)
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    await fixture.receive("<message from='bob@example.net/x'><body>x</body>\(stamps)</message>")
    let messages = fixture.events(MessageArrived.self)
    #expect(messages.count == 1)
    return messages.first?.delayed?.description
  }

  private static func stamp(_ time: String, from: String?) -> String {
    "<delay xmlns='urn:xmpp:delay' stamp='\(time)'\(from.map { " from='\($0)'" } ?? "")>Offline storage</delay>"
  }

  @Test(
    "A delay stamped by our server or account counts", arguments: ["example.org", "alice@example.org", "EXAMPLE.org"])
  func aStampOfOurServerOrAccountCounts(_ from: String) async throws {
    #expect(try await delay(Self.stamp("2026-11-20T10:00:00Z", from: from)) == "2026-11-20T10:00:00.000Z")
  }

  @Test("The legacy form of a delay counts") func theLegacyFormCounts() async throws {
    let stamp = "<x xmlns='jabber:x:delay' stamp='20261120T10:00:00' from='example.org'/>"
    #expect(try await delay(stamp) == "2026-11-20T10:00:00.000Z")
  }

  @Test(
    "A delay stamped by anybody else is ignored",
    arguments: [
      "bob@example.net", "bob@example.net/x", "example.net", "alice@example.org/other", "example.org.example.net",
      "room@rooms.example.org", "@@", "", nil,
    ])
  func aStampOfAnybodyElseIsIgnored(_ from: String?) async throws {
    #expect(try await delay(Self.stamp("2026-11-20T10:00:00Z", from: from)) == nil)
  }

  @Test(
    "A stamp that is not a time is ignored",
    arguments: [
      "", "yesterday", "2026-13-41T10:00:00Z", "0000-01-01T00:00:00Z", String(repeating: "9", count: 10_000),
    ])
  func whatIsNoTimeIsIgnored(_ time: String) async throws {
    #expect(try await delay(Self.stamp(time, from: "example.org")) == nil)
  }

  @Test("A stamp in the future is clamped to now", arguments: ["2026-11-21T08:00:01Z", "9999-12-31T23:59:59Z"])
  func nothingComesFromTheFuture(_ time: String) async throws {
    #expect(try await delay(Self.stamp(time, from: "example.org")) == "2026-11-21T08:00:00.000Z")
  }

  /// A sender can write a stamp in our server's name; the server adds its own behind it.
  @Test("Of several stamps the server's own is believed") func ofSeveralTheServersOwnIsBelieved() async throws {
    let stamps =
      Self.stamp("2001-01-01T00:00:00Z", from: "example.org") + Self.stamp("2026-11-20T10:00:00Z", from: "example.org")
      + Self.stamp("2002-02-02T00:00:00Z", from: "bob@example.net")
    #expect(try await delay(stamps) == "2026-11-20T10:00:00.000Z")
  }

  /// No server writes the legacy form alone and behind its own.
  @Test("A legacy stamp in the server's name is believed over no other one", arguments: [true, false])
  func theLegacyFormInTheServersNameIsBelievedOverNoOther(_ isFirst: Bool) async throws {
    let forged = "<x xmlns='jabber:x:delay' stamp='20010101T00:00:00' from='example.org'/>"
    let own = Self.stamp("2026-11-20T10:00:00Z", from: "example.org")
    #expect(try await delay(isFirst ? forged + own : own + forged) == "2026-11-20T10:00:00.000Z")
  }

  /// What the server kept comes when we become available; later a stamp is its sender's.
  @Test("The server's stamp counts within a minute after the log-in, and a later one is ignored")
  func whatHasJustBeenSaidIsNotDated() async throws {
    let stamp = Self.stamp("2026-11-20T10:00:00Z", from: "example.org")
    #expect(try await delay(stamp, after: .seconds(60)) == "2026-11-20T10:00:00.000Z")
    #expect(try await delay(stamp, after: .seconds(61)) == nil)
  }

  private static let stored =
    "<message from='bob@example.net/x'><body>x</body>"
    + stamp("2026-11-20T10:00:00Z", from: "example.org") + "</message>"

  /// What the server kept goes before the answer to what was asked behind our presence.
  @Test("Once a request sent after our presence is answered a stamp is ignored")
  func behindTheFirstAnswerNothingIsStored() async throws {
    let fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    try await fixture.settleIn()
    await fixture.receive(Self.stored)
    _ = try await fixture.session.features[Ping.self].ping()
    await fixture.receive(Self.stored)
    #expect(fixture.events(MessageArrived.self).map { $0.delayed != nil } == [true, false])
  }

  /// Requests of the log-in, before our presence, may be answered late.
  @Test("The answer to a request from before our presence does not end the time of stored messages")
  func anAnswerToWhatWasAskedBeforeSaysNothing() async throws {
    let fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    try await fixture.settleIn(showing: nil)
    let asked = fixture.answer
    fixture.answer = { _ in [] }
    let bob = try JID("bob@example.net/x")
    let time = fixture.start { try await fixture.session.features[Ping.self].ping(bob) }
    await fixture.clock.settle()
    let request = try IQ(try #require(fixture.sent().first))
    fixture.answer = asked
    try fixture.session.features[PresenceBoard.self].announce(Presence())
    await fixture.receive("<iq type='result' id='\(request.id)' from='bob@example.net/x'/>")
    #expect(time.value != nil)
    await fixture.receive(Self.stored)
    #expect(fixture.events(MessageArrived.self).map { $0.delayed != nil } == [true])
  }

  /// With a negative priority nothing of it comes (RFC 6121 8.5.2.2).
  @Test("Stored messages are expected after the first presence whose priority is not negative")
  func itComesToTheFirstPriorityThatIsNotNegative() async throws {
    let fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    try await fixture.settleIn(showing: Presence(priority: -1))
    _ = try await fixture.session.features[Ping.self].ping()
    try fixture.session.features[PresenceBoard.self].announce(Presence())
    await fixture.receive(Self.stored)
    #expect(fixture.events(MessageArrived.self).map { $0.delayed != nil } == [true])
  }

  /// A long queue over a slow line.
  @Test("Stored messages keep their stamps though they take minutes to arrive")
  func whatTheServerKeptMayTakeLong() async throws {
    let fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    try await fixture.settleIn()
    for _ in 0..<5 {
      await fixture.clock.elapse(.seconds(50))
      await fixture.receive(
        "<message from='bob@example.net/x'><body>x</body>\(Self.stamp("2026-11-20T10:00:00Z", from: "example.org"))</message>"
      )
    }
    #expect(fixture.events(MessageArrived.self).count { $0.delayed != nil } == 5)
  }

  /// Whoever writes a stamp in our server's name each half minute from the log-in on.
  @Test("A sender who stamps messages in our server's name is believed for ten minutes at most")
  func nobodyHoldsItOpenForEver() async throws {
    let fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    try await fixture.settleIn()
    for _ in 0..<120 {
      await fixture.clock.elapse(.seconds(30))
      await fixture.receive(
        "<message from='bob@example.net/x'><body>x</body>\(Self.stamp("2026-11-20T10:00:00Z", from: "example.org"))</message>"
      )
    }
    let dated = fixture.events(MessageArrived.self).map { $0.delayed != nil }
    #expect(dated.count == 120 && dated.count { $0 } == 20 && !dated.suffix(100).contains(true))
  }

  @Test("A message without a stamp has no delay") func aMessageThatWasNotHeldUpHasNoDelay() async throws {
    #expect(try await delay("") == nil)
  }
}
