// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite struct TypedWordsTests {
  @Test(
    "A command is split as a shell splits, but for apostrophes",
    arguments: [
      ("", [], "", 0, nil),
      ("/fr", [], "/fr", 0, nil),
      ("/friends add b", ["/friends", "add"], "b", 13, nil),
      ("/friends add ", ["/friends", "add"], "", 13, nil),
      ("/to 'Al", ["/to"], "Al", 4, "'"),
      ("/to \"Al i", ["/to"], "Al i", 4, "\""),
      ("/to Al\\ i", ["/to"], "Al i", 4, nil),
      ("/to 'a b' c", ["/to", "a b"], "c", 10, nil),
      ("/to a'b c'd", ["/to", "a'b"], "c'd", 8, nil),
      ("/to -'b c'd", ["/to"], "-b cd", 4, nil),
      ("/away it's l", ["/away", "it's"], "l", 11, nil),
      ("/to \"a\\\"b\\n", ["/to"], "a\"b\\n", 4, "\""),
      ("/to ü ä", ["/to", "ü"], "ä", 7, nil),
    ] as [(String, [String], String, Int, Character?)])
  func aCommandIsSplitAsAShellSplits(
    line: String, words: [String], partial: String, start: Int, quote: Character?
  ) {
    let typed = TypedWords(command: line)
    #expect(typed.words == words)
    #expect(typed.partial == partial)
    #expect(typed.start == start)
    #expect(typed.quote == quote)
  }

  @Test("A message is split at spaces, whatever its apostrophes") func aMessageIsSplitAtSpaces() {
    let typed = TypedWords(message: "don't tell @bo")
    #expect(typed.words == ["don't", "tell"])
    #expect(typed.partial == "@bo")
    #expect(typed.start == 11)
    #expect(TypedWords(message: "ünd ").start == 5)
  }

  @Test(
    "A word is quoted so that it is split into itself",
    arguments: [
      ("bob", nil, true, "bob"), ("Al i", nil, true, "Al\\ i"), ("it's", nil, true, "it\\'s"),
      ("Al i", "\"", true, "\"Al i\""), ("Al i", "\"", false, "\"Al i"), ("a\"b\\", "\"", true, "\"a\\\"b\\\\\""),
      ("Al i", "'", true, "'Al i'"), ("it's me", "'", true, "it\\'s\\ me"), ("", nil, true, "''"), ("", nil, false, ""),
    ] as [(String, Character?, Bool, String)])
  func aWordIsQuotedSoThatItIsSplitIntoItself(word: String, quote: Character?, ends: Bool, typed: String) {
    #expect(TypedWords.quoted(word, in: quote, ends: ends) == typed)
    if ends { #expect(TypedWords(command: typed + " ").words == [word]) }
  }
}
