// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A database that another program has locked, against readers too.
struct LockedDatabase {
  private let holder: TestProcess

  /// Holds the lock until it is released, or `body` has ended.
  static func holding<Result>(_ path: String, _ body: (LockedDatabase) async throws -> Result) async throws -> Result {
    try await TestProcess.withProcess(.init(SourceTree.python, ["-c", program, path], input: .open)) { holder in
      try await holder.expect("locked\n")
      return try await body(LockedDatabase(holder: holder))
    }
  }

  func release() async throws {
    holder.closeInput()
    #expect(try await holder.wait() == .exited(0))
  }

  private static let program = """
    import sqlite3, sys
    database = sqlite3.connect(sys.argv[1], isolation_level=None)
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("BEGIN EXCLUSIVE")
    print("locked", flush=True)
    sys.stdin.read()
    database.execute("ROLLBACK")
    """
}

extension Person {
  /// The same person, whose data are in a folder of a known name.
  func withDataFolder() -> Person {
    var person = self
    person.environment["JACKDAW_DATA_DIR"] = dataFolder
    return person
  }

  /// Where ``withDataFolder()`` has the data.
  var dataFolder: String { home.path + "/data" }
  /// The database in it.
  var database: String { "\(dataFolder)/\(jid).sqlite3" }
}
