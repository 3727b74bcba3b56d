// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Nobody reads stdout or stderr. The program must still answer, acknowledge, and end at a signal.
@Suite("Output that nobody reads", .serialized)
struct BlockedOutputTests {
  /// More than a pipe holds, and than what may wait for it.
  private static let count = 240
  private static let length = 2_000
  /// Bytes in a pipe of 65,536 that is full, or nearly so: lines do not fill its pages to the last byte.
  private static let fullPipe = 40_000

  /// Alice says numbers to Bob, and the server has them all.
  private func talk(_ alice: Person, to bob: Person, _ numbers: ClosedRange<Int>) async throws {
    let text = String(repeating: "x", count: Self.length)
    let lines = numbers.map { "\($0) \(text)\n" }.joined()
    try await alice.does("--timeout", "600", "run", "-", input: .text("/to \(bob.jid)\n" + lines))
  }

  /// The numbers in the lines that are whole.
  private func numbers(in output: String) -> [Int] {
    let text = " " + String(repeating: "x", count: Self.length)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
      // Compared and cut as bytes: they are thousands.
      guard String(line).hasSuffix(text) else { return nil }
      return Substring(line.utf8.dropLast(text.utf8.count)).split(separator: " ").last.flatMap { Int($0) }
    }
  }

  /// How many messages of others somebody's database has.
  private func storedCount(of person: Person) async throws -> Int? {
    let count = """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM message WHERE is_outgoing = 0 AND seq > 0").fetchone()[0])
      """
    let database = person.home.path + "/.local/share/jackdaw/\(person.jid).sqlite3"
    return Int(try await TestProcess.run(.init(SourceTree.python, ["-c", count, database])).lines.first ?? "")
  }

  /// The connection of the one that is blocked: the full address answers within a few seconds.
  private func expectAnswer(from person: Person, asking alice: Person) async throws {
    let shown = try await alice.does("--json", "friends", "show", person.jid)
    let address = try #require(shown.joined().firstMatch(of: /"clients":\[\{"jid":"([^"]+)"/)?.output.1)
    try await alice.does("--timeout", "60", "ping", String(address))
  }

  private func online(_ bob: Person, for alice: Person) async throws {
    try await alice.sees(bob)
  }

  @Test(
    "keeps 'listen' alive, ends it at a signal, and the next one shows what was not out",
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func unreadListen(signal: CInt) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let fifo = try Fifo(in: bob.home)
      var invocation = bob.invocation(["listen"])
      invocation.output = .file(fifo.path)
      try await TestProcess.withProcess(invocation) { listening in
        try await online(bob, for: alice)
        try await talk(alice, to: bob, 1...Self.count)
        try await eventually { try await storedCount(of: bob) == Self.count }
        try await expectAnswer(from: bob, asking: alice)
        listening.signal(signal)
        #expect(try await listening.wait() == .exited(0))
      }
      let first = numbers(in: fifo.read())
      #expect(!first.isEmpty)
      let rest = try await bob.does("listen", "--count", "\(Self.count - first.count)")
      #expect(first + numbers(in: rest.map { $0 + "\n" }.joined()) == Array(1...Self.count))
      #expect(try await bob.does("listen", "--for", "0.2") == [])
    }
  }

  @Test("'listen --count' leaves the messages behind the last one to the next run")
  func countedListen() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let fifo = try Fifo(in: bob.home)
      var invocation = bob.invocation(["listen"])
      invocation.output = .file(fifo.path)
      try await TestProcess.withProcess(invocation) { listening in
        try await online(bob, for: alice)
        try await talk(alice, to: bob, 1...Self.count)
        try await eventually { try await storedCount(of: bob) == Self.count }
        listening.signal(SIGKILL)
        #expect(try await listening.wait() == .signalled(9))
      }
      var shown = numbers(in: fifo.read())
      while shown.count < Self.count {
        let count = min(80, Self.count - shown.count)
        let more = try await bob.does("listen", "--count", "\(count)").map { $0 + "\n" }.joined()
        try #require(numbers(in: more).count == count)
        shown += numbers(in: more)
      }
      #expect(shown == Array(1...Self.count))
    }
  }

  @Test("is waited for: a reader that comes late gets every message, in order")
  func lateReader() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let fifo = try Fifo(in: bob.home)
      var invocation = bob.invocation(["listen", "--count", "\(Self.count)"])
      invocation.output = .file(fifo.path)
      try await TestProcess.withProcess(invocation) { listening in
        try await online(bob, for: alice)
        try await talk(alice, to: bob, 1...Self.count)
        try await eventually { try await storedCount(of: bob) == Self.count }
        var output = ""
        try await eventually {
          output += fifo.read()
          return numbers(in: output).count == Self.count
        }
        #expect(numbers(in: output) == Array(1...Self.count))
        #expect(try await listening.wait() == .exited(0))
      }
    }
  }

  @Test("of a 'listen' through the agent: Ctrl-C ends it soon, and the next one shows what was not out, and only that")
  func unreadListenThroughAgent() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await AgentHost.with(of: bob) { host in
        let fifo = try Fifo(in: bob.home)
        var invocation = host.guest.invocation(["listen"])
        invocation.output = .file(fifo.path)
        try await TestProcess.withProcess(invocation) { listening in
          try await eventually { try await host.commandCount() == 1 }
          try await talk(alice, to: bob, 1...Self.count)
          try await eventually { fifo.count >= Self.fullPipe }
          listening.signal(SIGINT)
          #expect(try await listening.wait() == .exited(0))
        }
        let first = numbers(in: fifo.read())
        #expect(!first.isEmpty)
        let rest = try await host.guest.does("listen", "--count", "\(Self.count - first.count)")
        #expect(first + numbers(in: rest.map { $0 + "\n" }.joined()) == Array(1...Self.count))
      }
    }
  }

  @Test("of a 'listen' that goes on by itself when the agent ends: a reader that comes late gets every message once")
  func unreadHandover() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await AgentHost.with(of: bob) { host in
        let fifo = try Fifo(in: bob.home)
        // It has to log in when the agent has ended.
        var invocation = host.person.invocation(["listen", "--count", "\(Self.count)"])
        invocation.output = .file(fifo.path)
        try await TestProcess.withProcess(invocation) { listening in
          try await eventually { try await host.commandCount() == 1 }
          try await talk(alice, to: bob, 1...Self.count)
          try await eventually { fifo.count >= Self.fullPipe }
          try await host.guest.does("agent", "stop")
          #expect(try await host.process.wait() == .exited(0))
          var output = ""
          try await eventually {
            output += fifo.read()
            return numbers(in: output).count >= Self.count
          }
          #expect(try await listening.wait() == .exited(0))
          #expect(numbers(in: output + fifo.read()) == Array(1...Self.count))
        }
      }
    }
  }

  @Test("holds a script up, which goes on where it was")
  func script() async throws {
    try await withPair(on: .prosody) { alice, _ in
      let fifo = try Fifo(in: alice.home)
      var invocation = alice.invocation(["--json", "run", "-"], input: .open)
      invocation.output = .file(fifo.path)
      // A command costs a debug build 20 ms: few lines, and long ones.
      let (count, text) = (500, String(repeating: "x", count: 1_000))
      try await TestProcess.withProcess(invocation) { script in
        script.send((1...count).map { "/post x-number \($0) \(text)\n" }.joined())
        script.closeInput()
        try await eventually { fifo.count > Self.fullPipe }
        var output = ""
        try await eventually {
          output += fifo.read()
          return output.contains(#""text":"\#(count) "#)
        }
        let numbers = output.matches(of: /"text":"(\d+) x/).compactMap { Int($0.output.1) }
        #expect(numbers == Array(1...count))
        #expect(try await script.wait() == .exited(0))
      }
    }
  }

  @Test("on stderr keeps nothing from stdout, and no signal from ending the program")
  func unreadErrors() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let fifo = try Fifo(in: bob.home)
      var invocation = bob.invocation([])
      invocation.arguments = ["-c", "exec \"$@\" 2> \(fifo.path)", "sh", invocation.program, "--log-xml", "listen"]
      invocation.program = "/bin/sh"
      try await TestProcess.withProcess(invocation) { listening in
        try await online(bob, for: alice)
        try await talk(alice, to: bob, 1...100)
        try await eventually { numbers(in: listening.standardOutput).count == 100 }
        try await eventually { fifo.count > Self.fullPipe }
        try await expectAnswer(from: bob, asking: alice)
        listening.signal(SIGTERM)
        #expect(try await listening.wait() == .exited(0))
      }
    }
  }

  // MARK: The prompt

  private static let stop = "\u{13}"
  private static let go = "\u{11}"

  @Test("at a prompt whose terminal is stopped: all is shown when it goes on")
  func stoppedTerminal() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.atThePrompt(columns: 3_000, rows: 30) { prompt in
        try await prompt.expectScreen(showing: "online")
        try await online(bob, for: alice)
        prompt.send(Self.stop)
        await prompt.inputIsWritten()
        try await talk(alice, to: bob, 1...Self.count)
        try await eventually { try await storedCount(of: bob) == Self.count }
        try await expectAnswer(from: bob, asking: alice)
        #expect(!prompt.standardOutput.contains("\(Self.count) xxx"), "the terminal was not stopped")
        prompt.send(Self.go)
        // The last line may come in several pieces.
        var shown: [Int] { numbers(in: prompt.screen.history.map { $0 + "\n" }.joined()) }
        try await prompt.expectScreen(showing: "\(Self.count) xxx")
        try await eventually { shown.last == Self.count }
        #expect(shown == Array(1...Self.count))
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("at a prompt whose terminal is stopped keeps no signal from ending it", arguments: [SIGTERM, SIGHUP])
  func signalAtAStoppedTerminal(signal: CInt) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let output = try await bob.atThePrompt(columns: 3_000, rows: 30) { prompt in
        try await prompt.expectScreen(showing: "online")
        try await online(bob, for: alice)
        prompt.send(Self.stop)
        await prompt.inputIsWritten()
        try await talk(alice, to: bob, 1...Self.count)
        try await eventually { try await storedCount(of: bob) == Self.count }
        prompt.signal(signal)
        #expect(try await prompt.wait() == .exited(0))
        return prompt.screen.history
      }
      let first = numbers(in: output.map { $0 + "\n" }.joined())
      let rest = try await bob.does("listen", "--count", "\(Self.count - first.count)")
      #expect(first + numbers(in: rest.map { $0 + "\n" }.joined()) == Array(1...Self.count))
    }
  }
}
