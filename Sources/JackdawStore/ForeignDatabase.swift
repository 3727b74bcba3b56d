// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite
import Glibc
package import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// A SQLite database that another program made, opened so that nothing of it, and nothing beside it, is changed, and that nothing
/// that stands in its schema runs (https://www.sqlite.org/security.html).
///
/// The columns of each program are in `ForeignDatabase+Gajim.swift` and `ForeignDatabase+Profanity.swift`.
@Client package final class ForeignDatabase: ForeignHistory {
  package let program: ForeignProgram
  private let database: Database
  private let read: @Client (Database, Int64) throws(DatabaseError) -> [ForeignRow]
  private var last = Int64.min

  /// The first bytes of every SQLite database (https://www.sqlite.org/fileformat.html 1.3).
  package nonisolated static let signature = Array("SQLite format 3\0".utf8)

  /// - Throws: ``DatabaseError``, with `.unsafeFile` where it is no database of a program that is known here.
  package init(path: String) throws {
    let database = try Self.open(path)
    self.database = database
    let tables = try Set(
      database.all("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'") { $0.text(0) })
    if tables.contains("ChatLogs") {
      (program, read) = (.profanity, Self.profanityRows)
    } else if tables.isSuperset(of: ["message", "account", "remote"]) {
      (program, read) = (.gajim, Self.gajimRows)
    } else if tables.isSuperset(of: ["logs", "jids"]) {
      let columns = try Set(database.all("SELECT name FROM pragma_table_info('logs')") { $0.text(0) })
      (program, read) = (.gajim, Self.gajimLogReader(columns))
    } else {
      throw DatabaseError(code: .unsafeFile, message: "it is a database, but neither Profanity's nor Gajim's")
    }
  }

  package func next() throws -> [ForeignRow] {
    let rows = try read(database, last)
    last = rows.last?.number ?? last
    return rows
  }

  /// With a write-ahead log SQLite makes files beside the database even to read it: where the log is empty the file is taken
  /// as it is, else only if the index of the log is there, which is not written to either.
  private static func open(_ path: String) throws(DatabaseError) -> Database {
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
      "file:\(escaped(path))?\(options)", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, busyTimeout: StoreLimits.busyTimeout)
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
      throw DatabaseError(code: .notADatabase, message: "it is no database")
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

extension Row {
  /// A text that has to be there and to be one: the types of a column are what its last writer wanted.
  func foreignText(_ column: Int32, _ name: String) throws(MalformedRow) -> String {
    guard let text = try optionalForeignText(column, name) else { throw MalformedRow("has no \(name)") }
    return text
  }

  /// nil for NULL, and for no text at all.
  func optionalForeignText(_ column: Int32, _ name: String) throws(MalformedRow) -> String? {
    if isNull(column) { return nil }
    guard isText(column) else { throw MalformedRow("has a \(name) that is no text") }
    guard byteCount(column) <= StoreLimits.foreignTextBytes else {
      throw MalformedRow("has a \(name) of more than \(StoreLimits.foreignTextBytes) bytes")
    }
    let text = text(column)
    return text.isEmpty ? nil : text
  }

  /// Seconds since 1970, as a number.
  func foreignTime(_ column: Int32) throws(MalformedRow) -> Timestamp {
    // A double is exact to the millisecond for far longer than there are years of four digits.
    guard let seconds = number(column), seconds.isFinite, abs(seconds) < 1e12 else {
      throw MalformedRow("has no time")
    }
    return Timestamp(milliseconds: Int64((seconds * 1_000).rounded()))
  }
}

/// A row of another program's database makes no sense.
struct MalformedRow: Error {
  /// To follow its place in a sentence.
  var text: String

  init(_ text: String) { self.text = text }
}

extension ForeignRow {
  /// A row, or what is wrong with it.
  init(_ row: Row, _ content: (Row) throws(MalformedRow) -> Content) {
    do throws(MalformedRow) {
      self.init(number: row.integer(0), content: try content(row))
    } catch {
      self.init(number: row.integer(0), content: .malformed(error.text))
    }
  }
}
