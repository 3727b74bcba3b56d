// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite
import Glibc
import JackdawProtocol
import JackdawSession

/// SQLite, or what we do around it, failed.
package struct DatabaseError: Error, Sendable {
  /// What failed: a result code of SQLite (https://www.sqlite.org/rescode.html), or, below zero, one of ours.
  ///
  /// Match with a primary code to catch its extended codes as well: `case .busy` matches `SQLITE_BUSY_SNAPSHOT` too.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Another program has the database locked.
    package static let busy = Code(rawValue: SQLITE_BUSY)
    package static let readOnly = Code(rawValue: SQLITE_READONLY)
    package static let inputOutput = Code(rawValue: SQLITE_IOERR)
    /// What is in the file makes no sense.
    package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    package static let full = Code(rawValue: SQLITE_FULL)
    package static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    package static let notADatabase = Code(rawValue: SQLITE_NOTADB)

    /// The database was written by a later version of the program.
    package static let schemaFromTheFuture = Code(rawValue: -1)
    /// The file is a link, or no file.
    package static let unsafeFile = Code(rawValue: -2)
    /// Nothing says where the file could be.
    package static let noFolder = Code(rawValue: -3)
    /// The file belongs to another user.
    package static let foreignFile = Code(rawValue: -4)
    /// The file's file system has no locks.
    package static let noLocks = Code(rawValue: -5)

    /// The code without what SQLite's extended codes add.
    package var primary: Code { rawValue < 0 ? self : Code(rawValue: rawValue & 0xFF) }

    /// A primary code matches each of its extended ones; an extended code matches itself alone.
    package static func ~= (pattern: Code, code: Code) -> Bool { pattern == code || pattern == code.primary }
  }

  /// SQLite's extended result code, or one of ours below zero.
  package var code: Code
  /// SQLite's own words, or the system's.
  package var message: String
  /// The statement that failed; its parameters are never in it.
  package var sql: String?

  package init(code: Code, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// The last error of a connection.
  init(_ result: Int32, _ connection: OpaquePointer?, sql: String? = nil) {
    var code = connection.map { sqlite3_extended_errcode($0) } ?? result
    var text = connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
    // Where there is no room for the index of the write-ahead log, without which nothing can be read either, SQLite says that the disk failed.
    if let connection, code & 0xFF == SQLITE_IOERR, [ENOSPC, EDQUOT].contains(sqlite3_system_errno(connection)) {
      (code, text) = (SQLITE_FULL, sqlite3_errstr(SQLITE_FULL))
    }
    self.init(
      code: Code(rawValue: code == SQLITE_OK ? result : code), message: text.map { String(cString: $0) } ?? "", sql: sql
    )
  }
}

extension DatabaseError: CustomStringConvertible {
  /// One sentence for people.
  package var description: String { Sentence.whole(reason) }

  /// The same as a part of a sentence.
  var reason: String {
    switch code {
    case .busy: "the database is locked by another program"
    case .full: "the disk is full (\(message))"
    case .readOnly: "the database cannot be written to (\(message))"
    case .inputOutput: "the disk failed (\(message))"
    case .corrupt, .notADatabase: "the database is damaged (\(message))"
    case .cannotOpen, .schemaFromTheFuture, .unsafeFile, .noFolder, .foreignFile, .noLocks: message
    default: "the database failed: \(message)"
    }
  }
}

extension DatabaseError: StoreFailure {
  package var isBusy: Bool { Code.busy ~= code }
}
