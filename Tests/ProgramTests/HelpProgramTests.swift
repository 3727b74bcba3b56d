// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Commands by other words than their names, and what helps who does not know them.
@Suite("Finding a command")
struct HelpProgramTests {
  @Test("by an alias or its beginning at the prompt does what its name does, and one of several does nothing")
  func prompt() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.listening("--count", "3") { listening in
        try await alice.atThePrompt { prompt in
          try await prompt.expectScreen(showing: "online")
          prompt.send("/msg \(bob.jid) by an alias" + Key.enter)
          try await listening.expect("by an alias")
          prompt.send("/que \(bob.jid)" + Key.enter)
          try await prompt.expectScreen("bob's name at the prompt") { $0.cursorLine.contains(bob.account.user) }
          prompt.send("by the beginning of one" + Key.enter)
          try await listening.expect("by the beginning of one")
          prompt.send("/s nobody" + Key.enter)
          try await prompt.expectScreen(showing: "'/s' may mean '/send', '/status', '/search', '/show' or '/sleep'")
          prompt.send("/qui" + Key.enter)
          try await prompt.expectScreen(showing: "'/qui' may mean '/quit', which has to be typed whole")
          prompt.send("/unr" + Key.enter + "//slash" + Key.enter)
          try await listening.expect("/slash")
          prompt.send("/add \(bob.jid)" + Key.enter)
          try await prompt.expectScreen(showing: "did you mean '/friends add'?")
          // It may have picked somebody else: nobody gets what follows.
          prompt.send("/query nobody" + Key.enter)
          try await prompt.expectScreen(showing: "You have no friend 'nobody'")
          prompt.send("for nobody" + Key.enter)
          try await prompt.expectScreen(showing: "Pick somebody first")
          prompt.send(Key.controlU + "/q" + Key.enter)
          #expect(try await prompt.wait() == .exited(0))
        }
        #expect(try await listening.wait() == .exited(0))
        #expect(!listening.standardOutput.contains("nobody"))
      }
    }
  }

  @Test("/clear empties the screen by scrolling, and the prompt stays")
  func clear() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/help" + Key.enter)
        try await prompt.expectScreen(showing: "Alt-Enter")
        prompt.send("/clear" + Key.enter)
        try await prompt.expectScreen("a prompt alone, at the top") { screen in
          screen.lines.first == screen.cursorLine && screen.lines.dropFirst().allSatisfy(\.isEmpty)
        }
        // It is all where a terminal scrolls back, without gaps, the command that was typed too.
        let above = prompt.screen.scrollback
        #expect(above.count { $0.contains("Alt-Enter") } == 1 && above.last?.hasSuffix("/clear") == true)
        prompt.send("/to \(bob.jid)" + Key.enter)
        try await prompt.expectScreen("bob's name at the prompt") { $0.cursorLine.contains(bob.account.user) }
        prompt.send("/exit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("in a script aliases are commands and beginnings are not; in the shell neither, and both say what was meant")
  func scriptAndShell() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let script = try alice.home.write("/who\n/query \(bob.jid)\nto bob\n/fri\n", to: "script")
      let running = try await TestProcess.run(alice.invocation(["run", script]))
      #expect(running.ending == .exited(64))
      #expect(running.errors.contains("line 4: There is no command '/fri'; did you mean '/friends'?"))
      for (words, text) in [
        (["add", bob.jid], "did you mean 'friends add'?"), (["msg", bob.jid, "x"], "did you mean 'send'?"),
        (["join", "x"], "did you mean 'rooms join'?"), (["help", "frends"], "did you mean 'friends'?"),
        (
          ["send"],
          "JID is missing. Type: jackdaw send JID [TEXT …], as in: jackdaw send bob@example.org"
        ),
      ] {
        let outcome = try await TestProcess.run(alice.invocation(words))
        #expect(outcome.ending == .exited(64) && outcome.errors.contains(text), "\(words)")
      }
      for words in [["help"], ["help", "exit", "codes"], ["help", "msg"], ["help", "wait"], ["help", "all"]] {
        let outcome = try await TestProcess.run(alice.invocation(words))
        #expect(outcome.ending == .exited(0) && !outcome.output.isEmpty && outcome.errors.isEmpty, "\(words)")
      }
    }
  }
}
