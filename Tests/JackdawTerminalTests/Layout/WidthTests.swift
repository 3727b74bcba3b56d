// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite struct WidthTests {
  @Test(
    "The width of text is the most that a terminal uses for it",
    arguments: [
      ("", 0), ("abc", 3), ("äöü", 3), ("世界", 4), ("👍", 2), ("e\u{301}", 1), ("ｆ", 2), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("🇩🇪", 2), ("👩‍🚀", 4), ("👍🏽", 4),
      // Joined, with signs that are narrow to some and wide to others.
      ("👨‍👩‍👧‍👦", 8), ("🏳️‍🌈", 4), ("👁️‍🗨️", 4), ("❤️‍🔥", 4), ("🤷🏽‍♀️", 6),
      // Half a flag, a flag and a half, the flag of England.
      ("🇩", 2), ("🇩🇪🇩", 4), ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
      ("👍\u{FE0E}", 2), ("1\u{20E3}", 1), ("〰️", 2),
      // Hangul of the extended blocks, letters that are drawn as one, what takes no column, a sign before a number.
      ("\u{1100}\u{D7B0}\u{D7CB}", 2), ("\u{A960}\u{1161}", 2), ("\u{644}\u{627}", 2),
      ("\u{645}\u{6CC}\u{200C}\u{62E}", 3),
      ("\u{600}\u{661}", 2), ("\u{915}\u{93E}", 2), ("\u{915}\u{94D}\u{937}", 2),
      // Newer than the C library.
      ("\u{1FADC}", 2), ("\u{323B0}", 2), ("\u{378}", 1),
    ])
  func theWidthOfTextIsTheMostThatATerminalUses(text: String, columns: Int) {
    #expect(Width.of(text) == columns)
  }

  @Test(
    "A scalar is as wide as the C library, and so readline, has it; one that it does not know has one column",
    arguments: [
      ("a", 1), ("é", 1), ("\u{301}", 0), ("\u{200D}", 0), ("\u{5D0}", 1), ("世", 2), ("\u{3000}", 2), ("🚀", 2),
      ("\u{E000}", 1),
      ("\u{378}", 1),
    ] as [(Unicode.Scalar, Int)])
  func aScalarIsAsWideAsTheCLibrary(
    scalar: Unicode.Scalar, columns: Int
  ) {
    #expect(Width.of(scalar) == columns)
  }

  /// What tmux 3.3a gives, as measured; each scalar by itself; and what Unicode has as one character in two.
  @Test(
    "No terminal shows a text wider than its computed width",
    arguments: [
      ("👩‍🚀", [2, 4]), ("🏳️‍🌈", [1, 2, 3, 4]), ("👁️‍🗨️", [1, 2, 4]), ("👍🏽", [2, 4]), ("🇩🇪", [2]), ("❤️", [1, 2]),
      ("1️⃣", [1, 2]), ("\u{1FADC}", [0, 1, 2]), ("\u{1112}\u{1161}\u{11AB}", [2]), ("\u{644}\u{627}", [2]),
    ])
  func noTerminalShowsATextWiderThanItsComputedWidth(text: String, terminals: [Int]) {
    #expect(terminals.allSatisfy { $0 <= Width.of(text) })
    #expect(text.allSatisfy(\.isSteady) == (terminals.count == 1))
  }

  @Test(
    "A text in the prompt has the same width on every terminal",
    arguments: [
      ("Bob", "Bob"), ("👩‍🚀 Ann", "👩 Ann"), ("❤️", "❤"), ("👍🏽", "👍"), ("🏽", "🏽"), ("🇩🇪", "🇩🇪"), ("🇩", "\u{FFFD}"),
      ("🇩\u{FE0F}", "\u{FFFD}"), ("🇩🇪\u{FE0F}", "🇩🇪"),
      ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "\u{1F3F4}"), ("1️⃣", "1\u{20E3}"),
      ("👍\u{FE0E}", "👍"),
      ("\u{1FADC}!", "\u{FFFD}!"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
      ("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}"),
    ])
  func aTextInThePromptHasTheSameWidthOnEvery(text: String, steady: String) {
    let shown = text.map(\.steady).joined()
    #expect(shown == steady && shown.allSatisfy(\.isSteady))
  }

  @Test(
    "Text is truncated between characters",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("世界", 3, "世…"), ("世界", 4, "世界"), ("abc", 0, ""), ("abc", 1, "…"),
      ("ab👩‍🚀cd", 5, "ab…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
  func textIsTruncatedBetweenCharacters(text: String, columns: Int, shown: String) {
    #expect(Width.truncate(text, to: columns) == shown)
  }

  @Test("Text is padded by columns", arguments: [("ab", 4, "ab  "), ("世", 4, "世  "), ("abcde", 4, "abcde")])
  func textIsPaddedByColumns(text: String, columns: Int, shown: String) {
    #expect(Width.pad(text, to: columns) == shown)
  }
}

@Suite struct LineWrapTests {
  @Test(
    "Text is broken at words, and links are not",
    arguments: [
      ("one two three", 20, 20, ["one two three"]),
      ("one two three", 8, 8, ["one two", "three"]),
      ("one two three", 7, 5, ["one two", "three"]),
      ("onetwothree", 5, 5, ["onetw", "othre", "e"]),
      ("hello world", 3, 8, ["", "hello", "world"]),
      ("世界世界", 5, 5, ["世界", "世界"]),
      ("", 5, 5, [""]),
      ("a    b", 3, 3, ["a", "b"]),
      ("see https://example.org/a/long/path now", 12, 12, ["see", "https://example.org/a/long/path", "now"]),
      ("http://ab http://cd http://é", 9, 9, ["http://ab", "http://cd", "http://é"]),
      ("http://abhttp://cdé", 9, 9, ["http://ab", "http://cd", "é"]),
      ("éhttp://abhttp://cd x", 10, 9, ["éhttp://ab", "http://cd", "x"]),
      ("ééhttp://abhttp://cd x", 2, 2, ["éé", "http://abhttp://cd", "x"]),
      ("a \u{301}b", 2, 2, ["a \u{301}", "b"]),
      // What is marked has as many columns as without its marks, and is the same link.
      ("\u{3}*a*\u{2} \u{4}_b_\u{2} c", 9, 9, ["\u{3}*a*\u{2} \u{4}_b_\u{2} c"]),
      ("\u{3}*ab*\u{2} \u{1}世\u{2}界", 4, 4, ["\u{3}*ab*\u{2}", "\u{1}世\u{2}界"]),
      ("see \u{1}https\u{2}://example.org/a/path now", 12, 12, ["see", "\u{1}https\u{2}://example.org/a/path", "now"]),
    ])
  func textIsBrokenAtWords(text: String, first: Int, rest: Int, rows: [String]) {
    #expect(LineWrap.rows(text, first: first, rest: rest).map(String.init) == rows)
  }

  /// What Unicode takes for one character has no longest form: leading Hangul, emoji joined to emoji, signs before a number.
  @Test(
    "A character wider than a row is broken, so that the terminal does not",
    arguments: ["\u{1100}", "👩\u{200D}", "☎\u{FE0F}\u{200D}", "\u{600}", "\u{915}\u{94D}"])
  func aCharacterWiderThanARowIsBroken(piece: String) {
    for first in [3, 12, 20] {
      let rows = LineWrap.rows(String(repeating: piece, count: 50) + " end", first: first, rest: 12)
      #expect(
        rows.flatMap { $0.utf8.filter { $0 != 0x20 } } == Array((String(repeating: piece, count: 50) + "end").utf8))
      for (number, row) in rows.enumerated() { #expect(Width.of(row) <= (number == 0 ? first : 12)) }
    }
  }

  @Test("A word of a megabyte is broken into full rows") func aWordOfAMegabyteIsBrokenIntoFullRows() {
    let rows = LineWrap.rows(String(repeating: "x", count: 1 << 20), first: 72, rest: 72)
    #expect(rows.count == (1 << 20) / 72 + 1)
  }

  /// What is repeated, and what ends the line. Rows of 72 columns, so that each piece that begins like a link begins a row.
  @Test(
    "The work of breaking a line grows no faster than the line",
    arguments: [
      ("x", ""), ("x", "é"), ("http://" + String(repeating: "x", count: 65), ""),
      ("http://" + String(repeating: "x", count: 65), "é"), ("http://é", ""), ("xmpp:a ", "é"), (" ", ""), (" ", "é"),
      ("x" + String(repeating: " ", count: 200), "é"), ("世", ""), ("世 ", ""), ("e\u{301}", ""), ("👩\u{200D}🚀", ""),
      ("👩\u{200D}", ""), ("🇩🇪", ""), ("a" + String(repeating: "b", count: 70) + " ", "é"),
    ])
  func theWorkOfBreakingALineGrowsNoFaster(piece: String, end: String) {
    func looks(_ count: Int) -> Int {
      let text = String(repeating: piece, count: count / piece.utf8.count) + end
      return LineWrap.measuredRows(text, first: 72, rest: 72).looks
    }
    #expect(looks(12_000) <= 2 * looks(6_000) + 200)
    #expect(looks(12_000) <= 4 * 12_000)
  }
}
