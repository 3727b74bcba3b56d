// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A bot answers before whoever asked it begins to wait.
@Suite("An answer that comes before the script waits for it")
struct EarlyAnswerProgramTests {
  /// Runs a script of Alice's that begins to wait only when it has shown the answer of Bob's bot.
  private func asks(_ alice: Person, _ lines: String..., of bob: Person) async throws {
    try await TestProcess.withProcess(alice.invocation(["--json", "run", "-"], input: .open)) { asking in
      asking.send(lines.joined(separator: "\n") + "\n")
      try await asking.expect(#""body":"pong""#)
      asking.send("/ping\n/wait message --from \(bob.jid) --for 20\n")
      asking.closeInput()
      let ending = try await asking.wait()
      #expect(ending == .exited(0), "\(lines): \(asking.standardError)")
    }
  }

  @Test("is not lost, whatever line asks, also through an agent", arguments: TestServer.Kind.allCases)
  func early(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.listening("--reply", "--exec", "echo pong") { _ in
        try await alice.sees(bob)
        try await asks(alice, "/send \(bob.jid) ping", of: bob)
        try await asks(alice, "/send --wait delivered \(bob.jid) ping", of: bob)
        try await asks(alice, "/to \(bob.jid)", "ping", of: bob)
        try await asks(alice, "/to \(bob.jid)", "/me asks", of: bob)
        try await AgentHost.with(of: alice) { host in
          try await asks(host.guest, "/send \(bob.jid) ping", of: bob)
        }
      }
    }
  }
}
