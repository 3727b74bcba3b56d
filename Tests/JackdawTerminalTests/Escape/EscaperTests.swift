// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Support
import Testing

@testable import JackdawTerminal

@Suite struct EscaperTests {
  @Test(
    "Visible characters are kept",
    arguments: [
      ("", ""),
      ("plain ~ text", "plain ~ text"),
      ("back\\slash", "back\\slash"),
      ("Grüße, мир, 世界, שלום, مرحبا", "Grüße, мир, 世界, שלום, مرحبا"),
      ("👩‍🚀 ❤️ 1️⃣ 👍🏽 🇩🇪", "👩‍🚀 ❤️ 1️⃣ 👍🏽 🇩🇪"),
      ("می‌خواهم", "می‌خواهم"),
      ("क्‍ष", "क्‍ष"),
      ("葛\u{E0100}", "葛\u{E0100}"),
      ("ที่", "ที่"),
      ("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}"),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿.", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿."),
    ])
  func visibleCharactersAreKept(text: String, shown: String) {
    #expect(Escaper.line(text) == shown)
  }

  private static func flag(_ letters: String) -> String {
    let tags = letters.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) } + ["\u{E007F}"]
    return String(String.UnicodeScalarView(["\u{1F3F4}"] + tags))
  }

  @Test("The flags of England, Scotland and Wales are kept in texts", arguments: ["gbeng", "gbsct", "gbwls"])
  func theFlagsOfEngland(letters: String) {
    let flag = Self.flag(letters)
    #expect(Escaper.line("a" + flag + flag) == "a" + flag + flag)
    #expect(Escaper.name(flag).contains("\\u{e0067}") && Width.of(flag) == 2)
  }

  @Test(
    "Tags that are no flag are spelled out",
    arguments: [
      flag("ustx"), flag("gbengx"), flag(""), "x" + flag("gbeng").unicodeScalars.dropFirst().map(String.init).joined(),
    ])
  func tagsThatAreNoFlagAreSpelledOut(text: String) {
    #expect(Escaper.line(text).contains("\\u{e00"))
  }

  @Test(
    "ESC and other C0 controls are spelled out",
    arguments: [
      ("\u{1B}]52;c;ZXZpbA==\u{7}", "\\u{1b}]52;c;ZXZpbA==\\u{7}"),
      ("\u{0}\u{8}\u{B}\u{C}\u{7F}", "\\u{0}\\u{8}\\u{b}\\u{c}\\u{7f}"),
      ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"),
    ])
  func escAndOtherC0ControlsAreSpelledOut(text: String, shown: String) {
    #expect(Escaper.line(text) == shown)
  }

  @Test("Every C1 control is spelled out in text, names and addresses") func everyC1ControlIsSpelledOutInText() throws {
    for value in UInt32(0x80)...0x9F {
      let control = try #require(Unicode.Scalar(value))
      let spelled = "a\\u{" + String(value, radix: 16) + "}b"
      #expect(Escaper.line("a\(control)b") == spelled)
      #expect(Escaper.name("a\(control)b") == spelled)
      #expect(Escaper.address("a\(control)b@example.org/x\(control)").unicodeScalars.contains(control) == false)
    }
  }

  @Test("CVE-2021-42574: no bidi control passes") func noBidiControlPasses() throws {
    let controls: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x061C...0x061C]
    for value in controls.joined() {
      let control = try #require(Unicode.Scalar(value))
      #expect(Escaper.line("שלום\(control)x") == "שלום\\u{" + String(value, radix: 16) + "}x")
    }
  }

  @Test(
    "Invisible characters are spelled out",
    arguments: [
      "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{E0041}", "\u{E007F}", "\u{FFF9}", "\u{FFFB}", "\u{2028}", "\u{2029}",
      "\u{2060}", "\u{2063}", "\u{180E}", "\u{34F}", "\u{115F}", "\u{3164}", "\u{FFA0}", "\u{206A}", "\u{FFFE}",
      "\u{1D173}", "\u{FE00}", "\u{E0101}",
    ])
  func invisibleCharactersAreSpelledOut(text: String) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(Escaper.line("a" + text + "b") == "a\\u{" + String(scalar.value, radix: 16) + "}b")
  }

  @Test(
    "Invisible letters behind a flag are spelled out where they make no flag",
    arguments: ["gbenx", "gben", "gbenggbeng", "xgbeng"])
  func invisibleLettersBehindAFlagAreSpelledOutWhereTheyMake(letters: String) {
    let tags = letters.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) }
    let shown = Escaper.line("\u{1F3F4}" + String(String.UnicodeScalarView(tags)) + "\u{E007F}")
    #expect(!shown.unicodeScalars.contains { 0xE0000...0xE007F ~= $0.value } && shown.contains("\\u{e0067}"))
    #expect(Escaper.name("\u{1F3F4}\u{E0067}").hasSuffix("\\u{e0067}"))
  }

  @Test(
    "Joiners and selectors outside of emoji are spelled out",
    arguments: [
      ("pay\u{200D}pal", "pay\\u{200d}pal"),
      ("pay\u{200C}pal", "pay\\u{200c}pal"),
      ("a\u{FE0F}b", "a\\u{fe0f}b"),
      ("\u{200D}👍", "\\u{200d}👍"),
      ("👍\u{200D}", "👍\\u{200d}"),
      ("👍\u{200D}\u{200D}👍", "👍\\u{200d}\\u{200d}👍"),
      ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{fe0f}"),
    ])
  func joinersAndSelectorsOutsideOfEmojiAreSpelledOut(text: String, shown: String) {
    #expect(Escaper.line(text) == shown)
  }

  @Test(
    "Names keep no joiner, no selector and no odd space",
    arguments: [
      ("👩‍🚀", "👩\\u{200d}🚀"),
      ("❤️", "❤\\u{fe0f}"),
      ("می‌خواهم", "می\\u{200c}خواهم"),
      ("Bob\u{A0}", "Bob\\u{a0}"),
      ("Bob\u{3000}", "Bob\\u{3000}"),
      ("Bob\nmallory: hi", "Bob\\nmallory: hi"),
    ])
  func namesKeepNoJoiner(text: String, shown: String) {
    #expect(Escaper.name(text) == shown)
  }

  @Test(
    "CR, BS and DEL are spelled out and TAB becomes spaces",
    arguments: [
      ("a\r12:00 bob: hi", "a\\r12:00 bob: hi"),
      ("a\tb", "a       b"),
      ("\tb", "        b"),
      ("12345678\tb", "12345678        b"),
      ("世\tb", "世      b"),
      ("a\nb", "a\\nb"),
      ("a\u{8}b\u{7F}", "a\\u{8}b\\u{7f}"),
    ])
  func crBSAndDELAreSpelledOutAndTABBecomesSpaces(text: String, shown: String) {
    #expect(Escaper.line(text) == shown)
  }

  @Test("Marks are capped on each letter, and the loss is shown") func marksAreCappedOnEachLetter() {
    let eight = String(repeating: "\u{301}", count: 8)
    #expect(Escaper.line("a" + eight).unicodeScalars.elementsEqual(("a" + eight).unicodeScalars))
    let flood = "a" + String(repeating: "\u{301}", count: 3000) + "b" + "\u{302}"
    let expected = "a" + eight + "\u{FFFD}b\u{302}"
    #expect(Escaper.line(flood).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  /// Sixteen times the text is sixteen times the work. Where the output is copied for each character it is far more.
  @Test("A text full of characters to replace is read once") func aTextOfCharactersToReplaceIsReadOnce() {
    func cost(_ count: Int, enough: Double = 0) -> Double {
      let text = String(repeating: "\t", count: count)
      return ProcessorTime.least(enough: enough) { #expect(Escaper.line(text).utf8.count == 8 * count) }
    }
    let small = cost(1 << 13)
    let most = 40 * small + 20
    let large = cost(1 << 17, enough: most)
    #expect(large < most, "\(small) ms, then \(large) ms")
  }

  @Test("A scalar's number is spelled without zeros in front") func aScalarsNumberIsSpelledWithoutZerosInFront() {
    #expect(
      Escaper.line("\u{0}\u{F}\u{10}\u{FEFF}\u{E0001}\u{10FFFF}")
        == "\\u{0}\\u{f}\\u{10}\\u{feff}\\u{e0001}\\u{10ffff}")
  }

  @Test("A mark with nothing before it gets a base of its own") func aMarkWithNothingBeforeItGetsABase() {
    #expect(Escaper.line("\u{301}x").unicodeScalars.elementsEqual("\u{25CC}\u{301}x".unicodeScalars))
  }

  @Test("A flood of vowels of decomposed Hangul is capped like marks")
  func aFloodOfVowelsOfDecomposedHangulIsCappedLikeMarks() {
    let flood = "\u{1112}" + String(repeating: "\u{1161}", count: 500)
    #expect(Escaper.line(flood).unicodeScalars.count == 1 + 8 + 1)
  }

  @Test("Lines are split at newlines only") func linesAreSplitAtNewlines() {
    #expect(Escaper.lines("a\nb\r\nc\u{85}d\u{2028}e\n") == ["a", "b\\r", "c\\u{85}d\\u{2028}e", ""])
    #expect(Escaper.lines("one") == ["one"])
  }

  @Test(
    "Escaping twice is escaping once",
    arguments: [
      "plain", "\u{1B}[2J", "a\tb", "\u{301}\u{301}x", "a" + String(repeating: "\u{301}", count: 50), "👩‍🚀 ❤️\u{200D}",
      "می‌خواهم", "\u{9B}\u{202E}\u{FEFF}", "x\u{AD}y\r\n",
    ])
  func escapingTwiceIsEscapingOnce(text: String) {
    for escape in [Escaper.line, Escaper.name] {
      let once = escape(text)
      #expect(escape(once).unicodeScalars.elementsEqual(once.unicodeScalars))
    }
  }

  @Test("No scalar passes that moves the cursor, hides or reorders") func noScalarPassesThatMovesTheCursor() {
    // The planes that have such scalars, and samples of the others.
    let whole: [ClosedRange<UInt32>] = [0...0x33FF, 0xA000...0xABFF, 0xD7A4...0x1FFFF, 0xE0000...0xE0FFF]
    let samples = stride(from: UInt32(0x3400), through: 0x10FFFF, by: 97)
    for value in Array(whole.joined()) + Array(samples) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for shown in [Escaper.line("a\(scalar)b"), Escaper.name("a\(scalar)b")] {
        // Printable ASCII is none of them.
        for kept in shown.unicodeScalars where !(0x20...0x7E).contains(kept.value) {
          let category = kept.properties.generalCategory
          guard
            category == .control || category == .lineSeparator || category == .paragraphSeparator
              || kept.properties.isDefaultIgnorableCodePoint || kept.properties.isNoncharacterCodePoint
              || kept.properties.isBidiControl
          else { continue }
          Issue.record("U+\(String(value, radix: 16)) is shown as it is")
        }
      }
    }
  }
}

@Suite struct EscaperAddressTests {
  @Test(
    "UTS 39: a part that mixes scripts is spelled out",
    arguments: [
      ("bob@example.org", "bob@example.org"),
      ("bob@example.org/Gajim 1", "bob@example.org/Gajim 1"),
      ("müller@exämple.org", "müller@exämple.org"),
      ("боб@пример.рф", "боб@пример.рф"),
      ("東京tower@example.jp", "東京tower@example.jp"),
      ("b\u{43E}b@example.org", "b\\u{43e}b@example.org"),
      ("bob@ex\u{430}mple.org", "bob@ex\\u{430}mple.org"),
      ("bob@пример.org", "bob@пример.org"),
      ("\u{3B1}\u{431}@example.org", "\\u{3b1}\\u{431}@example.org"),
      ("bob@example.org/b\u{43E}b", "bob@example.org/b\u{43E}b"),
    ])
  func aPartThatMixesScriptsIsSpelledOut(address: String, shown: String) throws {
    #expect(Escaper.address(try JID(address)) == shown)
  }

  @Test("A text that is not an address is escaped like a name") func aTextThatIsNotAnAddressIsEscapedLike() {
    #expect(Escaper.address("bob@example.org/a\u{202E}b\u{9B}") == "bob@example.org/a\\u{202e}b\\u{9b}")
    #expect(Escaper.address("@@\u{200B}") == "@@\\u{200b}")
  }

  @Test(
    "Mixed scripts are found in localpart and domain",
    arguments: [
      ("b\u{43E}b@example.org", true), ("bob@ex\u{430}mple.org", true), ("боб@пример.org", false),
      ("bob@example.org", false), ("müller@example.org", false),
    ])
  func mixedScriptsAreFoundInLocalpartAndDomain(address: String, isMixed: Bool) throws {
    #expect(Escaper.isMixed(try JID(address)) == isMixed)
  }
}
