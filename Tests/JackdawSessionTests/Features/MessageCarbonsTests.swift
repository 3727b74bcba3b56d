// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// XEP-0280: what is enabled, what is unwrapped, and forged carbons.
@Client @Suite(.onLoop) struct MessageCarbonsTests {
  private nonisolated static let theirs =
    "<message xmlns='jabber:client' from='bob@example.net/x' to='alice@example.org/phone' type='chat' id='m1'>"
    + "<body>hello</body></message>"
  private nonisolated static let ours =
    "<message xmlns='jabber:client' from='alice@example.org/phone' to='bob@example.net/x' type='chat' id='m2'>"
    + "<body>hello yourself</body></message>"

  private nonisolated static func carbon(_ kind: String, _ inner: String) -> String {
    "<\(kind) xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\(inner)</forwarded></\(kind)>"
  }

  private nonisolated static func wrapped(
    _ payload: String, from: String? = "alice@example.org", type: String = "chat"
  ) -> String {
    let sender = from.map { " from='\($0)'" } ?? ""
    return "<message\(sender) to='alice@example.org/here' type='\(type)'>\(payload)</message>"
  }

  private func online() async throws -> SessionFixture {
    let fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    try await fixture.settleIn()
    return fixture
  }

  private func refused(_ fixture: SessionFixture) -> Int { fixture.session.features[MessageCarbons.self].refusedCount }

  // MARK: Unwrapping

  @Test(
    "a message that another device received is displayed here too",
    arguments: ["alice@example.org", "ALICE@example.ORG", nil])
  func whatAnotherDeviceGotComesHereToo(_ from: String?) async throws {
    let fixture = try await online()
    await fixture.receive(Self.wrapped(Self.carbon("received", Self.theirs), from: from))
    #expect(
      fixture.events(MessageArrived.self) == [
        MessageArrived(
          id: "m1", from: try JID("bob@example.net/x"), to: try JID("alice@example.org/phone"), kind: .chat,
          body: "hello", carbon: .received)
      ])
  }

  @Test("a message that another device sent is displayed here too")
  func whatAnotherDeviceSentComesHereToo() async throws {
    let fixture = try await online()
    var toBob = 0
    let subscription = fixture.session.events.on(MessageArrived.self, topics: [try JID("bob@example.net")]) { _ in
      toBob += 1
    }
    await fixture.receive(Self.wrapped(Self.carbon("sent", Self.ours)))
    #expect(
      fixture.events(MessageArrived.self) == [
        MessageArrived(
          id: "m2", from: try JID("alice@example.org/phone"), to: try JID("bob@example.net/x"), kind: .chat,
          body: "hello yourself", carbon: .sent)
      ])
    // It belongs to the conversation with him.
    #expect(toBob == 1)
    subscription.cancel()
  }

  /// Spoofed carbons (CVE-2017-5589 and its like, CVE-2019-16235).
  @Test(
    "a carbon from anybody but our account is dropped and counted",
    arguments: [
      "mallory@example.net", "mallory@example.org", "alice@example.org/phone", "alice@example.org/here", "example.org",
      "alice@example.org.example.net", "alice@example.com", "bob@example.net/x",
    ])
  func aCarbonFromAnybodyButOurAccountIsDroppedAndCounted(_ from: String) async throws {
    let fixture = try await online()
    await fixture.receive(
      Self.wrapped(Self.carbon("received", Self.theirs) + "<body>outside</body>", from: from)
        + Self.wrapped(Self.carbon("sent", Self.ours), from: from))
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(refused(fixture) == 2)
    #expect(fixture.remarks.count { $0.contains("Ignored a carbon from \(from)") } == 2)
  }

  /// Nested carbons, and every other form that a carbon must not have.
  @Test(
    "a malformed carbon is dropped and counted",
    arguments: [
      // Nothing in it, too much in it, the wrong things in it.
      "<received xmlns='urn:xmpp:carbons:2'/>", carbon("received", ""), carbon("received", theirs + theirs),
      "<received xmlns='urn:xmpp:carbons:2'>\(theirs)</received>",
      "<received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\(theirs)</forwarded>"
        + "<forwarded xmlns='urn:xmpp:forward:0'>\(theirs)</forwarded></received>",
      carbon("received", theirs) + carbon("sent", ours),
      carbon("received", "<presence xmlns='jabber:client' from='bob@example.net/x'/>"),
      carbon("received", theirs.replacing("jabber:client", with: "jabber:server")),
      // A carbon in a carbon.
      carbon("received", theirs.replacing("<body>", with: carbon("received", theirs) + "<body>")),
      carbon("sent", ours.replacing("<body>", with: carbon("sent", ours) + "<body>")),
      // Senders and addressees that do not fit.
      carbon("received", theirs.replacing("from='bob@example.net/x'", with: "")),
      carbon("received", theirs.replacing("from='bob@example.net/x'", with: "from='@@'")),
      carbon("received", theirs.replacing("to='alice@example.org/phone'", with: "")),
      carbon("received", ours), carbon("sent", theirs),
      // Sent from here, or sent to here.
      carbon("sent", ours.replacing("/phone", with: "/here")),
      carbon("received", theirs.replacing("/phone", with: "/here")),
      // Not to be copied.
      carbon("received", theirs.replacing("<body>", with: "<private xmlns='urn:xmpp:carbons:2'/><body>")),
      carbon("sent", ours.replacing("type='chat'", with: "type='error'")),
      carbon("received", theirs.replacing("type='chat'", with: "type='groupchat'")),
    ])
  func aMalformedCarbonIsDroppedAndCounted(_ payload: String) async throws {
    let fixture = try await online()
    await fixture.receive(Self.wrapped(payload))
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(fixture.events(MessageStateChanged.self).isEmpty)
    #expect(refused(fixture) == 1)
  }

  /// A forwarded message outside a carbon (XEP-0297) is never shown as from the sender that it names.
  @Test("a forwarded message that is not a carbon is not unwrapped")
  func aForwardedMessageThatIsNoCarbonIsNotUnwrapped() async throws {
    let fixture = try await online()
    await fixture.receive(
      Self.wrapped(
        "<body>look</body><forwarded xmlns='urn:xmpp:forward:0'>\(Self.theirs)</forwarded>",
        from: "mallory@example.net/x"))
    #expect(fixture.events(MessageArrived.self).map(\.from.description) == ["mallory@example.net/x"])
    #expect(fixture.events(MessageArrived.self).map(\.body) == ["look"])
    let passedOn = Self.theirs.replacing(
      "</message>", with: "<forwarded xmlns='urn:xmpp:forward:0'>\(Self.ours)</forwarded></message>")
    await fixture.receive(Self.wrapped(Self.carbon("received", passedOn)))
    #expect(fixture.events(MessageArrived.self).map(\.body) == ["look", "hello"])
  }

  @Test("a carbon without a body displays nothing") func aCopyWithoutATextShowsNothing() async throws {
    let fixture = try await online()
    let state = "<active xmlns='http://jabber.org/protocol/chatstates'/>"
    let inner = Self.theirs.replacing("<body>hello</body>", with: state)
    await fixture.receive(Self.wrapped(Self.carbon("received", inner)))
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(refused(fixture) == 0)
  }

  // MARK: Errors

  private let store = AccountStore.inMemory()

  private func onlineWithLog() async throws -> SessionFixture {
    try store.messages.keepArchiveCursor(ArchiveCursor.beginning)
    let fixture = try SessionFixture(
      role: .script(Presence()), stores: SessionStores(messages: store.messages, log: store.log),
      features: SessionFixture.core + [MessageCarbons.self])
    try await fixture.settleIn()
    return fixture
  }

  /// In its log is what another device sent: `m2`, to bob.
  private func onlineWithSentMessage() async throws -> SessionFixture {
    let fixture = try await onlineWithLog()
    await fixture.receive(Self.wrapped(Self.carbon("sent", Self.ours)))
    return fixture
  }

  private func logged() throws -> [DeliveryState?] { try store.log.page(LogQuery(), after: nil).messages.map(\.state) }

  private nonisolated static func failure(of id: String, from sender: String, body: String = "") -> String {
    "<message xmlns='jabber:client' from='\(sender)' to='alice@example.org/phone' type='error' id='\(id)'>\(body)"
      + "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
  }

  @Test("a message of another device that came back there has failed here too, once, and the error is no message")
  func whatCameBackToAnotherDeviceHasFailedHereToo() async throws {
    let fixture = try await onlineWithSentMessage()
    #expect(try logged() == [.server])
    let copy = Self.carbon("received", Self.failure(of: "m2", from: "bob@example.net", body: "<body>hello</body>"))
    await fixture.receive(Self.wrapped(copy, type: "error") + Self.wrapped(copy, type: "error"))
    let told = fixture.events(MessageStateChanged.self)
    #expect(told.map(\.id) == ["m2"] && told.map(\.to.description) == ["bob@example.net/x"])
    #expect(told.map(\.state.name) == ["failed"] && told.first?.state.reason?.isEmpty == false)
    #expect(try logged() == told.map { Optional($0.state) })
    #expect(fixture.events(MessageArrived.self).map(\.id) == ["m2"])
    #expect(refused(fixture) == 0)
  }

  @Test("what came back is known even when the copies of it and of its error come together")
  func aCopyAndItsErrorAtOnce() async throws {
    let fixture = try await onlineWithLog()
    let error = Self.carbon("received", Self.failure(of: "m2", from: "bob@example.net"))
    await fixture.receive(Self.wrapped(Self.carbon("sent", Self.ours)) + Self.wrapped(error, type: "error"))
    #expect(try logged().map { $0?.name } == ["failed"])
  }

  @Test(
    "a copy of an error that is forged, or for what was not sent to that person, changes nothing",
    arguments: [
      ("mallory@example.net", "m2", "bob@example.net"), ("alice@example.org/phone", "m2", "bob@example.net"),
      ("bob@example.net", "m2", "bob@example.net"), ("alice@example.org", "m2", "mallory@example.net"),
      ("alice@example.org", "m3", "bob@example.net"),
    ])
  func aForgedErrorChangesNothing(_ wrapper: String, _ id: String, _ sender: String) async throws {
    let fixture = try await onlineWithSentMessage()
    let copy = Self.carbon("received", Self.failure(of: id, from: sender))
    await fixture.receive(Self.wrapped(copy, from: wrapper, type: "error") + Self.wrapped(copy, from: wrapper))
    #expect(fixture.events(MessageStateChanged.self).isEmpty)
    #expect(try logged() == [.server])
  }

  @Test("what is known to have reached them does not fail by a copy of an error")
  func whatWasDeliveredStaysSo() async throws {
    let fixture = try await onlineWithSentMessage()
    _ = try store.messages.advance("m2", with: JID("bob@example.net"), to: .delivered)
    await fixture.receive(
      Self.wrapped(Self.carbon("received", Self.failure(of: "m2", from: "bob@example.net")), type: "error"))
    #expect(fixture.events(MessageStateChanged.self).isEmpty)
    #expect(try logged() == [.delivered])
  }

  // MARK: Delay

  private nonisolated static func stamp(_ time: String, from: String) -> String {
    "<delay xmlns='urn:xmpp:delay' stamp='\(time)' from='\(from)'/>"
  }

  @Test(
    "a carbon has the time of the message in it",
    arguments: [
      // In the forwarded element: the server's word. None is from the future.
      (stamp("2026-11-20T10:00:00Z", from: "example.net"), "", "2026-11-20T10:00:00.000Z"),
      (stamp("2030-01-01T00:00:00Z", from: "example.org"), "", "2026-11-21T08:00:00.000Z"),
      (stamp("soon", from: "example.org"), "", nil),
      // In the message: our server's alone.
      ("", stamp("2026-11-19T10:00:00Z", from: "example.org"), "2026-11-19T10:00:00.000Z"),
      ("", stamp("2026-11-19T10:00:00Z", from: "bob@example.net"), nil),
      (
        stamp("2026-11-20T10:00:00Z", from: "example.org"), stamp("2026-11-19T10:00:00Z", from: "example.org"),
        "2026-11-20T10:00:00.000Z"
      ), ("", "", nil),
    ])
  func aCopyHasTheTimeOfItsMessage(_ outer: String, _ inner: String, _ expected: String?) async throws {
    let fixture = try await online()
    let message = Self.theirs.replacing("<body>", with: inner + "<body>")
    await fixture.receive(Self.wrapped(Self.carbon("received", outer + message)))
    let arrived = fixture.events(MessageArrived.self)
    #expect(arrived.count == 1)
    #expect(arrived.first?.delayed?.description == expected)
  }

  // MARK: Enabling

  @Test("carbons are enabled where the server offers them", arguments: [true, false])
  func theyAreEnabledWhereTheServerCan(_ canCopy: Bool) async throws {
    let fixture = try SessionFixture()
    var enabled = 0
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.matches("enable", MessageCarbons.namespace) == true else {
        return SessionFixture.manners(element)
      }
      enabled += 1
      return [(canCopy ? iq.result() : iq.failure(.serviceUnavailable)).element]
    }
    let carbons = fixture.session.features[MessageCarbons.self]
    #expect(!carbons.isEnabled)
    try await fixture.settleIn()
    #expect(enabled == 1)
    #expect(carbons.isEnabled == canCopy)
    #expect(fixture.session.intake.hasCopies == canCopy)
    // That it cannot is no fault.
    #expect(!fixture.remarks.contains { $0.contains("Carbons") })
    fixture.session.drop(ConnectionError(.lost, "gone"))
    #expect(!carbons.isEnabled && !fixture.session.intake.hasCopies)
    // A new stream knows nothing of it.
    try await fixture.settleIn()
    #expect(enabled == 2)
    #expect(carbons.isEnabled == canCopy)
  }

  @Test("a one-shot command does not enable carbons") func aSingleCommandDoesWithout() async throws {
    let fixture = try SessionFixture()
    try await fixture.logIn()
    #expect(fixture.sent().isEmpty)
  }
}
