// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite
import Glibc
package import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// A SQLite database that another program made, which nothing is changed of (``Database/readOnly(_:busyTimeout:)``).
///
/// The columns of each program are in `ForeignDatabase+Gajim.swift` and `ForeignDatabase+Profanity.swift`.
@Client package final class ForeignDatabase: ForeignHistory {
  package let program: ForeignProgram
  private let database: Database
  private let read: @Client (Database, Int64) throws(DatabaseError) -> [ForeignRow]
  private var last = Int64.min

  /// The first bytes of every SQLite database (https://www.sqlite.org/fileformat.html 1.3).
  package nonisolated static let signature = Database.signature

  /// - Throws: ``DatabaseError``, with `.unsafeFile` where it is no database of a program that is known here.
  package init(path: String) throws {
    let database = try Database.readOnly(path)
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
    guard isText(column) else { throw MalformedRow("has a \(name) that is not text") }
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
