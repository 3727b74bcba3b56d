// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite

/// One connection to one SQLite database.
///
/// Statements are `StaticString`, so nothing that is known only when the program runs gets into one: values are bound. Each is
/// prepared once and kept.
///
/// When another program has the database locked, a statement waits for `busyTimeout` and then fails with `.busy`. From then on
/// statements fail at once, until one succeeds: a lock that stays must not stop the client once for every message.
final class Database {
  let connection: OpaquePointer
  private let busyTimeout: Int32
  private var isPatient = true
  let texts = BoundTexts()
  /// By where their texts stand in the program.
  private var statements: [Int: Statement] = [:]
  /// What the next transaction that writes is to do besides, before its own; each time until it has.
  var rider: TransactionRider?
  /// How many pages SQLite's write-ahead log had after the last commit; nil: SQLite sees to it itself.
  var logged: UnsafeMutablePointer<Int32>?

  /// Opens a file that exists, or a new database in memory.
  /// - Parameters:
  ///   - path: without symbolic links; nil is memory; empty: a new one that is gone with the connection, however large it gets.
  ///   - busyTimeout: how long to wait for a lock, in milliseconds.
  convenience init(path: String?, busyTimeout: Int32 = StoreLimits.busyTimeout) throws(DatabaseError) {
    let kind = path == nil ? SQLITE_OPEN_MEMORY : SQLITE_OPEN_NOFOLLOW
    try self.init(path ?? ":memory:", SQLITE_OPEN_READWRITE | kind, busyTimeout: busyTimeout)
  }

  /// - Parameters:
  ///   - name: as SQLite takes it.
  ///   - flags: `SQLITE_OPEN_…`, how it is opened.
  init(_ name: String, _ flags: Int32, busyTimeout: Int32) throws(DatabaseError) {
    Self.configured
    var connection: OpaquePointer?
    // No mutex: there is one thread.
    let result = sqlite3_open_v2(name, &connection, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard result == SQLITE_OK, let connection else {
      let error = DatabaseError(result, connection)
      sqlite3_close_v2(connection)
      throw error
    }
    self.connection = connection
    self.busyTimeout = busyTimeout
    sqlite3_busy_timeout(connection, busyTimeout)
  }

  /// SQLite need not count its memory, for which it would take a lock at each piece.
  private static let configured: Void = { _ = jd_sqlite_count_no_memory() }()

  deinit {
    statements.removeAll()
    sqlite3_close_v2(connection)
    logged?.deallocate()
  }

  /// The prepared form of `sql`, which is one statement.
  func statement(_ sql: StaticString) throws(DatabaseError) -> Statement {
    let key = Int(bitPattern: sql.utf8Start)
    if let statement = statements[key] { return statement }
    let statement = try Statement(sql, in: self)
    statements[key] = statement
    return statement
  }

  /// Runs one statement; rows are dropped.
  func run<each Value: DatabaseValue>(_ sql: StaticString, _ values: repeat each Value) throws(DatabaseError) {
    try statement(sql).run(repeat each values)
  }

  /// Runs one statement with values that are bound one by one; rows are dropped.
  func run(_ sql: StaticString, binding bind: (inout StatementValues) -> Void) throws(DatabaseError) {
    try statement(sql).run(binding: bind)
  }

  /// How many rows the last statement that wrote has inserted, changed or deleted. Asking for them by `RETURNING` has SQLite put them into
  /// a table of their own at each run, which costs twice as much as an update of one row.
  var changed: Int { Int(sqlite3_changes(connection)) }

  /// Runs one query as far as its first row.
  func first<each Value: DatabaseValue, Result>(
    _ sql: StaticString, _ values: repeat each Value, read: (Row) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result? {
    try statement(sql).first(repeat each values, read: read)
  }

  /// Runs one query to its end.
  func all<each Value: DatabaseValue, Element>(
    _ sql: StaticString, _ values: repeat each Value, read: (Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> [Element] {
    var elements: [Element] = []
    try statement(sql).forEach(repeat each values) { row throws(DatabaseError) in elements.append(try read(row)) }
    return elements
  }

  /// Runs statements that have no parameters and are not needed again.
  func execute(_ script: StaticString) throws(DatabaseError) { try execute(script.description) }

  /// What a transaction is for.
  enum TransactionKind {
    /// Reading only: several queries see one state.
    case reading
    case writing
    /// Writing of which nothing stays.
    case trying
  }

  /// Runs `body` as one transaction: all of it is kept, or, when it throws, nothing. Within another one it is a part of that.
  func transaction<Result>(
    _ kind: TransactionKind = .writing, _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard !isInTransaction else { return try part(kind, body) }
    switch kind {
    case .reading: try run("BEGIN")
    // To become a writer in the middle fails without waiting when somebody else has written meanwhile.
    case .writing, .trying: try run("BEGIN IMMEDIATE")
    }
    do {
      let isCarrying = kind == .writing ? try carry() : false
      let result = try body()
      try run(kind == .trying ? "ROLLBACK" : "COMMIT")
      if isCarrying { rider?.body = nil }
      return result
    } catch {
      // Some failures, a full disk among them, have ended the transaction already.
      if isInTransaction { sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// Runs `body` within the transaction that is open: what it wrote is undone when it throws, and nothing else.
  private func part<Result>(
    _ kind: TransactionKind, _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try run("SAVEPOINT part")
    do {
      let result = try body()
      if kind == .trying { try run("ROLLBACK TO part") }
      try run("RELEASE part")
      return result
    } catch {
      if isInTransaction { sqlite3_exec(connection, "ROLLBACK TO part; RELEASE part", nil, nil, nil) }
      throw error
    }
  }

  /// - Returns: whether the transaction has done what it was to do besides. Where that fails nothing else does.
  private func carry() throws(DatabaseError) -> Bool {
    guard let body = rider?.body else { return false }
    do {
      try body(self)
      return true
    } catch {
      rider?.body = nil
      // Some failures have ended the transaction.
      if !isInTransaction { try run("BEGIN IMMEDIATE") }
      return false
    }
  }

  /// How far the migrations of the database have got; in the file itself.
  func schemaVersion() throws(DatabaseError) -> Int {
    Int(try first("PRAGMA user_version") { $0.integer(0) } ?? 0)
  }

  func setSchemaVersion(_ version: Int) throws(DatabaseError) {
    // A pragma takes no parameters.
    try execute("PRAGMA user_version = \(version)")
  }

  /// Whether the system lets us write to it.
  var isReadOnly: Bool { sqlite3_db_readonly(connection, "main") == 1 }

  /// Whether the file is no longer where it was opened: renamed, removed, or another one in its place.
  var hasMoved: Bool {
    var result: Int32 = 0
    return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &result) == SQLITE_OK && result != 0
  }

  /// Waits for locks, or not; see the type's description.
  func setPatience(_ isPatient: Bool) {
    guard isPatient != self.isPatient else { return }
    self.isPatient = isPatient
    sqlite3_busy_timeout(connection, isPatient ? busyTimeout : 0)
  }

  /// Runs `body`, in which nothing waits for a lock, whatever was before.
  func withoutWaiting<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    let wasPatient = isPatient
    setPatience(false)
    defer { setPatience(wasPatient) }
    return try body()
  }

  /// A lock is waited for.
  var waitsForLocks: Bool { isPatient && busyTimeout > 0 }

  private func execute(_ script: String) throws(DatabaseError) {
    let result = sqlite3_exec(connection, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw DatabaseError(result, connection, sql: script) }
  }
}

/// Something small that waits for a transaction to go with, as one of its own would cost more than it does.
final class TransactionRider {
  /// Nil: there is nothing.
  var body: ((Database) throws(DatabaseError) -> Void)?
}
