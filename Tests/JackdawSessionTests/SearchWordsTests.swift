// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawSession

@Suite struct SearchWordsTests {
  private func terms(_ text: String) -> [SearchWords.Term]? { SearchWords(text)?.terms }

  @Test("Words, phrases, prefixes, exclusions and parts are told apart") func whatIsTypedIsUnderstood() {
    #expect(terms("one  two") == [.init(.words("one", isPrefix: false)), .init(.words("two", isPrefix: false))])
    #expect(
      terms("\"a phrase\" end") == [.init(.words("a phrase", isPrefix: false)), .init(.words("end", isPrefix: false))])
    #expect(terms("pre* \"a fra\"*") == [.init(.words("pre", isPrefix: true)), .init(.words("a fra", isPrefix: true))])
    #expect(
      terms("a -b") == [.init(.words("a", isPrefix: false)), .init(.words("b", isPrefix: false), isExcluded: true)])
    #expect(terms("*mid*") == [.init(.part("mid"))])
    #expect(terms("“typographic quotes”") == [.init(.words("typographic quotes", isPrefix: false))])
    #expect(terms("\"not closed") == [.init(.words("not closed", isPrefix: false))])
    #expect(terms("👍 ;-) 咖啡") == [.init(.part("👍")), .init(.part(";-)")), .init(.part("咖啡"))])
    #expect(terms("a - b")?.count == 3)
    #expect(terms("*") == [.init(.part("*"))])
  }

  @Test(
    "A search without anything to look for is refused", arguments: ["", "  ", "\"\"", "\" \"", "-a", "-a -\"b c\""])
  func nothingToLookForIsNothing(text: String) {
    #expect(SearchWords(text) == nil)
  }

  @Test("A word is found where no letter or digit follows, a prefix also where some do")
  func wordsStandWhereNoLetterOrDigitGoesOnButForAPrefix() {
    let text = "Ünd und, hund undä «UND»"
    #expect(SearchWords.Term(.words("und", isPrefix: false)).placesAsTyped(in: text) == [5..<8, 23..<26])
    #expect(SearchWords.Term(.words("und", isPrefix: true)).placesAsTyped(in: text) == [5..<8, 15..<20, 23..<26])
    #expect(SearchWords.Term(.words("ünd UND", isPrefix: false)).placesAsTyped(in: text) == [0..<8])
    #expect(SearchWords.Term(.part("und")).placesAsTyped(in: text) == [])
  }

  @Test("Parts are found in either case") func partsAreFoundWhateverTheirCase() {
    #expect(SearchWords.Term(.part("ÄB")).places(in: "xäbÄb") == [1..<4, 4..<7])
    #expect(SearchWords.Term(.part("aa")).places(in: "aaaa") == [0..<2, 2..<4])
    #expect(SearchWords.Term(.part("i")).places(in: "İi") == [0..<2, 2..<3])
    #expect(SearchWords.Term(.part("abc")).places(in: "ab") == [])
  }
}
