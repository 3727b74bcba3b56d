// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Whom to tell what.
@Client final class PrivacyTable: PrivacyStore {
  private let database: AccountDatabase
  private(set) var changes = 0

  init(_ database: AccountDatabase) { self.database = database }

  func disclosures(to jid: JID) throws -> [Disclosure: Bool] {
    try database.perform { database throws(DatabaseError) in
      let own = try database.all("SELECT what, is_allowed FROM privacy WHERE conversation = ?", jid.bare.description) {
        (what: Disclosure(rawValue: $0.text(0)), isAllowed: $0.flag(1))
      }
      return Dictionary(own.compactMap { own in own.what.map { ($0, own.isAllowed) } }) { $1 }
    }
  }

  func disclose(_ what: Disclosure, to jid: JID, _ isAllowed: Bool?) throws {
    changes += 1
    try database.perform { database throws(DatabaseError) in
      guard let isAllowed else {
        return try database.run(
          "DELETE FROM privacy WHERE conversation = ? AND what = ?", jid.bare.description, what.rawValue)
      }
      try database.run(
        "INSERT OR REPLACE INTO privacy (conversation, what, is_allowed) VALUES (?, ?, ?)", jid.bare.description,
        what.rawValue, isAllowed)
    }
  }

  func hasWritten(to jid: JID) throws -> Bool {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        "SELECT EXISTS (SELECT 1 FROM message INDEXED BY message_ours WHERE conversation = ? AND is_outgoing = 1)",
        jid.bare.description
      ) { $0.flag(0) } ?? false
    }
  }

  func unsentMarkers(limit: Int) throws -> [UnsentMarker] {
    try database.perform { database throws(DatabaseError) in
      try database.all(
        """
        SELECT name, read, stanza, sender, kind, archive FROM (
          SELECT name, read, (
            SELECT seq FROM message WHERE conversation = name AND is_outgoing = 0 AND seq <= read AND seq > told
              AND questions & 2 AND stanza IS NOT NULL AND kind IN ('chat', 'normal', 'groupchat')
            ORDER BY seq DESC LIMIT 1) AS last
          FROM conversation INDEXED BY conversation_untold WHERE read > told LIMIT ?)
        LEFT JOIN message ON seq = last
        """, limit
      ) { row -> UnsentMarker? in
        guard let conversation = try? JID(received: row.text(0)) else { return nil }
        let asked = row.optionalText(2).flatMap { id -> UnsentMarker.Question? in
          guard row.text(4) == "groupchat" else {
            return (try? JID(received: row.text(3))).map { UnsentMarker.Question(id: id, sender: $0) }
          }
          let archived = row.optionalText(5).flatMap { StanzaID.ofRoom(conversation, $0) }
          return UnsentMarker.Question(id: archived ?? id, sender: conversation, isInRoom: true)
        }
        return UnsentMarker(conversation: conversation, question: asked, number: row.integer(1))
      }
      .compactMap { $0 }
    }
  }

  func wasSent(_ marker: UnsentMarker, isRead: Bool) throws {
    try database.perform { database throws(DatabaseError) in
      if isRead {
        return try database.run(
          """
          INSERT INTO conversation (name, read, told) VALUES (?1, ?2, ?2)
          ON CONFLICT (name) DO UPDATE SET read = max(read, excluded.read), told = max(told, excluded.told)
          """, marker.conversation.description, marker.number)
      }
      try database.run(
        "UPDATE conversation SET told = max(told, min(read, ?2)) WHERE name = ?1", marker.conversation.description,
        marker.number)
    }
  }
}
