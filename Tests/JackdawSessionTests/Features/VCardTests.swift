// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// XEP-0054 and XEP-0292, asked for.
@Client @Suite(.onLoop) struct VCardTests {
  /// Online, with a server that answers requests for cards in either format with these, or with an error's condition.
  private func online(old: String, new: String = "item-not-found") async throws -> SessionFixture {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    fixture.answer = { element in
      guard let iq = try? IQ(element), let payload = iq.payload else { return [] }
      var answer = iq.result()
      switch (iq.kind, payload.namespace) {
      case (.get, VCardTemp.namespace): answer = Self.answer(iq, old)
      case (.get, "http://jabber.org/protocol/pubsub"): answer = Self.answer(iq, new)
      default: break
      }
      answer.from = iq.to
      return [answer.element]
    }
    return fixture
  }

  private static func answer(_ iq: IQ, _ text: String) -> IQ {
    guard text.isEmpty || text.hasPrefix("<") else {
      return iq.failure(StanzaError(kind: .cancel, condition: text))
    }
    return iq.result(try? Element(parsing: text))
  }

  private nonisolated static func old(_ content: String) -> String { "<vCard xmlns='vcard-temp'>\(content)</vCard>" }

  private nonisolated static func new(_ content: String) -> String {
    "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:vcard4'><item id='1'>"
      + "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'>\(content)</vcard></item></items></pubsub>"
  }

  private nonisolated static let photo = "<PHOTO><BINVAL>aGVsbG8=</BINVAL></PHOTO>"
  private nonisolated static let bob = "<fn><text>Bob</text></fn>"

  @Test(
    "The vCard is found in the form that the contact has",
    arguments: [
      // Old, new; the name that is found, whether a picture is, how many requests it takes.
      (old("<FN>Robert</FN>\(photo)"), "item-not-found", "Robert", true, 1),
      ("service-unavailable", new(bob), "Bob", false, 2), ("item-not-found", new(bob), "Bob", false, 2),
      (old(""), new(bob), "Bob", false, 2), ("", new(bob), "Bob", false, 2), (old(photo), new(bob), "Bob", true, 2),
      (old(photo), "forbidden", nil, true, 2), (old(photo), new(""), nil, true, 2),
      ("item-not-found", "item-not-found", nil, false, 2), ("service-unavailable", "presence-required", nil, false, 2),
      (old(""), "<pubsub xmlns='http://jabber.org/protocol/pubsub'/>", nil, false, 2),
    ])
  func theCardIsWhereItIs(
    _ old: String, _ new: String, _ name: String?, _ hasPhoto: Bool, _ requests: Int
  ) async throws {
    let fixture = try await online(old: old, new: new)
    let card = try await fixture.session.vCard(of: try JID("bob@example.net/phone"))
    #expect(card?.properties.first?.text == name)
    #expect((card?.photo != nil) == hasPhoto)
    #expect((card == nil) == (name == nil && !hasPhoto))
    let sent = try fixture.sent().map { try IQ($0) }
    #expect(sent.count == requests)
    // Of the person, not of a device (XEP-0054 3.3).
    #expect(sent.allSatisfy { $0.to?.description == "bob@example.net" })
  }

  @Test("Our own vCard is requested from our account") func ourOwnIsAskedOfOurAccount() async throws {
    let fixture = try await online(old: Self.old("<FN>Alice</FN>"))
    #expect(try await fixture.session.vCard()?.properties.first?.text == "Alice")
    #expect(try fixture.sent().map { try IQ($0).to } == [nil])
  }

  @Test(
    "An answer that is no vCard throws",
    arguments: ["remote-server-not-found", "<query xmlns='jabber:iq:roster'/>", "internal-server-error"])
  func whatIsNoAnswerIsTold(_ old: String) async throws {
    let fixture = try await online(old: old, new: Self.new(Self.bob))
    await #expect(throws: RequestError.self) { try await fixture.session.vCard(of: JID("bob@example.net")) }
  }

  @Test("A field is changed in the vCard that the server has") func aFieldIsChangedInWhatTheServerHas() async throws {
    let fixture = try await online(old: Self.old("<FN>Alice</FN>\(Self.photo)"))
    try await fixture.session.features[VCardTemp.self].change(VCardEdit("nickname", "al"))
    let sent = try fixture.sent().map { try IQ($0) }
    #expect(sent.map(\.kind) == [.get, .set])
    #expect(sent.allSatisfy { $0.to == nil })
    #expect(sent[1].payload == (try Element(parsing: Self.old("<FN>Alice</FN>\(Self.photo)<NICKNAME>al</NICKNAME>"))))
  }

  @Test("The first field makes a vCard", arguments: ["item-not-found", ""])
  func aFirstFieldMakesACard(_ none: String) async throws {
    let fixture = try await online(old: none)
    try await fixture.session.features[VCardTemp.self].change(VCardEdit("fn", "Alice"))
    #expect(fixture.sent().last?.firstChild == (try Element(parsing: Self.old("<FN>Alice</FN>"))))
  }

  /// What cannot be read must not be overwritten.
  @Test(
    "Where the old vCard cannot be read nothing is written",
    arguments: ["internal-server-error", "<query xmlns='jabber:iq:roster'/>"])
  func withoutTheOldCardNothingIsWritten(_ answer: String) async throws {
    let fixture = try await online(old: answer)
    await #expect(throws: RequestError.self) {
      try await fixture.session.features[VCardTemp.self].change(VCardEdit("fn", "Alice"))
    }
    #expect(try fixture.sent().map { try IQ($0).kind } == [.get])
  }

  @Test("A server without vCards is reported") func aServerWithoutCardsIsToldOf() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let error = await #expect(throws: FeatureError.self) {
      try await fixture.session.features[VCardTemp.self].change(VCardEdit("fn", "Alice"))
    }
    #expect(error?.code == .notOffered)
    #expect(error?.description == "example.org keeps no vCards.")
  }
}
