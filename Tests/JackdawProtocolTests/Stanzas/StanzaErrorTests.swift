// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@Suite struct StanzaErrorTests {
  /// RFC 6120 8.3.3.
  static let conditions = [
    "bad-request", "conflict", "feature-not-implemented", "forbidden", "gone", "internal-server-error",
    "item-not-found",
    "jid-malformed", "not-acceptable", "not-allowed", "not-authorized", "policy-violation", "recipient-unavailable",
    "redirect", "registration-required", "remote-server-not-found", "remote-server-timeout", "resource-constraint",
    "service-unavailable", "subscription-required", "undefined-condition", "unexpected-request",
  ]

  @Test("Each defined condition is read, written and has a sentence", arguments: conditions)
  func definedConditionGoesBothWaysAndHasItsSentence(_ condition: String) throws {
    for kind in StanzaError.Kind.allCases {
      let error = StanzaError(kind: kind, condition: condition)
      #expect(StanzaError(error.element) == error)
    }
    let sentence = StanzaError(kind: .cancel, condition: condition).description
    #expect(sentence.contains(" ") && !sentence.contains(condition))
    #expect((sentence == StanzaError.undefined.description) == (condition == "undefined-condition"))
  }

  /// XEP-0191 3.5: no other side has said that, and nobody else's words are needed.
  @Test(
    "The error of a blocked recipient is told in our own words",
    arguments: [
      StanzaError(
        kind: .cancel, condition: "not-acceptable", text: "You have blocked this JID.",
        application: Element("blocked", "urn:xmpp:blocking:errors")),
      // ejabberd's.
      StanzaError(
        kind: .modify, condition: "not-acceptable",
        text: "Your active privacy list has denied the routing of this stanza."),
    ])
  func whoIsBlockedIsSaidInOurWords(_ error: StanzaError) {
    #expect(error.description == "You have blocked this address, and have to unblock it first.")
  }

  @Test(
    "Every part of an error is the same when it is read and written again",
    arguments: [
      StanzaError(kind: .modify, condition: "not-acceptable", text: "too long & <wide>"),
      StanzaError(kind: .cancel, condition: "gone", location: "xmpp:new@example.org"),
      StanzaError(kind: .modify, condition: "redirect", text: "moved", location: "xmpp:new@example.org"),
      StanzaError(kind: .wait, condition: "resource-constraint", application: Element("quota", "urn:x", text: "1")),
    ])
  func everyPartGoesBothWays(_ error: StanzaError) {
    #expect(StanzaError(error.element) == error)
  }

  @Test(
    "Of a malformed error the parts that can be read are read",
    arguments: [
      ("<error/>", .undefined), ("<error type='frob'/>", .undefined), ("<error code='404'/>", .undefined),
      (
        "<error type='wait'><frob xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>",
        StanzaError(kind: .wait, condition: "undefined-condition")
      ),
      (
        "<error type='wait'><conflict/></error>",
        StanzaError(kind: .wait, condition: "undefined-condition", application: Element("conflict", "jabber:client"))
      ),
      ("<error><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>", .undefined),
      (
        """
        <error type='auth'><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas' xml:lang='de'>nein</text>\
        <text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>no</text>\
        <forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>x</forbidden>\
        <conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>
        """, StanzaError(kind: .auth, condition: "forbidden", text: "no")
      ),
    ] as [(String, StanzaError)])
  func oddErrorIsReadForWhatItHas(_ xml: String, _ expected: StanzaError) throws {
    #expect(try StanzaError(Element(parsing: xml)) == expected)
  }

  @Test("Our sentence is followed by the server's own text") func sentenceIsFollowedByThePeersWords() {
    let error = StanzaError(kind: .cancel, condition: "item-not-found", text: "no such user")
    #expect(error.description == "There is nothing with this name or address: no such user.")
    let gone = StanzaError(kind: .cancel, condition: "gone", location: "xmpp:new@example.org")
    #expect(gone.description == "The address is no longer in use (xmpp:new@example.org).")
  }
}
