// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Ways to leave, to filter and to be ended in the middle, none of which loses a message: what nobody was shown is unread for the
/// next who looks.
@Suite("What nobody was shown")
struct UnreadProgramTests {
  /// How somebody leaves while the other side writes.
  enum Leaving: CaseIterable, Sendable { case quit, endOfInput, time, terminated, interrupted }

  private static func bodies(_ output: String) -> [String] {
    output.split(separator: "\n").map(String.init).filter { $0.contains(#""event":"message""#) }.compactMap {
      value(of: "body", in: $0)
    }
  }

  /// Bob reads until the last one has come.
  private func rest(_ bob: Person, _ words: String..., until last: String) async throws -> [String] {
    let invocation = bob.invocation(["listen", "--json"] + words)
    return try await TestProcess.withProcess(invocation) { listening in
      try await listening.expect("\"body\":\"\(last)\"")
      listening.signal(SIGTERM)
      _ = try await listening.wait()
      return Self.bodies(listening.standardOutput)
    }
  }

  @Test(
    "because one left while the other side wrote is shown by the next run, with all else exactly once and in order",
    arguments: TestServer.Kind.allCases, Leaving.allCases)
  func leaving(_ kind: TestServer.Kind, _ leaving: Leaving) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server) { proxy in
        proxy.slow(.init(delay: .milliseconds(100)))
        let far = bob.through(proxy)
        let script = alice.invocation(["run", "-"], input: .open)
        try await TestProcess.withProcess(script) { writing in
          let (read, count) = try await leave(far, leaving, alice, writing)
          writing.closeInput()
          #expect(try await writing.wait() == .exited(0))
          let later = try await rest(bob, until: "m\(count)")
          #expect(leaving == .time || !read.isEmpty)
          #expect(!later.isEmpty)
          #expect(read + later == (1...count).map { "m\($0)" })
        }
      }
    }
  }

  /// Bob is there, Alice begins to write, and bob goes.
  /// - Parameter seconds: after so many where it is the time that ends it.
  /// - Returns: what he was shown, and how many messages she wrote.
  private func leave(
    _ bob: Person, _ leaving: Leaving, _ alice: Person, _ writing: TestProcess, after seconds: Int = 4
  ) async throws -> (read: [String], count: Int) {
    let isPrompt = leaving == .quit || leaving == .endOfInput
    let words = isPrompt ? [] : ["listen"] + (leaving == .time ? ["--for", "\(seconds)"] : [])
    let invocation = bob.invocation(
      ["--json"] + words, terminal: isPrompt ? .init(columns: 300, rows: 50) : nil)
    let left: (read: [String], count: Int)? = try await TestProcess.withProcess(invocation) { reading in
      try await reading.expect(#""state":"online""#)
      // What comes before he is seen goes another way, which ejabberd's later messages may overtake.
      try await eventually {
        if Self.hasEnded(reading) { return true }
        return try await alice.does("friends", "list", "--online").contains { $0.contains(bob.jid) }
      }
      guard !Self.hasEnded(reading) else {
        // His time was up before anything could be said: nothing else may end him.
        try #require(try await reading.wait() == .exited(0) && leaving == .time, "\(reading.standardError)")
        return nil
      }
      async let count = write(writing, to: bob, until: reading)
      if leaving != .time { try await reading.expect(#""body":"m5""#) }
      switch leaving {
      case .quit: reading.send("/quit\r")
      case .endOfInput: reading.send("\u{4}")
      case .time: break
      case .terminated: reading.signal(SIGTERM)
      case .interrupted: reading.signal(SIGINT)
      }
      _ = try await reading.wait()
      let output = reading.standardOutput
      return (isPrompt ? Self.onTerminal(output) : Self.bodies(output), try await count)
    }
    if let left { return left }
    return try await leave(bob, leaving, alice, writing, after: 2 * seconds)
  }

  /// It stays to be asked how it ended until the test is through with it.
  private static func hasEnded(_ process: TestProcess) -> Bool {
    KernelFile.read("/proc/\(process.id)/stat")?.contains(") Z ") ?? true
  }

  /// Alice writes until bob has gone, and a little more.
  /// - Returns: how many messages.
  private func write(_ writing: TestProcess, to bob: Person, until reading: TestProcess) async throws -> Int {
    var (count, more) = (0, 5)
    while more > 0 {
      if Self.hasEnded(reading) { more -= 1 }
      count += 1
      writing.send("/send \(bob.jid) m\(count)\n")
      try await Task.sleep(for: .milliseconds(50))
    }
    return count
  }

  /// Lines of JSON among what readline draws.
  private static func onTerminal(_ output: String) -> [String] {
    output.matches(of: /"event":"message"[^\r\n]*"body":"(m\d+)"/).map { String($0.output.1) }
  }

  @Test(
    "as it was filtered out, beyond the count, or in a quiet script is shown by the next run",
    arguments: TestServer.Kind.allCases)
  func filtered(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      // So that messages wait for him.
      try await bob.does("listen", "--for", "0")
      try await alice.does("send", "--lines", bob.jid, input: .text("one\ntwo\nthree\nfour\nfive\n"))
      let somebody = "somebody@\(bob.jid.split(separator: "@")[1])"
      #expect(Self.bodies(try await bob.run("--json", "listen", "--from", somebody, "--for", "1").output) == [])
      try await stayQuietly(bob)
      #expect(Self.bodies(try await bob.run("--json", "listen", "--count", "1").output) == ["one"])
      #expect(
        Self.bodies(try await bob.run("--json", "listen", "--from", alice.jid, "--count", "1").output) == ["two"])
      #expect(try await rest(bob, until: "five") == ["three", "four", "five"])
      #expect(Self.bodies(try await bob.run("--json", "listen", "--for", "1").output) == [])
    }
  }

  /// A script that is online while messages come, and prints none of them.
  private func stayQuietly(_ bob: Person) async throws {
    let script = "/ping \(bob.server.domain)\n/sleep 1\n"
    #expect(
      Self.bodies(try await bob.does("--json", "-q", "run", "-", input: .text(script)).joined(separator: "\n")) == [])
  }

  @Test("as there was no connection is shown by the run that has one")
  func unconnected() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.does("listen", "--for", "0")
      try await alice.does("send", bob.jid, "hello")
      try await stayQuietly(bob)
      let closed = ClosedPort()
      defer { withExtendedLifetime(closed) {} }
      var nowhere = bob
      nowhere.environment["JACKDAW_SERVER"] = "127.0.0.1:\(closed.port)"
      #expect(try await nowhere.run("listen", "--count", "1").ending != .exited(0))
      #expect(Self.bodies(try await bob.run("--json", "listen", "--count", "1").output) == ["hello"])
    }
  }

  @Test(
    "is handed to the next run of a program that was killed before it had it", arguments: [SIGKILL, SIGTERM])
  func program(signal: CInt) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let file = bob.home.path + "/had"
      let program = #"sh -c 'sed -n "s/.*\"body\":\"\([^\"]*\)\".*/\1/p" >> "$0"; sleep 0.1' "# + file
      let words = ["listen", "--exec", program]
      let all = (1...20).map { "m\($0)" }
      try await TestProcess.withProcess(bob.invocation(words + ["--json"])) { listening in
        try await listening.expect(#""state":"online""#)
        try await alice.does("send", "--lines", bob.jid, input: .text(all.map { $0 + "\n" }.joined()))
        try await eventually { had(file).count >= 3 }
        listening.signal(signal)
        if signal == SIGTERM {
          // A second one does not wait for those that wait.
          listening.signal(signal)
        }
        _ = try await listening.wait()
      }
      // What others show is no matter of the program's.
      _ = try await bob.run("listen", "--for", "0.5")
      try await TestProcess.withProcess(bob.invocation(words)) { _ in
        try await eventually { had(file).last == "m20" }
      }
      let got = had(file)
      var seen: Set<String> = []
      #expect(got.filter { seen.insert($0).inserted } == all)
      #expect(got.count <= all.count + 1, "the one at which it was killed may come again: \(got)")
    }
  }

  private func had(_ file: String) -> [String] {
    KernelFile.read(file)?.split(separator: "\n").map(String.init) ?? []
  }

  @Test("by a reader of its own name is there for that one, whatever another has shown")
  func reader() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.does("listen", "--as", "logger", "--for", "0")
      try await bob.listening("--json", "--count", "2") { listening in
        try await listening.expect(#""state":"online""#)
        try await alice.does("send", "--lines", bob.jid, input: .text("one\ntwo\n"))
        _ = try await listening.wait()
      }
      for (words, expected) in [(["--count", "2"], ["one", "two"]), (["--for", "0.5"], [])] {
        let reader = bob.invocation(["--json", "listen", "--as", "logger"] + words)
        #expect(Self.bodies(try await TestProcess.run(reader).output) == expected)
      }
    }
  }
}
