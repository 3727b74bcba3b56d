// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite("Marked text") struct MarkedTextTests {
  private let style = Style(.sixteen)

  private func painted(_ text: String, _ places: [Range<Int>], columns: Int? = nil) -> String {
    let layout = EntryLayout(style: style, columns: columns)
    let label = EntryLayout.Label(text: "bob", look: .plain, separator: ": ")
    let entry = TextEntry(time: "", label: label, body: text, hits: places)
    return entry.lines(layout).replacing("\u{1B}[1;31m", with: "<").replacing("\u{1B}[0m", with: ">")
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

  @Test("has no marks of its own, and places that are none do not matter") func hostile() {
    #expect(painted("a\u{1}b\u{2}", [0..<1]) == "bob: <a>\\u{1}b\\u{2}\n")
    #expect(painted("abc", [1..<9]) == "bob: abc\n")
    #expect(painted("abc", [0..<2, 1..<3]) == "bob: <ab>c\n")
  }
}
