// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite
import Glibc

/// Reading a file so that nothing of it, and nothing beside it, is changed, and that nothing that stands in its schema runs
/// (https://www.sqlite.org/security.html).
extension Database {
  /// The first bytes of every SQLite database (https://www.sqlite.org/fileformat.html 1.3).
  static let signature = Array("SQLite format 3\0".utf8)

  /// With a write-ahead log SQLite makes files beside the database even to read it: where the log is empty the file is taken
  /// as it is, else only if the index of the log is there, which is not written to either.
  /// - Parameter busyTimeout: how long to wait for a lock, in milliseconds.
  static func readOnly(_ path: String, busyTimeout: Int32 = StoreLimits.busyTimeout) throws(DatabaseError) -> Database {
    let path = try resolved(path)
    let hasLog = try usesWriteAheadLog(path)
    let isLogEmpty = size(path + "-wal") == 0
    guard !hasLog || isLogEmpty || size(path + "-shm") > 0 else {
      throw DatabaseError(
        code: .cannotOpen,
        message: "'\(path)-wal' lacks its index; let the program that it is of open it once and close it")
    }
    let options = !hasLog ? "mode=ro" : isLogEmpty ? "mode=ro&immutable=1" : "mode=ro&readonly_shm=1"
    let database = try reading(path, options, busyTimeout)
    let result = jd_sqlite_distrust(database.connection)
    guard result == SQLITE_OK else { throw DatabaseError(result, database.connection) }
    sqlite3_limit(database.connection, SQLITE_LIMIT_LENGTH, StoreLimits.foreignRowBytes)
    try database.run("PRAGMA query_only = ON")
    try database.run("PRAGMA cell_size_check = ON")
    try database.run("PRAGMA mmap_size = 0")
    return database
  }

  /// A copy in memory of a database of ours that cannot be opened for writing, with what is in its write-ahead log: a disk that takes no
  /// writes may have one that a program left behind.
  /// - Parameter isLocked: it can be written to, by whoever has it locked.
  static func copyToRead(
    of path: String, isLocked: Bool = false, busyTimeout: Int32
  ) throws(DatabaseError) -> Database {
    let copy = try Database(path: nil, busyTimeout: 0)
    try copy.fill(from: try readingLog(path, isLocked: isLocked, busyTimeout: busyTimeout))
    try Migrations.check(copy)
    try copy.execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;")
    try Migrations.apply(to: copy)
    try copy.execute("PRAGMA query_only = ON")
    return copy
  }

  /// A database of ours where nothing can be written. No descriptor but SQLite's is opened: closing one drops every lock that this
  /// process has on the file.
  ///
  /// With an index of the log others may be at work. Without one nobody is, and none can be made beside the file: SQLite makes it in its
  /// own memory for a connection that locks nothing and has the file for itself.
  /// - Parameter isLocked: the file can be written to, by whoever has it locked.
  static func readingLog(
    _ path: String, isLocked: Bool = false, busyTimeout: Int32
  ) throws(DatabaseError) -> Database {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseError(code: .unsafeFile, message: "'\(path)' is not a file, or only a link to one")
    }
    let path = try resolved(path)
    if isLocked { return try reading(path, "mode=ro", busyTimeout) }
    if size(path + "-shm") > 0, access(path + "-wal", F_OK) == 0 {
      return try reading(path, "mode=ro&readonly_shm=1", busyTimeout)
    }
    guard size(path + "-wal") > 0 else { return try reading(path, "mode=ro&immutable=1", busyTimeout) }
    let database = try reading(path, "mode=ro&vfs=unix-none", busyTimeout)
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    return database
  }

  private func fill(from source: Database) throws(DatabaseError) {
    guard let backup = sqlite3_backup_init(connection, "main", source.connection, "main") else {
      throw DatabaseError(SQLITE_ERROR, connection)
    }
    let result = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else { throw DatabaseError(code: .init(rawValue: result), message: Self.words(result)) }
  }

  private static func words(_ result: Int32) -> String { sqlite3_errstr(result).map { String(cString: $0) } ?? "" }

  private static func resolved(_ path: String) throws(DatabaseError) -> String {
    guard let resolved = realpath(path, nil) else {
      throw DatabaseError(code: .cannotOpen, message: String(cString: strerror(errno)))
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func reading(
    _ path: String, _ options: String, _ busyTimeout: Int32
  ) throws(DatabaseError) -> Database {
    try Database("file:\(escaped(path))?\(options)", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, busyTimeout: busyTimeout)
  }

  /// By the file's header (https://www.sqlite.org/fileformat.html 1.3.3).
  private static func usesWriteAheadLog(_ path: String) throws(DatabaseError) -> Bool {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw DatabaseError(code: .cannotOpen, message: String(cString: strerror(errno))) }
    defer { close(file) }
    var header = [UInt8](repeating: 0, count: 20)
    guard Glibc.read(file, &header, header.count) == header.count, header.starts(with: signature) else {
      throw DatabaseError(code: .notADatabase, message: "it is not a database")
    }
    return header[19] == 2
  }

  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// A path as a URI takes it (RFC 3986 2.1).
  private static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        String(Unicode.Scalar(byte))
      default: "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}
