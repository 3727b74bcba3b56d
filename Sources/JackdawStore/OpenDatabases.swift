// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// The databases of a run, to be closed at its end: a timer or a task that still refers to one would keep it open until the process is
/// gone, and SQLite empties its log only where one is closed.
@Client package final class OpenDatabases {
  private struct Entry {
    weak var database: AccountDatabase?
  }

  /// Bounded by the databases in use: each new one takes the place of those that are gone.
  private var entries: [Entry] = []

  /// Those that can only be read, by path: each is copied once, however many parts of the program read it.
  private var copies: [String: Database] = [:]

  package init() {}

  /// The copy that is read in place of a file (``Database/copyToRead(of:isLocked:busyTimeout:)``), made now if there is none.
  func copy(
    of path: String, _ make: () throws(DatabaseError) -> Database
  ) throws(DatabaseError) -> Database {
    if let copy = copies[path] { return copy }
    let copy = try make()
    copies[path] = copy
    return copy
  }

  func add(_ database: AccountDatabase) {
    entries.removeAll { $0.database == nil }
    entries.append(Entry(database: database))
  }

  /// Closes them all; a later use opens one again.
  package func close() {
    for entry in entries { entry.database?.close() }
    copies = [:]
  }
}
