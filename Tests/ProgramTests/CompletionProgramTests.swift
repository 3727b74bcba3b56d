// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("What is typed at the prompt")
struct CompletionProgramTests {
  @Test("is not completed with controls in a friend's name: CVE-2003-0063")
  func controls() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.does("friends", "rename", bob.jid, "Ev\u{9B}2J\u{202E}il")
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/to Ev" + Key.tab + Key.tab + Key.tab + Key.controlU + "/to bob" + Key.tab + Key.enter)
        try await prompt.expectScreen(showing: "\\u{9b}2J\\u{202e}il")
        let written = prompt.standardOutput.unicodeScalars
        #expect(!written.contains("\u{9B}") && !written.contains("\u{202E}"))
      }
    }
  }

  @Test("goes into the history, but for stanzas with a password")
  func history() async throws {
    try await withPair(on: .prosody) { alice, _ in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        let register = "<query xmlns='jabber:iq:register'><password>hunter2</password></query>"
        prompt.send("/xml \"<iq type='result' id='1'>\(register)</iq>\"" + Key.enter)
        prompt.send("/xml \"<iq type='result' id='kept'/>\"" + Key.enter + "/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      let kept = try #require(KernelFile.read(alice.home.file(".local/share/jackdaw/history")))
      #expect(kept.contains("id='kept'") && !kept.contains("hunter2"))
    }
  }
}
