// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A database that another program has locked.
struct LockedDatabase {
  private let holder: TestProcess

  /// Holds the lock until it is released, or `body` has ended.
  /// - Parameter keepsOutReaders: no other program may have it open then; else it is locked against writers alone.
  static func holding<Result>(
    _ path: String, keepsOutReaders: Bool = true, _ body: (LockedDatabase) async throws -> Result
  ) async throws -> Result {
    let arguments = ["-c", program, path] + (keepsOutReaders ? ["EXCLUSIVE"] : [])
    return try await TestProcess.withProcess(.init(SourceTree.python, arguments, input: .open)) { holder in
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
    if "EXCLUSIVE" in sys.argv: database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("BEGIN " + ("EXCLUSIVE" if "EXCLUSIVE" in sys.argv else "IMMEDIATE"))
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
