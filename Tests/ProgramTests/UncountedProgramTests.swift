// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Servers that neither count stanzas (XEP-0198) nor keep an archive: only what they answer says what they have.
@Suite("What a killed script left on a server that counts nothing")
struct UncountedProgramTests {
  private static func plain(_ kind: TestServer.Kind) -> TestServer.Options {
    kind == .ejabberd ? .plainEjabberd : .init { $0.without = ["smacks", "mam"] }
  }

  /// How the next script ends.
  enum Ending: CaseIterable, Sendable { case endOfInput, quits, killed }

  @Test(
    "is sent by the next one alone: what the server answers to that one says that it has the message",
    arguments: TestServer.Kind.allCases, Ending.allCases)
  func answered(_ kind: TestServer.Kind, _ ending: Ending) async throws {
    try await withPair(on: kind, Self.plain(kind), friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await bobListens.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await leaveOne(alice, bob, bobListens)
        try await TestProcess.withProcess(alice.invocation(["--json", "run", "-"], input: .open)) { script in
          script.send("/ping\n")
          try await bobListens.expect(#""body":"two""#)
          switch ending {
          case .endOfInput: script.closeInput()
          case .quits: script.send("/quit\n")
          case .killed:
            // The answer to the first ping may be one to a request before the message.
            script.send("/ping\n/post x-done\n")
            try await script.expect(#""event":"x-done""#)
            script.signal(SIGKILL)
          }
          #expect(try await script.wait() == (ending == .killed ? .signalled(Int(SIGKILL)) : .exited(0)))
        }
        #expect(try await alice.does("outbox") == [], "the server has answered what came after it")
        try await alice.does("run", "-", input: .text("/send \(bob.jid) three\n"))
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "two", "three"])
      }
    }
  }

  /// Alice's script is killed after a message that got lost on the way.
  private func leaveOne(_ alice: Person, _ bob: Person, _ bobListens: TestProcess) async throws {
    try await FaultProxy.with(to: alice.server) { proxy in
      try await TestProcess.withProcess(alice.through(proxy).invocation(["run", "-"], input: .open)) { script in
        script.send("/send \(bob.jid) one\n")
        try await bobListens.expect(#""body":"one""#)
        try await eventually { try await alice.does("outbox").isEmpty }
        proxy.swallow()
        script.send("/send \(bob.jid) two\n")
        try await eventually { try await alice.does("outbox").contains { $0.contains("two") && $0.contains("sent") } }
        script.signal(SIGKILL)
        _ = try await script.wait()
      }
    }
  }
}
