// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Up to where the account's devices have read.
extension HistoryTable: ReadMarkStore {
  func markRead(_ conversation: JID, through number: Int64) throws {
    let changed = try database.perform { database throws(DatabaseError) in
      try database.first(
        """
        INSERT INTO conversation (name, read) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET read = excluded.read WHERE read < excluded.read
        RETURNING read
        """, conversation.description, max(0, number)
      ) { $0.integer(0) }
    }
    if changed != nil { for action in whenMarked { action() } }
  }

  func whenMarked(_ action: @escaping @Client () -> Void) { whenMarked.append(action) }

  // MARK: Other devices

  func apply(_ marks: [DisplayedMark], isUpToDate: Bool) throws -> Set<JID> {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var number = try database.first("SELECT ifnull(max(noted), 0) FROM pending_displayed") { $0.integer(0) } ?? 0
        for mark in marks {
          number += 1
          try database.run(
            """
            INSERT INTO pending_displayed (conversation, archive, noted) VALUES (?, ?, ?)
            ON CONFLICT (conversation) DO UPDATE SET archive = excluded.archive, noted = excluded.noted, after = NULL
              WHERE archive <> excluded.archive
            """, mark.conversation.description, mark.archiveID, number)
        }
        return try Self.settle(isUpToDate ? .people : .nothing, database)
      }
    }
  }

  func applyPending(isUpToDate: Bool) throws -> Set<JID> {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try Self.settle(isUpToDate ? .people : .nothing, database)
      }
    }
  }

  func applyPending(upToDate room: JID) throws -> Set<JID> {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in try Self.settle(.room(room), database) }
    }
  }

  /// Where the log has all that was said until now.
  private enum Currency {
    case nothing, people
    case room(JID)
  }

  private static func settle(_ current: Currency, _ database: Database) throws(DatabaseError) -> Set<JID> {
    // An id that the archive gave to a message of another conversation says nothing of this one.
    let found = try database.all(
      """
      SELECT pending_displayed.conversation, seq FROM pending_displayed CROSS JOIN message USING (archive)
      WHERE message.conversation = pending_displayed.conversation AND seq > ?
      """, MessageTable.firstPlace
    ) { (name: $0.text(0), number: $0.integer(1)) }
    for (name, number) in found {
      try database.run("DELETE FROM pending_displayed WHERE conversation = ?", name)
      // What stands before the log's beginning is read.
      guard number > 0 else { continue }
      try database.run(
        """
        INSERT INTO conversation (name, read, published) VALUES (?1, ?2, ?2)
        ON CONFLICT (name) DO UPDATE
          SET read = max(read, excluded.read), published = max(published, excluded.published)
          WHERE published < excluded.published OR read < excluded.read
        """, name, number)
    }
    switch current {
    case .nothing: break
    case .people:
      // What a room calls its messages stands behind the room's address.
      try database.run(
        """
        UPDATE pending_displayed SET after = ?
        WHERE after IS NULL AND substr(archive, 1, length(conversation) + 1) <> conversation || ' '
        """, try MessageTable.nextNumber(database) - 1)
    case .room(let room):
      try database.run(
        "UPDATE pending_displayed SET after = ? WHERE after IS NULL AND conversation = ?",
        try MessageTable.nextNumber(database) - 1, room.description)
    }
    try database.run(
      "DELETE FROM pending_displayed WHERE noted <= (SELECT max(noted) FROM pending_displayed) - ?",
      StoreLimits.pendingMarks)
    let pending = try database.all("SELECT conversation FROM pending_displayed") { try? JID(received: $0.text(0)) }
    return Set(pending.compactMap { $0 })
  }

  func callWasAnswered(_ id: String, of caller: JID) throws -> Bool {
    try database.perform { database throws(DatabaseError) in
      // Those too that wait for their place.
      let changed = try database.all(
        """
        UPDATE message SET relation = 'uncounted', refers = ''
        WHERE conversation = ?1 AND is_outgoing = 0 AND relation IS NULL
          AND (seq > ifnull((SELECT read FROM conversation WHERE name = ?1), 0) OR seq < ?3)
          AND CASE WHEN json_valid(payload) THEN json_extract(payload, '$.content.kind') = 'call' AND json_extract(payload, '$.content.id') = ?2 END
        RETURNING seq
        """, caller.bare.description, id, MessageTable.firstPlace
      ) { $0.integer(0) }
      return !changed.isEmpty
    }
  }

  // MARK: What they have seen

  /// The view `logged` has up to which number they have seen what we wrote, from 0 on, and so takes all that stands before the log's beginning
  /// for seen: where nobody has said that they saw anything, what counts is what was kept.
  nonisolated static func correctStates(of messages: inout [LoggedMessage], _ database: Database) throws(DatabaseError)
  {
    for index in messages.indices where messages[index].number < 1 && messages[index].state == .displayed {
      let kept = try database.first(
        """
        SELECT state FROM message
        WHERE seq = ? AND NOT EXISTS (SELECT 1 FROM conversation WHERE name = message.conversation AND seen > 0)
        """, messages[index].number
      ) { $0.optionalText(0).flatMap { DeliveryState(name: $0) } }
      if let kept { messages[index].state = kept }
    }
  }

  // MARK: This one

  func unpublished(limit: Int) throws -> [UnpublishedMark] {
    try database.perform { database throws(DatabaseError) in
      try database.all(
        """
        SELECT name, archive, read FROM (
          SELECT name, read, (
            SELECT seq FROM message WHERE conversation = name AND is_outgoing = 0 AND seq <= read
              AND seq > max(published, ifnull(
                (SELECT ifnull(after, read) FROM pending_displayed WHERE pending_displayed.conversation = name), 0))
              AND archive IS NOT NULL AND kind IN ('chat', 'normal', 'groupchat')
            ORDER BY seq DESC LIMIT 1) AS last
          FROM conversation WHERE read > published)
        JOIN message ON seq = last LIMIT ?
        """, limit
      ) { row -> UnpublishedMark? in
        guard let conversation = try? JID(received: row.text(0)) else { return nil }
        return UnpublishedMark(
          DisplayedMark(conversation: conversation, archiveID: row.text(1)), number: row.integer(2))
      }
      .compactMap { $0 }
    }
  }

  func wasPublished(_ mark: UnpublishedMark) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run(
        "UPDATE conversation SET published = max(published, min(read, ?2)) WHERE name = ?1",
        mark.mark.conversation.description, mark.number)
    }
  }
}
