// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Somebody who talks to several people at one prompt.
@Suite("Talking to several people at the prompt")
struct SwitchingProgramTests {
  /// Alice calls bob Bob and carol Carol; all of them are on one server, and nobody else is in her log.
  private func withThree(_ body: (_ alice: Person, _ bob: Person, _ carol: Person) async throws -> Void) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let account = try await alice.server.account("carol")
      try await TestDirectory.with { home in
        let carol = Person(server: alice.server, account: account, home: home)
        try await alice.does("friends", "rename", bob.jid, "Bob")
        try await alice.does("friends", "add", carol.jid, "--name", "Carol")
        try await body(alice, bob, carol)
      }
    }
  }

  /// What arrived at somebody until the last one.
  private func arrivals(at person: Person, through last: String) async throws -> [String] {
    try await person.listening("--json") { listening in
      try await listening.expect("\"body\":\"\(last)\"")
      listening.signal(15)
      _ = try await listening.wait()
      return listening.standardOutput.split(separator: "\n").filter { $0.contains(#""event":"message""#) }
        .compactMap { value(of: "body", in: String($0)) }
    }
  }

  @Test("what is unread from before stands in the prompt and the title, and Alt-a goes through it, newest first")
  func unreadFromBefore() async throws {
    try await withThree { alice, bob, carol in
      try await bob.does("send", alice.jid, "first")
      try await bob.does("send", alice.jid, "second")
      try await alice.listening("--count", "2") { _ = try await $0.wait() }
      try await carol.does("send", alice.jid, "third")
      try await alice.listening("--count", "1") { _ = try await $0.wait() }
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen("both") { $0.cursorLine.hasSuffix("jackdaw | Carol +1 Bob +2>") }
        #expect(prompt.standardOutput.contains("\u{1B}[22;2t"))
        try await prompt.expectScreen("the count in the title") { $0.title == "(3) jackdaw" }
        prompt.send(Key.escape + "a")
        try await prompt.expectScreen("Carol") { screen in
          screen.cursorLine.hasPrefix("Carol") && screen.cursorLine.hasSuffix("| Bob +2>")
            && screen.text.contains("third")
            && screen.title == "(2) Carol – jackdaw"
        }
        prompt.send(Key.escape + "a")
        try await prompt.expectScreen("Bob") { screen in
          screen.cursorLine.hasPrefix("Bob") && !screen.cursorLine.contains("+") && screen.text.contains("second")
            && screen.title == "Bob – jackdaw"
        }
        prompt.send(Key.escape + "a")
        try await prompt.expectScreen(showing: "There are no unread messages elsewhere.")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
        #expect(prompt.standardOutput.contains("\u{1B}[23;2t"))
      }
      // What was opened was read.
      #expect(try await alice.does("unread").isEmpty)
    }
  }

  @Test("a draft stays with its conversation, cursor and newline too, and no line goes to the wrong person")
  func drafts() async throws {
    try await withThree { alice, bob, carol in
      try await alice.atThePrompt("chat", "Bob") { prompt in
        try await prompt.expectScreen("Bob") { $0.cursorLine.hasPrefix("Bob") }
        prompt.send("/to Carol" + Key.enter)
        try await prompt.expectScreen("Carol") { $0.cursorLine.hasPrefix("Carol") }
        // All in one go, as somebody types who does not look; a paste among it, and a key in the middle of the line.
        prompt.send(Key.pasted("half\nfor ") + "carol" + Key.left + Key.left + Key.escape + "1" + "for bob" + Key.enter)
        try await prompt.expectScreen("the line to bob") { screen in
          screen.text.contains("me → Bob: for bob") && screen.cursorLine.hasPrefix("Bob")
            && !screen.text.contains("half")
        }
        prompt.send(Key.escape + "2")
        try await prompt.expectScreen("the draft") { $0.text.contains("half") && $0.cursorLine == "for carol" }
        prompt.send("X" + Key.enter)
        try await prompt.expectScreen(showing: "me → Carol: half")
        // What the history's arrows keep of a line is no line of another conversation.
        prompt.send("secret" + Key.up + Key.escape + "1")
        try await prompt.expectScreen("Bob's empty line") { screen in
          screen.cursorLine.hasPrefix("Bob") && screen.cursorLine.hasSuffix(">")
        }
        prompt.send(Key.up + Key.down)
        prompt.send("the last" + Key.enter)
        try await prompt.expectScreen(showing: "me → Bob: the last")
        // A search goes on with what it found in the conversation that it was in.
        prompt.send("/to Carol" + Key.enter)
        // What the arrow showed is what was left there.
        try await prompt.expectScreen("the entry of the history") { $0.cursorLine == "for carXol" }
        prompt.send(Key.controlC + Key.controlR + "for bob" + Key.escape + "1")
        try await prompt.expectScreen("Bob again") { screen in
          screen.cursorLine.hasPrefix("Bob") && screen.cursorLine.hasSuffix(">")
        }
        prompt.send(Key.escape + "2")
        try await prompt.expectScreen("what was found") { screen in
          screen.cursorLine.hasPrefix("Carol") && screen.cursorLine.hasSuffix("for bob")
        }
        prompt.send(Key.controlE + Key.controlU + "the last" + Key.enter)
        try await prompt.expectScreen(showing: "me → Carol: the last")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      #expect(try await arrivals(at: bob, through: "the last") == ["for bob", "the last"])
      #expect(try await arrivals(at: carol, through: "the last") == ["half\\nfor carXol", "the last"])
    }
  }

  @Test("Alt-r and '/r' open whoever wrote last, whom the prompt names before anything can be entered")
  func reply() async throws {
    try await withThree { alice, bob, carol in
      try await alice.atThePrompt("chat", "Bob") { prompt in
        try await prompt.expectScreen(showing: "online")
        try await carol.does("send", alice.jid, "psst")
        try await prompt.expectScreen("one unread") { screen in
          screen.cursorLine.hasSuffix("| Carol +1>") && screen.title == "(1) Bob – jackdaw"
        }
        prompt.send("half for bob")
        // Carol's is what was looked at; somebody else's comes before the key.
        try await bob.does("send", alice.jid, "hello")
        try await prompt.expectScreen(showing: "Bob: hello")
        prompt.send(Key.escape + "r")
        // Bob's conversation is open: nothing changes, the line least of all.
        prompt.send("!")
        try await prompt.expectScreen("Bob's line") { screen in
          screen.cursorLine.hasPrefix("Bob") && screen.cursorLine.hasSuffix("half for bob!")
        }
        try await carol.does("send", alice.jid, "again")
        try await prompt.expectScreen(showing: "Carol: again")
        prompt.send(Key.escape + "r" + "for carol" + Key.enter)
        try await prompt.expectScreen(showing: "me → Carol: for carol")
        try await bob.does("send", alice.jid, "hello?")
        try await prompt.expectScreen(showing: "Bob: hello?")
        prompt.send("still for carol" + Key.enter)
        try await prompt.expectScreen(showing: "me → Carol: still for carol")
        prompt.send("/r" + Key.enter)
        // The draft waits on the input line.
        try await prompt.expectScreen("the draft") { screen in
          screen.cursorLine.hasPrefix("Bob") && screen.cursorLine.hasSuffix("half for bob!")
        }
        prompt.send(Key.enter)
        try await prompt.expectScreen(showing: "me → Bob: half for bob!")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      #expect(try await arrivals(at: bob, through: "half for bob!") == ["half for bob!"])
      #expect(try await arrivals(at: carol, through: "still for carol") == ["for carol", "still for carol"])
    }
  }

  @Test("one without history is opened at the left edge though something was typed, and no text is lost on leaving")
  func leftEdge() async throws {
    try await withThree { alice, _, _ in
      try await alice.atThePrompt("chat", "Bob") { prompt in
        try await prompt.expectScreen("Bob") { $0.cursorLine.hasPrefix("Bob") }
        prompt.send("/to Carol" + Key.enter)
        try await prompt.expectScreen("Carol") { $0.cursorLine.hasPrefix("Carol") }
        prompt.send(Key.escape + "1")
        try await prompt.expectScreen("Bob again") { $0.cursorLine.hasPrefix("Bob") }
        prompt.send("text for bob")
        try await prompt.expectScreen("the text") { $0.cursorLine.hasSuffix("> text for bob") }
        prompt.send(Key.escape + "2")
        try await prompt.expectScreen("Carol's prompt") { screen in
          screen.cursorLine.hasPrefix("Carol") && screen.cursorLine.hasSuffix(">")
        }
        prompt.send("text for carol")
        try await prompt.expectScreen("the other text") { screen in
          screen.cursorLine.hasPrefix("Carol") && screen.cursorLine.hasSuffix("> text for carol")
        }
        prompt.signal(15)
        _ = try await prompt.wait()
        for name in ["bob", "carol"] {
          #expect(prompt.standardOutput.contains("Not sent: text for \(name)"), "\(name)")
        }
      }
    }
  }

  @Test("the prompt says how one is shown, and what whom one talks to is")
  func standing() async throws {
    try await withThree { alice, _, _ in
      try await alice.atThePrompt("chat", "Bob", columns: 120) { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/status dnd" + Key.enter)
        try await prompt.expectScreen("busy") { $0.cursorLine.hasPrefix("[busy] Bob") }
        prompt.send("/status available" + Key.enter)
        try await prompt.expectScreen("plainly online") { $0.cursorLine.hasPrefix("Bob") }
        for (word, prompted, told) in [
          (alice.jid, "(yourself)>", "You are talking to yourself"),
          (alice.server.domain, "(server)>", "is a server, not a person"),
          ("nobody@" + alice.server.domain, "(not a contact)>", "is not a contact of yours"),
        ] {
          prompt.send("/to \(word)" + Key.enter)
          try await prompt.expectScreen(prompted) { $0.cursorLine.hasSuffix(prompted) && $0.text.contains(told) }
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("there is no title where the configuration or the terminal wants none", arguments: ["dumb", "xterm-256color"])
  func noTitle(term: String) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var alice = alice
      alice.environment["TERM"] = term
      if term != "dumb" {
        alice.environment["JACKDAW_CONFIG"] = try alice.home.write("title = false\n", to: "config.toml")
      }
      try await alice.atThePrompt("chat", bob.jid) { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
        #expect(!prompt.standardOutput.contains("\u{1B}]2;"))
        #expect(!prompt.standardOutput.contains("\u{1B}[22") && !prompt.standardOutput.contains("\u{1B}[23"))
      }
    }
  }
}
