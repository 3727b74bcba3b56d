// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Other programs' history, brought in with the built program, where there is no server.
@Suite("history import") struct HistoryImportProgramTests {
  /// Somebody without a connection.
  private struct Reader {
    let home: TestDirectory

    func run(
      _ words: [String], input: TestProcess.Invocation.Input = .none
    ) async throws -> TestProcess.Outcome {
      let environment = ["JACKDAW_JID": "alice@example.org", "JACKDAW_PASSWORD": "x", "TZ": "UTC"]
      return try await TestProcess.run(.jackdaw(words, in: home, environment: environment, input: input))
    }

    func does(
      _ words: String..., input: TestProcess.Invocation.Input = .none, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
      let outcome = try await run(words, input: input)
      #expect(outcome.ending == .exited(0), "\(words): \(outcome.errors)", sourceLocation: sourceLocation)
      return outcome.lines
    }

    /// What the log has, without what differs on every machine and in every run.
    var exported: [String] {
      get async throws {
        try await each(
          "for key in ('time', 'number', 'unread'): del row[key]\n  print(json.dumps(row, ensure_ascii=False))")
      }
    }

    /// Who said what when, in the order of the log.
    var said: [String] {
      get async throws { try await each("print(row['delayed'][11:19], row['from'], repr(row['body']))") }
    }

    /// What a piece of Python prints of each message.
    private func each(_ program: String) async throws -> [String] {
      let program = "import json, sys\nfor line in sys.stdin:\n  row = json.loads(line)\n  " + program
      let lines = try await does("history", "--export", "json").map { $0 + "\n" }.joined()
      return try await TestProcess.run(.init(SourceTree.python, ["-c", program], input: .text(lines))).lines
    }

    /// Makes a database of another program.
    func database(_ name: String, _ script: String) async throws -> String {
      let program = "import sqlite3, sys\nsqlite3.connect(sys.argv[1]).executescript(sys.stdin.read())"
      let made = try await TestProcess.run(
        .init(SourceTree.python, ["-c", program, home.file(name)], input: .text(script)))
      #expect(made.ending == .exited(0), "\(made.errors)")
      return home.file(name)
    }
  }

  private func withReaders(_ body: (Reader, Reader) async throws -> Void) async throws {
    try await TestDirectory.with { one in
      try await TestDirectory.with { other in try await body(Reader(home: one), Reader(home: other)) }
    }
  }

  private static let gajim = """
    CREATE TABLE account (pk INTEGER NOT NULL PRIMARY KEY, jid TEXT NOT NULL);
    CREATE TABLE remote (pk INTEGER NOT NULL PRIMARY KEY, jid TEXT NOT NULL);
    CREATE TABLE message (pk INTEGER NOT NULL PRIMARY KEY, fk_account_pk INTEGER NOT NULL, fk_remote_pk INTEGER NOT NULL,
      resource TEXT, type INTEGER NOT NULL, direction INTEGER NOT NULL, timestamp FLOAT NOT NULL, state INTEGER NOT NULL, id TEXT,
      stanza_id TEXT, text TEXT);
    INSERT INTO account VALUES (1, 'alice@example.org'), (2, 'work@example.org');
    INSERT INTO remote VALUES (1, 'bob@example.org'), (2, 'room@muc.example.org');
    INSERT INTO message (fk_account_pk, fk_remote_pk, resource, type, direction, timestamp, state, id, text)
    VALUES (1, 1, 'phone', 1, 1, 1709285400.25, 2, 'g1', 'from Gajim'), (1, 1, NULL, 1, 2, 1709285460, 2, 'g2', 'to Gajim'),
      (1, 2, 'x', 2, 1, 1709285470, 2, 'g3', 'in a room'), (2, 1, NULL, 1, 1, 1709285480, 2, 'g4', 'for work'),
      (1, 1, NULL, 1, 1, 'soon', 2, 'g5', 'when?');
    """

  private static let profanity = """
    CREATE TABLE `ChatLogs` (`id` INTEGER PRIMARY KEY AUTOINCREMENT, `from_jid` TEXT NOT NULL, `to_jid` TEXT NOT NULL,
      `from_resource` TEXT, `to_resource` TEXT, `message` TEXT, `timestamp` TEXT, `type` TEXT, `stanza_id` TEXT, `archive_id` TEXT,
      `encryption` TEXT, `marked_read` INTEGER, `replace_id` TEXT);
    INSERT INTO ChatLogs (from_jid, from_resource, to_jid, message, timestamp, stanza_id, type)
    VALUES ('bob@example.org', 'phone', 'alice@example.org', 'from Gajim', '2024-03-01T10:30:00+01', 'g1', 'chat'),
      ('alice@example.org', 'p', 'carol@example.org', 'in Profanity', '2024-03-01T09:30:30Z', 'p1', 'chat'),
      ('carol@example.org', 'p', 'alice@example.org', 'in its log too', '2024-03-01T09:32:00Z', 'p2', 'chat');
    """

  @Test("has what Gajim, Profanity's database and its logs have, each once, in the order of their times")
  func everyFormat() async throws {
    try await withReaders { alice, _ in
      let gajim = try await alice.database("logs.db", Self.gajim)
      let first = try await alice.run(["history", "import", gajim])
      #expect(first.ending == .exited(65))
      #expect(
        first.lines == [
          "Imported 2 messages of 1 conversation; left out 1 of rooms, 1 of other accounts; 1 could not be read."
        ])
      #expect(first.errors == "jackdaw: \(gajim), row 5: The message has no time.\n")
      let folder = alice.home.file("alice_at_example.org/carol_at_example.org")
      _ = try await TestProcess.run(.init("mkdir", ["-p", folder]))
      _ = try alice.home.write(
        "09:31:30 - me: in its log\nalone\n09:32:00 - carol@example.org: in its log too\n",
        to: "alice_at_example.org/carol_at_example.org/2024_03_01.log")
      _ = try await alice.database("alice_at_example.org/chatlog.db", Self.profanity)
      // The one that Gajim has too, and the one that both of Profanity's have.
      let words = ["Imported 3 messages of 1 conversation; 2 were there already."]
      #expect(try await alice.does("history", "import", "alice_at_example.org") == words)
      #expect(
        try await alice.said == [
          "09:30:00 bob@example.org/phone 'from Gajim'", "09:30:30 alice@example.org/p 'in Profanity'",
          "09:31:00 alice@example.org 'to Gajim'", "09:31:30 alice@example.org 'in its log\\nalone'",
          "09:32:00 carol@example.org/p 'in its log too'",
        ])
      #expect(try await alice.does("status", "--unread") == ["No unread messages."])
      #expect(try await alice.does("outbox") == [])
      #expect(try await alice.does("history", "--search", "alone").first?.contains("in its log") == true)
      #expect(
        try await alice.does("history", "import", "alice_at_example.org", "--json").first?.contains(
          #""messages":0,"conversations":0,"known":5,"#) == true)
    }
  }

  @Test("refuses a database that is of no program, or not of the one that is named, and imports nothing")
  func wrongDatabases() async throws {
    try await withReaders { alice, _ in
      let other = try await alice.database("other.db", "CREATE TABLE message (body TEXT)")
      let gajim = try await alice.database("gajim.db", Self.gajim)
      for arguments in [[gajim, other], ["--format", "profanity", gajim], ["--format", "json", gajim]] {
        let outcome = try await alice.run(["history", "import"] + arguments)
        #expect(outcome.ending == .exited(65) && outcome.lines.isEmpty)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      }
      #expect(try await alice.does("history") == [])
      // Beside what is meant in a folder, others are passed over.
      _ = try await alice.database("logs.db", Self.gajim)
      let folder = try await alice.run(["history", "import", alice.home.path])
      #expect(folder.lines.first?.hasPrefix("Imported 2 messages of 1 conversation;") == true, "\(folder.lines)")
    }
  }

  @Test("of an export makes the same log elsewhere, and here changes nothing")
  func roundTrip() async throws {
    try await withReaders { alice, other in
      let program = #"""
        import json
        odd = "two\nlines \u202e \u0001 \U0001F600 '\"<&>"
        for number in range(1, 1201):
          ours = number % 3 == 0
          who = ["bob", "carol", "dave"][number % 7 % 3] + "@example.org"
          # Some stand behind others that were written later, and some are alike.
          minute = number - (5 if number % 10 == 0 else 0)
          print(json.dumps({"event": "message", "account": "alice@example.org", "id": None if number % 4 == 0 else f"i{number}",
            "from": "alice@example.org/here" if ours else who + "/phone", "to": who if ours else "alice@example.org",
            "type": "chat", "body": odd if number % 50 == 0 else "ok" if number % 5 == 0 else f"text {number}",
            "delayed": f"2024-0{1 + minute // 600}-{1 + minute // 60 % 10:02}T10:{minute % 60:02}:07.{number % 1000:03}Z",
            "carbon": "sent" if ours and number % 2 == 0 else None, "encrypted": False, "number": number,
            "conversation": who, "outgoing": ours,
            "state": ["server", "delivered", "displayed", "failed"][number % 4] if ours and number % 2 else "server" if ours else None,
            "unread": False, "found": None}))
        """#
      let lines = try await TestProcess.run(.init(SourceTree.python, ["-c", program])).output
      let file = try alice.home.write(lines, to: "first.jsonl")
      #expect(try await alice.does("history", "import", file) == ["Imported 1200 messages of 3 conversations."])
      let log = try await alice.exported
      #expect(log.count == 1_200)
      let exported = try await alice.does("history", "--export", "json").joined(separator: "\n")
      #expect(
        try await other.does("history", "import", "-", input: .text(exported)) == [
          "Imported 1200 messages of 3 conversations."
        ])
      #expect(try await other.exported == log)
      for reader in [alice, other] {
        #expect(
          try await reader.does("history", "import", "-", input: .text(exported)) == [
            "Imported nothing; 1200 were there already."
          ])
        #expect(try await reader.exported == log)
      }
    }
  }
}
