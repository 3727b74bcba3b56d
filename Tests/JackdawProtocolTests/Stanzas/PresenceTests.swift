// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@Suite struct PresenceTests {
  @Test(
    "Presence is the same when it is read and written again",
    arguments: [
      "<presence/>", "<presence to='room@example.org/nick'><x xmlns='http://jabber.org/protocol/muc'/></presence>",
      "<presence id='1'><show>dnd</show><status>busy</status><priority>-5</priority></presence>",
      "<presence type='unavailable' from='bob@example.org/x'><status>gone</status></presence>",
      "<presence type='subscribe' to='bob@example.org'/>", "<presence type='subscribed' to='bob@example.org'/>",
      "<presence type='unsubscribe' to='bob@example.org'/>", "<presence type='unsubscribed' to='bob@example.org'/>",
      "<presence type='probe' to='bob@example.org'/>",
      """
      <presence type='error' from='room@example.org/nick'><x xmlns='http://jabber.org/protocol/muc'/>\
      <error type='cancel'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></presence>
      """,
    ])
  func presenceGoesBothWays(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(try Presence(element).element == element)
    #expect(try Presence(Presence(element).element) == Presence(element))
  }

  /// A presence is not dropped for an odd priority or show (RFC 6121 4.7.2).
  @Test(
    "A malformed priority is read as zero",
    arguments: [
      ("9999", 0), ("abc", 0), ("", 0), ("-129", 0), ("128", 0), ("127", 127), ("-128", -128), ("+5", 5), ("1.5", 0),
      ("99999999999999999999", 0), ("\u{661}", 0),
    ] as [(String, Int8)])
  func malformedPriorityIsZero(_ text: String, _ priority: Int8) throws {
    let presence = try Presence(Element(parsing: "<presence><priority>\(text)</priority></presence>"))
    #expect(presence.priority == priority)
  }

  @Test("An unknown value of show is ignored", arguments: ["frob", "", "AWAY", " away"])
  func unknownShowIsNone(_ text: String) throws {
    #expect(try Presence(Element(parsing: "<presence><show>\(text)</show></presence>")).show == nil)
  }

  @Test("A long status in several languages is read") func longStatusInSeveralLanguagesIsRead() throws {
    let long = String(repeating: "x", count: 100_000)
    let presence = try Presence(
      Element(parsing: "<presence><status xml:lang='de'>a</status><status>\(long)</status><show>xa</show></presence>"))
    #expect(presence.status == long && presence.show == .xa)
  }

  @Test(
    "Presence of an unknown type or with an invalid address is refused",
    arguments: [
      "<presence type='frob'/>", "<presence type=''/>", "<presence type='available'/>", "<presence from='@@/'/>",
      "<presence from=''/>", "<presence to='/x'/>", "<presence xmlns='urn:evil'/>", "<message/>",
    ])
  func presenceOfUnknownTypeOrAddressIsNone(_ xml: String) throws {
    let element = try Element(parsing: xml)
    let error = try #require(throws: StanzaFormatError.self) { try Presence(element) }
    #expect(error.answer == nil)
  }

  @Test("Show and priority are written for available presence only") func showAndPriorityAreOfAvailablePresenceOnly() {
    let element = Presence(kind: .unavailable, show: .away, status: "bye", priority: 5).element
    #expect(element.children.map(\.name) == ["status"])
  }
}
