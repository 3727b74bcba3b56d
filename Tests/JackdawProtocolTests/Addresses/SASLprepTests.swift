// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@Suite struct SASLprepTests {
  /// RFC 4013 3, then one for each step of the profile.
  @Test(
    "A text is prepared by SASLprep",
    arguments: [
      ("I\u{AD}X", "IX"), ("user", "user"), ("USER", "USER"), ("\u{AA}", "a"), ("\u{2168}", "IX"),
      ("", ""), ("pass word", "pass word"), ("a\u{A0}b\u{3000}c", "a b c"), ("a\u{200B}b", "a b"),
      ("\u{FEFF}a\u{2060}\u{FE0F}", "a"),
      ("e\u{301}", "\u{E9}"), ("\u{1E9B}\u{323}", "\u{1E69}"), ("\u{FB01}", "fi"),
      ("\u{FF21}\u{FF76}\u{FF9E}", "A\u{30AC}"),
      ("\u{3392}", "MHz"), ("a\u{340}", "\u{E0}"), ("\u{1D400}", "A"), ("\u{BD}", "1\u{2044}2"), ("\u{132}", "IJ"),
      ("\u{212B}", "\u{C5}"), ("\u{AC00}", "\u{AC00}"), ("\u{1100}\u{1161}", "\u{AC00}"), ("\u{3131}", "\u{1100}"),
      ("\u{627}\u{628}", "\u{627}\u{628}"), ("\u{627}1\u{628}", "\u{627}1\u{628}"), ("\u{1F600}", "\u{1F600}"),
      ("p\u{E4}ssw\u{F6}rt,=", "p\u{E4}ssw\u{F6}rt,="),
    ])
  func textIsPrepared(_ text: String, _ expected: String) throws {
    #expect(try Array(SASLprep.prepare(text).utf8) == Array(expected.utf8))
  }

  @Test(
    "A prohibited character is refused",
    arguments: [
      "\u{7}", "a\u{0}b", "\u{7F}", "a\nb", "\u{85}", "\u{6DD}", "\u{180E}", "\u{2028}", "\u{200E}", "\u{202E}",
      "\u{206A}",
      "\u{E000}", "\u{F0000}", "\u{FFFE}", "\u{1FFFF}", "\u{FFFD}", "\u{FFF9}", "\u{2FF0}", "\u{E0001}", "\u{E0041}",
      "\u{1D173}",
    ])
  func prohibitedCharacterIsRefused(_ text: String) {
    #expect(throws: StringPreparationError.self) { try SASLprep.prepare(text) }
  }

  /// Eighteen characters, written from right to left.
  @Test("The longest decomposition of a character is kept whole") func longestDecompositionIsWhole() throws {
    let words: [[UInt16]] = [
      [0x635, 0x644, 0x649], [0x627, 0x644, 0x644, 0x647], [0x639, 0x644, 0x64A, 0x647], [0x648, 0x633, 0x644, 0x645],
    ]
    let expected = String(decoding: words.joined(separator: [0x20]).map { $0 }, as: UTF16.self)
    #expect(try SASLprep.prepare("\u{FDFA}") == expected)
  }

  @Test(
    "A text that mixes directions against the rule is refused",
    arguments: ["\u{627}1", "1\u{627}", "\u{627}a\u{628}", "a\u{627}", "\u{5D0}b\u{5D0}"])
  func mixtureOfDirectionsIsRefused(_ text: String) {
    #expect(throws: StringPreparationError.self) { try SASLprep.prepare(text) }
  }

  @Test("The error says nothing of the password") func errorTellsNothingOfThePassword() throws {
    let error = try #require(throws: StringPreparationError.self) { try SASLprep.prepare("hunter2\u{7}") }
    #expect(!error.description.contains("hunter2") && !error.description.contains("U+0007"))
  }
}
