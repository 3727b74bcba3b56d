// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A zero TCP window: the server's side of the connection is open and reads nothing.
@Suite("A line whose far end reads nothing")
struct ZeroWindowTests {
  @Test("takes no more memory than what waits, and nothing is lost")
  func zeroWindowInAScript() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await FaultProxy.with(to: alice.server) { proxy in
        let count = 640
        try await bob.listening("--count", "\(count)") { listening in
          try await alice.sees(bob)
          var invocation = alice.through(proxy).invocation(["run", "-"], input: .open)
          // At its end it waits for the server as long as the test looks at it.
          invocation.environment["JACKDAW_TIMEOUT"] = "600"
          try await TestProcess.withProcess(invocation) { script in
            script.send("/to \(bob.jid)\nready\n")
            try await listening.expect("ready")
            // Bob may have it before the server's acknowledgement is here.
            try await eventually { try await outboxCount(of: alice) == 0 }
            let before = try script.peakMemory
            proxy.hold()
            let text = String(repeating: "x", count: 16_000)
            for number in 2...count { script.send("\(number) \(text)\n") }
            script.closeInput()
            try await eventually { try await outboxCount(of: alice) == count - 1 }
            // 10 MB wait: once in the program, once on their way to TLS, next to nothing in the kernel.
            let after = try script.peakMemory
            #expect(after - before < 44_000, "kilobytes")
            proxy.release()
            #expect(try await script.wait() == .exited(0))
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
    "leaves the prompt alive, and every message goes in the end", arguments: Sequel.allCases
  )
  func zeroWindowAtThePrompt(_ sequel: Sequel) async throws {
    // More than the narrow line takes.
    let (count, length) = (100, 2_000)
    try await withPair(on: .prosody) { alice, bob in
      try await FaultProxy.with(to: alice.server, isNarrow: true) { proxy in
        try await bob.listening("--json", "--count", "\(count)") { listening in
          try await listening.expect(#""state":"online""#)
          try await alice.through(proxy).atThePrompt("chat", bob.jid, columns: 200, rows: 40) { prompt in
            try await prompt.expectScreen(showing: "online")
            proxy.hold()
            for number in 1...count { prompt.send("\(number) " + String(repeating: "y", count: length) + Key.enter) }
            try await prompt.expectScreen(showing: ": \(count)")
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
    let sockets = try #require(KernelFile.read("/proc/net/tcp")).split(separator: "\n").map { $0.split(separator: " ") }
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
    return Int(try await TestProcess.run(.init(SourceTree.python, ["-c", count, database])).lines.first ?? "")
  }
}
