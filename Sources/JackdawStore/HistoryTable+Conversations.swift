// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// The conversations, and what is unread in each.
extension HistoryTable {
  func conversations() throws -> [ConversationSummary] {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        var summaries: [ConversationSummary] = []
        for name in try Self.names(database) {
          if let summary = try Self.summary(of: name, database) { summaries.append(summary) }
        }
        return summaries.sorted { $0.last.number > $1.last.number }
      }
    }
  }

  func summary(of conversation: JID) throws -> ConversationSummary? {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        try Self.summary(of: conversation.description, database)
      }
    }
  }

  func unread() throws -> UnreadCount {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        var count = UnreadCount(messages: 0, conversations: 0)
        for name in try Self.names(database) {
          let unread = try Self.unread(in: name, database)
          count.messages += unread
          count.conversations += unread > 0 ? 1 : 0
        }
        return count
      }
    }
  }

  func firstUnpresented(in conversation: JID) throws -> Int64? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        """
        SELECT min(seq) FROM (
          SELECT min(seq) AS seq FROM unpresented JOIN message USING (seq) WHERE consumer = 'screen' AND conversation = ?1
          UNION ALL
          SELECT min(seq) FROM message WHERE conversation = ?1 AND (is_outgoing = 0 OR carbon IS NOT NULL)
            AND seq > ifnull((SELECT seq FROM cursor WHERE consumer = 'screen'), 0))
        """, conversation.description
      ) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }
  }

  /// All conversations, each found by one step through the index, however many messages it has.
  private static func names(_ database: Database) throws(DatabaseError) -> [String] {
    try database.all(
      """
      WITH RECURSIVE names (name) AS (
        SELECT (SELECT min(conversation) FROM message)
        UNION ALL
        SELECT (SELECT min(conversation) FROM message WHERE conversation > name) FROM names WHERE name IS NOT NULL)
      SELECT name FROM names WHERE name IS NOT NULL
      """
    ) { $0.text(0) }
  }

  private static func summary(of name: String, _ database: Database) throws(DatabaseError) -> ConversationSummary? {
    let last = try database.first(
      """
      SELECT * FROM logged WHERE conversation = ?1 AND seq > ?2 AND is_applied = 0 ORDER BY seq DESC LIMIT 1
      """, name, MessageTable.firstPlace
    ) { message(in: $0) }
    guard case let last?? = last else { return nil }
    var shown = [last]
    try correctStates(of: &shown, database)
    return ConversationSummary(
      conversation: last.conversation, last: shown[0], unread: try unread(in: name, database),
      readThrough: try readThrough(last.conversation, database))
  }

  private static func unread(in name: String, _ database: Database) throws(DatabaseError) -> Int {
    try database.first(
      """
      WITH bound AS MATERIALIZED (SELECT ifnull((SELECT read FROM conversation WHERE name = ?1), 0) AS read)
      SELECT (SELECT count(*) FROM message WHERE conversation = ?1 AND is_outgoing = 0 AND seq > read)
        - (SELECT count(*) FROM message INDEXED BY message_refers
          WHERE conversation = ?1 AND refers IS NOT NULL AND is_outgoing = 0 AND seq > read)
        -- What was taken back, and has no text any more: found by who took it back, as those are few.
        - (SELECT count(DISTINCT said.seq)
          FROM (
            -- Thousands may take back one id, which thousands may have.
            SELECT DISTINCT refers FROM message INDEXED BY message_retracts
            WHERE conversation = ?1 AND refers IS NOT NULL AND seq > read AND relation = 'retracts'
          ) AS retraction
            CROSS JOIN message AS said INDEXED BY message_stanza
            ON said.stanza = retraction.refers AND said.seq > -1099511627776
          WHERE said.conversation = ?1 AND said.relation = 'emptied' AND said.is_outgoing = 0 AND said.seq > read)
      FROM bound
      """, name
    ) { Int($0.integer(0)) } ?? 0
  }

  static func readThrough(_ conversation: JID, _ database: Database) throws(DatabaseError) -> Int64 {
    try database.first("SELECT read FROM conversation WHERE name = ?", conversation.description) { $0.integer(0) } ?? 0
  }
}
