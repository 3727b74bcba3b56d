// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Messages that came before it was known what came before them. They are safe here, and get their place in ``MessageTable`` when
/// that is known.
enum HeldTable {
  static let migration = Migration(
    number: 8,
    script: """
      CREATE TABLE held (
        id INTEGER PRIMARY KEY,
        -- The number of the program that got it.
        owner INTEGER NOT NULL,
        sender TEXT NOT NULL,
        recipient TEXT NOT NULL,
        -- Its attribute id, and whether it names no other message.
        stanza TEXT,
        is_unique INTEGER NOT NULL,
        -- What is said to be its id in our server's archive.
        archive TEXT,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        -- Milliseconds since 1970: when it was written, as far as known.
        time INTEGER NOT NULL,
        -- The server gave it out of what it keeps.
        is_late INTEGER NOT NULL,
        carbon TEXT
      ) STRICT;
      """)

  /// What a program got and could not place, in the order of coming.
  static func left(by owner: Int, _ database: Database) throws(DatabaseError) -> [HeldMessage] {
    try database.all(
      """
      SELECT id, sender, recipient, stanza, is_unique, archive, kind, body, time, is_late, carbon FROM held
      WHERE owner = ? ORDER BY id
      """, owner
    ) { row -> HeldMessage? in
      guard let from = try? JID(row.text(1)), let to = try? JID(row.text(2)) else { return nil }
      let time = Timestamp(milliseconds: row.integer(8))
      let event = MessageArrived(
        id: row.optionalText(3), from: from, to: to, kind: Message.Kind(rawValue: row.text(6)) ?? .chat,
        body: row.text(7), delayed: time, carbon: row.optionalText(10).flatMap(MessageArrived.Carbon.init))
      return HeldMessage(
        ArrivedMessage(
          event, archiveID: row.optionalText(5), hasUniqueID: row.flag(4), mayBeRepeated: row.flag(9), time: time),
        number: row.integer(0))
    }
    .compactMap { $0 }
  }

  /// It has its place now.
  /// - Parameter message: what is held under that number: where the database had to begin anew, it may be another one's.
  static func forget(
    _ number: Int64, _ message: ArrivedMessage, by owner: Int, _ database: Database
  ) throws(DatabaseError) {
    try database.run(
      "DELETE FROM held WHERE id = ? AND owner = ? AND stanza IS ? AND body = ?", number, owner, message.event.id,
      message.event.body)
  }
}

extension MessageTable {
  func hold(_ message: ArrivedMessage) throws -> Int64 {
    let own = instances.own
    let event = message.event
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try database.first(
          """
          INSERT INTO held (owner, sender, recipient, stanza, is_unique, archive, kind, body, time, is_late, carbon)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
          """, own, event.from.description, event.to.description, event.id, message.hasUniqueID, message.archiveID,
          event.kind.rawValue, event.body, message.time.milliseconds, message.mayBeRepeated, event.carbon?.rawValue
        ) { $0.integer(0) } ?? 0
      }
    }
  }
}
