// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// History under trouble, with the built program.
@Suite("History in trouble") struct HistoryTroubleTests {
  private static func withAlice(_ body: (Person, Person, String) async throws -> Void) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      var alice = alice
      alice.environment["JACKDAW_DATA_DIR"] = alice.home.path + "/data"
      try await body(alice, bob, alice.home.path + "/data/\(alice.jid).sqlite3")
    }
  }

  @Test(
    "a database of a newer version is no empty one: what shows, brings or removes history, what waits or what logs in fails, and changes nothing"
  )
  func newerDatabase() async throws {
    try await Self.withAlice { alice, bob, database in
      try await alice.does("send", bob.jid, "said before")
      let set = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        print(database.execute("PRAGMA user_version").fetchone()[0])
        database.execute("PRAGMA user_version = " + sys.argv[2])
        """
      let version = try await python(set, database, "999")
      for words in [
        ["history"], ["history", bob.jid], ["history", "--search", "said"], ["history", "--export", "json"], ["unread"],
        ["status", "--unread"], ["history", "delete", bob.jid], ["outbox"], ["outbox", "cancel", "1"],
        ["history", "import", "-"], ["history", "import", "--dry-run", "-"], ["account", "logout"],
      ] {
        let outcome = try await TestProcess.run(alice.invocation(words))
        #expect(outcome.ending == .exited(74), "\(words): \(outcome.errors)")
        #expect(outcome.output.isEmpty && outcome.errors.contains("written by a newer Jackdaw"), "\(words)")
      }
      try await python(set, database, version)
      #expect(try await alice.does("history", bob.jid).count == 1)
    }
  }

  @Test("two programs write while a third searches: each finds its messages, each message is there once")
  func twoWritersAndASearcher() async throws {
    try await Self.withAlice { alice, bob, database in
      let alice = alice
      try await alice.does("send", bob.jid, "needle 0")
      let scripts = ["a", "b"].map { name in
        (1...200).map { "/send \(bob.jid) needle \(name)\($0)" }.joined(separator: "\n") + "\n"
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for script in scripts {
          group.addTask {
            let outcome = try await TestProcess.run(alice.invocation(["run", "-"], input: .bytes(Array(script.utf8))))
            #expect(outcome.ending == .exited(0), "\(outcome.errors)")
          }
        }
        group.addTask {
          var before = 0
          for _ in 0..<20 {
            let found = try await alice.does("history", "--search", "needle", "--all").count
            #expect(found >= before)
            before = found
          }
        }
        try await group.waitForAll()
      }
      let found = try await alice.does("history", "--search", "needle", "--all")
      #expect(found.count == 401 && Set(found).count == 401)
      let checked = try await python(
        "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone())",
        database)
      #expect(checked == "ok\n")
    }
  }
}
