// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
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

  nonisolated static let installation = Migration(
    number: 25,
    script: """
      -- How the server knows this program on this machine, where it does.
      CREATE TABLE installation (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        agent TEXT NOT NULL,
        -- For the next log-in.
        token_mechanism TEXT,
        token TEXT,
        token_expiry INTEGER
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
    try database.perform { database throws(DatabaseError) in
      try database.run("DELETE FROM login")
      try database.run("DELETE FROM installation")
    }
  }

  func loadInstallation() throws -> Installation? {
    try database.perform { database throws(DatabaseError) in
      try database.first("SELECT agent, token_mechanism, token, token_expiry FROM installation") { row in
        var installation = Installation(agent: row.text(0))
        if let mechanism = row.optionalText(1), let secret = row.optionalText(2) {
          let expiry = row.isNull(3) ? nil : Timestamp(milliseconds: row.integer(3))
          installation.token = LoginToken(mechanism: mechanism, secret: secret, expiry: expiry)
        }
        return installation
      }
    }
  }

  func keepInstallation(_ installation: Installation) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run(
        "INSERT OR REPLACE INTO installation (id, agent, token_mechanism, token, token_expiry) VALUES (1, ?, ?, ?, ?)",
        installation.agent, installation.token?.mechanism, installation.token?.secret,
        installation.token?.expiry?.milliseconds)
    }
  }
}
