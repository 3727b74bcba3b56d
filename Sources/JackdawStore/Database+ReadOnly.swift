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
    guard let resolved = realpath(path, nil) else {
      throw DatabaseError(code: .cannotOpen, message: String(cString: strerror(errno)))
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    let hasLog = try usesWriteAheadLog(path)
    let isLogEmpty = size(path + "-wal") == 0
    guard !hasLog || isLogEmpty || size(path + "-shm") > 0 else {
      throw DatabaseError(
        code: .cannotOpen,
        message: "'\(path)-wal' lacks its index; let the program that it is of open it once and close it")
    }
    let options = !hasLog ? "mode=ro" : isLogEmpty ? "mode=ro&immutable=1" : "mode=ro&readonly_shm=1"
    let database = try Database(
      "file:\(escaped(path))?\(options)", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, busyTimeout: busyTimeout)
    let result = jd_sqlite_distrust(database.connection)
    guard result == SQLITE_OK else { throw DatabaseError(result, database.connection) }
    sqlite3_limit(database.connection, SQLITE_LIMIT_LENGTH, StoreLimits.foreignRowBytes)
    try database.run("PRAGMA query_only = ON")
    try database.run("PRAGMA cell_size_check = ON")
    try database.run("PRAGMA mmap_size = 0")
    return database
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
