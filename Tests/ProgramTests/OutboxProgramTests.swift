// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Programs that are killed, servers that are gone: every message arrives once.
@Suite("No message is lost")
struct OutboxProgramTests {
  /// The bodies of the messages that a listener showed, in order.
  private func bodies(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.contains(#""event":"message""#) }.compactMap { line in
      line.firstMatch(of: /"body":"([^"]*)"/).map { String($0.output.1) }
    }
  }

  @Test("a listener that was killed goes on with its stream", arguments: TestServer.Kind.allCases)
  func killedListener(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.isKilledListening(to: alice)
      for number in 1...3 { try await alice.does("send", bob.jid, "meanwhile \(number)") }
      try await bob.listening("--json", "--count", "4") { listening in
        try await listening.expect(#""state":"resumed""#)
        try await listening.expect("meanwhile 3")
        try await alice.does("send", bob.jid, "after")
        #expect(try await listening.wait() == .exited(0))
        #expect(bodies(listening.standardOutput) == ["meanwhile 1", "meanwhile 2", "meanwhile 3", "after"])
      }
    }
  }

  /// The server has forgotten the stream, and with Prosody what was on it: the archive has it.
  @Test("what came while server and listener were gone is read from the archive", arguments: TestServer.Kind.allCases)
  func serverRestarted(_ kind: TestServer.Kind) async throws {
    try await TestServer.withServer(kind) { server in
      let (aliceAccount, bobAccount) = try await server.pair(friends: true)
      try await TestDirectory.with { aliceHome in
        try await TestDirectory.with { bobHome in
          let alice = Person(server: server, account: aliceAccount, home: aliceHome)
          let bob = Person(server: server, account: bobAccount, home: bobHome)
          try await bob.isKilledListening(to: alice)
          try await alice.does("send", bob.jid, "meanwhile")
          try await server.restart()
          try await bob.listening("--json", "--count", "2") { listening in
            try await listening.expect(#""body":"meanwhile""#)
            try await alice.does("send", bob.jid, "after")
            #expect(try await listening.wait() == .exited(0))
            #expect(bodies(listening.standardOutput) == ["meanwhile", "after"])
          }
        }
      }
    }
  }

  @Test("the prompt takes messages without a server, and the next run sends them")
  func offline() async throws {
    try await TestServer.withServer(.prosody) { server in
      let (aliceAccount, bobAccount) = try await server.pair(friends: true)
      try await TestDirectory.with { aliceHome in
        try await TestDirectory.with { bobHome in
          let alice = Person(server: server, account: aliceAccount, home: aliceHome)
          let bob = Person(server: server, account: bobAccount, home: bobHome)
          try await server.stop()
          try await alice.atThePrompt("chat", bob.jid) { prompt in
            try await prompt.expectScreen(showing: "offline")
            for text in ["one", "not this", "three"] { prompt.send(text + Key.enter) }
            try await prompt.expectScreen(showing: "You are offline. Messages are saved and sent when you are back.")
            try await prompt.expectScreen(showing: ": three")
            prompt.signal(SIGKILL)
            _ = try await prompt.wait()
          }
          let waiting = try await alice.does("outbox")
          #expect(waiting.count == 3)
          let unwanted = try #require(waiting.first { $0.contains("not this") }?.split(separator: "\t").first)
          #expect(
            try await alice.does("outbox", "cancel", String(unwanted.prefix(12)))
              == ["Withdrew the message to \(bob.jid)."])
          let outcome = try await alice.run("outbox", "cancel", "nothing")
          #expect(outcome.ending == .exited(67))
          #expect(outcome.errors.contains("There is no unsent message 'nothing'"))

          try await server.start()
          try await bob.listening("--json", "--count", "2") { listening in
            try await listening.expect(#""state":"online""#)
            try await alice.does("run", "-", input: .text("/ping \(bob.jid.split(separator: "@").last ?? "")\n"))
            #expect(try await listening.wait() == .exited(0))
            #expect(bodies(listening.standardOutput) == ["one", "three"])
          }
          #expect(try await alice.does("outbox").isEmpty)
        }
      }
    }
  }

  /// What becomes of a database under a program that has it open.
  enum Loss: CaseIterable, Sendable { case damaged, removed }

  /// The prompt runs on while another command begins a new one.
  @Test("a database that is replaced takes no message with it", arguments: Loss.allCases)
  func replaced(_ loss: Loss) async throws {
    try await TestServer.withServer(.prosody) { server in
      let (aliceAccount, bobAccount) = try await server.pair(friends: true)
      try await TestDirectory.with { aliceHome in
        try await TestDirectory.with { bobHome in
          var alice = Person(server: server, account: aliceAccount, home: aliceHome)
          alice.environment["JACKDAW_DATA_DIR"] = aliceHome.path + "/data"
          let bob = Person(server: server, account: bobAccount, home: bobHome)
          let database = "\(aliceHome.path)/data/\(alice.jid).sqlite3"
          try await server.stop()
          try await alice.atThePrompt("chat", bob.jid) { prompt in
            try await prompt.expectScreen(showing: "offline")
            for text in ["one", "two"] { prompt.send(text + Key.enter) }
            try await prompt.expectScreen(showing: ": two")
            #expect(try await alice.does("outbox").count == 2)
            let lost = try await TestProcess.run(.init(SourceTree.python, ["-c", Self.lose, database, "\(loss)"]))
            #expect(lost.ending == .exited(0), "\(lost.errors)")
            let outcome = try await alice.run("outbox")
            #expect(outcome.errors.contains("Started a new database") == (loss == .damaged), "\(outcome.errors)")
            // The prompt may have found out meanwhile, as it tries to connect.
            #expect([0, 2].contains(outcome.lines.count), "\(outcome.output)")
            prompt.send("three" + Key.enter)
            try await prompt.expectScreen(showing: ": three")
            #expect(try await alice.does("outbox").count == 3)
            prompt.signal(SIGKILL)
            _ = try await prompt.wait()
          }
          try await server.start()
          try await bob.listening("--json", "--count", "3") { listening in
            try await listening.expect(#""state":"online""#)
            try await alice.does("run", "-", input: .text("/ping \(bob.jid.split(separator: "@").last ?? "")\n"))
            #expect(try await listening.wait() == .exited(0))
            #expect(bodies(listening.standardOutput) == ["one", "two", "three"])
          }
        }
      }
    }
  }

  /// The log goes with the file: what is in it could otherwise be read for a while.
  private static let lose = """
    import os, sys
    path, loss = sys.argv[1:]
    for name in (path, path + "-wal", path + "-shm"):
        if loss == "removed":
            os.unlink(name)
        elif not name.endswith("-shm"):
            with open(name, "r+b") as file:
                size = os.path.getsize(name)
                file.write((b"no database " * (size // 12 + 1))[:size])
    """

  @Test(
    "two programs of one account have resources of their own, and both show what comes",
    arguments: TestServer.Kind.allCases)
  func sideBySide(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.listening("--json", "--count", "2", "--from", bob.jid) { first in
        try await first.expect(#""state":"online""#)
        try await alice.listening("--json", "--count", "2", "--from", bob.jid) { second in
          try await second.expect(#""state":"online""#)
          try await eventually {
            try await bob.does("friends", "show", alice.jid).filter { $0.hasPrefix("client") }.count == 2
          }
          try await bob.says(["one", "two"], to: alice)
          #expect(try await second.wait() == .exited(0))
          #expect(bodies(second.standardOutput) == ["one", "two"])
        }
        #expect(try await first.wait() == .exited(0))
        #expect(bodies(first.standardOutput) == ["one", "two"])
      }
    }
  }
}
