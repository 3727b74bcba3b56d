// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What an earlier program wrote, read with the built one.
@Suite("A database of an earlier program") struct EarlierDatabaseProgramTests {
  @Test("written before the message log is read without a server, every message as it was left")
  func beforeTheLog() async throws {
    try await TestDirectory.with { home in
      let dump = SourceTree.path("Tests/JackdawStoreTests/Fixtures/before-the-log.sql")
      let written = try await python(Self.make, dump, home.file("alice@jackdaw.test.sqlite3"))
      #expect(written.contains("Ærøskøbing") && written.contains("[30, "))
      let environment = ["JACKDAW_JID": "alice@jackdaw.test", "JACKDAW_DATA_DIR": home.path]
      func jackdaw(_ arguments: String...) async throws -> TestProcess.Outcome {
        let outcome = try await TestProcess.run(.jackdaw(arguments, in: home, environment: environment))
        #expect(outcome.ending == .exited(0), "\(arguments): \(outcome.errors)")
        return outcome
      }
      for _ in 1...2 {
        let history = try await jackdaw("history", "--since", "2000-01-01", "--json")
        #expect(try await python(Self.read, history.output) == written)
      }
      #expect(try await jackdaw("outbox").lines.count == 6)
      #expect(try await jackdaw("status", "--unread").lines == ["3 unread messages in 2 conversations"])
    }
  }

  /// Makes it of its dump, and prints number, text, state, and whether it was not shown, of each message.
  private static let make = """
    import json, sqlite3, sys
    database = sqlite3.connect(sys.argv[2])
    database.executescript(open(sys.argv[1], encoding="utf-8").read())
    for row in database.execute("SELECT id, body, state, is_open AND NOT is_ours FROM message ORDER BY id"):
        print(json.dumps(row[:3] + (bool(row[3]),), ensure_ascii=False))
    """

  /// Prints the same of what `history --json` says.
  private static let read = """
    import json, sys
    for line in filter(None, sys.argv[1].split("\\n")):
        said = json.loads(line)
        print(json.dumps([said["number"], said["body"], said["state"], said["unread"]], ensure_ascii=False))
    """
}
