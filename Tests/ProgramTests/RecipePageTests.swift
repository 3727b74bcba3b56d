// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Docs/FRIENDS.md, Docs/HISTORY.md, Docs/ROOMS.md and Docs/SCRIPTING.md show what really happens.
@Suite("A page of recipes")
struct RecipePageTests {
  @Test(
    "has the transcripts of a fresh run; made by Tests/Demo/friends.sh JACKDAW --write Docs/FRIENDS.md",
    arguments: [
      ("friends.sh", "Docs/FRIENDS.md", 4), ("history.sh", "Docs/HISTORY.md", 5),
      ("rooms.sh", "Docs/ROOMS.md", 6), ("scripting.sh", "Docs/SCRIPTING.md", 10),
      ("first-steps.py", "Docs/FIRST-STEPS.md", 9),
    ])
  func transcripts(script: String, path: String, count: Int) async throws {
    let run = try await TestProcess.run(
      .init(
        SourceTree.path("Tests/Demo/\(script)"), [SourceTree.program], environment: TestProcess.Invocation.scrubbed),
      within: .seconds(300))
    #expect(run.ending == .exited(0), "\(run.errors)")
    let blocks = run.output.split(separator: "<!-- ").map { "<!-- " + $0 }
    #expect(blocks.count == count)
    let page = try await TestProcess.run(.init("cat", [SourceTree.path(path)])).output
    for block in blocks { #expect(page.contains(block), "\(block)") }
  }
}
