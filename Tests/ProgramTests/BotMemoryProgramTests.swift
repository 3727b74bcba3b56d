// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("Long messages that wait for a bot")
struct BotMemoryProgramTests {
  @Test("are in the log, and not in memory")
  func memory() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let line = String(repeating: "x", count: 200_000)
      // It goes with the bot, however that ends.
      let words = ["--json", "listen", "--exec", "sh -c 'exec tail -f /dev/null --pid=$PPID'"]
      try await TestProcess.withProcess(alice.invocation(words)) { bot in
        try await bob.sees(alice)
        /// Sends it `count` long messages and tells the most memory that it has had when the last was handed to the command.
        func peak(after count: Int) async throws -> Int {
          let lines = (1...count).map { "\($0) of \(count) \(line)\n" }.joined()
          try await bob.does("send", "--lines", alice.jid, input: .text(lines))
          try await bot.expect(#""body":"\#(count) of \#(count) "#)
          return try bot.peakMemory
        }
        // What one of them needs, and the caches, is there after the first ones.
        let before = try await peak(after: 30)
        // They are 14 MB.
        #expect(try await peak(after: 70) - before < 7_000)
      }
    }
  }
}
