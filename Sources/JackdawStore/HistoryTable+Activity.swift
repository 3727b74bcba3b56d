// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// How the conversations stand. All of it is read from indexes alone: a few steps for each conversation, however long it is.
extension HistoryTable {
  func activity(limit: Int) throws -> [ConversationActivity] {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        let newest = try database.all(
          """
          WITH RECURSIVE names (name) AS (
            SELECT (SELECT min(conversation) FROM message)
            UNION ALL
            SELECT (SELECT min(conversation) FROM message WHERE conversation > name) FROM names WHERE name IS NOT NULL)
          SELECT name FROM names WHERE name IS NOT NULL
          ORDER BY (SELECT max(seq) FROM message WHERE conversation = name) DESC LIMIT ?
          """, limit
        ) { $0.text(0) }
        var found: [ConversationActivity] = []
        for name in newest {
          if let activity = try Self.activity(of: name, database) { found.append(activity) }
        }
        return found
      }
    }
  }

  func activity(of conversation: JID) throws -> ConversationActivity? {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        try Self.activity(of: conversation.description, database)
      }
    }
  }

  private static func activity(
    of name: String, _ database: Database
  ) throws(DatabaseError) -> ConversationActivity? {
    try database.first(
      """
      WITH bound AS MATERIALIZED (SELECT ifnull((SELECT read FROM conversation WHERE name = ?1), 0) AS read)
      SELECT (SELECT max(seq) FROM message WHERE conversation = ?1 AND seq > ?3),
        (SELECT count(*) FROM (
          SELECT 1 FROM message WHERE conversation = ?1 AND is_outgoing = 0 AND seq > read LIMIT ?2)),
        (SELECT count(*) FROM (
          SELECT 1 FROM message INDEXED BY message_refers
          WHERE conversation = ?1 AND refers IS NOT NULL AND is_outgoing = 0 AND seq > read LIMIT ?2)),
        -- As ``HistoryTable`` counts what has no text any more.
        (SELECT count(*) FROM (
          SELECT DISTINCT said.seq
          FROM (
            SELECT DISTINCT refers FROM message INDEXED BY message_retracts
            WHERE conversation = ?1 AND refers IS NOT NULL AND seq > read AND relation = 'retracts'
          ) AS retraction
            CROSS JOIN message AS said INDEXED BY message_stanza
            ON said.stanza = retraction.refers AND said.seq > -1099511627776
          WHERE said.conversation = ?1 AND said.relation = 'emptied' AND said.is_outgoing = 0 AND said.seq > read
          LIMIT ?2)),
        EXISTS (SELECT 1 FROM message INDEXED BY message_ours WHERE conversation = ?1 AND is_outgoing = 1)
      FROM bound
      """, name, StoreLimits.countedUnread, MessageTable.firstPlace
    ) { row -> ConversationActivity? in
      guard !row.isNull(0), let conversation = try? JID(received: name) else { return nil }
      return ConversationActivity(
        conversation: conversation, last: row.integer(0),
        unread: max(0, Int(row.integer(1)) - Int(row.integer(2)) - Int(row.integer(3))), isAnswered: row.flag(4))
    } ?? nil
  }
}
