// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// A program whose resource another log-in takes: it does not come back by itself.
@Suite("A script that is thrown out by another log-in")
struct ThrownOutTests {
  @Test(
    "while its message is on its way says that it may be tried again, and the next run sends it",
    arguments: TestServer.Kind.allCases)
  func messageOnItsWay(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      var alice = alice
      alice.environment["JACKDAW_JID"] = alice.jid + "/desk"
      try await bob.listening("--json", "--count", "2") { bobListens in
        try await bobListens.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await FaultProxy.with(to: alice.server) { proxy in
          try await TestProcess.withProcess(alice.through(proxy).invocation(["--json", "run", "-"], input: .open)) {
            script in
            script.send("/send \(bob.jid) one\n")
            try await bobListens.expect(#""body":"one""#)
            try await eventually { try await alice.does("outbox").isEmpty }
            // Soon after a log-in the first conflict is retried: a server may be late with a log-in of ours.
            try await takePlace(of: alice)
            try await script.expect(#""state":"retrying""#)
            try await script.expect(#""state":"online""#)
            // The server hears nothing any more, and is heard.
            proxy.hold(.toServer)
            script.send("/send \(bob.jid) two\n")
            try await eventually { try await alice.does("outbox").count == 1 }
            try await takePlace(of: alice)
            #expect(try await script.wait() == .exited(75), "\(script.standardError)")
            #expect(script.standardError.contains("Another log-in"), "\(script.standardError)")
            #expect(script.standardError.contains("1 message is still unsent"), "\(script.standardError)")
          }
        }
        try await alice.does("run", "-", input: .text("/ping\n"))
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "two"])
      }
    }
  }

  /// From a device that shares nothing with the other.
  private func takePlace(of person: Person) async throws {
    try await TestDirectory.with { elsewhere in
      var other = Person(server: person.server, account: person.account, home: elsewhere)
      other.environment = person.environment
      try await other.does("listen", "--for", "0")
    }
  }
}
