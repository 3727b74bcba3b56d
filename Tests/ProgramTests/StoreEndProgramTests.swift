// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// At the end of each way to run there is one file, which whoever copies it has whole: SQLite's log stands beside it only while a
/// program is at work, or was killed.
@Suite("A database at the end of a run")
struct StoreEndProgramTests {
  @Test("of an agent is one file")
  func agent() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await AgentHost.with(of: alice) { host in
        try await host.guest.does("send", bob.jid, "hello")
        #expect(access(Self.log(of: host.person), F_OK) == 0)
        try await host.guest.does("agent", "stop")
        _ = try await host.process.wait()
      }
      #expect(access(Self.log(of: alice), F_OK) != 0)
    }
  }

  @Test("of 'listen' and of a script is one file")
  func listening() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await bob.listening("--count", "1") { bobListens in
        try await alice.does("send", bob.jid, "hello")
        #expect(try await bobListens.wait() == .exited(0))
      }
      let script = try await bob.run("run", "-", input: .text("/send \(alice.jid) hello\n/history\n"))
      #expect(script.ending == .exited(0), "\(script.errors)")
      for person in [alice, bob] { #expect(access(Self.log(of: person), F_OK) != 0) }
    }
  }

  private static func log(of person: Person) -> String {
    person.home.path + "/.local/share/jackdaw/\(person.jid).sqlite3-wal"
  }
}
