// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A plain line goes to whom the line above it, or the prompt, names, and to nobody else; and none is lost.
@Suite("No message goes to the wrong person")
struct WrongPersonTests {
  /// Alice and bob on a server of their own, who are friends; alice's contact list has been stored by an earlier run.
  private func withPair(_ body: (TestServer, _ alice: Person, _ bob: Person) async throws -> Void) async throws {
    try await TestServer.withServer(.prosody) { server in
      let (aliceAccount, bobAccount) = try await server.pair(friends: true)
      try await TestDirectory.with { aliceHome in
        try await TestDirectory.with { bobHome in
          let alice = Person(server: server, account: aliceAccount, home: aliceHome)
          let bob = Person(server: server, account: bobAccount, home: bobHome)
          try await alice.does("friends", "rename", bob.jid, "Bob B.")
          try await body(server, alice, bob)
        }
      }
    }
  }

  /// Alice's next run sends what waits, and bob gets exactly these, in order.
  private func expectArrival(_ bodies: [String], from alice: Person, at bob: Person) async throws {
    try await bob.listening("--json", "--count", "\(bodies.count + 1)") { listening in
      try await listening.expect(#""state":"online""#)
      try await alice.does("run", "-", input: .text("/to 'Bob B.'\nthe last\n"))
      #expect(try await listening.wait() == .exited(0))
      let got = listening.standardOutput.split(separator: "\n").filter { $0.contains(#""event":"message""#) }
      #expect(got.map { value(of: "body", in: String($0)) } == bodies + ["the last"])
    }
    #expect(try await alice.does("outbox").isEmpty)
  }

  @Test(
    "a script with --keep-going sends nothing to the one before after a `/to` that failed, or a line that may be one")
  func script() async throws {
    try await withPair { _, alice, bob in
      try await bob.listening("--json", "--count", "2") { listening in
        try await listening.expect(#""state":"online""#)
        var lines = ["/to 'Bob B.'", "for bob"]
        for line in ["/to nobody", "/to", "/to \"bo", "/tp carol", "/to a b", "/close x"] {
          lines += [line, "SECRET", "/to \(bob.jid)"]
        }
        lines.append("the last")
        let outcome = try await alice.run(
          "run", "--keep-going", "-", input: .text(lines.map { $0 + "\n" }.joined()))
        #expect(outcome.ending == .exited(64))
        #expect(outcome.errors.matches(of: /Not sent/).count == 6, "\(outcome.errors)")
        #expect(try await listening.wait() == .exited(0))
        let got = listening.standardOutput.split(separator: "\n").filter { $0.contains(#""event":"message""#) }
        #expect(got.map { value(of: "body", in: String($0)) } == ["for bob", "the last"])
      }
    }
  }

  @Test("at the prompt, the server down, `/to` fails at once, and the line behind it is put back and sent to nobody")
  func promptWithoutServer() async throws {
    try await withPair { server, alice, bob in
      try await server.stop()
      try await alice.atThePrompt("chat", "Bob B.") { prompt in
        try await prompt.expectScreen("offline") {
          $0.cursorLine.contains("offline") && $0.cursorLine.contains("Bob B.")
        }
        // All in one go: the second line is entered before anything can be shown.
        prompt.send("for bob\r/to ali\rSECRET\r")
        try await prompt.expectScreen("the line put back, nobody named") {
          $0.cursorLine.hasSuffix("> SECRET") && !$0.cursorLine.contains("Bob")
        }
        try await prompt.expectScreen(showing: "You have no friend 'ali', and it is not an address")
        // Enter once more sends it to nobody either.
        prompt.send(Key.enter)
        try await prompt.expectScreen("refused twice") { screen in
          screen.text.matches(of: /Not sent, as the '\/to' before it failed/).count == 2
            && screen.cursorLine.hasSuffix("> SECRET")
        }
        prompt.send(Key.controlC + "/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(75))
        #expect(
          prompt.standardOutput.contains("1 message is still unsent. It goes out when you next start jackdaw."))
        #expect(!prompt.standardOutput.contains("interrupted"))
      }
      try await server.start()
      try await expectArrival(["for bob"], from: alice, at: bob)
    }
  }

  @Test("commands that were typed ahead are about whom the prompt named, whoever is picked in the same breath")
  func commandsTypedAhead() async throws {
    try await withPair { server, alice, bob in
      let carol = try await server.account("carol").jid
      try await bob.does("send", alice.jid, "a question")
      try await alice.atThePrompt("chat", "Bob B.") { prompt in
        try await prompt.expectScreen("the question") { screen in
          screen.text.contains("a question") && screen.cursorLine.hasPrefix("Bob B.")
        }
        // All in one go.
        prompt.send("/reply answer for bob\r/react 👍\r/to \(carol)\r")
        try await prompt.expectScreen("both") { screen in
          screen.text.contains("answer for bob") && screen.cursorLine.hasPrefix("carol")
        }
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      #expect(try await alice.does("history", bob.jid).contains { $0.hasSuffix("answer for bob") })
      #expect(try await alice.does("history", carol).isEmpty)
    }
  }

  @Test("a line typed by a friend's name at a prompt that never had a server goes out with the next run, exactly once")
  func neverConnected() async throws {
    try await withPair { server, alice, bob in
      try await server.stop()
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen("offline") { $0.cursorLine.contains("offline") }
        prompt.send("/to 'bob b.'\rtyped without a server\r/quit\r")
        #expect(try await prompt.wait() == .exited(75))
        #expect(
          prompt.standardOutput.contains("1 message is still unsent. It goes out when you next start jackdaw."))
      }
      #expect(try await alice.does("outbox").count == 1)
      try await server.start()
      try await expectArrival(["typed without a server"], from: alice, at: bob)
    }
  }

  @Test("a line typed at a prompt that never had a server goes out by itself when there is one")
  func goesOutByItself() async throws {
    try await withPair { server, alice, bob in
      try await server.stop()
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen("offline") { $0.cursorLine.contains("offline") }
        prompt.send("/to 'bob b.'\rtyped without a server\r")
        try await prompt.expectScreen(showing: "You are offline. Messages are saved and sent when you are back.")
        try await server.start()
        prompt.send("/reconnect" + Key.enter)
        try await prompt.expectScreen(showing: "online")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      #expect(try await alice.does("outbox").isEmpty)
      try await expectArrival(["typed without a server"], from: alice, at: bob)
    }
  }

  @Test("a message without a server that cannot be saved goes back to the input line, and is shown on leaving")
  func cannotBeSaved() async throws {
    try await withPair { server, alice, bob in
      try await TestDirectory.with { directory in
        try await SmallDisk.with(kilobytes: 2048, at: directory) { disk in
          var alice = alice
          alice.environment["JACKDAW_DATA_DIR"] = disk.path
          try await server.stop()
          let invocation = alice.invocation(["chat", bob.jid], terminal: .init(columns: 160, rows: 40))
          try await TestProcess.withProcess(disk.holding(invocation)) { prompt in
            try await prompt.expectScreen("offline") { $0.cursorLine.contains("offline") }
            try await disk.fill()
            // The log of the database grows by more than a page of the disk for the shortest one; and a long one, put back, would move
            // what is said of it off the screen.
            prompt.send("not to be lost" + Key.enter)
            try await prompt.expectScreen("why, and the line put back") {
              $0.text.contains("You are offline, and it cannot be saved") && $0.cursorLine.hasSuffix("> not to be lost")
            }
            prompt.signal(15)
            _ = try await prompt.wait()
            #expect(prompt.standardOutput.contains("Not sent: not to be lost"))
          }
        }
      }
    }
  }
}
