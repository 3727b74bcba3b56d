// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// SECURITY, faults: what goes wrong on the way to a real server, and the program that comes back by itself.
@Suite("A faulty line")
struct FaultyLineTests {
  /// Somebody whose way to the server is the proxy.
  private func through(_ proxy: FaultProxy, _ person: Person) -> Person {
    var person = person
    person.environment["JACKDAW_SERVER"] = "127.0.0.1:\(proxy.port)"
    return person
  }

  // MARK: Clock jump, suspend

  @Test(
    "that died while the program was stopped is found dead by the question at its return", arguments: [false, true])
  func stopped(atThePrompt: Bool) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server) { proxy in
        let bob = through(proxy, bob)
        let invocation = bob.invocation(
          ["--json"] + (atThePrompt ? [] : ["listen"]), terminal: atThePrompt ? .init(columns: 300, rows: 30) : nil)
        try await TestProcess.withProcess(invocation) { program in
          try await program.expect(#""state":"online""#)
          // All that a log-in asks for has come, so that nothing but the question is sent at the return.
          try await eventually { try await alice.does("friends", "list", "--online").contains { $0.contains(bob.jid) } }
          program.signal(SIGSTOP)
          try await eventually { try isStopped(program.id) }
          proxy.swallow()
          program.signal(SIGCONT)
          // The answer may take 15 s; without the question a minute would go by before it.
          try await program.expect(#""state":"retrying""#, within: .seconds(40))
          try await program.expect(#""state":"resumed""#)
          try await alice.does("send", bob.jid, "you are back")
          try await program.expect(#""body":"you are back""#)
        }
      }
    }
  }

  private func isStopped(_ id: Int32) throws -> Bool { try text(of: "/proc/\(id)/stat").contains(") T ") }

  /// A file of the kernel's.
  private func text(of path: String) throws -> String {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { text += piece.prefix(count) }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Slow

  @Test(
    "that is slow still carries everything",
    arguments: [
      FaultProxy.Pace(bytes: 1, interval: .microseconds(100)), .init(delay: .milliseconds(150)),
      .init(delay: .milliseconds(20), bytes: 100, interval: .milliseconds(5)),
    ])
  func slow(_ pace: FaultProxy.Pace) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server) { proxy in
        proxy.slow(pace)
        let (alice, bob) = (through(proxy, alice), through(proxy, bob))
        try await bob.listening("--json", "--count", "1") { listening in
          try await listening.expect(#""state":"online""#)
          try await alice.does("send", bob.jid, "byte by byte")
          try await listening.expect(#""body":"byte by byte""#)
          #expect(try await listening.wait() == .exited(0))
        }
      }
    }
  }

  // MARK: Half open, half closed, reset

  enum Blow: CaseIterable {
    case reset, endFromTheServer, endToTheServer
  }

  @Test("that is reset or closed on one side only comes back", arguments: TestServer.Kind.allCases, Blow.allCases)
  func blow(_ kind: TestServer.Kind, _ blow: Blow) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server) { proxy in
        let bob = through(proxy, bob)
        try await bob.listening("--json", "--count", "2") { listening in
          try await listening.expect(#""state":"online""#)
          try await eventually { try await alice.does("friends", "list", "--online").contains { $0.contains(bob.jid) } }
          try await alice.does("send", bob.jid, "before")
          try await listening.expect(#""body":"before""#)
          switch blow {
          case .reset: proxy.reset()
          case .endFromTheServer: proxy.finish(.toClient)
          case .endToTheServer: proxy.finish(.toServer)
          }
          try await listening.expect(#""state":"retrying""#)
          try await listening.expect(#""state":"resumed""#)
          try await alice.does("send", bob.jid, "after")
          #expect(try await listening.wait() == .exited(0))
          #expect(proxy.connections == 2)
        }
      }
    }
  }

  // MARK: Close at each phase

  @Test(
    "that breaks at whatever step of the log-in is tried again, after a wait",
    arguments: [FaultProxy.Fault.close, .reset])
  func phases(_ fault: FaultProxy.Fault) async throws {
    try await withPair(on: .prosody) { alice, bob in
      let whole = try await FaultProxy.with(to: alice.server, after: .max) { proxy in
        try await through(proxy, alice).does("send", bob.jid, "all is well")
        return proxy.bytesFromServer
      }
      let steps = 7
      for step in 0..<steps {
        try await FaultProxy.with(to: alice.server, fault, after: (whole - 300) * step / steps) { proxy in
          let prompt = through(proxy, alice).invocation(["--json"], terminal: .init(columns: 300, rows: 30))
          try await TestProcess.withProcess(prompt) { prompt in
            try await prompt.expect(#""state":"retrying""#)
            #expect(proxy.connections == 1, "a wait comes first")
            proxy.plan(fault, after: nil)
            try await prompt.expect(#""state":"online""#)
            #expect(proxy.connections == 2)
            prompt.send("/quit" + Key.enter)
            #expect(try await prompt.wait() == .exited(0))
          }
        }
      }
    }
  }

  // MARK: Zero window

  @Test("whose far end reads nothing takes no more memory than what waits, and nothing is lost")
  func zeroWindowInAScript() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await FaultProxy.with(to: alice.server) { proxy in
        let count = 640
        try await bob.listening("--count", "\(count)") { listening in
          try await eventually { try await alice.does("friends", "list", "--online").contains { $0.contains(bob.jid) } }
          let invocation = through(proxy, alice).invocation(["run", "-"], input: .open)
          try await TestProcess.withProcess(invocation) { script in
            script.send("/to \(bob.jid)\nready\n")
            try await listening.expect("ready")
            let before = try script.peakMemory
            proxy.hold()
            let text = String(repeating: "x", count: 16_000)
            for number in 2...count { script.send("\(number) \(text)\n") }
            script.closeInput()
            try await eventually(within: .seconds(60)) { try await outboxCount(of: alice) == count - 1 }
            // 10 MB wait: once in the program, once on their way to TLS.
            let after = try script.peakMemory
            #expect(after - before < 40_000, "kilobytes")
            proxy.release()
            #expect(try await script.wait(within: .seconds(60)) == .exited(0))
          }
          #expect(try await listening.wait() == .exited(0))
          let numbers = listening.standardOutput.split(separator: "\n").compactMap {
            $0.split(separator: " ").dropLast().last
          }
          #expect(numbers.suffix(count - 1).compactMap { Int($0) } == Array(2...count))
        }
      }
    }
  }

  enum Sequel: CaseIterable {
    case serverReadsAgain, nextStart
  }

  @Test(
    "whose far end reads nothing leaves the prompt alive, and every message goes in the end", arguments: Sequel.allCases
  )
  func zeroWindowAtThePrompt(_ sequel: Sequel) async throws {
    // More than the narrow line takes.
    let (count, length) = (100, 2_000)
    try await withPair(on: .prosody) { alice, bob in
      try await FaultProxy.with(to: alice.server, isNarrow: true) { proxy in
        try await bob.listening("--json", "--count", "\(count)") { listening in
          try await listening.expect(#""state":"online""#)
          try await through(proxy, alice).atThePrompt("chat", bob.jid, columns: 200, rows: 40) { prompt in
            try await prompt.expectScreen(showing: "online")
            proxy.hold()
            for number in 1...count { prompt.send("\(number) " + String(repeating: "y", count: length) + Key.enter) }
            try await prompt.expectScreen(showing: "me: \(count)")
            #expect(
              try unsentBytes(to: proxy) < count * length, "the kernel has taken everything: no window was closed")
            prompt.send("/help outbox" + Key.enter)
            try await prompt.expectScreen(showing: "Withdraw a message that waits.")
            prompt.send("/outbox" + Key.enter)
            try await prompt.expectScreen(showing: "\(bob.jid)  \(count)")
            if sequel == .serverReadsAgain {
              proxy.release()
              #expect(try await listening.wait() == .exited(0))
            }
            prompt.send("/quit" + Key.enter)
            #expect(try await prompt.wait() == .exited(sequel == .nextStart ? 75 : 0))
          }
          if sequel == .nextStart {
            proxy.cut()
            try await alice.atThePrompt { prompt in
              try await prompt.expectScreen(showing: "online")
              #expect(try await listening.wait() == .exited(0))
              prompt.send("/quit" + Key.enter)
              #expect(try await prompt.wait() == .exited(0))
            }
          }
          let numbers = listening.standardOutput.matches(of: /"body":"(\d+) y/).compactMap { Int($0.output.1) }
          #expect(numbers == Array(1...count))
        }
      }
      #expect(try await outboxCount(of: alice) == 0)
    }
  }

  /// What the kernel holds of what was written to the proxy.
  private func unsentBytes(to proxy: FaultProxy) throws -> Int {
    let port = ":" + String(proxy.port, radix: 16, uppercase: true)
    let sockets = try text(of: "/proc/net/tcp").split(separator: "\n").map { $0.split(separator: " ") }
    // Beside the addresses: state and queues, all in hexadecimal.
    let ours = sockets.filter { $0.count > 4 && $0[2].hasSuffix(port) && $0[3] == "01" }
    return try #require(ours.first?[4].split(separator: ":").first.flatMap { Int($0, radix: 16) })
  }

  /// How many messages wait in somebody's database.
  private func outboxCount(of person: Person) async throws -> Int? {
    let count = """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM outbox").fetchone()[0])
      """
    let database = person.home.path + "/.local/share/jackdaw/\(person.jid).sqlite3"
    return Int(try await TestProcess.run(.init("python3", ["-c", count, database])).lines.first ?? "")
  }
}
