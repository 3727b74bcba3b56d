// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@Suite struct JIDTests {
  struct Parts: Sendable, CustomTestStringConvertible {
    var text: String
    var localpart: String?
    var domain: String
    var resource: String?
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ localpart: String?, _ domain: String, _ resource: String? = nil) {
      self.text = text
      self.localpart = localpart
      self.domain = domain
      self.resource = resource
    }
  }

  /// RFC 7622 3.5, table 1; then the same kinds in other spellings.
  static let valid = [
    Parts("juliet@example.com", "juliet", "example.com"),
    Parts("juliet@example.com/foo", "juliet", "example.com", "foo"),
    Parts("juliet@example.com/foo bar", "juliet", "example.com", "foo bar"),
    Parts("juliet@example.com/foo@bar", "juliet", "example.com", "foo@bar"),
    Parts(#"foo\20bar@example.com"#, #"foo\20bar"#, "example.com"),
    Parts("fussball@example.com", "fussball", "example.com"),
    Parts("fu\u{DF}ball@example.com", "fu\u{DF}ball", "example.com"),
    Parts("\u{3C0}@example.com", "\u{3C0}", "example.com"),
    Parts("\u{3A3}@example.com/foo", "\u{3C3}", "example.com", "foo"),
    Parts("\u{3C3}@example.com/foo", "\u{3C3}", "example.com", "foo"),
    Parts("\u{3C2}@example.com/foo", "\u{3C2}", "example.com", "foo"),
    Parts("king@example.com/\u{265A}", "king", "example.com", "\u{265A}"),
    Parts("example.com", nil, "example.com"),
    Parts("example.com/foobar", nil, "example.com", "foobar"),
    Parts("a.example.com/b@example.net", nil, "a.example.com", "b@example.net"),
    // An errata report (4560) takes the leading space out of table 2: OpaqueString allows it.
    Parts("juliet@example.com/ foo", "juliet", "example.com", " foo"),
    Parts("server/resource@foo/bar", nil, "server", "resource@foo/bar"),
    Parts("juliet@example.com/a/b//", "juliet", "example.com", "a/b//"),
    Parts("JULIET@EXAMPLE.COM/Foo", "juliet", "example.com", "Foo"),
    Parts("juliet@example.com.", "juliet", "example.com"),
    Parts("juliet@example.com./foo", "juliet", "example.com", "foo"),
    Parts("!#$%*+,-.=?^_`{|}~;()[]@d", "!#$%*+,-.=?^_`{|}~;()[]", "d"),
    Parts("100%s%n@example.com/%n", "100%s%n", "example.com", "%n"),
    Parts("bob@example.org/\u{1F37A}", "bob", "example.org", "\u{1F37A}"),
    // Wide forms and combining marks in the localpart.
    Parts("\u{FF22}\u{FF4F}\u{FF42}@example.com", "bob", "example.com"),
    Parts("\u{FF76}\u{FF9E}@example.com", "\u{30AC}", "example.com"),
    Parts("re\u{301}mi@example.com", "r\u{E9}mi", "example.com"),
    Parts("\u{1E9E}@example.com", "\u{DF}", "example.com"),
    Parts("\u{130}@example.com", "i\u{307}", "example.com"),
    // The resource keeps capitals and wide forms, composes, and makes all spaces one.
    Parts("d/\u{FF22}ob", nil, "d", "\u{FF22}ob"),
    Parts("d/e\u{301}", nil, "d", "\u{E9}"),
    Parts("d/a\u{A0}b\u{3000}c\u{1680}d", nil, "d", "a b c d"),
    // Emoji of several characters are symbols, but the joiner within needs a virama before it (see the hostile table).
    Parts("d/\u{1F44D}\u{1F3FD}", nil, "d", "\u{1F44D}\u{1F3FD}"),
    // A symbol of Unicode 16, newer than our tables.
    Parts("d/\u{1FAE9}", nil, "d", "\u{1FAE9}"),
  ]

  @Test("an address is split into its parts, which are prepared", arguments: valid)
  func addressIsSplitAndPrepared(_ parts: Parts) throws {
    let jid = try JID(parts.text)
    #expect(jid.localpart.map { Array($0.utf8) } == parts.localpart.map { Array($0.utf8) })
    #expect(Array(jid.domain.utf8) == Array(parts.domain.utf8))
    #expect(jid.resource.map { Array($0.utf8) } == parts.resource.map { Array($0.utf8) })
  }

  @Test("a prepared address does not change when it is prepared again", arguments: valid)
  func preparedAddressIsPreparedForGood(_ parts: Parts) throws {
    let jid = try JID(parts.text)
    let again = try JID(jid.description)
    #expect(again == jid)
    #expect(again.hashValue == jid.hashValue)
    #expect(Array(again.description.utf8) == Array(jid.description.utf8))
  }

  @Test("an address made of its parts equals the one read from text", arguments: valid)
  func partsKnownApartMakeTheSameAddress(_ parts: Parts) throws {
    let jid = try JID(localpart: parts.localpart, domain: parts.domain, resource: parts.resource)
    #expect(try jid == JID(parts.text))
  }

  @Test("bare address, server and resource are derived from a full address") func bareAndServerAndResource() throws {
    let jid = try JID("Bob@Example.org/phone")
    #expect(try jid.bare == JID("bob@example.org"))
    #expect(!jid.isBare && jid.bare.isBare)
    #expect(try jid.server == JID("example.org"))
    #expect(try jid.bare.with(resource: "a\u{A0}b").resource == "a b")
    #expect(try jid.with(resource: nil) == jid.bare)
    #expect(throws: JIDError.self) { try jid.with(resource: "") }
    #expect(throws: JIDError.self) { try jid.with(resource: "a\u{0}") }
  }

  @Test("Devices of one account share its bare address, and with nobody else") func sharedBareAddress() throws {
    let phone = try JID("bob@example.org/phone")
    for text in ["bob@example.org/phone", "bob@example.org/desk", "bob@example.org"] {
      #expect(phone.sharesBare(with: try JID(text)), "\(text)")
    }
    for text in ["bob@example.net/phone", "bo@example.org/phone", "example.org", "example.org/phone"] {
      #expect(!phone.sharesBare(with: try JID(text)), "\(text)")
    }
  }

  @Test("addresses share a domain whoever they are of, and with no other that ends or begins alike")
  func sharedDomain() throws {
    let alice = try JID("alice@example.org/phone")
    for text in ["bob@example.org", "example.org", "EXAMPLE.ORG/x", "example.org/a@b"] {
      let other = try JID(text)
      #expect(alice.sharesDomain(with: other) && other.sharesDomain(with: alice), "\(text)")
    }
    for text in ["bob@an.example.org", "example.or", "b@example.orgs", "alice@exbmple.org"] {
      let other = try JID(text)
      #expect(!alice.sharesDomain(with: other) && !other.sharesDomain(with: alice), "\(text)")
    }
  }

  @Test("An address is another's server if it is the whole domain and nothing else") func serverOfAnother() throws {
    for text in ["bob@example.org/phone", "bob@example.org", "example.org", "example.org/x"] {
      let address = try JID(text)
      #expect(try JID("example.org").isServer(of: address), "\(text)")
      for other in ["org", "chat.example.org", "example.org/x", "bob@example.org", "bob@example.org/phone"] {
        #expect(try !JID(other).isServer(of: address), "\(other) of \(text)")
      }
    }
  }

  @Test("delimiters within parts that are given apart are not taken for delimiters")
  func delimitersInPartsKnownApartAreNotDelimiters() throws {
    #expect(throws: JIDError.self) { try JID(localpart: "a@b", domain: "example.org") }
    #expect(throws: JIDError.self) { try JID(localpart: "a/b", domain: "example.org") }
    #expect(throws: JIDError.self) { try JID(localpart: "a", domain: "example.org/x") }
    #expect(throws: JIDError.self) { try JID(localpart: "", domain: "example.org") }
    #expect(try JID(localpart: nil, domain: "example.org", resource: "a/b@c").resource == "a/b@c")
  }

  @Test(
    "different addresses are not equal",
    arguments: [
      ("bob@example.org", "alice@example.org"), ("bob@example.org/a", "bob@example.org/A"),
      ("bob@example.org", "bob@example.org/a"), ("bob@example.org", "example.org"),
      ("fussball@example.com", "fu\u{DF}ball@example.com"), ("\u{3C3}@d", "\u{3C2}@d"),
      ("bob@example.org", "b\u{43E}b@example.org"), ("bob@fa\u{DF}.example", "bob@fass.example"),
    ])
  func differentAddressesDiffer(_ left: String, _ right: String) throws {
    #expect(try JID(left) != JID(right))
  }

  /// RFC 3454 table B.2, where RFC 7622 has the small letters as they are.
  @Test(
    "a localpart is folded as servers do it that go by nodeprep, and nothing else of the address",
    arguments: [
      ("\u{3BD}\u{3AF}\u{3BA}\u{3BF}\u{3C2}@d", "\u{3BD}\u{3AF}\u{3BA}\u{3BF}\u{3C3}@d"),
      ("Stra\u{DF}e@d/x", "strasse@d/x"), ("STRA\u{1E9E}E@d", "strasse@d"),
      ("stra\u{DF}e@d/\u{B7}", "strasse@d/\u{B7}"),
      ("\u{1F80}@d", "\u{1F00}\u{3B9}@d"), ("\u{1FB7}@d", "\u{1FB6}\u{3B9}@d"), ("\u{1FB6}@d", "\u{1FB6}@d"),
      ("bob@d", "bob@d"), ("b\u{F6}b@fa\u{DF}.example/\u{DF}", "b\u{F6}b@fa\u{DF}.example/\u{DF}"),
      ("fa\u{DF}.example/\u{3C2}", "fa\u{DF}.example/\u{3C2}"),
    ])
  func localpartIsFolded(_ text: String, _ folded: String) throws {
    let jid = try JID(received: text).folded
    #expect(Array(jid.description.utf8) == Array(folded.utf8))
    #expect(jid.folded == jid)
  }

  @Test(
    "an address that mixes scripts is recognized",
    arguments: [
      ("bob@example.org", false), ("localhost", false), ("b\u{43E}b@example.org", true),
      ("\u{431}\u{43E}\u{431}@example.org", false), ("bob@ex\u{430}mple.org", true),
      ("\u{438}@\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.example", false),
      ("\u{65E5}\u{672C}\u{30C6}bob@example.org", false), ("\u{D55C}\u{6F22}bob@example.org", false),
      ("\u{D55C}\u{30C6}@example.org", true), ("\u{3B1}bob@example.org", true), ("bob-1.2_3@example.org", false),
      ("\u{43E}1-2@example.org", false), ("ex\u{430}mple.org", true), ("\u{43E}.example", false),
      ("bob@example.org/b\u{43E}b", false),
    ])
  func homographIsMarkedByItsMixedScripts(_ text: String, _ isMixed: Bool) throws {
    #expect(try JID(text).isMixedScript == isMixed)
  }

  @Test(
    "an address is the same however it was made",
    arguments: ["bob@example.org", "example.org/\u{E9}", "bob@example.org/b"]
  )
  func sameHoweverMade(text: String) throws {
    let jid = try JID(text)
    let others = [
      try JID(received: text), try jid.with(resource: jid.resource),
      try JID(localpart: jid.localpart, domain: jid.domain, resource: jid.resource),
    ]
    for other in others {
      #expect(other == jid && other.hashValue == jid.hashValue && other.description == text)
      #expect(other.bare == jid.bare && other.bare.hashValue == jid.bare.hashValue && other.sharesBare(with: jid.bare))
    }
    #expect(jid.bare.bare == jid.bare && jid.bare.isBare && jid.isBare == (jid.resource == nil))
    #expect((jid == jid.bare) == jid.isBare)
    let another = try jid.with(resource: "another")
    #expect(another != jid && another.sharesBare(with: jid) && another.bare == jid.bare)
    #expect(another.description == jid.bare.description + "/another")
  }
}
