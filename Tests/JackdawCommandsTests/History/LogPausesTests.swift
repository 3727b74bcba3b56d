// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

/// How a long piece of work on the log leaves it to other programs.
@Client @Suite("pauses of a command that writes to the log", .onLoop)
struct LogPausesTests {
  @Test("a log that was held for long is left to other programs for a while, and one that was not is not")
  func leavesTheLog() async throws {
    let rig = try ApplicationRig()
    let clock = rig.fixture.clock
    let pauses = LogPauses(rig.application)
    func pause() async -> StartedTask<Void> {
      let pause = StartedTask { try await pauses.pause() }
      await clock.settle()
      return pause
    }
    clock.advance(by: CommandLimits.logHeld - .milliseconds(1))
    #expect(await pause().hasEnded)
    clock.advance(by: .milliseconds(1))
    let long = await pause()
    #expect(!long.hasEnded)
    await clock.elapse(CommandLimits.logLeft)
    #expect(long.hasEnded)
    #expect(await pause().hasEnded, "it counts anew")
  }
}
