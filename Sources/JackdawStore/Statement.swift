// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite

/// One prepared statement of a ``Database``, which keeps it for the next time and outlives it.
///
/// It is reset after every run, so that no read stays open: an open read keeps the write-ahead log from being emptied.
final class Statement {
  private let statement: OpaquePointer
  private unowned let database: Database
  /// Where the texts of the present run begin.
  private var textsStart = 0

  init(_ sql: StaticString, in database: Database) throws(DatabaseError) {
    var statement: OpaquePointer?
    let result = sql.withUTF8Buffer { text in
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(
          database.connection, $0.baseAddress, Int32($0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      }
    }
    guard result == SQLITE_OK, let statement else {
      throw DatabaseError(result, database.connection, sql: sql.description)
    }
    self.statement = statement
    self.database = database
  }

  deinit { sqlite3_finalize(statement) }

  /// Runs it to its end; rows are dropped.
  func run<each Value: DatabaseValue>(_ values: repeat each Value) throws(DatabaseError) {
    try start(repeat each values)
    defer { finish() }
    while try step() {}
  }

  /// Runs it to its end, with values that are bound one by one.
  func run(binding bind: (inout StatementValues) -> Void) throws(DatabaseError) {
    var values = begin()
    bind(&values)
    try bound(values)
    defer { finish() }
    while try step() {}
  }

  /// Runs it and calls `body` for every row.
  func forEach<each Value: DatabaseValue>(
    _ values: repeat each Value, body: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try start(repeat each values)
    defer { finish() }
    while try step() { try body(Row(statement)) }
  }

  /// Runs it and calls `body` for every row, as long as that wants more.
  func scan<each Value: DatabaseValue>(
    _ values: repeat each Value, body: (Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    try start(repeat each values)
    defer { finish() }
    while try step() {
      guard try body(Row(statement)) else { return }
    }
  }

  /// Runs it as far as its first row.
  func first<each Value: DatabaseValue, Result>(
    _ values: repeat each Value, read: (Row) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result? {
    try start(repeat each values)
    defer { finish() }
    return try step() ? try read(Row(statement)) : nil
  }

  private func start<each Value: DatabaseValue>(_ values: repeat each Value) throws(DatabaseError) {
    var bound = begin()
    for value in repeat each values { bound.bind(value) }
    try self.bound(bound)
  }

  private func begin() -> StatementValues {
    precondition(sqlite3_stmt_busy(statement) == 0, "a statement is run while it runs")
    let texts = database.texts
    textsStart = texts.mark
    return StatementValues(of: statement, texts)
  }

  /// All its values are bound.
  private func bound(_ values: StatementValues) throws(DatabaseError) {
    precondition(
      values.result != SQLITE_RANGE && values.count == sqlite3_bind_parameter_count(statement),
      "a value for each parameter")
    guard values.result == SQLITE_OK else {
      defer { finish() }
      throw failure(values.result)
    }
  }

  /// Whether there is a row.
  private func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw failure(result)
    }
  }

  private func finish() {
    sqlite3_reset(statement)
    // What was bound may be large, or secret; and what is not bound the next time is NULL.
    sqlite3_clear_bindings(statement)
    database.texts.release(to: textsStart)
  }

  private func failure(_ result: Int32) -> DatabaseError {
    DatabaseError(result, database.connection, sql: sqlite3_sql(statement).map { String(cString: $0) })
  }
}
