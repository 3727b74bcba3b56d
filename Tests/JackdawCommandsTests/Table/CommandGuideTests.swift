// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Docs/ADDING-A-COMMAND.md, against the files that it shows.
@Suite("The guide to a new command")
struct CommandGuideTests {
  @Test("shows the code as it is: each block stands in the file that was named last before it")
  func blocks() throws {
    let page = try #require(SourceTree.text("Docs/ADDING-A-COMMAND.md"))
    // Text and blocks take turns.
    let parts = page.split(separator: "```", omittingEmptySubsequences: false)
    #expect(parts.count >= 7 && parts.count % 2 == 1)
    var source = ""
    for (index, part) in parts.enumerated() {
      if index % 2 == 0 {
        guard let link = part.matches(of: /\]\(\.\.\/([^)]+\.swift)\)/).last else { continue }
        source = try #require(SourceTree.text(String(link.output.1)), "\(link.output.1)")
      } else {
        for block in part.drop(while: { $0 != "\n" }).split(separator: "// …\n") {
          #expect(source.contains(block), "\(block)")
        }
      }
    }
  }
}
