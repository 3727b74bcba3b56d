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
        try await bob.does("send", alice.jid, "first")
        try await bot.expect("first")
        let before = try bot.peakMemory
        try await bob.does("send", "--lines", alice.jid, input: .text((1...50).map { "\($0) \(line)\n" }.joined()))
        try await bot.expect(#""body":"50 "#)
        // They are 10 MB.
        #expect(try bot.peakMemory - before < 7_000)
      }
    }
  }
}
