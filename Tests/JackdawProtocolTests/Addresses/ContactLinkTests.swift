// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@Suite("A contact that a link proposes")
struct ContactLinkTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var link: String
    var jid = "bob@example.org"
    var name: String?
    var groups: [String] = []
    var account: String?
    var testDescription: String { link }
  }

  static let rows = [
    Row(link: "xmpp:bob@example.org"),
    Row(link: "xmpp:bob@example.org/phone"),
    Row(link: "XMPP:BOB@EXAMPLE.ORG?subscribe"),
    Row(link: "xmpp:bob@example.org?message;body=hi;name=Eve"),
    Row(link: "xmpp:bob@example.org?roster;name=Bob;group=Friends", name: "Bob", groups: ["Friends"]),
    Row(
      link: "xmpp:bob@example.org?roster;preauth=1tMFqYDdKhfe2pwp;name=Bob%20%22B%22%3B;group=A%2CB;group=;group=C",
      name: "Bob \"B\";", groups: ["A,B", "C"]),
    Row(link: "xmpp:bob@example.org?subscribe;name=B%C3%B6b", name: "B\u{F6}b"),
    Row(link: "xmpp:bob@example.org?roster;name=B\u{F6}b", name: "B\u{F6}b"),
    Row(link: "xmpp:bob@example.org?roster;name="),
    Row(link: "xmpp://alice@example.org/bob@example.org?subscribe", account: "alice@example.org"),
    Row(link: "xmpp:ji%C5%99i@%C4%8Dechy.example?subscribe", jid: "ji\u{159}i@\u{10D}echy.example"),
    Row(link: "xmpp:ji\u{159}i@\u{10D}echy.example?subscribe", jid: "ji\u{159}i@\u{10D}echy.example"),
  ]

  @Test("has address, name and groups", arguments: rows)
  func isRead(_ row: Row) throws {
    let link = try ContactLink(XMPPURI(row.link))
    #expect(try link.jid == JID(row.jid))
    #expect(link.name == row.name)
    #expect(link.groups == row.groups)
    #expect(try link.account == row.account.map { try JID($0) })
  }

  @Test(
    "is none for what asks something else",
    arguments: ["join", "invite", "remove", "unsubscribe", "command", "register"])
  func isRefused(_ action: String) throws {
    let link = try XMPPURI("xmpp:bob@example.org?\(action)")
    #expect(throws: XMPPURIError.self) { try ContactLink(link) }
  }

  @Test("is what an invitation of ours says")
  func invitation() throws {
    let jid = try JID("o!hara?#%;@example.org/desk").bare
    let text = XMPPURI(jid, action: "subscribe").description
    #expect(text == "xmpp:o%21hara%3F%23%25%3B@example.org?subscribe")
    #expect(try ContactLink(XMPPURI(text)).jid == jid)
  }
}
