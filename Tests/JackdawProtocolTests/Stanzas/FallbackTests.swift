// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

/// Where a part begins and ends, as the sender wrote it.
typealias FallbackPart = (start: String?, end: String?)

/// What of a body is for clients that do not know another element of the message.
@Suite("The fallback in a body") struct FallbackTests {
  private static func fallback(_ parts: [FallbackPart], of namespace: String? = "urn:a", in name: String = "body")
    -> Element
  {
    Element(
      "fallback", Fallback.namespace, ["for": namespace],
      parts.map { Element(name, Fallback.namespace, ["start": $0.start, "end": $0.end]) })
  }

  private static func split(_ body: String, _ payloads: Element...) -> (rest: String, fallback: String) {
    Fallback(for: ["urn:a"], in: payloads, of: body).split(body)
  }

  /// Of eight code points, 15 bytes, nine units of UTF-16 and seven characters.
  private static let body = "> e\u{301}👍\nyz"

  static let parts: [(parts: [FallbackPart], rest: String, fallback: String)] = [
    ([("0", "6")], "yz", "> e\u{301}👍\n"),
    ([("2", "5")], "> \nyz", "e\u{301}👍"),
    ([("0", "8")], "", "> e\u{301}👍\nyz"),
    ([(nil, nil)], "", "> e\u{301}👍\nyz"),
    // Several.
    ([("0", "2"), ("6", "7")], "e\u{301}👍\nz", "> y"),
    ([("6", "7"), ("0", "2")], "e\u{301}👍\nz", "> y"),
    ([("0", "2"), ("2", "4")], "👍\nyz", "> e\u{301}"),
    // One within another, or over its end.
    ([("0", "4"), ("1", "2")], "👍\nyz", "> e\u{301}"),
    ([("0", "4"), ("2", "6")], "yz", "> e\u{301}👍\n"),
    ([("0", "2"), ("0", "2")], "e\u{301}👍\nyz", "> "),
    // What makes no sense is passed over, and the rest counts.
    ([("0", "9")], "> e\u{301}👍\nyz", ""),
    ([("8", "9")], "> e\u{301}👍\nyz", ""),
    ([("900", "901")], "> e\u{301}👍\nyz", ""),
    ([("-1", "2")], "> e\u{301}👍\nyz", ""),
    ([("-3", "-1")], "> e\u{301}👍\nyz", ""),
    ([("3", "2")], "> e\u{301}👍\nyz", ""),
    ([("3", "3")], "> e\u{301}👍\nyz", ""),
    ([("a", "2")], "> e\u{301}👍\nyz", ""),
    ([("", "")], "> e\u{301}👍\nyz", ""),
    ([("0x0", "2")], "> e\u{301}👍\nyz", ""),
    ([("0", "99999999999999999999")], "> e\u{301}👍\nyz", ""),
    ([("0", nil)], "> e\u{301}👍\nyz", ""),
    ([(nil, "2")], "> e\u{301}👍\nyz", ""),
    ([("-1", "900"), ("0", "2"), ("5", "1")], "e\u{301}👍\nyz", "> "),
    // In the middle of a character: between the letter and its accent.
    ([("0", "3")], "\u{301}👍\nyz", "> e"),
    ([("3", "8")], "> e", "\u{301}👍\nyz"),
  ]

  @Test("is the parts that are named, which count code points", arguments: parts)
  func ranges(parts: [FallbackPart], rest: String, fallback: String) {
    let found = Self.split(Self.body, Self.fallback(parts))
    // Texts are equal with other code points, too.
    #expect(Array(found.rest.unicodeScalars) == Array(rest.unicodeScalars))
    #expect(Array(found.fallback.unicodeScalars) == Array(fallback.unicodeScalars))
  }

  @Test("splits an emoji of several code points where it ends within one")
  func withinEmoji() {
    // Woman, joiner, woman, joiner, girl.
    let family = "👩\u{200D}👩\u{200D}👧"
    let (rest, fallback) = Self.split(family + "!", Self.fallback([("0", "2")]))
    #expect(rest.unicodeScalars.map(\.value) == [0x1F469, 0x200D, 0x1F467, 0x21])
    #expect(fallback.unicodeScalars.map(\.value) == [0x1F469, 0x200D])
    // Half of a flag.
    #expect(Self.split("🇩🇪", Self.fallback([("0", "1")])).rest.unicodeScalars.map(\.value) == [0x1F1EA])
  }

  @Test("counts as the specification does")
  func counting() {
    // XEP-0426, the last row of its table, with the joiners that it had.
    let text = "🧛🏾 👨\u{200D}👨\u{200D}👦\u{200D}👦 🇺🇳"
    #expect(Self.split(text + "x", Self.fallback([("0", "\(text.unicodeScalars.count)")])).rest == "x")
    #expect(text.unicodeScalars.count == 13)
    // A line break of two characters is two code points and one character.
    #expect(Self.split("> a\r\nx", Self.fallback([("0", "5")])).rest == "x")
  }

  @Test("is for certain elements, and of the body alone")
  func others() {
    let body = "text"
    #expect(Self.split(body, Self.fallback([], of: "urn:a")).rest == "")
    #expect(Self.split(body, Self.fallback([], of: "urn:b")).rest == "text")
    #expect(Self.split(body, Self.fallback([], of: nil)).rest == "text")
    #expect(Self.split(body, Self.fallback([(nil, nil)], in: "subject")).rest == "text")
    #expect(Self.split(body, Self.fallback([("0", "1")]), Self.fallback([("3", "4")])).rest == "ex")
    let two = Fallback(
      for: ["urn:a", "urn:b"],
      in: [Self.fallback([("0", "1")]), Self.fallback([("1", "2")], of: "urn:b")], of: body)
    #expect(two.ranges == [0..<2])
    #expect(Self.split("", Self.fallback([])).rest == "")
  }

  @Test("costs no more than its parts, however many overlap")
  func many() {
    let parts: [FallbackPart] = (0..<20_000).map { ("\($0 % 100)", "\($0 % 100 + 100)") }
    let body = String(repeating: "x", count: 300)
    #expect(Self.split(body, Self.fallback(parts)).rest.count == 101)
  }
}
