// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// What an account remembers of its log-ins.
@Client final class LoginTable: LoginMemoryStore {
  nonisolated static let migration = Migration(
    number: 2,
    script: """
      CREATE TABLE login (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mechanism TEXT NOT NULL
      ) STRICT;
      """)

  private let database: AccountDatabase

  init(_ database: AccountDatabase) { self.database = database }

  func loadMechanism() throws -> String? {
    try database.perform { database throws(DatabaseError) in
      try database.first("SELECT mechanism FROM login") { $0.text(0) }
    }
  }

  func keepMechanism(_ mechanism: String) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run("INSERT OR REPLACE INTO login (id, mechanism) VALUES (1, ?)", mechanism)
    }
  }

  func forgetMechanism() throws {
    try database.perform { database throws(DatabaseError) in try database.run("DELETE FROM login") }
  }
}
