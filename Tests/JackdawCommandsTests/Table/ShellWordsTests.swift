// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("Words, quoted as in a shell")
struct ShellWordsTests {
  static let rows: [(line: String, words: [String])] = [
    ("", []),
    ("   \t ", []),
    ("send bob hello", ["send", "bob", "hello"]),
    ("  send\tbob   hello  ", ["send", "bob", "hello"]),
    ("send bob 'it is  late'", ["send", "bob", "it is  late"]),
    (#"send bob "it's \"late\" \\ \n \$5""#, ["send", "bob", #"it's "late" \ \n $5"#]),
    (#"a\ b \'c\" d"#, ["a b", #"'c""#, "d"]),
    ("a'b c'd", ["ab cd"]),
    ("'' \"\"", ["", ""]),
    ("x''y", ["xy"]),
    // A sign that goes together with the one before is no other quote.
    ("'e\u{301}' u\u{308}b", ["e\u{301}", "u\u{308}b"]),
    // Only what a shell takes for space is space.
    ("a\u{A0}b a\u{3000}b", ["a\u{A0}b", "a\u{3000}b"]),
    ("one\ntwo", ["one", "two"]),
    ("'one\ntwo'", ["one\ntwo"]),
  ]

  @Test("are split", arguments: rows)
  func areSplit(_ row: (line: String, words: [String])) throws {
    #expect(try ShellWords.split(row.line) == row.words)
  }

  @Test("need each quote closed", arguments: ["'a", "\"a", "a 'b\"", "\"a\\\"", "a\\"])
  func needEachQuoteClosed(_ line: String) {
    #expect { try ShellWords.split(line) } throws: { ($0 as? CommandFailure)?.code == .badInput }
  }

  @Test("with an apostrophe that opens a quote say how it is typed, and are split so", arguments: ["'", "\""])
  func sayHowAQuoteIsTyped(_ quote: String) throws {
    let text =
      "The line has an opening \(quote) and no closing one. Type \\\(quote), outside of quotes, where you mean the sign itself."
    #expect { try ShellWords.split("msg bob I don\(quote)t know") } throws: { ($0 as? CommandFailure)?.text == text }
    #expect(try ShellWords.split("msg bob don\\\(quote)t") == ["msg", "bob", "don\(quote)t"])
  }

  @Test(
    "come back from their quoted form",
    arguments: ["", "a", "a b", "it's", "\"", "\\", "a\nb", "'e\u{301}'", "-x", "$HOME"])
  func comeBackFromTheirQuotedForm(_ word: String) throws {
    #expect(try ShellWords.split(ShellWords.quoted(word)) == [word])
    #expect(try ShellWords.split("a " + ShellWords.quoted(word) + " b") == ["a", word, "b"])
  }
}
