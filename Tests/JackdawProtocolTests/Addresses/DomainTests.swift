// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@Suite struct DomainTests {
  /// Text, prepared domain, ASCII domain.
  static let domains = [
    ("example.org", "example.org", "example.org"),
    ("EXAMPLE.Org.", "example.org", "example.org"),
    ("localhost", "localhost", "localhost"),
    ("a_b.example", "a_b.example", "a_b.example"),
    ("_xmpp-client._tcp.example", "_xmpp-client._tcp.example", "_xmpp-client._tcp.example"),
    ("r3---sn.example", "r3---sn.example", "r3---sn.example"),
    ("1and1.example", "1and1.example", "1and1.example"),
    ("123.example", "123.example", "123.example"),
    ("b\u{FC}cher.example", "b\u{FC}cher.example", "xn--bcher-kva.example"),
    ("BU\u{308}CHER.example", "b\u{FC}cher.example", "xn--bcher-kva.example"),
    ("xn--bcher-kva.example", "b\u{FC}cher.example", "xn--bcher-kva.example"),
    ("XN--Bcher-KVA.example", "b\u{FC}cher.example", "xn--bcher-kva.example"),
    ("a_b.b\u{FC}cher.example", "a_b.b\u{FC}cher.example", "a_b.xn--bcher-kva.example"),
    ("fa\u{DF}.example", "fa\u{DF}.example", "xn--fa-hia.example"),
    ("\u{5D0}\u{5D1}.example", "\u{5D0}\u{5D1}.example", "xn--4dbc.example"),
    ("l\u{B7}l.example", "l\u{B7}l.example", "xn--ll-0ea.example"),
    ("\u{65E5}\u{672C}\u{3002}example\u{FF0E}", "\u{65E5}\u{672C}.example", "xn--wgv71a.example"),
    ("\u{FF45}xample.org", "example.org", "example.org"),
    ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
    ("[::1]", "[::1]", "[::1]"),
    ("[0:0:0:0:0:0:0:1]", "[::1]", "[::1]"),
    ("[2001:DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]", "[2001:db8::1:0:0:1]"),
    ("[2001:db8:0:1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]"),
    ("[::]", "[::]", "[::]"), ("[1::]", "[1::]", "[1::]"),
    ("[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]"),
    ("[::FFFF:c000:201]", "[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]"),
    ("[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]", "[1:2:3:4:5:6:102:304]"),
  ]

  @Test("A domain is prepared (IDNA)", arguments: domains)
  func domainIsPrepared(_ text: String, _ prepared: String, _ ascii: String) throws {
    let jid = try JID("bob@" + text)
    #expect(Array(jid.domain.utf8) == Array(prepared.utf8))
    #expect(jid.asciiDomain == ascii)
    #expect(jid.localpart == "bob")
    #expect(try JID("bob@" + prepared) == jid)
    #expect(try JID("bob@" + ascii) == jid)
  }

  @Test(
    "A domain that is not valid is refused",
    arguments: [
      "a..b", ".a", "a..", ".", "..", "-a.example", "a-.example", "a.-b", "a.b-", "a b", "a!b", "a%b", "a:5222", "a,b",
      "a\\b",
      "a\u{0}b", "[", "]", "[]", "[:]", "[:::]", "[::1", "::1]", "[::1]x", "[::1%eth0]", "[1::2::3]", "[12345::]",
      "[::g]",
      "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7::8]", "[:1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:]",
      "[::1.2.3]", "[::1.2.3.256]", "[1.2.3.4]", "[1.2.3.4::]", "[+1::]", "[v1.x]", "[\u{661}::]",
      "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.04", "0x7f.1", "0x7f000001", "a.0x1", "2130706433", "example.1",
      "xn--", "xn--a", "xn--\u{FC}", "xn--bcher-kv", "xn--abc-", "xn--BCHER-KVA-.example", "xn--i-7iq.example",
      "\u{2100}.example", "a\u{FF0F}b.example", "a\u{FF20}b.example", "\u{2764}.example", "\u{200B}a.example",
      "a\u{200D}b.example", "\u{301}a.example", "\u{5D0}a.example", "1a.\u{5D0}", "\u{5D0}.example.123a\u{5D1}",
      "\u{3002}", "a\u{3002}\u{3002}b", "\u{FF11}.\u{FF12}", "\u{10FFFF}.example", "\u{378}.example",
      "a\u{B7}b.example",
      "\u{30FB}.example", "\u{661}\u{6F1}.example",
    ])
  func whatIsNoDomainIsRefused(_ text: String) {
    #expect(throws: JIDError.self) { try JID(localpart: "bob", domain: text) }
    #expect(throws: JIDError.self) { try JID("bob@" + text) }
    #expect(throws: JIDError.self) { try JID(text + "/phone") }
  }

  /// A label of 57 letters ü is well below 63 characters, but not as an A-label.
  @Test("The length of a domain is limited in its ASCII form") func lengthCountsInASCIIForm() throws {
    #expect(throws: JIDError.self) { try JID(String(repeating: "b\u{FC}", count: 30) + ".example") }
    #expect(try JID(String(repeating: "\u{FC}", count: 20) + ".example").asciiDomain.hasPrefix("xn--"))
  }
}
