// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("A bot that might talk without end")
struct BotLoopProgramTests {
  @Test("does not answer itself")
  func ownAccount() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.listening("--json", "--reply", "--exec", "echo answer", "--count", "2") { bot in
        try await bob.sees(alice)
        try await alice.does("send", alice.jid, "to myself")
        try await bot.expect("to myself")
        try await bob.does("send", alice.jid, "from a friend")
        #expect(try await bot.wait() == .exited(0))
        #expect(!bot.standardOutput.contains(#""body":"answer""#))
      }
    }
  }

  @Test("stops answering what no person can have written, says so once, and hands all of it over")
  func brake() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let lines = (1...40).map { "line \($0)\n" }.joined()
      try await alice.listening("--reply", "--exec", "echo answer", "--count", "40") { bot in
        try await bob.sees(alice)
        try await bob.does("send", "--lines", alice.jid, input: .text(lines))
        #expect(try await bot.wait() == .exited(0))
        #expect(bot.standardError.split(separator: "\n").count { $0.contains("gets no more answers") } == 1)
        #expect(bot.standardOutput.contains("line 40"))
      }
    }
  }

  @Test("stops answering another bot, and says so once", arguments: TestServer.Kind.allCases)
  func twoBots(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await TestDirectory.with { home in
        try await alice.listening("--reply", "--exec", "echo answer") { one in
          try await bob.listening("--reply", "--exec", "echo answer") { two in
            try await alice.sees(bob)
            try await bob.sees(alice)
            // Another device of Bob's begins it.
            try await bob.at("other", in: home).does("send", alice.jid, "hello bot")
            func stops() -> Int {
              [one, two].map { bot in
                bot.standardError.split(separator: "\n").count { $0.contains("gets no more answers") }
              }.reduce(0, +)
            }
            try await eventually { stops() > 0 }
            // What the other one has answered last is handed over, and then there is silence.
            try await eventually { one.standardOutput.contains("answer") }
            let said = one.standardOutput + two.standardOutput
            for person in [alice, bob] { try await person.at("other", in: home).does("ping") }
            #expect(one.standardOutput + two.standardOutput == said && stops() == 1)
          }
        }
      }
    }
  }
}
