// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Requests of friendship that wait for an answer (RFC 6121 3.1), one row for each who asks, and whom we have asked ourselves.
@Client final class FriendRequestTable: FriendRequestStore {
  nonisolated static let migration = Migration(
    number: 4,
    script: """
      CREATE TABLE friend_request (
        -- Grows with each new one: the order in which they came.
        id INTEGER PRIMARY KEY,
        jid TEXT NOT NULL UNIQUE,
        nickname TEXT,
        message TEXT,
        card_name TEXT,
        photo TEXT,
        has_card INTEGER NOT NULL
      ) STRICT;
      """)

  private let database: AccountDatabase

  init(_ database: AccountDatabase) { self.database = database }

  func loadRequests() throws -> [FriendRequest] {
    try database.perform { database throws(DatabaseError) in
      // An address that is none any more, as the rules have changed since, cannot be answered: the server tells it again.
      try database.all(
        "SELECT jid, nickname, message, card_name, photo, has_card FROM friend_request ORDER BY id"
      ) { row -> FriendRequest? in
        guard let jid = try? JID(received: row.text(0)) else { return nil }
        return FriendRequest(
          jid: jid, nickname: row.optionalText(1), message: row.optionalText(2), cardName: row.optionalText(3),
          photo: row.optionalText(4), hasCard: row.flag(5))
      }
      .compactMap { $0 }
    }
  }

  func isInvited(_ jid: JID) throws -> Bool {
    try database.perform { database throws(DatabaseError) in
      try database.first("SELECT 1 FROM invited WHERE jid = ?", jid.description) { _ in true } ?? false
    }
  }

  func changeInvited(keep: [JID], forget: [JID]) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        for jid in forget { try database.run("DELETE FROM invited WHERE jid = ?", jid.description) }
        for jid in keep { try database.run("INSERT OR IGNORE INTO invited (jid) VALUES (?)", jid.description) }
      }
    }
  }

  func changeRequests(keep: [FriendRequest], forget: [JID]) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        for jid in forget { try database.run("DELETE FROM friend_request WHERE jid = ?", jid.description) }
        for request in keep {
          try database.run(
            """
            INSERT INTO friend_request (jid, nickname, message, card_name, photo, has_card) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (jid) DO UPDATE SET nickname = excluded.nickname, message = excluded.message,
              card_name = excluded.card_name, photo = excluded.photo, has_card = excluded.has_card
            """, request.jid.description, request.nickname, request.message, request.cardName, request.photo,
            request.hasCard)
        }
      }
    }
  }
}
