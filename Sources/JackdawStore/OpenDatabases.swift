// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop

/// The databases of a run, to be closed at its end: a timer or a task that still refers to one would keep it open until the process is
/// gone, and SQLite empties its log only where one is closed.
@Client package final class OpenDatabases {
  private struct Entry {
    weak var database: AccountDatabase?
  }

  /// Bounded by the databases in use: each new one takes the place of those that are gone.
  private var entries: [Entry] = []

  private struct Copy {
    let database: Database
    let state: FileState
  }

  /// What changes with a database and its log.
  private struct FileState: Equatable {
    private let parts: [Int]

    init(_ path: String) {
      parts = [path, path + "-wal"].flatMap { path -> [Int] in
        var state = stat()
        guard stat(path, &state) == 0 else { return [] }
        return [Int(state.st_ino), Int(state.st_size), state.st_mtim.tv_sec, state.st_mtim.tv_nsec]
      }
    }
  }

  /// Those that can only be read, by path: each is copied once, however many parts of the program read it, until it is another.
  private var copies: [String: Copy] = [:]

  package init() {}

  /// The copy that is read in place of a file (``Database/copyToRead(of:isLocked:busyTimeout:)``), made now if there is none.
  func copy(
    of path: String, _ make: () throws(DatabaseError) -> Database
  ) throws(DatabaseError) -> Database {
    if let copy = copies[path], isCurrent(path) { return copy.database }
    copies[path] = nil
    // Seen before it is read: what changes meanwhile is seen the next time.
    let state = FileState(path)
    let database = try make()
    copies[path] = Copy(database: database, state: state)
    return database
  }

  /// Whether there is a copy of the file.
  func holdsCopy(of path: String) -> Bool { copies[path] != nil }

  /// Whether the copy of the file is still what the file is.
  func isCurrent(_ path: String) -> Bool { copies[path].map { $0.state == FileState(path) } ?? false }

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
