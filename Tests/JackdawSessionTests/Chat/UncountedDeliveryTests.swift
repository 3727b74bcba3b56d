// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// What a server that counts no stanzas (XEP-0198) answers says which of our messages it has.
@Client @Suite("Without XEP-0198", .onLoop) struct UncountedDeliveryTests {
  private let fixture: SessionFixture
  private let chat: Delivery
  private let bob: JID

  init() throws {
    fixture = try SessionFixture()
    chat = fixture.session.delivery
    bob = try JID("bob@example.net")
  }

  private var confirmed: [String] {
    fixture.events(MessageStateChanged.self).filter { $0.state == .server }.map(\.id)
  }

  /// A request of ours that the server answers when the test has it do so.
  private func ask(_ id: String, _ to: JID? = nil) throws {
    let payload = Element("query", "urn:example:anything")
    try fixture.session.requests.send(IQ(kind: .get, id: id, to: to, payload: payload), timeout: .standard) { _ in }
  }

  private func online() async throws {
    try await fixture.settleIn()
    fixture.answer = { _ in [] }
  }

  @Test("an answer to a request behind messages, whoever gives it, says that the server has them, and no others")
  func answered() async throws {
    try await online()
    try ask("before")
    let first = try chat.send("1", to: bob)
    await fixture.clock.settle()
    try ask("between", bob)
    let second = try chat.send("2", to: bob)
    await fixture.clock.settle()
    try ask("behind")
    await fixture.receive("<iq type='result' id='before'/>")
    #expect(confirmed == [])
    await fixture.receive("<iq type='result' id='between' from='eve@example.net'/>")
    #expect(confirmed == [], "that is not who was asked")
    await fixture.receive(
      """
      <iq type='error' id='between' from='bob@example.net'><error type='cancel'>\
      <service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>
      """)
    #expect(confirmed == [first])
    await fixture.receive("<iq type='result' id='behind'/>")
    #expect(confirmed == [first, second])
  }

  @Test("an answer on a later stream says nothing of a message that was written on an earlier one")
  func laterStream() async throws {
    try await online()
    try chat.send("1", to: bob)
    await fixture.clock.settle()
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await fixture.clock.settle()
    fixture.answer = SessionFixture.manners
    try await fixture.session.logIn()
    try ask("early")
    await fixture.receive("<iq type='result' id='early'/>")
    #expect(confirmed == [])
  }

  @Test("whoever leaves asks behind the last message, and waits a second for the answer")
  func leaving() async throws {
    try await fixture.settleIn()
    let id = try chat.send("1", to: bob)
    await fixture.clock.settle()
    #expect(confirmed == [])
    await fixture.session.leave()
    #expect(confirmed == [id])
    #expect(fixture.sent().compactMap { $0.firstChild?.name } == ["body", "ping"])
  }

  @Test("a server that answers nothing any more holds up nobody who leaves for more than a second")
  func leavingSilence() async throws {
    try await online()
    try chat.send("1", to: bob)
    await fixture.clock.settle()
    let leaving = fixture.start { await fixture.session.leave() }
    await fixture.clock.elapse(.milliseconds(999))
    #expect(!leaving.hasEnded)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(leaving.hasEnded)
    #expect(confirmed == [])
  }
}
