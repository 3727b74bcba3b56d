// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// A program that begins while another one has the database locked.
@Suite("A database that is locked at the start")
struct LockedStoreProgramTests {
  @Test(
    "is waited for: what was missed is shown in its order, and what a killed run left is sent",
    arguments: TestServer.Kind.allCases)
  func lockedAtTheStart(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let bob = bob.withDataFolder()
      try await alice.listening("--json", "--count", "1", "--from", bob.jid) { aliceListens in
        try await bob.sees(alice)
        try await killScript(bob, alice)
        for number in 1...3 { try await alice.does("send", bob.jid, "missed \(number)") }
        try await LockedDatabase.holding(bob.database) { lock in
          try await bob.listening("--json") { listening in
            try await alice.sees(bob)
            try await alice.does("send", bob.jid, "meanwhile")
            try await lock.release()
            try await listening.expect(#""body":"meanwhile""#)
            #expect(listening.shownBodies == ["missed 1", "missed 2", "missed 3", "meanwhile"])
            #expect(try await aliceListens.wait() == .exited(0))
            #expect(aliceListens.shownBodies.filter { $0 == "left" }.count == 1)
            try await eventually { try await bob.does("outbox").isEmpty }
          }
        }
        #expect(try await bob.run("--json", "listen", "--for", "0.5").shownBodies == [])
      }
    }
  }

  /// Bob's script is killed once it is online and has sent a message that got lost on the way.
  private func killScript(_ bob: Person, _ alice: Person) async throws {
    try await FaultProxy.with(to: bob.server) { proxy in
      try await TestProcess.withProcess(bob.through(proxy).invocation(["--json", "run", "-"], input: .open)) { script in
        script.send("/ping\n")
        try await script.expect(#""command":"ping""#)
        proxy.swallow()
        script.send("/send \(alice.jid) left\n")
        try await eventually { try await bob.does("outbox").contains { $0.contains("left") } }
        script.signal(SIGKILL)
        _ = try await script.wait()
      }
    }
  }
}
