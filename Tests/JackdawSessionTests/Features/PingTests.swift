// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// XEP-0199.
@Client @Suite(.onLoop) struct PingTests {
  private func online() async throws -> (SessionFixture, Ping) {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    return (fixture, fixture.session.features[Ping.self])
  }

  @Test("A ping is answered", arguments: ["example.org", "alice@example.org/other", nil])
  func aPingIsAnswered(_ from: String?) async throws {
    let (fixture, _) = try await online()
    await fixture.receive(
      "<iq type='get' id='p1' \(from.map { "from='\($0)'" } ?? "")><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(try fixture.sent() == [IQ(kind: .result, id: "p1", to: from.map { try JID($0) }).element])
  }

  @Test("The time of the round trip is reported") func theTimeOfTheRoundTripIsTold() async throws {
    let (fixture, ping) = try await online()
    fixture.answer = { _ in [] }
    let bob = try JID("bob@example.net/x")
    let time = fixture.start { try await ping.ping(bob) }
    await fixture.clock.elapse(.milliseconds(120))
    let request = try IQ(try #require(fixture.sent().first))
    #expect(request.to == bob)
    #expect(request.payload == Element("ping", Ping.namespace))
    await fixture.receive("<iq type='result' id='\(request.id)' from='bob@example.net/x'/>")
    #expect(time.value == .milliseconds(120))
  }

  @Test(
    "A server that does not support ping counts as reachable",
    arguments: ["service-unavailable", "feature-not-implemented"])
  func aServerThatDoesNotKnowPingIsThereAllTheSame(_ condition: String) async throws {
    let (fixture, ping) = try await online()
    fixture.answer = Self.refusing(condition)
    _ = try await ping.ping()
    _ = try await ping.ping(try JID("example.net"))
    try await fixture.session.requests.roundTrip(timeout: .seconds(1))
    // A client that says so may not be there at all: its server says it for it.
    let error = await #expect(throws: RequestError.self) { try await ping.ping(try JID("bob@example.net/x")) }
    #expect(error?.stanzaError?.condition == condition)
  }

  @Test("A server that cannot be reached fails the ping") func aServerThatCannotBeReachedIsNotThere() async throws {
    let (fixture, ping) = try await online()
    fixture.answer = Self.refusing("remote-server-not-found")
    await #expect(throws: RequestError.self) { try await ping.ping(try JID("example.net")) }
    // For the round trip to our own server any answer will do.
    try await fixture.session.requests.roundTrip(timeout: .seconds(1))
  }

  @Test("A ping without an answer times out") func silenceEndsByTheDeadline() async throws {
    let (fixture, ping) = try await online()
    fixture.answer = { _ in [] }
    let time = fixture.start { try await ping.ping(timeout: .seconds(3)) }
    await fixture.clock.elapse(.seconds(3))
    #expect((time.error as? RequestError)?.code == .timedOut)
  }

  @Test("The longer timeout of a command overrides the session's")
  func aPatientCommandWaitsLongerThanItsSession() async throws {
    let (fixture, ping) = try await online()
    fixture.answer = { _ in [] }
    let time = fixture.start {
      try await PatienceOfCommand.$current.withValue(.atLeast(.seconds(45))) { try await ping.ping() }
    }
    await fixture.clock.elapse(.seconds(44))
    #expect(time.error == nil)
    await fixture.clock.elapse(.seconds(1))
    #expect((time.error as? RequestError)?.code == .timedOut)
    // One that is in a hurry ends by itself, and cuts short nothing that others wait for, too.
    let hasty = fixture.start {
      try await PatienceOfCommand.$current.withValue(.atLeast(.seconds(1))) { try await ping.ping() }
    }
    await fixture.clock.elapse(.seconds(29))
    #expect(hasty.error == nil)
    await fixture.clock.elapse(.seconds(1))
    #expect((hasty.error as? RequestError)?.code == .timedOut)
    // Of many steps each has its own time.
    let step = fixture.start {
      try await PatienceOfCommand.$current.withValue(.exactly(.seconds(1))) { try await ping.ping() }
    }
    await fixture.clock.elapse(.seconds(1))
    #expect((step.error as? RequestError)?.code == .timedOut)
  }

  private static func refusing(_ condition: String) -> @Client (Element) -> [Element] {
    { element in
      guard let iq = try? IQ(element) else { return [] }
      var answer = iq.failure(StanzaError(kind: .cancel, condition: condition))
      answer.from = iq.to
      return [answer.element]
    }
  }
}
