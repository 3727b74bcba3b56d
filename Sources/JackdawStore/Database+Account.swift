// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Database {
  /// Opens an account's database, with its schema brought up to date.
  /// - Parameters:
  ///   - path: nil: in memory.
  ///   - busyTimeout: how long another program's lock is waited for, in milliseconds.
  /// - Throws: also for a file that is read-only or of a later version, which stays as it is.
  static func ofAccount(path: String?, busyTimeout: Int32) throws(DatabaseError) -> Database {
    let database = try Database(path: path, busyTimeout: busyTimeout)
    // Before anything is written: a database of a later version stays as it is.
    try Migrations.check(database)
    if database.isReadOnly { throw DatabaseError(code: .readOnly, message: "the file is read-only") }
    // A write-ahead log lets two Jackdaws use one account's database, the one reading while the other writes. With it, `NORMAL`
    // never damages the file; what a loss of power may take are the last transactions, and a crash of the program
    // takes none. `FULL` would wait for the disk, and with it the prompt, at every message. What is deleted is overwritten.
    // Where thousands of messages come, the index of their ids alone is more than the two megabytes that SQLite keeps in memory: pages
    // that the next transaction changes were read from the disk again.
    // What a statement needs to be undone stays in memory: SQLite writes it into /var/tmp else, where no text of a message is to be, and
    // fails where that may not be written.
    try database.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -8000;
      """)
    try Migrations.apply(to: database)
    return database
  }
}
