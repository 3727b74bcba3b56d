// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite
import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// Databases of other programs, made as those make them.
@Client @Suite struct ForeignDatabaseTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/it's 100% a file?.db" }

  /// Runs statements on a database that is made by them.
  /// - Returns: the connection, which is still open.
  @discardableResult private func make(_ script: String) throws -> OpaquePointer {
    var connection: OpaquePointer?
    #expect(sqlite3_open(path, &connection) == SQLITE_OK)
    let result = sqlite3_exec(connection, script, nil, nil, nil)
    #expect(result == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
    return try #require(connection)
  }

  private func made(_ script: String) throws { sqlite3_close(try make(script)) }

  private func rows() throws -> [ForeignRow] {
    let database = try ForeignDatabase(path: path)
    var rows: [ForeignRow] = []
    while case let next = try database.next(), !next.isEmpty { rows += next }
    return rows
  }

  /// All that is there, by its name.
  private var files: [String: [UInt8]] {
    Dictionary(uniqueKeysWithValues: folder.names.map { ($0, folder.contents(of: $0)) })
  }

  private static let profanity = """
    CREATE TABLE `ChatLogs` (`id` INTEGER PRIMARY KEY AUTOINCREMENT, `from_jid` TEXT NOT NULL, `to_jid` TEXT NOT NULL,
      `from_resource` TEXT, `to_resource` TEXT, `message` TEXT, `timestamp` TEXT, `type` TEXT, `stanza_id` TEXT,
      `archive_id` TEXT UNIQUE, `encryption` TEXT, `marked_read` INTEGER, `replace_id` TEXT, `replaces_db_id` INTEGER,
      `replaced_by_db_id` INTEGER);
    CREATE TRIGGER update_corrected_message AFTER INSERT ON ChatLogs FOR EACH ROW WHEN NEW.replaces_db_id IS NOT NULL
      BEGIN UPDATE ChatLogs SET replaced_by_db_id = NEW.id WHERE id = NEW.replaces_db_id; END;
    CREATE TABLE `DbVersion` (`dv_id` INTEGER PRIMARY KEY, `version` INTEGER UNIQUE);
    INSERT INTO DbVersion (version) VALUES (3);
    """

  @Test("of Profanity are read by their columns")
  func profanity() throws {
    try made(
      Self.profanity + """
        INSERT INTO ChatLogs (from_jid, from_resource, to_jid, to_resource, message, timestamp, stanza_id, archive_id, type, encryption)
        VALUES ('bob@example.org', 'phone', 'alice@example.org', NULL, 'Hi' || char(10) || 'there', '2024-03-01T10:30:00+01',
            's1', 'a1', 'chat', 'none'),
          ('alice@example.org', 'profanity', 'bob@example.org', '', 'Hello', '2024-03-01T09:31:00Z', '', NULL, 'chat', 'omemo'),
          ('room@muc.example.org', 'eve', 'alice@example.org', NULL, 'all', '2024-03-01T09:31:00Z', 's3', NULL, 'muc', 'none'),
          ('room@muc.example.org', 'eve', 'alice@example.org', NULL, 'psst', '2024-03-01T09:31:00Z', 's4', NULL, 'mucpm', 'none'),
          ('bob@example.org', NULL, 'alice@example.org', NULL, NULL, '2024-03-01T09:31:00Z', 's5', NULL, 'chat', 'none'),
          ('bob@example.org', NULL, 'alice@example.org', NULL, 'when?', 'yesterday', 's6', NULL, 'chat', 'none'),
          ('bob@example.org', NULL, 'alice@example.org', NULL, x'00ff', '2024-03-01T09:31:00Z', 's7', NULL, 'chat', 'none');
        """)
    #expect(try ForeignDatabase(path: path).program == .profanity)
    let rows = try rows()
    #expect(rows.map(\.number) == [1, 2, 3, 4, 5, 6, 7])
    let noon = try #require(Timestamp("2024-03-01T09:30:00Z"))
    #expect(
      rows[0].content
        == .message(
          ForeignMessage(
            from: .init("bob@example.org", resource: "phone"), to: .init("alice@example.org"), kind: .chat, id: "s1",
            text: "Hi\nthere", time: noon)))
    #expect(
      rows[1].content
        == .message(
          ForeignMessage(
            from: .init("alice@example.org", resource: "profanity"), to: .init("bob@example.org"), kind: .chat, id: nil,
            text: "Hello", time: Timestamp(milliseconds: noon.milliseconds + 60_000))))
    #expect(
      rows[2...].map(\.content) == [
        .room, .room, .other, .malformed("has no time"), .malformed("has a message that is not text"),
      ])
  }

  private static let gajim = """
    CREATE TABLE account (pk INTEGER NOT NULL PRIMARY KEY, jid TEXT NOT NULL);
    CREATE TABLE remote (pk INTEGER NOT NULL PRIMARY KEY, jid TEXT NOT NULL);
    CREATE TABLE message (pk INTEGER NOT NULL PRIMARY KEY, fk_account_pk INTEGER NOT NULL, fk_remote_pk INTEGER NOT NULL,
      resource TEXT, type INTEGER NOT NULL, direction INTEGER NOT NULL, timestamp FLOAT NOT NULL, state INTEGER NOT NULL, id TEXT,
      stanza_id TEXT, text TEXT, markup_type INTEGER, markup TEXT, user_delay_ts FLOAT, fk_thread_pk INTEGER, fk_occupant_pk INTEGER,
      fk_encryption_pk INTEGER, fk_security_label_pk INTEGER, correction_id TEXT);
    PRAGMA user_version = 20;
    INSERT INTO account VALUES (1, 'alice@example.org');
    INSERT INTO remote VALUES (1, 'bob@example.org'), (2, 'room@muc.example.org');
    """

  @Test("of Gajim are read by the columns of today")
  func gajim() throws {
    try made(
      Self.gajim + """
        INSERT INTO message (fk_account_pk, fk_remote_pk, resource, type, direction, timestamp, state, id, stanza_id, text)
        VALUES (1, 1, 'phone', 1, 1, 1709285400.25, 2, 's1', 'a1', 'Hi'), (1, 1, 'gajim.X', 1, 2, 1709285460, 1, 's2', NULL, 'Hello'),
          (1, 2, 'eve', 2, 1, 1709285460, 2, 's3', NULL, 'all'), (1, 2, 'eve', 3, 1, 1709285460, 2, 's4', NULL, 'psst'),
          (1, 1, NULL, 1, 1, 1709285460, 2, 's5', NULL, NULL), (1, 9, NULL, 1, 1, 1709285460, 2, 's6', NULL, 'who?'),
          (1, 1, NULL, 1, 1, 'soon', 2, 's7', NULL, 'when?'), (1, 1, NULL, 1, 7, 1709285460, 2, 's8', NULL, 'where to?'),
          (1, 1, NULL, 1, 1, 9e300, 2, 's9', NULL, 'when?');
        """)
    let rows = try rows()
    let time = Timestamp(milliseconds: 1_709_285_400_250)
    #expect(
      rows[0].content
        == .message(
          ForeignMessage(
            from: .init("bob@example.org", resource: "phone"), to: .init("alice@example.org"), kind: .chat, id: "s1",
            text: "Hi", time: time)))
    #expect(
      rows[1].content
        == .message(
          ForeignMessage(
            from: .init("alice@example.org"), to: .init("bob@example.org"), kind: .chat, id: "s2", text: "Hello",
            time: Timestamp(milliseconds: 1_709_285_460_000))))
    #expect(
      rows[2...].map(\.content) == [
        .room, .room, .other, .malformed("has no address"), .malformed("has no time"), .malformed("has no direction"),
        .malformed("has no time"),
      ])
  }

  @Test("of an older Gajim are read by the columns that they have", arguments: [0, 2, 6])
  func oldGajim(version: Int) throws {
    let account = version > 0 ? "account_id INTEGER, stanza_id TEXT," : ""
    let id = version > 2 ? "message_id TEXT, error TEXT," : ""
    try made(
      """
      CREATE TABLE jids (jid_id INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, jid TEXT UNIQUE, type INTEGER);
      CREATE TABLE logs (log_line_id INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, \(account) \(id) jid_id INTEGER, contact_name TEXT,
        time INTEGER, kind INTEGER, show INTEGER, message TEXT, subject TEXT);
      INSERT INTO jids VALUES (1, 'alice@example.org', 0), (2, 'bob@example.org', 0), (3, 'room@muc.example.org', 1),
        (4, 'room@muc.example.org/eve', 0);
      INSERT INTO logs (jid_id, time, kind, message) VALUES (2, 1709285400, 4, 'Hi'), (2, 1709285401, 6, 'Hello'),
        (2, 1709285402, 3, 'A letter'), (2, 1709285403, 5, 'An answer'), (3, 1709285404, 2, 'all'), (4, 1709285405, 4, 'psst'),
        (2, 1709285406, 0, 'gone'), (3, 1709285407, 1, NULL), (2, 1709285408, 7, 'failed'), (99, 1709285409, 4, 'who?');
      \(version > 0 ? "UPDATE logs SET account_id = 1;" : "")
      \(version > 2 ? "UPDATE logs SET message_id = 's' || log_line_id;" : "")
      """)
    let rows = try rows()
    let own: ForeignMessage.Address? = version > 0 ? .init("alice@example.org") : nil
    let bob = ForeignMessage.Address("bob@example.org")
    func message(_ number: Int64, _ text: String, _ kind: Message.Kind, isOurs: Bool) -> ForeignRow.Content {
      .message(
        ForeignMessage(
          from: isOurs ? own : bob, to: isOurs ? bob : own, kind: kind, id: version > 2 ? "s\(number)" : nil,
          text: text,
          time: Timestamp(milliseconds: 1_709_285_399_000 + number * 1_000)))
    }
    #expect(
      rows.map(\.content) == [
        message(1, "Hi", .chat, isOurs: false), message(2, "Hello", .chat, isOurs: true),
        message(3, "A letter", .normal, isOurs: false), message(4, "An answer", .normal, isOurs: true), .room, .room,
        .other, .other, .other, .malformed("has no address"),
      ])
  }

  @Test("of other programs, and what is no database, are refused")
  func others() throws {
    #expect(throws: DatabaseError.self) { try ForeignDatabase(path: folder.path + "/none") }
    #expect(throws: DatabaseError.self) { try ForeignDatabase(path: folder.path) }
    try made("CREATE TABLE message (body TEXT)")
    #expect(throws: DatabaseError.self) { try ForeignDatabase(path: path) }
    let file = open(path, O_WRONLY | O_TRUNC)
    write(file, Array("SQLite format 3\0 and nothing else than this".utf8), 40)
    close(file)
    #expect(throws: DatabaseError.self) { try ForeignDatabase(path: path) }
  }

  @Test("a view in place of a table is not read")
  func view() throws {
    try made(
      """
      CREATE TABLE jids (jid_id, jid, type);
      CREATE VIEW logs AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS log_line_id, 1 AS jid_id, i AS time, 4 AS kind, 'x' AS message FROM n;
      """)
    #expect(throws: DatabaseError.self) { try ForeignDatabase(path: path) }
  }

  @Test("a virtual table in place of a table is not read")
  func virtualTable() throws {
    try made(
      """
      CREATE VIRTUAL TABLE ChatLogs USING fts5 (type, from_jid, from_resource, to_jid, to_resource, stanza_id, timestamp, message);
      """)
    #expect(throws: DatabaseError.self) { try ForeignDatabase(path: path) }
  }

  @Test("a text that is longer than any message is malformed, and those behind it are read")
  func longText() throws {
    try made(
      Self.gajim + """
        INSERT INTO message (fk_account_pk, fk_remote_pk, type, direction, timestamp, state, text)
        VALUES (1, 1, 1, 1, 1709285400, 2, hex(zeroblob(600000))), (1, 1, 1, 1, 1709285400, 2, 'short');
        """)
    let rows = try rows()
    guard case .malformed = rows[0].content, case .message(let message) = rows[1].content else {
      Issue.record("\(rows.map(\.number))")
      return
    }
    #expect(message.text == "short")
  }

  @Test("more rows than are read at once are all read")
  func many() throws {
    try made(
      Self.gajim + """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234)
        INSERT INTO message (fk_account_pk, fk_remote_pk, type, direction, timestamp, state, text)
        SELECT 1, 1, 1, 1, i, 2, 't' || i FROM n;
        """)
    #expect(try rows().count == 1_234)
  }

  // MARK: Nothing is changed

  @Test("a database is read without a byte of it or a file beside it being changed", arguments: ["DELETE", "WAL"])
  func unchanged(mode: String) throws {
    try made("PRAGMA journal_mode = \(mode);" + Self.gajim)
    try made(
      "INSERT INTO message (fk_account_pk, fk_remote_pk, type, direction, timestamp, state, text) VALUES (1, 1, 1, 1, 1, 2, 'x')"
    )
    #expect(chmod(folder.path, 0o500) == 0)
    defer { chmod(folder.path, 0o700) }
    let before = files
    #expect(try rows().count == 1)
    #expect(files == before)
  }

  @Test("what its program has written and not yet put into the file is read, and left where it is")
  func writeAheadLog() throws {
    let connection = try make("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + Self.gajim)
    defer { sqlite3_close(connection) }
    try #require(
      sqlite3_exec(
        connection,
        "INSERT INTO message (fk_account_pk, fk_remote_pk, type, direction, timestamp, state, text) VALUES (1, 1, 1, 1, 1, 2, 'x')",
        nil, nil, nil) == SQLITE_OK)
    let before = files
    #expect(try rows().count == 1)
    #expect(files.keys.sorted() == before.keys.sorted())
    for name in before.keys where !name.hasSuffix("-shm") { #expect(files[name] == before[name]) }
  }

  @Test("what a program has left that was killed is read where all of it is there, else refused, and nothing is made")
  func leftover() throws {
    let connection = try make("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + Self.gajim)
    let left = files
    sqlite3_close(connection)
    unlink(path)
    let name = String(path.dropFirst(folder.path.count + 1))
    #expect(left.keys.sorted() == [name, name + "-shm", name + "-wal"])
    for (name, bytes) in left { folder.write(bytes, to: name) }
    #expect(try ForeignDatabase(path: path).program == .gajim)
    #expect(files.keys.sorted() == left.keys.sorted())
    #expect(files[name + "-wal"] == left[name + "-wal"] && files[name] == left[name])
    unlink(path + "-shm")
    #expect(throws: DatabaseError.self) { try ForeignDatabase(path: path) }
    #expect(files.keys.sorted() == [name, name + "-wal"])
  }

  @Test("of a database that is damaged the rows before the damage are read")
  func damaged() throws {
    try made(
      Self.gajim + """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO message (fk_account_pk, fk_remote_pk, type, direction, timestamp, state, text)
        SELECT 1, 1, 1, 1, i, 2, 'text number ' || i FROM n;
        """)
    let name = String(path.dropFirst(folder.path.count + 1))
    let size = folder.contents(of: name).count
    folder.write([UInt8](repeating: 0xA5, count: 8_192), to: name, at: size - 16_384)
    let database = try ForeignDatabase(path: path)
    var count = 0
    #expect(throws: DatabaseError.self) {
      while case let rows = try database.next(), !rows.isEmpty { count += rows.count }
    }
    #expect(count >= 500 && count < 5_000)
  }
}
