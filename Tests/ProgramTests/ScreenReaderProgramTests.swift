// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("jackdaw for screen readers") struct ScreenReaderProgramTests {
  @Test("a conversation is written line by line, and nothing that stands is written over")
  func conversation() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var alice = alice
      alice.environment["JACKDAW_CONFIG"] = try alice.home.write("screen_reader = true\n", to: "config.toml")
      try await alice.atThePrompt("chat", bob.jid, columns: 100) { prompt in
        try await prompt.expectScreen("the prompt") {
          $0.text.contains("You are online.") && $0.cursorLine.hasSuffix(">")
        }
        prompt.send("hello" + Key.enter)
        try await prompt.expectScreen(showing: ": hello")
        prompt.send("half a line")
        try await prompt.expectScreen(showing: "half a line")
        _ = try await bob.does("send", alice.jid, "are you there?")
        try await prompt.expectScreen(showing: "are you there?")
        prompt.send(" more" + Key.enter)
        try await prompt.expectScreen(showing: ": half a line more")
        prompt.send("/friends" + Key.enter)
        try await prompt.expectScreen(showing: ", friend, ")
        prompt.send("/nonsense" + Key.enter)
        try await prompt.expectScreen(showing: "!! Error: ")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
        #expect(!prompt.standardOutput.contains(/\u{1B}\[[0-9;]*[AHJKX]/))
      }
    }
  }
}
