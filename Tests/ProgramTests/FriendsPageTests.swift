// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Docs/FRIENDS.md shows what really happens.
@Suite("The page on friends")
struct FriendsPageTests {
  @Test("has the transcripts of a fresh run; made by Tests/Demo/friends.sh JACKDAW --write Docs/FRIENDS.md")
  func transcripts() async throws {
    let run = try await TestProcess.run(
      .init(
        SourceTree.path("Tests/Demo/friends.sh"), [SourceTree.program], environment: TestProcess.Invocation.scrubbed),
      within: .seconds(300))
    #expect(run.ending == .exited(0), "\(run.errors)")
    let blocks = run.output.split(separator: "<!-- ").map { "<!-- " + $0 }
    #expect(blocks.count == 4)
    let page = try await TestProcess.run(.init("cat", [SourceTree.path("Docs/FRIENDS.md")])).output
    for block in blocks { #expect(page.contains(block), "\(block)") }
  }
}
