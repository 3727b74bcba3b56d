// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The block list as the server last had it, to be shown without a connection.
@Client final class BlockTable: BlockStore {
  nonisolated static let migration = Migration(
    number: 19,
    script: """
      -- Milliseconds since 1970: when what is kept was last what the server had.
      ALTER TABLE roster ADD COLUMN confirmed INTEGER;
      -- One row once a list was kept.
      CREATE TABLE block_list (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        confirmed INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE blocked (jid TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      """)

  private let database: AccountDatabase

  init(_ database: AccountDatabase) { self.database = database }

  func loadBlocked() throws -> BlockSnapshot? {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        let time = try database.first("SELECT confirmed FROM block_list") { Timestamp(milliseconds: $0.integer(0)) }
        guard let time else { return nil }
        // An address that is none any more, as the rules have changed since, cannot be shown as one.
        let jids = try Self.jids(database).compactMap { try? JID(received: $0) }
        return BlockSnapshot(jids: Set(jids), time: time)
      }
    }
  }

  func keepBlocked(_ snapshot: BlockSnapshot) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let before = Set(try Self.jids(database))
        let now = Set(snapshot.jids.map(\.description))
        for jid in before.subtracting(now) { try database.run("DELETE FROM blocked WHERE jid = ?", jid) }
        for jid in now.subtracting(before) { try database.run("INSERT INTO blocked (jid) VALUES (?)", jid) }
        try database.run(
          "INSERT OR REPLACE INTO block_list (id, confirmed) VALUES (1, ?)", snapshot.time.milliseconds)
      }
    }
  }

  private static func jids(_ database: Database) throws(DatabaseError) -> [String] {
    try database.all("SELECT jid FROM blocked") { $0.text(0) }
  }
}
