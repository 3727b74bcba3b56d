// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite("Marked text") struct MarkedTextTests {
  private let style = Style(.sixteen)

  private func shown(_ text: String, _ places: [Range<Int>], columns: Int? = nil) -> String {
    let layout = EntryLayout(style: style, columns: columns)
    let label = EntryLayout.Label(text: "bob", look: .plain, separator: ": ")
    return TextEntry(time: "", label: label, body: text, hits: places).lines(layout)
  }

  private func painted(_ text: String, _ places: [Range<Int>], columns: Int? = nil) -> String {
    shown(text, places, columns: columns).replacing("\u{1B}[1;31m", with: "<").replacing("\u{1B}[0m", with: ">")
      .replacing("\u{1B}[2m", with: "~")
  }

  @Test("is marked where it was found, and nowhere else") func marks() {
    #expect(painted("at nine, nine", [3..<7, 9..<13]) == "bob: at <nine>, <nine>\n")
    #expect(painted("ä", [0..<2]) == "bob: <ä>\n")
    #expect(painted("all", [0..<3]) == "bob: <all>\n")
  }

  @Test("is not marked between two of its lines") func lines() {
    #expect(painted("a b\nc d", [2..<5]) == "bob: a <b>\n~      | ><c> d\n")
  }

  @Test("that is broken over two rows is marked in both") func rows() {
    let long = painted(String(repeating: "x", count: 40), [0..<40], columns: 24)
    for row in long.split(separator: "\n") { #expect(row.contains("<") && row.hasSuffix(">"), "\(long)") }
  }

  @Test(
    "is broken where it would be without its marks",
    arguments: [
      (Array(repeating: "*a* _b_", count: 9).joined(separator: " "), 3),
      ("```\n" + String(repeating: "word ", count: 5) + "end" + String(repeating: " ", count: 20), 2),
    ])
  func columns(text: String, count: Int) {
    func rows(_ style: Style) -> [String] {
      var entry = TextEntry(time: "", label: .notice, body: text)
      entry.mayBeStyled = true
      let shown = entry.lines(EntryLayout(style: style, columns: 40))
      return shown.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n").map(String.init)
    }
    #expect(rows(style) == rows(Style(.none)) && rows(style).count == count)
  }

  @Test("reads as it does without its marks: letters keep what stands on them and joins them, tabs lead where they did")
  func letters() {
    let (begin, end) = ("\u{1B}[1;31m", "\u{1B}[0m")
    #expect(shown("می\u{200C}خواهم", [0..<4]) == "bob: \(begin)می\(end)\u{200C}خواهم\n")
    #expect(shown("e\u{301}e", [0..<1]) == "bob: \(begin)e\(end)\u{301}e\n")
    #expect(shown("สวัสดี", [3..<6]) == "bob: ส\(begin)ว\(end)ัสดี\n")
    #expect(shown("a\tb\tc", [2..<3]) == "bob: a       \(begin)b\(end)       c\n")
  }

  @Test("has no marks of its own, and places that are none do not matter") func hostile() {
    #expect(painted("a\u{1}b\u{2}", [0..<1]) == "bob: <a>\\u{1}b\\u{2}\n")
    #expect(painted("abc", [1..<9]) == "bob: abc\n")
    #expect(painted("abc", [0..<2, 1..<3]) == "bob: <ab>c\n")
  }
}
