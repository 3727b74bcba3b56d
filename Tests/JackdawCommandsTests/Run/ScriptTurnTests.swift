// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A script whose lines are there", .onLoop)
struct ScriptTurnTests {
  @Test("leaves the loop its turn between lines that wait for nothing")
  func leavesTheLoopItsTurn() async throws {
    let lines = Array(repeating: "/to bob@example.org", count: CommandLimits.linesBetweenTurns + 100)
    let rig = try ApplicationRig(TypedLines(lines.joined(separator: "\n")))
    var left: Int?
    rig.lines.onReadyLine = {
      if rig.lines.count == CommandLimits.linesBetweenTurns { rig.fixture.clock.nextTurn { left = rig.lines.count } }
    }
    #expect(try await rig.run() == .success)
    #expect(try #require(left) > 0)
  }
}
