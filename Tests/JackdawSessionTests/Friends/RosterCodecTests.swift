// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import JackdawXML
import Testing

/// Roster stanzas to values and back.
@Suite struct RosterCodecTests {
  struct Written: Sendable, CustomTestStringConvertible {
    var attributes: String
    var content = ""
    var name: String?
    var subscription = RosterItem.Subscription.none
    var ask = false
    var approved = false
    var groups: [String] = []
    var testDescription: String { attributes + content }
  }

  @Test(
    "A roster item is read",
    arguments: [
      Written(attributes: ""),
      Written(attributes: "name='Bob'", name: "Bob"),
      Written(attributes: "name=''"),
      Written(attributes: "name='&lt;&amp;&apos;&#10;\u{85}\u{202e}'", name: "<&'\n\u{85}\u{202e}"),
      Written(attributes: "subscription='none'"),
      Written(attributes: "subscription='to'", subscription: .to),
      Written(attributes: "subscription='from'", subscription: .from),
      Written(attributes: "subscription='both'", subscription: .both),
      // RFC 6121 2.1.2.5: ignored.
      Written(attributes: "subscription='friends'"),
      Written(attributes: "subscription='BOTH'"),
      Written(attributes: "ask='subscribe'", ask: true),
      Written(attributes: "ask='unsubscribe'"),
      Written(attributes: "approved='true'", approved: true),
      Written(attributes: "approved='1'", approved: true),
      Written(attributes: "approved='false'"),
      Written(attributes: "approved='yes'"),
      Written(attributes: "", content: "<group>A</group><group>b c</group>", groups: ["A", "b c"]),
      Written(attributes: "", content: "<group>A</group><group/><group>A</group>", groups: ["A"]),
      Written(attributes: "", content: "<group xmlns='urn:x'>A</group>"),
    ])
  func anItemIsRead(_ written: Written) throws {
    let query = try Element(
      parsing: "<query xmlns='jabber:iq:roster' ver='v7'><item jid='bob@Example.ORG' \(written.attributes)>"
        + "\(written.content)</item></query>")
    let item = RosterItem(
      jid: try JID("bob@example.org"), name: written.name, subscription: written.subscription, ask: written.ask,
      approved: written.approved, groups: written.groups)
    #expect(RosterCodec.push(query) == RosterPush(.set(item), version: "v7"))
    let (snapshot, unreadable) = RosterCodec.snapshot(query)
    #expect(snapshot == RosterSnapshot(version: "v7", items: [item]))
    #expect(unreadable == 0)
  }

  @Test(
    "A removal is read whatever else is in the item", arguments: ["", "name='x'", "ask='subscribe' approved='true'"])
  func aRemovalIsReadWhateverElseIsThere(_ attributes: String) throws {
    let query = try Element(
      parsing: "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='remove' \(attributes)>"
        + "<group>x</group></item></query>")
    #expect(RosterCodec.push(query) == RosterPush(.remove(try JID("bob@example.org")), version: nil))
  }

  /// Malformed pushes (RFC 6121 2.1.6): there must be exactly one item, with a valid JID.
  @Test(
    "A push without exactly one valid item is refused",
    arguments: [
      "", "<item/>", "<item jid=''/>", "<item jid='@@/'/>", "<item jid='bob@'/>",
      "<item jid='a@example.org'/><item jid='b@example.org'/>", "<item jid='a@example.org' xmlns='urn:x'/>", "text",
    ])
  func aPushWithoutExactlyOneReadableItemIsNone(_ content: String) throws {
    #expect(RosterCodec.push(try Element(parsing: "<query xmlns='jabber:iq:roster'>\(content)</query>")) == nil)
  }

  @Test("Other elements of a push are ignored") func whatElseIsInAPushIsIgnored() throws {
    let query = try Element(
      parsing: "<query xmlns='jabber:iq:roster'><x xmlns='urn:x'/><item jid='a@example.org'/></query>")
    #expect(RosterCodec.push(query)?.jid.description == "a@example.org")
  }

  @Test("Items that cannot be read are left out and counted")
  func entriesThatCannotBeReadAreLeftOutAndCounted() throws {
    let query = try Element(
      parsing: "<query xmlns='jabber:iq:roster'><item jid='a@example.org'/><item jid='@'/><item/>"
        + "<item jid='c@example.org' subscription='remove'/><item jid='b@example.org'/></query>")
    let (snapshot, unreadable) = RosterCodec.snapshot(query)
    #expect(snapshot.items.map(\.jid.description) == ["a@example.org", "b@example.org"])
    #expect(snapshot.version == nil)
    #expect(unreadable == 3)
  }

  @Test("Roster requests are written") func whatIsAskedForIsWritten() throws {
    let jid = try JID("bob@example.org")
    func expect(_ element: Element, _ text: String) throws { #expect(try element == Element(parsing: text)) }
    try expect(RosterCodec.request(version: nil), "<query xmlns='jabber:iq:roster'/>")
    try expect(RosterCodec.request(version: ""), "<query xmlns='jabber:iq:roster' ver=''/>")
    try expect(RosterCodec.request(version: "v7"), "<query xmlns='jabber:iq:roster' ver='v7'/>")
    try expect(
      RosterCodec.set(jid, name: nil, groups: []),
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org'/></query>")
    try expect(
      RosterCodec.set(jid, name: "B & B", groups: ["x", "<y>"]),
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' name='B &amp; B'><group>x</group>"
        + "<group>&lt;y></group></item></query>")
    try expect(
      RosterCodec.removal(of: jid),
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='remove'/></query>")
  }

  /// Names go onto the wire and come back as they were, whatever they hold that XML can carry.
  @Test(
    "Names and groups are the same when they are written and read again",
    arguments: ["Bob", "a'b\"c<d>&e", "tab\tand\nline", "\u{9b}2J\u{202e}", String(repeating: "n", count: 10_240)])
  func namesAndGroupsComeBackAsTheyWent(_ text: String) throws {
    let written = RosterCodec.set(try JID("bob@example.org"), name: text, groups: [text, "other"])
    var bytes: [UInt8] = []
    try StanzaWriter.append(written, to: &bytes)
    let read = RosterCodec.push(try Element(parsing: String(decoding: bytes, as: UTF8.self)))
    let item = RosterItem(jid: try JID("bob@example.org"), name: text, groups: [text, "other"])
    #expect(read == RosterPush(.set(item), version: nil))
  }
}
