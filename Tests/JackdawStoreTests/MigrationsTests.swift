// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

@Suite struct MigrationsTests {
  /// Its tables and all else, each as it was created, but for how that is set: SQLite adds columns in its own way.
  private func schema(_ database: Database) throws -> [String] {
    try database.all("SELECT name || ': ' || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") {
      $0.text(0).replacing("\"", with: "").split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        .replacing(" ,", with: ",").replacing(" )", with: ")").replacing("( ", with: "(")
    }
  }

  /// How many rows each table and index has, and what stands in those that begin with one.
  private func contents(_ database: Database) throws -> [String] {
    try database.all(
      """
      SELECT name || ': ' || sum(ncell) FROM dbstat WHERE pagetype = 'leaf' AND name <> 'sqlite_schema' GROUP BY name
      UNION ALL SELECT consumer || ' ' || seq FROM cursor UNION ALL SELECT id || ' ' || seq FROM indexed
      """
    ) { $0.text(0) }
  }

  @Test("the numbers of the migrations are consecutive") func numbersAreConsecutive() {
    #expect(Migrations.all.map(\.number) == Array(1...Migrations.all.count))
  }

  /// A released migration is never edited, as databases that have taken it would differ from those to come. Each new one adds
  /// its fingerprint here.
  @Test("released migrations are unchanged") func releasedMigrationsAreAsTheyWere() {
    let fingerprints = Migrations.all.map { migration in
      migration.script.description.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    #expect(
      fingerprints == [
        7_313_589_337_641_454_399, 3_576_388_832_738_147_511, 10_962_157_742_526_049_755, 2_543_880_813_723_426_269,
        14_981_033_969_711_612_985, 6_104_620_342_418_629_368, 2_300_485_096_084_433_703, 17_816_390_476_700_454_033,
        13_171_945_665_229_569_427, 4_044_035_621_897_494_986,
        6_617_536_853_993_572_502, 13_424_525_728_673_708_074, 14_305_801_804_581_420_260, 7_298_089_688_209_330_385,
        10_829_976_250_299_790_969,
        11_410_504_287_960_451_410, 13_767_776_772_010_648_039,
        8_452_665_446_623_842_421, 10_906_756_176_139_418_276, 8_367_021_645_144_353_153, 15_930_196_763_783_927_983,
        10_002_204_376_922_362_110, 5_367_598_846_373_963_614, 5_566_836_737_080_787_481, 9_795_411_668_166_700_785,
        15_689_920_836_336_751_802, 10_070_080_999_855_816_917, 7_057_342_620_534_888_846,
        6_040_048_593_537_599_257, 622_909_654_466_661_239, 4_416_625_496_201_800_524, 18_001_643_080_113_744_662,
        9_365_499_816_294_432_292, 15_220_996_674_857_491_182, 7_718_889_915_476_449_665,
        11_385_145_419_822_232_720,
      ])
  }

  /// Another program may be at the steps, which take longer in a large database than any other lock is waited for.
  @Test(
    "A locked database of an older version is waited for, until this program is to end; a new one is not, nor by who waits for none"
  )
  func patience() throws {
    let steps = [
      Migration(number: 1, script: "CREATE TABLE first (id INTEGER)"),
      Migration(number: 2, script: "CREATE TABLE second (id INTEGER)"),
    ]
    for (version, timeout, looks, isTaken) in [(1, 1, 3, true), (1, 1, 1, false), (0, 1, 0, false), (1, 0, 0, false)] {
      let folder = TemporaryFolder()
      folder.write([], to: "a")
      let other = try Database(path: folder.path + "/a")
      try other.execute("PRAGMA journal_mode = WAL")
      try Migrations.apply(Array(steps.prefix(version)), to: other)
      let database = try Database(path: folder.path + "/a", busyTimeout: Int32(timeout))
      try other.execute("BEGIN IMMEDIATE")
      var looked = 0
      let error = Result { () throws(DatabaseError) in
        try Migrations.apply(steps, to: database, patience: .seconds(60)) {
          looked += 1
          guard looked == looks else { return false }
          if isTaken { try? other.execute("COMMIT") }
          return !isTaken
        }
      }
      #expect(looked == looks)
      #expect(try database.schemaVersion() == (isTaken ? 2 : version))
      if case .failure(let error) = error { #expect(error.code.primary == .busy && !isTaken) }
    }
  }

  @Test("a database of any earlier version ends with the same schema", arguments: 0...Migrations.all.count)
  func aDatabaseOfAnyEarlierVersionArrivesAtTheSameSchema(version: Int) throws {
    let old = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(version)), to: old)
    #expect(try old.schemaVersion() == version)
    try Migrations.apply(to: old)
    let new = try Database(path: nil)
    try Migrations.apply(to: new)
    #expect(try schema(old) == schema(new))
    #expect(try contents(old) == contents(new))
    #expect(try old.schemaVersion() == Migrations.all.count)
  }

  /// A database as the release before the message log left it: what was shown, what was not, what waits to be sent, and what came
  /// before its place was known.
  @Test("every message of a database from before the log is found")
  func everyMessageOfADatabaseBeforeTheLogIsFound() throws {
    let database = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(8)), to: database)
    try database.execute(
      """
      INSERT INTO message (id, peer, sender, recipient, is_ours, stanza, archive, kind, body, time, carbon, owner, state, is_open)
      VALUES (3, 'bob@x', 'bob@x/a', 'alice@x', 0, 's3', 'a3', 'chat', 'shown', 30, NULL, 0, NULL, 0),
        (4, 'bob@x', 'bob@x/a', 'alice@x', 0, 's4', 'a4', 'chat', 'unshown', 40, NULL, 0, NULL, 1),
        (5, 'bob@x', 'alice@x', 'bob@x', 1, 's5', NULL, 'chat', 'waits', 50, NULL, 0, 'waiting', 1),
        (6, 'bob@x', 'alice@x/b', 'bob@x', 1, 's6', 'a6', 'chat', 'elsewhere', 60, 'sent', 0, 'server', 1),
        (7, 'bob@x', 'alice@x', 'bob@x', 1, 's7', NULL, 'chat', 'sent', 70, NULL, 0, 'server', 0);
      INSERT INTO outbox (message, stream, position, mark) VALUES (5, 'stream', 9, 'a4');
      INSERT INTO held (id, owner, sender, recipient, stanza, is_unique, archive, kind, body, time, is_late, carbon)
      VALUES (1, 0, 'bob@x/a', 'alice@x', 'h1', 1, 'a8', 'chat', 'early', 80, 1, NULL),
        (2, 1000, 'alice@x/b', 'bob@x/c', NULL, 0, NULL, 'chat', 'early copy', 90, 0, 'sent');
      """)
    try Migrations.apply(to: database)
    let placed = try database.all(
      "SELECT seq || ' ' || body || ' ' || conversation FROM message WHERE seq > 0 ORDER BY seq"
    ) { $0.text(0) }
    #expect(placed == ["3 shown bob@x", "4 unshown bob@x", "5 waits bob@x", "6 elsewhere bob@x", "7 sent bob@x"])
    let open = try database.all(
      "SELECT seq || ' ' || stream || ' ' || mark FROM message JOIN outbox ON message = seq WHERE is_open = 1"
    ) { $0.text(0) }
    #expect(open == ["5 stream a4"])
    #expect(try database.all("SELECT consumer || ' ' || seq FROM cursor") { $0.text(0) } == ["screen 7"])
    #expect(try database.all("SELECT seq FROM unpresented ORDER BY seq") { $0.integer(0) } == [4, 6])
    let early = try database.all(
      """
      SELECT body || ' ' || conversation || ' ' || owner || ' ' || is_late || is_unique || is_outgoing || ' '
        || ifnull(claimed_archive, '') || ifnull(archive, '-') FROM message WHERE seq < 0 ORDER BY seq
      """
    ) { $0.text(0) }
    #expect(early == ["early bob@x 0 110 a8-", "early copy bob@x 1000 001 -"])
    #expect(try database.all("SELECT DISTINCT received - written FROM message") { $0.integer(0) } == [0])
  }

  /// The table of messages is made anew, and the outbox with it, which belongs to it.
  @Test("a database from before the narrow indexes keeps all its rows and constraints")
  func everythingOfADatabaseBeforeTheNarrowIndexesIsThereAndStillGuarded() throws {
    let database = try Database(path: nil)
    try database.execute("PRAGMA foreign_keys = ON")
    try Migrations.apply(Array(Migrations.all.prefix(9)), to: database)
    try database.execute(
      """
      INSERT INTO message (seq, conversation, sender, recipient, is_outgoing, stanza, archive, kind, body, written, carbon, owner,
        state, error, is_open, received, is_late, is_unique, claimed_archive, first_sent)
      VALUES (7, 'bob@x', 'bob@x/a', 'alice@x', 0, 's7', 'a7', 'chat', 'theirs', 70, 'received', 2, NULL, NULL, 0, 71, 1, 1, NULL, 69),
        (9, 'bob@x', 'alice@x', 'bob@x', 1, 's9', NULL, 'chat', 'ours', 90, NULL, 3, 'sent', 'why', 1, 90, 0, 1, NULL, NULL),
        (-5, 'bob@x', 'bob@x/a', 'alice@x', 0, 's5', NULL, 'chat', 'waits', 50, NULL, 2, NULL, NULL, 0, 51, 0, 0, 'a5', NULL);
      INSERT INTO outbox (message, stream, position, mark) VALUES (9, 'stream', 4, 'a7');
      """)
    let before = try rows(database)
    try Migrations.apply(to: database)
    #expect(try rows(database) == before)
    #expect(
      try database.all("SELECT message || ' ' || stream || ' ' || position || ' ' || mark FROM outbox") { $0.text(0) }
        == ["9 stream 4 a7"])
    #expect(throws: DatabaseError.self) { try database.run("UPDATE message SET archive = 'a7' WHERE seq = 9") }
    try database.run("DELETE FROM message WHERE seq = 9")
    #expect(try database.all("SELECT message FROM outbox") { $0.integer(0) } == [])
  }

  /// What was read before is not told to other devices in one go; what is read from now on is.
  @Test("what was read before markers were published stays read and counts as published")
  func whatWasReadBeforeMarksWerePublishedIsReadAndCountsAsPublished() throws {
    let database = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(14)), to: database)
    try database.execute(
      """
      INSERT INTO message (seq, conversation, sender, recipient, is_outgoing, stanza, archive, kind, body, written, owner, is_open)
      VALUES (1, 'bob@x', 'bob@x/a', 'alice@x', 0, 's1', 'a1', 'chat', 'read', 30, 0, 0),
        (2, 'bob@x', 'bob@x/a', 'alice@x', 0, 's2', 'a2', 'chat', 'unread', 40, 0, 0);
      INSERT INTO conversation (name, read) VALUES ('bob@x', 1);
      """)
    try Migrations.apply(to: database)
    #expect(
      try database.all("SELECT name || ' ' || read || ' ' || published FROM conversation") { $0.text(0) }
        == ["bob@x 1 1"])
    #expect(
      try database.all("SELECT is_unread FROM logged ORDER BY seq") { $0.flag(0) } == [false, true])
  }

  @Test("messages of a database from before payloads are found as plain ones")
  func everythingOfADatabaseBeforePayloadsIsFoundAsPlainMessages() throws {
    let database = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(16)), to: database)
    try database.execute(
      """
      INSERT INTO message (seq, conversation, sender, recipient, is_outgoing, stanza, archive, kind, body, written, owner, is_open,
        received, is_late, is_unique, relation, refers)
      VALUES (1, 'bob@x', 'bob@x/a', 'alice@x', 0, 's1', 'a1', 'chat', 'at nein', 30, 0, 0, 30, 0, 0, NULL, NULL),
        (2, 'bob@x', 'bob@x/a', 'alice@x', 0, 's2', 'a2', 'chat', 'at nine', 40, 0, 0, 40, 0, 0, 'replaces', 's1');
      """)
    let before = try rows(database)
    try Migrations.apply(to: database)
    #expect(try rows(database) == before)
    let found = try database.all("SELECT * FROM logged ORDER BY seq") { ($0.text(5), $0.flag(18), $0.isNull(19)) }
    #expect(found.map(\.0) == ["at nein", "at nine"] && found.map(\.1) == [false, true])
    #expect(found.map(\.2) == [true, true])
  }

  @Test("the cursor of a database before the overlap stands where it did, and how far it overlaps the messages tell")
  func theArchivesCursor() throws {
    let database = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(32)), to: database)
    try database.execute("INSERT INTO archive (id, mark) VALUES (1, 'a7')")
    try Migrations.apply(to: database)
    #expect(
      try database.all("SELECT mark || ' ' || ifnull(overlap, '-') FROM archive") { $0.text(0) } == ["a7 -"])
  }

  @Test("what waits in a database before the outbox said what is open is left for the next program")
  func waitingMessages() throws {
    let database = try Database(path: nil)
    try Migrations.apply(Array(Migrations.all.prefix(34)), to: database)
    try database.execute(
      """
      INSERT INTO message (seq, conversation, sender, recipient, is_outgoing, stanza, kind, body, written, owner, state, is_open)
      VALUES (1, 'bob@x', 'alice@x', 'bob@x', 1, 's1', 'chat', 'sent', 30, 4, 'sent', 1),
        (2, 'bob@x', 'alice@x', 'bob@x', 1, 's2', 'chat', 'there', 40, 4, 'server', 0),
        (3, 'bob@x', 'alice@x', 'bob@x', 1, 's3', 'chat', 'waits', 50, 4, 'waiting', 1),
        (4, 'bob@x', 'alice@x', 'bob@x', 1, 's4', 'chat', 'another program''s', 60, 5, 'waiting', 1);
      INSERT INTO outbox (message, stream, position, mark) VALUES (1, 's', 7, 'a1'), (3, NULL, NULL, NULL), (4, NULL, NULL, NULL);
      """)
    let before = try rows(database)
    // As nobody leaves it: what the server has would be sent again.
    try database.execute("INSERT INTO outbox (message) VALUES (2)")
    try Migrations.apply(to: database)
    #expect(try rows(database) == before)
    let left = try OutboxTable.left(by: 4, database)
    #expect(left.map(\.message.body) == ["sent", "waits"] && left.map(\.state) == [.sent, .waiting])
    #expect(left.map(\.place) == [StreamPlace(stream: "s", position: 7), nil] && left[0].archiveCursor == "a1")
    try OutboxTable.pass(from: 5, to: 4, database)
    #expect(try OutboxTable.left(by: 4, database).map(\.number) == [1, 3, 4])
    #expect(
      try database.all("SELECT state FROM logged ORDER BY seq") { $0.text(0) } == [
        "sent", "server", "waiting", "waiting",
      ])
  }

  /// Every column of every message.
  private func rows(_ database: Database) throws -> [String] {
    try database.all(
      """
      SELECT seq || conversation || sender || recipient || is_outgoing || ifnull(stanza, '-') || ifnull(archive, '-') || kind
        || body || written || ifnull(carbon, '-') || owner || ifnull(state, '-') || ifnull(error, '-') || is_open || received
        || is_late || is_unique || ifnull(claimed_archive, '-') || ifnull(first_sent, '-') FROM message ORDER BY seq
      """
    ) { $0.text(0) }
  }

  @Test("a migration that fails leaves the database as it was")
  func aMigrationThatFailsLeavesTheDatabaseAsItWas() throws {
    let database = try Database(path: nil)
    let first = Migration(number: 1, script: "CREATE TABLE a (x)")
    let second = Migration(number: 2, script: "CREATE TABLE b (x); CREATE TABLE a (x)")
    #expect(throws: DatabaseError.self) { try Migrations.apply([first, second], to: database) }
    #expect(try database.schemaVersion() == 0)
    #expect(try schema(database) == [])
  }

  @Test("a schema of a newer version is refused") func aSchemaFromTheFutureIsRefused() throws {
    let database = try Database(path: nil)
    try database.setSchemaVersion(Migrations.all.count)
    try Migrations.check(database)
    try database.setSchemaVersion(Migrations.all.count + 1)
    let error = try #require(#expect(throws: DatabaseError.self) { try Migrations.check(database) })
    #expect(error.code == .schemaFromTheFuture)
    #expect(error.description.hasPrefix("The database was written by a newer Jackdaw"))
  }
}
