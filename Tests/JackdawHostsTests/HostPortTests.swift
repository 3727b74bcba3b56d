// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import Testing

@Suite struct HostPortTests {
  @Test(
    "Each form of host and port is read",
    arguments: [
      ("example.org", "example.org", nil),
      ("example.org.", "example.org", nil),
      ("example.org:443", "example.org", 443),
      ("EXAMPLE.org:65535", "EXAMPLE.org", 65535),
      ("localhost:5222", "localhost", 5222),
      ("a_b.example:1", "a_b.example", 1),
      ("xn--bcher-kva.example", "xn--bcher-kva.example", nil),
      ("192.0.2.7", "192.0.2.7", nil),
      ("192.0.2.7:5223", "192.0.2.7", 5223),
      ("[2001:db8::1]", "2001:db8::1", nil),
      ("[2001:db8::1]:5222", "2001:db8::1", 5222),
      ("::1", "::1", nil),
      ("2001:db8::1:5222", "2001:db8::1:5222", nil),
      ("[fe80::1%lo]:5222", "fe80::1%lo", 5222),
    ] as [(String, String, UInt16?)])
  func readsEveryForm(text: String, host: String, port: UInt16?) {
    let address = HostPort(text)
    #expect(address?.host == host)
    #expect(address?.port == port)
  }

  /// Malformed hosts, which a server may name in see-other-host (RFC 6120 4.9.3.19).
  @Test(
    "A redirection to a malformed host is refused",
    arguments: [
      "", ":", ":5222", "-oProxyCommand=x", "-oProxy", "host\nPROXY", "host\r\n", "a b", "host:", "host:0",
      "host:65536",
      "host:+1",
      "host:-1", "host:5222 ", "host:٣", "host:1:2", "[::1", "[::1]5222", "[::1]:", "[example.org]:1", "[]",
      "[192.0.2.1]", "::1]",
      "a..b", ".a", "a.-b", "bücher.example", "a\0b", "a/b", "user@host", "1.2.3", "127.1", "256.1.1.1", "0x7f000001",
      "0x7f.1", "2130706433",
      "fe80::1%", "fe80::1%no-such-interface", "$(id)", "`id`", String(repeating: "a", count: 64) + ".example",
      String(repeating: "a.", count: 127) + "aa",
    ])
  func redirectToMalformedHostIsRefused(text: String) {
    #expect(HostPort(text) == nil)
  }

  @Test(
    "A host and port is printed as it was read",
    arguments: ["example.org", "example.org:443", "[2001:db8::1]:5222", "[::1]", "192.0.2.7:1"])
  func printsWhatItReads(text: String) {
    #expect(HostPort(text)?.description == text)
  }

  @Test(
    "Where a server sends its clients: names and addresses, with a port or without",
    arguments: [
      ("other.example", "other.example", nil), ("other.example:5269", "other.example", 5269),
      ("OTHER.example.", "OTHER.example", nil), ("192.0.2.1:443", "192.0.2.1", 443),
      ("a_b.example", "a_b.example", nil),
      ("[2001:db8::1]", "2001:db8::1", nil), ("[2001:db8::1]:5222", "2001:db8::1", 5222),
      ("[::ffff:192.0.2.1]:1", "::ffff:192.0.2.1", 1), ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example", nil),
    ] as [(String, String, UInt16?)])
  func redirections(text: String, host: String, port: UInt16?) {
    #expect(HostPort(redirection: text) == HostPort(host: host, port: port))
  }

  @Test(
    "Where a server cannot send its clients",
    arguments: [
      "", " ", "-oProxyCommand=x", "host\n.example", "host example", "host:", "host:0", "host:65536", "host:-1",
      "host:+1",
      "host:1:2", ":5222", "[", "[]", "[::1", "[::1]5222", "[::1]:", "[::1]:99999", "[host]", "[::1]x", "::1", "a..b",
      ".a", "-a.example", "münchen.example", "a/b", "a@b", "a%00", "a\0", "http://a", "a;b", "$(a)", "`a`",
      "[fe80::1%lo]", "[fe80::1%1]:5222",
      String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "aa",
    ])
  func malformedRedirections(text: String) {
    #expect(HostPort(redirection: text) == nil)
  }

  @Test(
    "Names of this machine are known as local",
    arguments: [
      ("localhost", true), ("LOCALHOST", true), ("a.localhost", true), ("notlocalhost", false),
      ("localhost.example", false),
    ])
  func knowsLocalNames(name: String, isLocal: Bool) {
    #expect(HostName.isLocal(name) == isLocal)
  }
}
