// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Single commands that are killed or lose their connection, on servers without an archive: the stream alone says what arrived.
@Suite("What a command left")
struct LeftoverProgramTests {
  private static let withoutArchive = TestServer.Options { $0.without = ["mam"] }

  private static let note = "Sent 1 message that an earlier run left unsent"

  @Test(
    "is sent by the next one, once, whatever that one is for", arguments: TestServer.Kind.allCases,
    [(true, InterruptedSend.Ending.killed), (false, .killed), (true, .cut), (false, .cut)])
  func nextCommand(_ kind: TestServer.Kind, _ how: (loses: Bool, ending: InterruptedSend.Ending)) async throws {
    try await withPair(on: kind, Self.withoutArchive, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await alice.sees(bob)
        let usual = try await alice.run("friends", "list")
        try await InterruptedSend.leaveOne(alice, bob, bobListens, loses: how.loses, how.ending)
        let listing = try await alice.run("friends", "list")
        #expect(listing.ending == .exited(0))
        #expect(listing.output == usual.output)
        #expect(listing.errors.contains(Self.note), "\(listing.errors)")
        if how.loses { try await bobListens.expect(#""body":"two""#) }
        #expect(try await alice.does("outbox").isEmpty)
        let sent = try await alice.run("send", bob.jid, "three")
        #expect(sent.ending == .exited(0) && sent.errors.isEmpty, "nothing is left: \(sent.errors)")
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "two", "three"])
      }
    }
  }

  @Test("and the server ends the connection over is given up by the next ones, one each, and all else arrives once")
  func unbearable() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      // Prosody takes no more than 256 kB of a client at once.
      let large = ["a", "b"].map { String(repeating: $0, count: 300_000) }
      let lines = (["first"] + large + ["last"]).map { $0 + "\n" }.joined()
      #expect(try await alice.run("send", "--lines", bob.jid, input: .text(lines)).ending == .exited(75))
      var errors = ""
      var tries = 0
      try await eventually {
        tries += 1
        let sent = try await alice.run("send", bob.jid, "try \(tries)")
        errors += sent.errors
        return sent.ending == .exited(0)
      }
      #expect(tries <= 4 && errors.matches(of: /Failed: 1 message/).count == 2, "\(errors)")
      #expect(try await alice.does("outbox").isEmpty)
      let texts = ["first", "last"] + (1...tries).map { "try \($0)" }
      try await bob.listening("--json", "--count", "\(texts.count)") { listening in
        let ending = try await listening.wait()
        #expect(ending == .exited(0))
        #expect(listening.shownBodies.sorted() == texts.sorted())
      }
    }
  }

  @Test("goes before what the next 'send' has to say", arguments: TestServer.Kind.allCases)
  func nextSend(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.withoutArchive, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await alice.sees(bob)
        try await InterruptedSend.leaveOne(alice, bob, bobListens, loses: true)
        let sent = try await alice.run("--json", "send", bob.jid, "three")
        #expect(sent.ending == .exited(0))
        #expect(sent.lines.count == 1 && sent.output.contains(#""command":"send""#), "\(sent.output)")
        #expect(sent.errors.contains(Self.note), "\(sent.errors)")
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "two", "three"])
        #expect(try await alice.does("outbox").isEmpty)
      }
    }
  }

  @Test("is sent by one of several that begin at once", arguments: TestServer.Kind.allCases)
  func several(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.withoutArchive, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "5") { bobListens in
        try await alice.sees(bob)
        try await InterruptedSend.leaveOne(alice, bob, bobListens, loses: true)
        async let three = alice.run("send", bob.jid, "three")
        async let four = alice.run("send", bob.jid, "four")
        async let five = alice.run("send", bob.jid, "five")
        let sent = try await [three, four, five]
        #expect(sent.allSatisfy { $0.ending == .exited(0) })
        #expect(sent.count { $0.errors.contains(Self.note) } == 1)
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies.sorted() == ["five", "four", "one", "three", "two"])
      }
    }
  }

  @Test(
    "at a prompt that never had a server goes before what the next 'send' has to say",
    arguments: TestServer.Kind.allCases)
  func typedWithoutServer(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let closed = ClosedPort()
      var cut = alice
      cut.environment["JACKDAW_SERVER"] = "127.0.0.1:\(closed.port)"
      let chat = cut.invocation(["chat", bob.jid], terminal: .init(columns: 160, rows: 40))
      try await TestProcess.withProcess(chat) { prompt in
        try await prompt.expectScreen("offline") { $0.cursorLine.contains("offline") }
        prompt.send("one\r/quit\r")
        #expect(try await prompt.wait() == .exited(75))
      }
      let sent = try await alice.run("send", bob.jid, "two")
      #expect(sent.ending == .exited(0) && sent.errors.contains(Self.note), "\(sent.errors)")
      #expect(try await alice.does("outbox").isEmpty)
      try await bob.listening("--json", "--count", "2") { bobListens in
        let ending = try await bobListens.wait()
        #expect(ending == .exited(0) && bobListens.shownBodies == ["one", "two"])
      }
    }
  }

  /// A script remains online, as the prompt does.
  @Test(
    "by a script or a prompt that was killed with it under way is theirs: their stream says what became of it",
    arguments: TestServer.Kind.allCases)
  func notTheScripts(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, Self.withoutArchive, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await alice.sees(bob)
        try await FaultProxy.with(to: alice.server) { proxy in
          var slow = alice
          slow.environment["JACKDAW_SERVER"] = "\(proxy.address)"
          try await TestProcess.withProcess(slow.invocation(["run", "-"], input: .open)) { script in
            script.send("/send \(bob.jid) one\n")
            try await bobListens.expect(#""body":"one""#)
            try await eventually { try await alice.does("outbox").isEmpty }
            proxy.swallow()
            script.send("/send \(bob.jid) two\n")
            try await eventually { try await alice.does("outbox").contains { $0.contains("two") } }
            script.signal(SIGKILL)
            _ = try await script.wait()
          }
        }
        let sent = try await alice.run("send", bob.jid, "three")
        #expect(sent.ending == .exited(0) && sent.errors.isEmpty, "\(sent.errors)")
        #expect(try await alice.does("outbox").count == 1)
        try await alice.does("run", "-", input: .text("/ping\n"))
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "three", "two"])
      }
    }
  }

  /// Who answers a command's message may answer to its stream, which nobody reads any more.
  @Test("is answered, and the answer is shown by whoever shows messages", arguments: TestServer.Kind.allCases)
  func answer(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.listening("--json", "--count", "1") { listening in
        try await bob.sees(alice)
        try await bob.does("send", alice.jid, "before")
        #expect(try await listening.wait() == .exited(0))
      }
      try await bob.listening("--json") { bobListens in
        try await alice.sees(bob)
        try await InterruptedSend.leaveOne(alice, bob, bobListens, loses: true)
        let line = try #require(bobListens.standardOutput.split(separator: "\n").last { $0.contains(#""body":"one""#) })
        let stream = try #require(line.firstMatch(of: /"from":"([^"]*)"/).map { String($0.output.1) })
        #expect(stream.hasPrefix(alice.jid + "/"))
        try await bob.does("send", stream, "an answer")
        #expect(try await alice.does("ping").count == 1)
        try await bobListens.expect(#""body":"two""#)
      }
      try await alice.listening("--json", "--count", "2") { listening in
        try await listening.expect(#""body":"an answer""#)
        try await bob.does("send", alice.jid, "the end")
        #expect(try await listening.wait() == .exited(0))
        #expect(listening.shownBodies == ["an answer", "the end"])
      }
    }
  }
}
