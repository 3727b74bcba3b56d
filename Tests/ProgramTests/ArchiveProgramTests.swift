// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What the server's archive has of earlier times, on a device that was not there, with the built program.
@Suite("The archive") struct ArchiveProgramTests {
  /// A new device of somebody.
  private static func withDevice(
    of person: Person, configuration: String = "", _ body: (Person) async throws -> Void
  ) async throws {
    try await TestDirectory.with { home in
      var device = Person(server: person.server, account: person.account, home: home)
      if !configuration.isEmpty {
        device.environment["JACKDAW_CONFIG"] = try home.write(configuration + "\n", to: "config.toml")
      }
      try await body(device)
    }
  }

  /// Ten of each, in turns: each when the server has the one before.
  private static func talk(_ alice: Person, _ bob: Person) async throws {
    func lines(from person: Person, to other: Person) -> TestProcess.Invocation {
      person.invocation(["--json", "send", "--lines", other.jid], input: .open)
    }
    try await TestProcess.withProcess(lines(from: bob, to: alice)) { asking in
      try await TestProcess.withProcess(lines(from: alice, to: bob)) { answering in
        for number in 1...10 {
          for (word, who) in [("question", asking), ("answer", answering)] {
            who.send("\(word) \(number).\n")
            try await who.expect(#""state":"server""#)
          }
        }
        for who in [asking, answering] {
          who.closeInput()
          #expect(try await who.wait() == .exited(0))
        }
      }
    }
    _ = try await alice.does("listen", "--count", "10")
  }

  private static let said = (1...10).flatMap { ["question \($0).", "answer \($0)."] }

  private static func bodies(_ lines: [String]) -> [String] {
    lines.compactMap { line in said.first { line.hasSuffix(": " + $0) } }
  }

  @Test(
    "makes all devices have the same: two of ours and one of another client, whichever was away",
    arguments: TestServer.Kind.allCases)
  func devices(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await Self.withDevice(of: alice) { device in
        for one in [alice, device] { try await one.does("history", "sync") }
        try await Stranger.with(alice.account, on: alice.server) { other in
          // Both of ours are away.
          try await other.does("say \(bob.jid) from another client")
          _ = try await bob.does("send", alice.jid, "an answer")
          // One of them is there.
          try await alice.atThePrompt("chat", bob.jid) { prompt in
            _ = try await prompt.expectScreen(showing: "an answer")
            prompt.send("from the prompt\r")
            _ = try await bob.listening("--count", "2") { try await $0.expect("from the prompt") }
            try await other.does("say \(bob.jid) and once more")
            _ = try await prompt.expectScreen(showing: "and once more")
            prompt.send("/quit\r")
            _ = try await prompt.wait()
          }
          // The other one sends without having looked.
          try await device.does("send", bob.jid, "from the second")
          _ = try await bob.does("send", alice.jid, "the end")
          for one in [alice, device] {
            try await one.listening("--from", bob.jid) { listening in
              try await listening.expect("the end")
              listening.signal(15)
              try await listening.wait()
            }
            let lines = try await one.does("history", bob.jid)
            let said = lines.map { String($0.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst(2)) }
            #expect(
              said.sorted() == [
                "an answer", "and once more", "from another client", "from the prompt", "from the second", "the end",
              ])
            #expect(said.last == "the end", "\(said)")
          }
        }
      }
    }
  }

  @Test("is fetched by a command, all of it, once", arguments: TestServer.Kind.allCases)
  func syncing(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await Self.talk(alice, bob)
      try await Self.withDevice(of: alice) { device in
        let fetched = try await device.does("history", "sync")
        #expect(fetched.count == 1 && fetched[0].hasPrefix("Fetched 20 messages, back to "))
        #expect(try await Self.bodies(device.does("history", bob.jid)) == Self.said)
        #expect(try await device.does("history", "sync") == ["Nothing was missing."])
        #expect(try await device.does("status", "--unread") == ["No unread messages."])
        #expect(try await device.does("history", "--search", "\"question 7\"").count == 1)
        // What comes meanwhile is fetched too, and stays unread.
        _ = try await bob.does("send", alice.jid, "something new")
        #expect(try await device.does("history", "sync", "--all") == ["Fetched 1 message."])
        #expect(try await device.does("status", "--unread") == ["1 unread message in 1 conversation"])
        let listened = try await device.does("listen", "--count", "1")
        #expect(listened.count == 1 && listened[0].hasSuffix("something new"))
        #expect(try await device.does("history", bob.jid).count == 21)
        // What is deleted does not come back.
        _ = try await device.does("history", "delete", bob.jid)
        #expect(try await device.does("history", "sync", "--all") == ["Nothing was missing."])
        #expect(try await device.does("history", bob.jid) == [])
      }
    }
  }

  @Test(
    "is fetched before anything was shown: what waits at the server comes before what is said after that",
    arguments: TestServer.Kind.allCases)
  func fetchedFirst(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.does("send", alice.jid, "kept")
      try await alice.does("history", "sync")
      try await bob.does("send", alice.jid, "fresh")
      let listened = try await alice.run("--json", "listen", "--count", "2")
      #expect(listened.shownBodies == ["kept", "fresh"])
      try await bob.does("send", alice.jid, "last")
      let later = try await alice.run("--json", "listen", "--count", "1")
      #expect(later.shownBodies == ["last"])
    }
  }

  @Test(
    "and an export of another device have the same messages, whichever comes first",
    arguments: TestServer.Kind.allCases)
  func withAnExport(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await Self.talk(alice, bob)
      let exported = try await alice.does("history", "--export", "json").joined(separator: "\n")
      try await Self.imports(exported, alice, "Imported nothing; 20 were there already.")
      try await Self.withDevice(of: alice) { device in
        try await device.does("history", "sync")
        try await Self.imports(exported, device, "Imported nothing; 20 were there already.")
        #expect(try await Self.bodies(device.does("history", bob.jid)) == Self.said)
      }
      try await Self.withDevice(of: alice) { device in
        try await Self.imports(exported, device, "Imported 20 messages of 1 conversation.")
        try await device.does("history", "sync")
        try await Self.imports(exported, device, "Imported nothing; 20 were there already.")
        // In the order of the other device, where some came late.
        let there = try await Self.bodies(alice.does("history", bob.jid))
        #expect(try await Self.bodies(device.does("history", bob.jid)) == there && there.count == 20)
        #expect(try await device.does("status", "--unread") == ["No unread messages."])
        #expect(try await device.does("outbox") == [])
      }
      // Nobody was sent anything of it.
      try await bob.does("history", "sync")
      let heard = try await Self.bodies(bob.does("history", alice.jid))
      #expect(heard.sorted() == Self.said.sorted())
    }
  }

  private static func imports(_ exported: String, _ device: Person, _ said: String) async throws {
    #expect(try await device.does("history", "import", "-", input: .text(exported)) == [said])
  }

  @Test("is what a new device shows of the conversation in view", arguments: TestServer.Kind.allCases)
  func theConversationInView(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await Self.talk(alice, bob)
      try await Self.withDevice(of: alice, configuration: "history_lines = 4") { device in
        try await device.atThePrompt("chat", bob.jid) { prompt in
          let screen = try await prompt.expectScreen(showing: "answer 10.")
          #expect(Self.bodies(screen.lines) == Array(Self.said.suffix(4)))
          prompt.send("/back 100\r")
          _ = try await prompt.expectScreen(showing: "question 1.")
          prompt.send("/back\r")
          _ = try await prompt.expectScreen(showing: "Nothing was said before.")
          prompt.send("/quit\r")
          _ = try await prompt.wait()
        }
        #expect(try await Self.bodies(device.does("history", bob.jid)) == Self.said)
      }
    }
  }

  @Test("goes on where the history of this machine begins", arguments: TestServer.Kind.allCases)
  func goingBack(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await Self.talk(alice, bob)
      try await Self.withDevice(of: alice, configuration: "archive = \"none\"") { device in
        try await device.atThePrompt { prompt in
          _ = try await prompt.expectScreen(showing: "online")
          _ = try await bob.does("send", alice.jid, "hello there")
          _ = try await prompt.expectScreen(showing: "hello there")
          prompt.send("/to \(bob.jid)\r")
          prompt.send("/back 3\r")
          let screen = try await prompt.expectScreen(showing: "answer 10.")
          #expect(Self.bodies(screen.lines) == Array(Self.said.suffix(3)))
          prompt.send("/back 50\r")
          _ = try await prompt.expectScreen(showing: "question 1.")
          prompt.send("/quit\r")
          _ = try await prompt.wait()
        }
      }
    }
  }

  @Test("keeps what it is told to", arguments: TestServer.Kind.allCases)
  func preferences(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      #expect(try await alice.does("history", "archive", "never") == ["Your server keeps no message."])
      _ = try await alice.does("send", bob.jid, "off the record")
      #expect(try await alice.does("history", "archive") == ["Your server keeps no message."])
      #expect(
        try await alice.does("history", "archive", "roster") == [
          "Your server keeps messages to and from your contacts."
        ])
      _ = try await alice.does("send", bob.jid, "on the record")
      try await Self.withDevice(of: alice) { device in
        let fetched = try await device.does("history", "sync")
        #expect(fetched.first?.hasPrefix("Fetched 1 message,") == true)
      }
      let refused = try await alice.run("history", "archive", "sometimes")
      #expect(refused.ending == .exited(64))
      _ = try await alice.does("history", "archive", "always")
    }
  }

  @Test("of a conversation that is not kept, nothing stays once it was shown")
  func keepingNothing() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      _ = try await bob.does("send", alice.jid, "before")
      _ = try await alice.does("listen", "--count", "1")
      #expect(try await alice.does("history", "off", bob.jid) == ["\(bob.jid) is not kept. Deleted 1 message."])
      #expect(try await alice.does("history", "off") == ["\(bob.jid) is not kept."])
      #expect(try await alice.does("history", bob.jid) == [])
      _ = try await bob.does("send", alice.jid, "meanwhile")
      let listened = try await alice.does("listen", "--count", "1")
      #expect(listened.count == 1 && listened[0].hasSuffix("meanwhile"))
      _ = try await alice.does("send", bob.jid, "mine")
      #expect(try await alice.does("history", "--all") == [])
      #expect(try await alice.does("history", "sync", "--all") == ["Nothing was missing."])
      #expect(try await alice.does("history", "on", bob.jid) == ["\(bob.jid) is kept."])
      _ = try await alice.does("--no-history", "send", bob.jid, "just this once")
      let kept = try await alice.does("history", "--all")
      #expect(kept == [])
      _ = try await alice.does("send", bob.jid, "to be kept")
      #expect(try await alice.does("history", "--all").count == 1)
    }
  }
}
