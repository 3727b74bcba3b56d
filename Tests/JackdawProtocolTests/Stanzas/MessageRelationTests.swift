// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

/// What messages say of earlier ones.
@Suite struct MessageRelationTests {
  private func correct(_ id: String) -> Element { Element("replace", "urn:xmpp:message-correct:0", ["id": id]) }

  private func reactions(_ texts: [String], to id: String? = "m1") -> Element {
    Element(
      "reactions", "urn:xmpp:reactions:0", ["id": id],
      texts.map { Element("reaction", "urn:xmpp:reactions:0", text: $0) })
  }

  @Test("A correction names the message that it corrects") func aCorrectionNamesWhatItCorrects() {
    #expect(MessageRelation.correction(in: [Element("x", "urn:other"), correct("m1")]) == .replaces("m1"))
    #expect(MessageRelation.correction(in: [correct("m1"), correct("m2")]) == .replaces("m1"))
    #expect(MessageRelation.correction(in: [correct("")]) == nil)
    #expect(MessageRelation.correction(in: [correct(String(repeating: "x", count: 1_025))]) == nil)
    #expect(MessageRelation.correction(in: [Element("replace", "urn:other", ["id": "m1"])]) == nil)
    #expect(MessageRelation.correction(in: []) == nil)
  }

  @Test("A retraction is read in its current and in its earlier form") func aRetractionIsReadAsItWasSaidBeforeToo() {
    let now = Element("retract", "urn:xmpp:message-retract:1", ["id": "m1"])
    let before = Element(
      "apply-to", "urn:xmpp:fasten:0", ["id": "m1"], [Element("retract", "urn:xmpp:message-retract:0")])
    let other = Element("apply-to", "urn:xmpp:fasten:0", ["id": "m1"], [Element("external", "urn:xmpp:fasten:0")])
    #expect(MessageRelation.retraction(in: [now]) == .retracts("m1"))
    #expect(MessageRelation.retraction(in: [before]) == .retracts("m1"))
    #expect(MessageRelation.retraction(in: [other]) == nil)
    #expect(MessageRelation.retraction(in: [Element("retract", "urn:xmpp:message-retract:1")]) == nil)
  }

  @Test("A reply names the message that it answers") func aReplyNamesWhatItAnswers() {
    let reply = Element("reply", "urn:xmpp:reply:0", ["to": "bob@example.org/phone", "id": "m1"])
    #expect(MessageRelation.reply(in: [Element("x", "urn:other"), reply]) == .replies(to: "m1", quote: nil))
    #expect(MessageRelation.reply(in: [Element("reply", "urn:xmpp:reply:0", ["id": ""])]) == nil)
    #expect(MessageRelation.reply(in: [Element("reply", "urn:other", ["id": "m1"])]) == nil)
    #expect(MessageRelation.reply(in: []) == nil)
  }

  @Test("Reactions are limited in length and number") func reactionsAreShortAndFew() {
    #expect(
      MessageRelation.reactions(in: [reactions(["👍", "👩‍👩‍👧‍👦", "👍", "+1"])]) == .reacts(to: "m1", with: ["👍", "👩‍👩‍👧‍👦", "+1"]))
    #expect(MessageRelation.reactions(in: [reactions([])]) == .reacts(to: "m1", with: []))
    #expect(
      MessageRelation.reactions(in: [
        reactions(["", "two words", "a\u{85}", "\u{1F}", String(repeating: "x", count: 65), "ok"])
      ])
        == .reacts(to: "m1", with: ["ok"]))
    #expect(MessageRelation.reactions(in: [reactions(["x"], to: nil)]) == nil)
    let megabyte = String(repeating: "👍", count: 262_144)
    #expect(MessageRelation.reactions(in: [reactions([megabyte, "ok"])]) == .reacts(to: "m1", with: ["ok"]))
    guard case .reacts(_, let many)? = MessageRelation.reactions(in: [reactions((0..<500).map { "r\($0)" })]) else {
      Issue.record("500 reactions are none")
      return
    }
    #expect(many == (0..<20).map { "r\($0)" })
  }

  static let said: [(relation: MessageRelation, body: String)] = [
    (.replaces("m1"), "at nine"), (.retracts("m1"), ""), (.reacts(to: "m1", with: ["👍", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]), ""),
    (.reacts(to: "m1", with: []), ""), (.replies(to: "m1", quote: "> lunch\n"), "yes"),
    (.replies(to: "m1", quote: nil), "yes"),
  ]

  @Test("A relation is read as it was written, and the text apart from its fallback", arguments: said)
  func whatIsSaidIsReadAsSuch(relation: MessageRelation, body: String) throws {
    var message = Message(id: "m2", to: try JID("bob@example.org"), body: body)
    relation.say(in: &message)
    let read = try Message(message.element)
    let text = read.body ?? ""
    let (rest, quote) = Fallback(for: ["urn:xmpp:reply:0"], in: read.payloads, of: text).split(text)
    var reply = MessageRelation.reply(in: read.payloads)
    if case .replies(let id, _)? = reply, !quote.isEmpty { reply = .replies(to: id, quote: quote) }
    let all = [
      MessageRelation.correction(in: read.payloads), MessageRelation.retraction(in: read.payloads),
      MessageRelation.reactions(in: read.payloads), reply,
    ]
    #expect(all.compactMap { $0 } == [relation])
    if reply != nil { #expect(rest == body) }
    // Where nobody knows it, a text says what it is, or there is none: never an empty one.
    #expect(read.body != "")
  }

  @Test("A message without a body carries the hint that servers store it")
  func whatHasNoTextIsStoredByServersAllTheSame() throws {
    for relation in [MessageRelation.retracts("m1"), .reacts(to: "m1", with: ["👍"])] {
      var message = Message(id: "m2", to: try JID("bob@example.org"), body: "")
      relation.say(in: &message)
      #expect(message.payloads.contains { $0.matches("store", "urn:xmpp:hints") })
    }
  }
}
