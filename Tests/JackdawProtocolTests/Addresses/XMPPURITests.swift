// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@Suite struct XMPPURITests {
  private static func jid(_ text: String) -> JID? { try? JID(text) }

  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var jid: String
    var account: String?
    var action: String?
    var parameters: [XMPPURI.Parameter] = []
    /// As we write it; nil when it is the text itself.
    var canonical: String?
    var testDescription: String { text }
  }

  static let cases = [
    Case(text: "xmpp:romeo@montague.net", jid: "romeo@montague.net"),
    Case(text: "xmpp:romeo@montague.net?message", jid: "romeo@montague.net", action: "message"),
    Case(
      text: "xmpp:romeo@montague.net?message;subject=Test%20Message;body=Here%27s%20a%20test%20message",
      jid: "romeo@montague.net", action: "message",
      parameters: [.init("subject", "Test Message"), .init("body", "Here's a test message")]),
    Case(
      text: "xmpp:romeo@montague.net?roster;name=Romeo%20Montague;group=Friends", jid: "romeo@montague.net",
      action: "roster", parameters: [.init("name", "Romeo Montague"), .init("group", "Friends")]),
    Case(
      text: "XMPP:Romeo@Montague.NET?subscribe", jid: "romeo@montague.net", action: "subscribe",
      canonical: "xmpp:romeo@montague.net?subscribe"),
    Case(
      text: "xmpp://guest@example.com/support@example.com?message", jid: "support@example.com",
      account: "guest@example.com", action: "message"),
    Case(text: "xmpp:example-node@example.com/some-resource", jid: "example-node@example.com/some-resource"),
    // RFC 5122 2.7
    Case(
      text: "xmpp:nasty!%23$%25()*+,-.;=%3F%5B%5C%5D%5E_%60%7B%7C%7D~node@example.com",
      jid: #"nasty!#$%()*+,-.;=?[\]^_`{|}~node@example.com"#,
      canonical:
        "xmpp:nasty%21%23%24%25%28%29%2A%2B%2C-.%3B%3D%3F%5B%5C%5D%5E_%60%7B%7C%7D~node@example.com"),
    Case(
      text:
        "xmpp:node@example.com/repulsive%20!%23%22$%25&'()*+,-.%2F:;%3C=%3E%3F%40%5B%5C%5D%5E_%60%7B%7C%7D~resource",
      jid: #"node@example.com/repulsive !#"$%&'()*+,-./:;<=>?@[\]^_`{|}~resource"#,
      canonical:
        "xmpp:node@example.com/repulsive%20%21%23%22%24%25%26%27%28%29%2A%2B%2C-.%2F%3A%3B%3C%3D%3E%3F%40%5B%5C"
        + "%5D%5E_%60%7B%7C%7D~resource"),
    Case(
      text: "xmpp:ji%C5%99i@%C4%8Dechy.example/v%20Praze", jid: "ji\u{159}i@\u{10D}echy.example/v Praze",
      canonical: "xmpp:ji%C5%99i@xn--echy-fua.example/v%20Praze"),
    Case(
      text: "xmpp:ji\u{159}i@\u{10D}echy.example/v%20Praze", jid: "ji\u{159}i@\u{10D}echy.example/v Praze",
      canonical: "xmpp:ji%C5%99i@xn--echy-fua.example/v%20Praze"),
    Case(
      text: "xmpp:pubsub.example?;node=princely_musings", jid: "pubsub.example",
      parameters: [.init("node", "princely_musings")]),
    Case(text: "xmpp:bob@[::1]?join;password=", jid: "bob@[::1]", action: "join", parameters: [.init("password", "")]),
    Case(text: "xmpp:bob@example.org?#top", jid: "bob@example.org", canonical: "xmpp:bob@example.org"),
    Case(
      text: "xmpp:bob@example.org?roster;preauth=1tMFqYDdKhfe2pwp;;x=a=b", jid: "bob@example.org", action: "roster",
      parameters: [.init("preauth", "1tMFqYDdKhfe2pwp"), .init("x", "a=b")],
      canonical: "xmpp:bob@example.org?roster;preauth=1tMFqYDdKhfe2pwp;x=a%3Db"),
  ]

  @Test("A link is read, and written in its canonical form", arguments: cases)
  func linkIsReadAndWritten(_ link: Case) throws {
    let uri = try XMPPURI(link.text)
    #expect(try uri.jid == JID(link.jid))
    #expect(uri.account == link.account.flatMap(Self.jid))
    #expect(uri.action == link.action)
    #expect(uri.parameters == link.parameters)
    #expect(uri.description == link.canonical ?? link.text)
    #expect(try XMPPURI(uri.description) == uri)
  }

  @Test(
    "A text that is not an XMPP link is refused",
    arguments: [
      "", "xmpp", "xmpp:", "xmpp:?message", "http://example.org", "bob@example.org", "xmpp:bob@", "xmpp:@example.org",
      "xmpp:bob@example.org/", "xmpp://bob@example.org", "xmpp:///bob@example.org", "xmpp://a@b/",
      "xmpp:bob@example.org?a;b",
      "xmpp:bob@example.org?a;=b", "xmpp:bob@example.org?%", "xmpp:bob@example.org?%4", "xmpp:bob@example.org?%zz",
      "xmpp:bob@example.org?%+1", "xmpp:b%6@example.org", "xmpp:b%00b@example.org", "xmpp:bob@example.org?a;b=%00",
      "xmpp:bob@example.org?a;b=%FF", "xmpp:bob@example.org?a;b=%C0%AF", "xmpp:bob@example.org?a;b=%ED%A0%80",
      "xmpp:a%40b@example.org", "xmpp:a%2Fb@example.org", "xmpp:bob@example.org%2Fx", "xmpp:bob@example%2Eorg%40evil",
      "xmpp:bob @example.org", "xmpp:bob@example.org\n", "xmpp:<bob@example.org>", "xmpp:bob@example.org?a;b=\u{9B}",
      "xmpp:" + String(repeating: "a", count: 20_000),
    ])
  func whatIsNoLinkIsRefused(_ text: String) {
    #expect(throws: XMPPURIError.self) { try XMPPURI(text) }
  }

  @Test("The error of a link is a sentence") func reasonIsASentence() throws {
    let error = try #require(throws: XMPPURIError.self) { try XMPPURI("xmpp:bob@") }
    #expect(error.description == "The link leads to an address that has no domain.")
  }

  @Test("A text that looks like an XMPP link is recognized") func likelyLinkIsTold() {
    #expect(XMPPURI.isLikely("XmPP:") && XMPPURI.isLikely("xmpp:@"))
    #expect(!XMPPURI.isLikely("xmp") && !XMPPURI.isLikely("bob@example.org"))
  }

  @Test("Of several values of one key the first counts") func firstValueOfAKeyCounts() throws {
    let uri = try XMPPURI("xmpp:bob@example.org?roster;name=a;name=b")
    #expect(uri.value(of: "name") == "a" && uri.value(of: "group") == nil)
  }
}
