// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Nothing of theirs gets here.
@Suite("Blocking people")
struct BlockingProgramTests {
  @Test("keeps their messages away until they are let through again", arguments: TestServer.Kind.allCases)
  func messages(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      #expect(try await alice.does("blocked").isEmpty)
      try await alice.listening("--count", "1") { listening in
        // Only who is there misses something.
        try await bob.does("ping", bob.server.domain)
        #expect(
          try await alice.does("block", bob.jid, "spam.example") == [
            "\(bob.jid) is blocked.", "spam.example is blocked.",
          ])
        #expect(try await alice.does("block", bob.jid) == ["\(bob.jid) was blocked already."])
        #expect(try await alice.does("blocked") == [bob.jid, "spam.example"].sorted())
        _ = try await bob.run("send", alice.jid, "kept away")

        let outcome = try await alice.run("unblock", bob.jid, "nobody@jackdaw.test")
        #expect(outcome.ending == .exited(67))
        #expect(outcome.lines == ["\(bob.jid) is no longer blocked."])
        #expect(outcome.errors.contains("nobody@jackdaw.test is not blocked"))
        try await bob.does("send", alice.jid, "let through")
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.standardOutput.contains("let through"))
        #expect(!listening.standardOutput.contains("kept away"))
      }
      #expect(try await alice.does("unblock", "--all") == ["spam.example is no longer blocked."])
      #expect(try await alice.does("blocked", "--json").isEmpty)
    }
  }

  @Test("at the prompt, and on another device", arguments: TestServer.Kind.allCases)
  func prompt(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/block \(bob.jid)" + Key.enter)
        try await prompt.expectScreen(showing: "\(bob.jid) is blocked.")
        try await alice.does("unblock", bob.jid)
        try await prompt.expectScreen(showing: "\(bob.jid) is no longer blocked.")
        try await alice.does("block", "spam.example")
        try await prompt.expectScreen(showing: "spam.example is blocked.")
        prompt.send("/unblock spam" + Key.tab)
        try await prompt.expectScreen("a completed address") { $0.cursorLine.contains("/unblock spam.example") }
        prompt.send(Key.enter)
        try await prompt.expectScreen(showing: "spam.example is no longer blocked.")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
        // Told as an event, and not once more as the command's result.
        #expect(prompt.screen.lines.count { $0.contains("\(bob.jid) is blocked.") } == 1)
      }
    }
  }

  @Test(
    "shows a friend that we are gone, and how we are afterwards; and us how they are",
    arguments: TestServer.Kind.allCases)
  func presence(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await TestProcess.withProcess(bob.invocation(["--json"], input: .open)) { watching in
        watching.send("/status online\n")
        try await watching.expect(#""command":"status""#)
        try await TestProcess.withProcess(alice.invocation(["--json"], input: .open)) { running in
          running.send("/status away\n")
          try await watching.expect(#""show":"away""#)
          try await running.expect(#""show":"available""#)
          running.send("/block \(bob.jid)\n/status busy\n")
          try await watching.expect(#""show":"unavailable""#)
          try await running.expect(#""show":"dnd""#)
          #expect(!watching.standardOutput.contains(#""show":"dnd""#))
          running.send("/unblock --all\n")
          try await watching.expect(#""show":"dnd""#)
          try await eventually {
            let lines = running.standardOutput.split(separator: "\n")
            return lines.count { $0.contains(#""event":"presence""#) && $0.contains(#""show":"available""#) } >= 2
          }
        }
      }
    }
  }

  @Test("a script can wait for it")
  func script() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let script = try alice.home.write("/wait block --from \(bob.jid) --for 170\n", to: "script")
      try await TestProcess.withProcess(alice.invocation(["--json", "run", script])) { running in
        try await running.expect(#""event":"connection""#)
        try await eventually {
          try await alice.does("block", bob.jid)
          try await alice.does("unblock", bob.jid)
          return running.standardOutput.contains(#""event":"block""#)
        }
        #expect(try await running.wait() == .exited(0))
        #expect(running.standardOutput.contains(#""jid":"\#(bob.jid)","change":""#))
      }
    }
  }

  static let serversThatCannot: [(TestServer.Kind, TestServer.Options)] = [
    (.prosody, .init { $0.without = ["blocklist"] }), (.ejabberd, .meagreEjabberd),
  ]

  @Test("a server that cannot says so", arguments: serversThatCannot)
  func notOffered(kind: TestServer.Kind, options: TestServer.Options) async throws {
    try await withPair(on: kind, options) { alice, bob in
      for arguments in [["blocked"], ["block", bob.jid], ["unblock", bob.jid], ["unblock", "--all"]] {
        let outcome = try await TestProcess.run(alice.invocation(arguments))
        expectOneSentence(outcome, code: 69, naming: "jackdaw.test cannot block anybody for you")
      }
    }
  }

  @Test("ourselves is a mistake")
  func ourselves() async throws {
    try await withPair(on: .prosody) { alice, _ in
      expectOneSentence(try await alice.run("block", alice.jid), code: 65, naming: "your own address")
      expectOneSentence(try await alice.run("block", "jackdaw.test"), code: 65, naming: "your own server")
      expectOneSentence(try await alice.run("unblock"), code: 64, naming: "--all")
    }
  }
}
