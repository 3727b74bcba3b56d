// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// How messages are removed so that nothing of them stays: rows, index, and what is free in the file (SQLite's `secure_delete`).
extension HistoryTable {
  func remove(_ conversation: JID?, before time: Timestamp?) throws -> Int {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try database.run(
          "DELETE FROM pending_displayed WHERE ?2 IS NULL AND (?1 IS NULL OR conversation = ?1)",
          conversation?.description, time?.milliseconds)
        // What our server's archive still has of it must not come back.
        try database.run(
          """
          INSERT INTO deleted (conversation, before)
          VALUES (ifnull(?1, ''), ifnull(?2, CAST(strftime('%s', 'now') AS INTEGER) * 1000))
          ON CONFLICT (conversation) DO UPDATE SET before = max(before, excluded.before)
          """, conversation?.description, time?.milliseconds)
        let numbers = try database.all(
          """
          SELECT seq FROM message
          WHERE seq > ?4 AND seq NOT IN (SELECT message FROM outbox)
            AND (?1 IS NULL OR conversation = ?1) AND (?2 IS NULL OR written < ?2)
          ORDER BY seq LIMIT ?3
          """, conversation?.description, time?.milliseconds, StoreLimits.removedAtOnce, MessageTable.firstPlace
        ) { $0.integer(0) }
        if !numbers.isEmpty { try remove(numbers, database) }
        return numbers.count
      }
    }
  }

  /// - Parameter numbers: of messages that are not to be sent any more.
  func remove(_ numbers: [Int64], _ database: Database) throws(DatabaseError) {
    try database.run(
      "INSERT OR REPLACE INTO given (id, seq) VALUES (1, ?)", try MessageTable.nextNumber(database) - 1)
    var removed: [String?] = []
    for number in numbers {
      // Of ours the archive's id may not be known here.
      let memory = try database.first(
        "DELETE FROM message WHERE seq = ? RETURNING archive, CASE WHEN is_outgoing THEN stanza END", number
      ) { $0.optionalText(0) ?? $0.optionalText(1).map(Strangers.memory(ofOwn:)) }
      removed.append(memory ?? nil)
    }
    if try TextIndex.forget(database) { indexHoldsRemoved = true }
    try Strangers.remember(removed, database)
    try database.run(
      "DELETE FROM unpresented WHERE NOT EXISTS (SELECT 1 FROM message WHERE message.seq = unpresented.seq)")
    try database.run(
      "DELETE FROM conversation WHERE NOT EXISTS (SELECT 1 FROM message WHERE message.conversation = name)")
  }

  func purge() throws -> Bool {
    try database.perform { database throws(DatabaseError) in
      if indexHoldsRemoved {
        // What was removed stays in the index, marked as removed, until it is merged, which writes all of it anew.
        let before = try Self.changes(database)
        try database.run(
          "INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)", -StoreLimits.mergedPages)
        try database.run(
          "INSERT INTO message_parts (message_parts, rank) VALUES ('merge', ?)", -StoreLimits.mergedPages)
        // Each statement counts itself.
        if try Self.changes(database) - before >= 4 { return true }
        indexHoldsRemoved = false
      }
      // What was removed may stand in the write-ahead log; another program that reads keeps it there until it has read.
      _ = try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
      return false
    }
  }

  private static func changes(_ database: Database) throws(DatabaseError) -> Int64 {
    try database.first("SELECT total_changes()") { $0.integer(0) } ?? 0
  }
}
