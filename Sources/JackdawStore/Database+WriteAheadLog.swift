// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite

/// The write-ahead log, from which what was committed gets into the file. That waits for the disk, some milliseconds each time.
extension Database {
  /// How many pages it had after the last commit.
  var loggedPages: Int32 { logged?.pointee ?? 0 }

  /// The file that is open; nil: it is in memory.
  var path: String? {
    guard let name = sqlite3_db_filename(connection, "main"), name.pointee != 0 else { return nil }
    return String(cString: name)
  }

  /// Leaves it to the caller to have ``checkpoint()`` done once it is long; much longer, and it is done after a commit all the same.
  func checkpointElsewhere() {
    guard logged == nil else { return }
    let logged = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    logged.initialize(to: 0)
    self.logged = logged
    // Takes the place of the one by which SQLite does it at each thousand pages.
    sqlite3_wal_hook(
      connection,
      { logged, connection, name, pages in
        logged?.assumingMemoryBound(to: Int32.self).pointee = pages
        if pages >= StoreLimits.longestLog {
          sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, logged)
  }

  /// Copies what is in the log into the file, as far as nobody reads or writes; the log begins anew once all of it is there. What is not
  /// done now is done the next time.
  func checkpoint() {
    sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // The next commit says how many there are.
    logged?.pointee = 0
  }
}
