// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// What was said, read again with the built program.
@Suite("History") struct HistoryProgramTests {
  /// How often a text stands on the screen.
  private static func count(_ text: String, on screen: Screen) -> Int {
    screen.lines.filter { $0.contains(text) }.count
  }

  @Test(
    "of a conversation stands above what comes next, from what nobody has read on",
    arguments: TestServer.Kind.allCases)
  func openingAConversation(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.says((1...12).map { "old number \($0)." }, to: alice)
      _ = try await alice.does("listen", "--count", "12")
      _ = try await alice.does("unread", "--mark")
      _ = try await bob.does("send", alice.jid, "printed by a script")
      _ = try await alice.does("listen", "--count", "1")
      #expect(try await alice.does("status", "--unread") == ["1 unread message in 1 conversation"])
      _ = try await bob.does("send", alice.jid, "never seen")
      try await alice.atThePrompt("chat", bob.jid) { prompt in
        let screen = try await prompt.expectScreen(showing: "never seen")
        let lines = screen.lines
        let unread = lines.firstIndex { $0.contains("── 1 unread ──") }
        let printed = lines.firstIndex { $0.contains("printed by a script") }
        let seen = lines.firstIndex { $0.contains("never seen") }
        #expect(try #require(unread) < #require(printed) && #require(printed) < #require(seen))
        #expect(Self.count("printed by", on: screen) == 1 && Self.count("never seen", on: screen) == 1)
        #expect(Self.count("number 3.", on: screen) == 0 && Self.count("number 4.", on: screen) == 1)
        prompt.send("/back 2\r")
        let before = try await prompt.expectScreen(showing: "number 2.")
        #expect(Self.count("number 1.", on: before) == 0 && Self.count("number 4.", on: before) == 1)
        prompt.send("/back\r")
        _ = try await prompt.expectScreen(showing: "number 1.")
        prompt.send("/back\r")
        _ = try await prompt.expectScreen(showing: "Nothing was said before")
        prompt.send("/quit\r")
        _ = try await prompt.wait()
      }
      #expect(try await alice.does("status", "--unread") == ["No unread messages."])
    }
  }

  @Test("is searched at the prompt, and a conversation is opened at what was found")
  func searchingAtThePrompt() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.says(["the museum", "opens at nine", "on Sundays"], to: alice)
      try await alice.atThePrompt { prompt in
        _ = try await prompt.expectScreen(showing: "on Sundays")
        prompt.send("/search NINE\r")
        @Sendable func isFound(_ line: String) -> Bool { line.hasPrefix("#") && line.contains("opens at nine") }
        let found = try await prompt.expectScreen("what was found") { $0.lines.contains(where: isFound) }
        let line = try #require(found.lines.first(where: isFound))
        prompt.send("/goto \(line.dropFirst().prefix { $0.isNumber })\r")
        let opened = try await prompt.expectScreen(showing: "- on Sundays")
        #expect(Self.count("- the museum", on: opened) == 1)
        // Plain lines go there now.
        prompt.send("see you\r")
        _ = try await bob.listening("--count", "1") { try await $0.expect("see you") }
        prompt.send("/goto 999\r")
        _ = try await prompt.expectScreen(showing: "There is no message 999")
        prompt.send("to nobody\r")
        _ = try await prompt.expectScreen(showing: "Not sent")
        prompt.send("\u{15}/quit\r")
        _ = try await prompt.wait()
      }
    }
  }

  @Test("is opened at what an earlier device's archive had, by the number below one that '/search' shows")
  func openedAtWhatTheArchiveHad() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.says(["the museum", "opens at nine"], to: alice)
      try await TestDirectory.with { home in
        let tablet = Person(server: alice.server, account: alice.account, home: home)
        _ = try await tablet.does("history", "sync")
        let found = try await tablet.does("history", "--search", "museum")
        let number = try #require(found.first?.prefix { $0 != " " }.dropFirst())
        #expect(number.hasPrefix("-"))
        try await tablet.atThePrompt { prompt in
          prompt.send("/goto \(number)\r")
          _ = try await prompt.expectScreen(showing: "the museum")
          prompt.send("/quit\r")
          _ = try await prompt.wait()
        }
        // The option takes it as a value.
        #expect(try await tablet.does("history", bob.jid, "--before", String(number)).isEmpty)
      }
    }
  }

  /// What was answered on another device was read there.
  @Test("counts as read what was answered on another device", arguments: TestServer.Kind.allCases)
  func answeredElsewhere(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await TestDirectory.with { home in
        let phone = Person(server: alice.server, account: alice.account, home: home)
        try await alice.listening("--json") { listens in
          try await listens.expect(#""state":"online""#)
          try await bob.sees(alice)
          _ = try await bob.does("send", alice.jid, "a question")
          try await listens.expect("a question")
          #expect(try await alice.does("status", "--unread") == ["1 unread message in 1 conversation"])
          _ = try await phone.does("send", bob.jid, "an answer")
          try await listens.expect("an answer")
          try await eventually { try await alice.does("status", "--unread") == ["No unread messages."] }
        }
      }
    }
  }

  @Test("goes through the pager on a terminal, and ends well when that is left")
  func pager() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      _ = try await bob.does("send", alice.jid, "one")
      _ = try await alice.does("listen", "--count", "1")
      var reader = alice
      reader.environment["PAGER"] = "sed 's/^/paged: /'"
      try await reader.atThePrompt("history", bob.jid) { history in
        _ = try await history.expectScreen("the day and the message, paged") { screen in
          screen.lines.contains { $0.hasPrefix("paged: ── ") }
            && screen.lines.contains { $0.hasPrefix("paged: ") && $0.hasSuffix(": one") }
        }
        #expect(try await history.wait() == .exited(0))
      }
      // Neither where nobody looks, nor for programs.
      #expect(try await reader.does("history", bob.jid).count == 1)
      try await reader.atThePrompt("history", "--json", bob.jid) { history in
        _ = try await history.expectScreen("an event") { $0.lines.contains { $0.hasPrefix(#"{"event""#) } }
        #expect(try await history.wait() == .exited(0))
      }
      // A pipeline ends by SIGPIPE, without a word.
      reader.environment["PAGER"] = "grep SigIgn /proc/self/status"
      try await reader.atThePrompt("history", bob.jid) { history in
        let ending = try await history.wait()
        #expect(ending == .exited(0))
        let screen = history.screen
        let bits = screen.lines.compactMap { UInt64($0.drop { !$0.isNumber }, radix: 16) }.first ?? .max
        #expect(bits & (1 << UInt64(SIGPIPE - 1) | 1 << UInt64(SIGXFSZ - 1)) == 0, "\(screen.lines)")
      }
      // One that is not there keeps nothing back.
      reader.environment["PAGER"] = "nosuchpager -R"
      try await reader.atThePrompt("history", bob.jid) { history in
        let ending = try await history.wait()
        #expect(ending == .exited(0))
        #expect(history.screen.text.contains(": one") && !history.screen.text.contains("not found"))
      }
      reader.environment["PAGER"] = "exit"
      try await reader.atThePrompt("history", bob.jid) { history in
        let ending = try await history.wait()
        #expect(ending == .exited(0))
      }
    }
  }

  @Test("is left to the pager that it is read in: Ctrl-C is that one's; by itself and through an agent")
  func keysOfThePager() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      _ = try await bob.does("send", alice.jid, "one")
      _ = try await alice.does("listen", "--count", "1")
      try await AgentHost.with(of: alice) { host in
        for person in [alice, host.guest] {
          var reader = person
          // A key may come in the moment before the shell waits for one: it is not lost while the shell looks again and again.
          reader.environment["PAGER"] =
            "trap 'echo interrupted; left=1' INT; cat; echo all of it; until [ $left ]; do sleep 0.1; done; "
            + "read key </dev/tty; echo the end"
          try await reader.atThePrompt("history", bob.jid) { history in
            _ = try await history.expectScreen("the pager's wait for a key") { $0.lines.contains("all of it") }
            history.send(Key.controlC)
            _ = try await history.expectScreen("what the pager makes of it") { screen in
              screen.lines.contains { $0.hasSuffix("interrupted") }
            }
            history.send(Key.enter)
            #expect(try await history.wait() == .exited(0))
          }
        }
      }
    }
  }

  @Test("is written as a file: text, JSON Lines, a page")
  func export() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      _ = try await bob.does("send", alice.jid, "<b>one</b>\ntwo")
      _ = try await alice.does("listen", "--count", "1")
      _ = try await alice.does("send", bob.jid, "three")
      let text = try await alice.does("history", "--export", "text", bob.jid)
      #expect(text.count == 3 && text.allSatisfy { $0.hasPrefix("20") || $0.hasPrefix("      | ") })
      let json = try await alice.does("history", "--export", "json")
      #expect(json.count == 2 && json.allSatisfy { $0.hasPrefix(#"{"event":"message""#) })
      let page = try await alice.does("history", bob.jid, "--export", "html")
      #expect(page.first == "<!DOCTYPE html>" && page.last == "</html>")
      #expect(page.contains { $0.hasSuffix("<p>&lt;b&gt;one&lt;/b&gt;") })
      #expect(page.filter { $0.hasPrefix("<article") }.count == 2)
      #expect(try await alice.run("history", "--json", "--export", "html").ending == .exited(64))
    }
  }

  @Test("is read and searched without a server, and what is deleted is gone from the file")
  func offline() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      _ = try await bob.does("send", alice.jid, "The Café at nine, secretword")
      _ = try await bob.does("send", alice.jid, "one\ntwo \u{202E}red 我喜欢咖啡")
      _ = try await alice.does("listen", "--count", "2")
      var away = alice
      away.environment["JACKDAW_SERVER"] = "127.0.0.1:1"
      #expect(
        try await away.does("history", "--search", "cafe nine").first?.hasSuffix("The Café at nine, secretword") == true
      )
      let json = try await away.does("history", "--json", "--search", "咖啡")
      #expect(json.count == 1 && json[0].contains(#""found":true"#) && json[0].contains(#"one\ntwo \u202ered"#))
      let text = try await away.does("history", bob.jid, "--since", "1h")
      #expect(text.count == 3 && text[2].contains(#"| two \u{202e}red"#))
      #expect(try await away.run("history", "--since", "25:00").ending == .exited(65))
      #expect(try await away.run("history", "--search", "-x").ending == .exited(64))
      #expect(try await away.does("history", "delete", bob.jid) == ["Deleted 2 messages."])
      #expect(try await away.does("history") == [])
      let files = try await TestProcess.run(
        .init("grep", ["-rlaE", "secretword|咖啡", alice.home.path], environment: TestProcess.Invocation.scrubbed))
      #expect(files.ending == .exited(1), "\(files.output)")
      // Nor does the archive bring it back.
      _ = try await bob.does("send", alice.jid, "new")
      #expect(try await alice.does("listen", "--count", "1").count == 1)
      #expect(try await away.does("history", bob.jid).count == 1)
    }
  }
}
