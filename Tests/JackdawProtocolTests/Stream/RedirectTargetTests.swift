// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

@Suite("Redirect: the host of see-other-host")
struct RedirectTargetTests {
  @Test(
    "Names and addresses, with a port or without",
    arguments: [
      ("other.example", "other.example", nil), ("other.example:5269", "other.example", 5269),
      ("OTHER.example.", "OTHER.example.", nil), ("192.0.2.1:443", "192.0.2.1", 443),
      ("a_b.example", "a_b.example", nil),
      ("[2001:db8::1]", "2001:db8::1", nil), ("[2001:db8::1]:5222", "2001:db8::1", 5222),
      ("[::ffff:192.0.2.1]:1", "::ffff:192.0.2.1", 1), ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example", nil),
    ] as [(String, String, UInt16?)])
  func good(text: String, host: String, port: UInt16?) throws {
    let target = try #require(RedirectTarget(text))
    #expect(target.host == host)
    #expect(target.port == port)
  }

  @Test(
    "Anything else",
    arguments: [
      "", " ", "-oProxyCommand=x", "host\n.example", "host example", "host:", "host:0", "host:65536", "host:-1",
      "host:+1",
      "host:1:2", ":5222", "[", "[]", "[::1", "[::1]5222", "[::1]:", "[::1]:99999", "[host]", "[::1]x", "::1", "a..b",
      ".a", "-a.example", "a-.example", "münchen.example", "a/b", "a@b", "a%00", "a\0", "http://a", "a;b", "$(a)",
      "`a`",
      String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "aa",
    ])
  func bad(text: String) {
    #expect(RedirectTarget(text) == nil)
  }
}
