// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("What --match takes")
struct TextPatternTests {
  @Test(
    "is found anywhere in a text",
    arguments: [
      ("ok|done", "it is done", true), ("^h.llo$", "hallo", true), ("^h.llo$", "hallo!", false), ("go.d", "good", true),
      ("go.d", "go\nd", false), ("(?s)go.d", "go\nd", true), ("(?i)YES", "yes", true), (#"\d{2,3}"#, "a 42", true),
      ("", "", true), ("[äö]+$", "xäö", true), ("^.$", "é", true), (#"\pL\b"#, "世", false), ("a*?b", "aab", true),
      ("x", "", false),
    ])
  func matches(_ pattern: String, _ text: String, _ isThere: Bool) throws {
    #expect(try TextPattern(pattern).isIn(text) == isThere)
  }

  @Test(
    "is refused with the reason", arguments: ["(", "[a", #"(a)\1"#, "(?=a)", "(?<!a)b", "a{1001}", "(.{100}){100}"])
  func refused(_ pattern: String) throws {
    let failure = #expect(throws: CommandFailure.self) { try TextPattern(pattern) }
    #expect(failure?.code == .badInput && failure?.text.hasPrefix("'\(pattern)' is not a regular expression") == true)
  }

  @Test(
    "takes no time that grows faster than the text: a backtracking engine would not be back today",
    .timeLimit(.minutes(15)),
    arguments: ["h.*l.*x", "(h+l*)+x", "(a?){400}a{400}x", "(h|hl)*x", "^(.*)*x$"])
  func hostile(_ pattern: String) throws {
    let text = String(repeating: "hl", count: 40_000)
    #expect(try !TextPattern(pattern).isIn(text))
  }

  @Test("is looked for in the first 64 kB")
  func limit() throws {
    let pattern = try TextPattern("end")
    #expect(pattern.isIn(String(repeating: "x", count: CommandLimits.searchedBytes - 3) + "end"))
    #expect(!pattern.isIn(String(repeating: "x", count: CommandLimits.searchedBytes) + "end"))
    // Cut in the middle of a character.
    #expect(!pattern.isIn("x" + String(repeating: "é", count: CommandLimits.searchedBytes)))
  }
}
