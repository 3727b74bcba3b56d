// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@testable import JackdawCommands

@Suite("The keys of the prompt")
struct PromptKeyTests {
  @Test("are on their page and in the manual as they are declared, and no others")
  func documented() throws {
    let page = try #require(SourceTree.text("Docs/PROMPT.md"))
    let rows = PromptKey.allCases.map { "| \($0.keys) | \($0.meaning) |\n" }.joined()
    #expect(page.contains("|---|---|\n" + rows + "\n"))
    let manual = try #require(SourceTree.text("Docs/manual.py"))
    let entries = PromptKey.allCases.map { "    (\"\($0.keys)\", \"\($0.meaning)\"),\n" }.joined()
    #expect(manual.contains("KEYS = [\n" + entries + "]\n"))
  }
}
