// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// What clients can do, by the hash that they announce (XEP-0115): answers to service discovery as XML.
@Client final class CapabilityTable: CapabilityStore {
  nonisolated static let migration = Migration(
    number: 3,
    script: """
      CREATE TABLE capability (
        algorithm TEXT NOT NULL,
        ver TEXT NOT NULL,
        information TEXT NOT NULL,
        -- The greater, the later it was asked for or kept.
        used INTEGER NOT NULL,
        PRIMARY KEY (algorithm, ver)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX capability_used ON capability (used);
      """)

  private let database: AccountDatabase

  init(_ database: AccountDatabase) { self.database = database }

  func loadCapabilities(algorithm: String, ver: String) throws -> String? {
    try database.perform { database throws(DatabaseError) in
      let information = try database.first(
        "SELECT information FROM capability WHERE algorithm = ? AND ver = ?", algorithm, ver
      ) { $0.text(0) }
      if information != nil {
        try database.run(
          """
          UPDATE capability SET used = (SELECT max(used) + 1 FROM capability) WHERE algorithm = ? AND ver = ?
          """, algorithm, ver)
      }
      return information
    }
  }

  func keepCapabilities(algorithm: String, ver: String, information: String) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try database.run(
          """
          INSERT INTO capability (algorithm, ver, information, used)
          VALUES (?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM capability))
          ON CONFLICT (algorithm, ver) DO UPDATE SET information = excluded.information, used = excluded.used
          """, algorithm, ver, information)
        try database.run(
          """
          DELETE FROM capability WHERE used <= (SELECT used FROM capability ORDER BY used DESC LIMIT 1 OFFSET ?)
          """, StoreLimits.capabilities)
      }
    }
  }
}
