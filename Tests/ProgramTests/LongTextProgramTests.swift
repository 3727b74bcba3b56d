// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("One message that fills the screen")
struct LongTextProgramTests {
  private static let long = (1...3_000).map { "line \($0)" }.joined(separator: "\n")

  @Test("is folded at the prompt, and printed whole by /show")
  func fold() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        try await alice.does("send", bob.jid, input: .text(Self.long))
        try await prompt.expectScreen(showing: "2,950 more lines: /show 1")
        try await prompt.expectScreen("no more than that") { !$0.lines.contains { $0.contains("line 51") } }
        prompt.send("/show" + Key.enter)
        try await prompt.expectScreen(showing: "| line 3000")
      }
    }
  }

  @Test("is whole for scripts")
  func script() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.listening("--count", "1") { listening in
        try await alice.sees(bob)
        try await alice.does("send", bob.jid, input: .text(Self.long))
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.standardOutput.split(separator: "\n").count { $0.contains("| line ") } == 2_999)
      }
    }
  }
}
