// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawStore

@Suite struct DatabaseTests {
  private struct Failure: Error {}

  private func memory() throws -> Database {
    let database = try Database(path: nil)
    try database.execute("CREATE TABLE t (x)")
    return database
  }

  @Test(
    "Text is the same when it is stored and read",
    arguments: [
      "", "text", "it's", "'; DROP TABLE t; --", "a\0b", "é🐦\u{202E}", "\u{FFFF}",
      String(repeating: "x", count: 1 << 20),
    ])
  func textComesBackAsItWas(text: String) throws {
    let database = try memory()
    try database.run("INSERT INTO t VALUES (?)", text)
    #expect(try database.first("SELECT x FROM t") { $0.text(0) } == text)
    #expect(try database.first("SELECT x FROM t") { $0.optionalText(0) } == .some(text))
    #expect(try database.first("SELECT typeof(x) FROM t") { $0.text(0) } == "text")
  }

  @Test("Numbers are the same when they are stored and read", arguments: [Int64.min, -1, 0, 1, .max])
  func numbersComeBackAsTheyWere(number: Int64) throws {
    let database = try memory()
    try database.run("INSERT INTO t VALUES (?)", number)
    #expect(try database.first("SELECT x FROM t") { $0.integer(0) } == number)
  }

  @Test(
    "Bytes are the same when they are stored and read",
    arguments: [[], [0], [0xFF, 0, 0xFE], [UInt8](repeating: 7, count: 100_000)])
  func bytesComeBackAsTheyWere(bytes: [UInt8]) throws {
    let database = try memory()
    try database.run("INSERT INTO t VALUES (?)", bytes)
    #expect(try database.first("SELECT x FROM t") { $0.bytes(0) } == bytes)
    #expect(try database.first("SELECT typeof(x) FROM t") { $0.text(0) } == "blob")
  }

  @Test("NULL is read as nil") func nothingComesBackAsNothing() throws {
    let database = try memory()
    try database.run("INSERT INTO t VALUES (?)", String?.none)
    let isNothing = try database.first("SELECT x FROM t") {
      $0.isNull(0) && $0.optionalText(0) == nil && $0.text(0) == "" && $0.bytes(0) == [] && $0.integer(0) == 0
    }
    #expect(isNothing == true)
    #expect(try database.first("SELECT x FROM t WHERE x = 1") { _ in true } == nil)
  }

  @Test("Bytes that are not UTF-8 are repaired when they are read as text")
  func bytesThatAreNoTextAreRepaired() throws {
    let database = try memory()
    try database.execute("INSERT INTO t VALUES (CAST(x'61FF62' AS TEXT))")
    #expect(try database.first("SELECT x FROM t") { $0.text(0) } == "a\u{FFFD}b")
  }

  @Test("A statement is prepared once") func aStatementIsPreparedOnce() throws {
    let database = try memory()
    func insert(_ number: Int) throws -> Statement {
      let statement = try database.statement("INSERT INTO t VALUES (?)")
      try statement.run(number)
      return statement
    }
    #expect(try insert(1) === insert(2))
    #expect(try database.all("SELECT x FROM t ORDER BY x") { $0.integer(0) } == [1, 2])
  }

  @Test("A failed transaction changes nothing, and the next one works")
  func aFailedTransactionLeavesNothingAndTheNextOneWorks() throws {
    let database = try memory()
    try database.execute("CREATE UNIQUE INDEX i ON t (x)")
    let error = #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try database.run("INSERT INTO t VALUES (?)", 1)
        try database.run("INSERT INTO t VALUES (?)", 1)
      }
    }
    #expect(error?.code.primary == .constraint)
    #expect(error?.sql == "INSERT INTO t VALUES (?)", "and no value")
    #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    try database.transaction { () throws(DatabaseError) in try database.run("INSERT INTO t VALUES (?)", 1) }
    #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 1)
  }

  @Test("A transaction within another one is a part of it") func aTransactionWithinAnotherIsAPartOfIt() throws {
    let database = try memory()
    func insert(_ number: Int) throws(DatabaseError) { try database.run("INSERT INTO t VALUES (?)", number) }
    try database.transaction { () throws(DatabaseError) in
      try insert(1)
      try? database.transaction { () throws(DatabaseError) in
        try insert(2)
        throw DatabaseError(code: .full, message: "thrown within")
      }
      try database.transaction(.trying) { () throws(DatabaseError) in try insert(3) }
      try database.transaction(.reading) { () throws(DatabaseError) in
        _ = try database.first("SELECT 1 FROM t") { _ in }
      }
      try database.transaction { () throws(DatabaseError) in try insert(4) }
    }
    #expect(try database.all("SELECT x FROM t ORDER BY x") { $0.integer(0) } == [1, 4])
    try? database.transaction { () throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in try insert(5) }
      throw DatabaseError(code: .full, message: "thrown without")
    }
    #expect(try database.all("SELECT x FROM t ORDER BY x") { $0.integer(0) } == [1, 4])
  }

  @Test("A statement that is left early keeps nothing open") func aStatementLeftEarlyKeepsNothingOpen() throws {
    let database = try memory()
    for number in 0..<10 { try database.run("INSERT INTO t VALUES (?)", number) }
    #expect(try database.first("SELECT x FROM t ORDER BY x") { $0.integer(0) } == 0)
    #expect(throws: DatabaseError.self) {
      try database.all("SELECT x FROM t") { _ throws(DatabaseError) in
        throw DatabaseError(code: .full, message: "thrown by the reader")
      }
    }
    // Would fail with "table is locked" were one of them still open.
    try database.execute("DROP TABLE t")
  }

  @Test("A primary error code matches its extended codes, not the other way round")
  func aPrimaryCodeMatchesItsExtendedCodes() {
    let snapshot = DatabaseError.Code(rawValue: 5 | 2 << 8)
    #expect(snapshot.primary == .busy && snapshot != .busy)
    if case .busy = snapshot {} else { Issue.record("no match") }
    if case snapshot = DatabaseError.Code.busy { Issue.record("an extended code matches itself only") }
    if case .busy = DatabaseError.Code.unsafeFile { Issue.record("no match of ours with SQLite's") }
  }

  @Test("The error has SQLite's message and the statement") func whatSQLiteSaysIsKept() throws {
    let database = try memory()
    let error = try #require(#expect(throws: DatabaseError.self) { try database.run("SELECT y FROM t") })
    #expect(error.message == "no such column: y" && error.sql == "SELECT y FROM t")
    #expect(error.description == "The database failed: no such column: y.")
  }
}
