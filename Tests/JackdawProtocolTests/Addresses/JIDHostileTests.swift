// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Support
import Testing

@Suite struct JIDHostileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    /// What the reason has to say.
    var reason: String
    var testDescription: String { String(text.debugDescription.prefix(60)) }

    init(_ text: String, _ reason: String) {
      self.text = text
      self.reason = reason
    }
  }

  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// RFC 7622 3.5, table 2 (without the entry that errata report 4560 takes out).
  static let table2 = [
    Case(#""juliet"@example.com"#, #"'"' before the '@'"#),
    Case("foo bar@example.com", "a space before the '@'"),
    Case("@example.com/", "nothing"),
    Case("henry\u{2163}@example.com", "U+2163 before the '@'"),
    Case("\u{265A}@example.com", "U+265A before the '@'"),
    Case("juliet@", "has no domain"),
    Case("/foobar", "has no domain"),
  ]

  static let hostile = [
    Case("", "is empty"), Case("@", "has no domain"), Case("/", "has no domain"), Case("@/", "has no domain"),
    Case("@@/", "'@' in its domain"), Case("@@", "'@' in its domain"), Case("bob@", "has no domain"),
    Case("bob@/x", "has no domain"), Case("/x", "has no domain"), Case("bob@example.org/", "nothing after the '/'"),
    Case("@example.org", "nothing before the '@'"), Case("a@b@c", "'@' in its domain"),
    Case(" bob@d", "a space before the '@'"), Case("bob @d", "a space before the '@'"),
    Case("bob@ d", "a space in its domain"), Case("bob@d ", "a space in its domain"),
    Case("bo\tb@d", "U+0009 before the '@'"), Case("bob@d/\t", "U+0009 after the '/'"),
    Case("bob@d/a\nb", "U+000A after the '/'"), Case("bob@d/\u{7F}", "U+007F after the '/'"),
    Case("bob@d/\u{9B}2J", "U+009B after the '/'"), Case("bo\u{0}b@d", "U+0000 before the '@'"),
    Case("bob@d\u{0}.example", "U+0000 in its domain"), Case("bob@d/\u{0}", "U+0000 after the '/'"),
    Case("bob\u{200B}@d", "U+200B before the '@'"), Case("bob@d/\u{200B}", "U+200B after the '/'"),
    Case("bob\u{FEFF}@d", "U+FEFF"), Case("bob\u{AD}@d", "U+00AD"), Case("bob@d/\u{2028}", "U+2028"),
    Case("bob@d/\u{202E}gnp", "U+202E"), Case("bob@d/\u{2066}", "U+2066"), Case("bob@d/\u{61C}x", "U+061C"),
    Case("bob@d/\u{E0041}", "U+E0041"), Case("bob@d/\u{FFF9}", "U+FFF9"), Case("bob@d/\u{FFFE}", "U+FFFE"),
    Case("bob@d/\u{E000}", "U+E000"), Case("bob@d/" + String(decoding: [0xFDD0], as: UTF16.self), "U+FDD0"),
    Case("bob@d/\u{378}", "U+0378"),
    Case("bob@d/\u{1F468}\u{200D}\u{1F469}", "U+200D after the '/', out of its proper surroundings"),
    Case("\u{1100}@d", "U+1100"), Case("bob\u{640}@d", "U+0640"),
    Case("a\u{FF20}b@d", "'@' before the '@'"), Case("a\u{FF0F}b@d", "'/' before the '@'"),
    Case("a&b@d", "'&'"), Case("a'b@d", "an apostrophe"), Case("a:b@d", "':'"), Case("a<b@d", "'<'"),
    Case("a>b@d", "'>'"), Case("A\"b@d", "'\"'"), Case("\u{E9}:b@d", "':'"),
    Case("\u{5D0}b@d", "directions of writing before the '@'"), Case("a\u{5D0}@d", "directions of writing"),
    Case("\u{5D0}1\u{661}@d", "directions of writing"),
    Case(repeated("a", 1024) + "@d", "1024 bytes before the '@'"),
    Case(repeated("a", 3000) + "@d", "3000 bytes before the '@'"),
    Case(repeated("\u{E9}", 512) + "@d", "1024 bytes before the '@'"),
    // 1022 bytes that are 1533 when prepared: U+0130 is i and a combining dot then.
    Case(repeated("\u{130}", 511) + "@d", "1533 bytes before the '@'"),
    Case("d/" + repeated("a", 1024), "1024 bytes after the '/'"),
    Case("bob@" + repeated("a", 64), "more than 63 characters"),
    Case(repeated("a.", 127) + "a", "longer than domains can be"),
    Case(repeated("a", 100_000), "longer than domains can be"),
    Case(repeated("@", 100_000), "longer than domains can be"),
  ]

  /// Not even whoever chooses a resource by other rules has these.
  static let hostileOfOthers: [Case] = [
    Case("", "is empty"), Case("bob@d/", "nothing after the '/'"), Case("bob@d/\u{0}", "U+0000 after the '/'"),
    Case("bob@d/a\nb", "U+000A after the '/'"), Case("bob@d/\u{9B}2J\u{B7}", "U+009B after the '/'"),
    Case("bob@d/\u{2028}", "U+2028"), Case("bob@d/\u{2029}", "U+2029"), Case("bob@d/\u{FFFE}", "U+FFFE"),
    Case("bob@d/" + String(decoding: [0xFDD0], as: UTF16.self), "U+FDD0"),
    Case("d/" + repeated("\u{B7}", 512), "1024 bytes after the '/'"),
    Case("a\u{B7}b@d", "U+00B7 before the '@'"), Case("\u{1100}@d", "U+1100"), Case("bob\u{200B}@d", "U+200B"),
    Case("bob@a\u{B7}b.example/x", "in its domain"),
  ]

  @Test("an invalid address is refused with its reason", arguments: table2 + hostile)
  func whatIsNoAddressIsRefusedWithItsReason(_ hostile: Case) throws {
    let error = try #require(throws: JIDError.self) { try JID(hostile.text) }
    #expect(error.reason.contains(hostile.reason), "\(error.reason)")
    #expect(error.text == hostile.text)
  }

  @Test(
    "a resource that others chose is taken though it breaks the rules of PRECIS, and is the same each time",
    arguments: [
      "Bob \u{B7} he/him", "kat\u{30FB}", "\u{1100}", "a\u{640}", "\u{378}", "\u{E000}", "\u{200B}", "\u{202E}gnp",
      "\u{1F468}\u{200D}\u{1F469}", "\u{661}\u{6F1}", repeated("\u{B7}", 511),
    ])
  func resourceOfOthersIsTaken(_ resource: String) throws {
    let text = "lunch@example.org/" + resource
    #expect(throws: JIDError.self) { try JID(text) }
    let jid = try JID(received: text)
    #expect(jid.resource.map { Array($0.utf8) } == Array(resource.utf8))
    #expect(jid.bare.description == "lunch@example.org")
    #expect(try JID(received: jid.description) == jid)
    #expect(try JID(localpart: "lunch", domain: "example.org", resource: resource, isReceived: true) == jid)
    #expect(try jid.bare.with(resource: resource, isReceived: true) == jid)
    #expect(throws: JIDError.self) { try jid.bare.with(resource: resource) }
    let stanza = Element("message", Namespace.client, ["from": text])
    #expect(try stanza.jid("from") == jid)
  }

  @Test("a resource that others chose has its spaces and composition as any other has")
  func resourceOfOthersIsMapped() throws {
    let resource = try JID(received: "d/e\u{301}\u{A0}\u{B7}\u{3000}x").resource
    #expect(resource.map { Array($0.utf8) } == Array("\u{E9} \u{B7} x".utf8))
  }

  @Test("an address that keeps to the rules is the same whoever wrote it", arguments: JIDTests.valid)
  func receivedIsTheSame(_ parts: JIDTests.Parts) throws {
    #expect(try JID(received: parts.text) == JID(parts.text))
  }

  @Test("an address of others is held to all that makes it one", arguments: table2 + hostileOfOthers)
  func whatIsNoAddressOfOthersIsRefused(_ hostile: Case) throws {
    let error = try #require(throws: JIDError.self) { try JID(received: hostile.text) }
    #expect(error.reason.contains(hostile.reason), "\(error.reason)")
  }

  @Test("parts of the greatest length are accepted, and one byte more is not") func longestPartsAreAddresses() throws {
    let part = Self.repeated("a", 1023)
    let domain = Self.repeated("a.", 126) + "a"
    let jid = try JID("\(part)@\(domain)/\(part)")
    #expect(jid.localpart == part && jid.domain == domain && jid.resource == part)
    #expect(try JID("d/" + Self.repeated("\u{E9}", 511)).resource?.utf8.count == 1022)
  }

  @Test("the error of an invalid address is a sentence of bounded length")
  func messageIsASentenceOfBoundedLength() throws {
    let error = try #require(throws: JIDError.self) { try JID("@@/") }
    #expect(error.description == "'@@/' is not an address: it has '@' in its domain, which is not allowed there.")
    let long = try #require(throws: JIDError.self) { try JID(Self.repeated("a", 3000) + "@d") }
    #expect(long.description.utf8.count < 200)
    #expect(try #require(throws: JIDError.self) { try JID("") }.description == "An empty text is not an address.")
  }

  /// Sequences of characters that are special somewhere, in deterministic disorder: never a crash, and what is accepted
  /// is prepared for good.
  @Test("no sequence of characters crashes the parser, and what it reads is written the same")
  func noSequenceOfCharactersCrashesTheParser() {
    let alphabet: [Unicode.Scalar] = [
      "@", "/", ".", "-", "_", "[", "]", ":", "%", "a", "B", "1", "x", "n", " ", "\u{0}", "\u{7F}", "\u{DF}", "\u{E9}",
      "\u{301}", "\u{130}", "\u{3A3}", "\u{3C2}", "\u{200C}", "\u{200D}", "\u{94D}", "\u{B7}", "l", "\u{375}",
      "\u{3B1}",
      "\u{5D0}", "\u{5F3}", "\u{627}", "\u{661}", "\u{6F1}", "\u{30FB}", "\u{30A2}", "\u{FF21}", "\u{FF0E}", "\u{FF20}",
      "\u{3002}", "\u{2163}", "\u{1F600}", "\u{10FFFF}", "\u{AC00}", "\u{1100}", "\u{FE0F}", "\u{1E921}", "\u{10400}",
    ]
    var random = SplitMix(seed: 7622)
    var accepted = 0
    for _ in 0..<20_000 {
      var text = String.UnicodeScalarView()
      if Bool.random(using: &random) { text.append(contentsOf: "xn--".unicodeScalars) }
      for _ in 0..<Int.random(in: 0...14, using: &random) {
        text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
      }
      let received = try? JID(received: String(text))
      if let received { #expect((try? JID(received: received.description)) == received) }
      guard let jid = try? JID(String(text)) else { continue }
      accepted += 1
      #expect(received == jid)
      #expect((try? JID(jid.description)) == jid, "\(String(text).debugDescription)")
      #expect(jid.asciiDomain.utf8.allSatisfy { $0 < 0x80 })
    }
    #expect(accepted > 500)
  }

  /// Addresses that need no preparation take a short way: it must lead to where the long one does.
  @Test("the short way for ASCII agrees with the long one") func shortWayForASCIIAgreesWithTheLongOne() {
    let alphabet = Array("abxn019-._:[]'&<~ Z".unicodeScalars)
    var random = SplitMix(seed: 6120)
    func text(_ count: ClosedRange<Int>) -> String {
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: count, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }))
    }
    var accepted = 0
    for _ in 0..<20_000 {
      let local = Bool.random(using: &random) ? text(0...4) : nil
      let domain = text(0...6)
      let resource = Bool.random(using: &random) ? text(0...4) : nil
      let whole = (local.map { $0 + "@" } ?? "") + domain + (resource.map { "/" + $0 } ?? "")
      let parsed = try? JID(whole)
      #expect(parsed == (try? JID(localpart: local, domain: domain, resource: resource)), "\(whole)")
      if parsed != nil { accepted += 1 }
    }
    #expect(accepted > 500)
  }
}
