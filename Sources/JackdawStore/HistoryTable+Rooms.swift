// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What archives of rooms call messages. In the log it stands behind the room's address, as each archive has ids of its own.
extension HistoryTable {
  func lastArchiveID(in room: JID) throws -> String? {
    try database.perform { database throws(DatabaseError) in
      let found = try database.first(
        """
        SELECT archive FROM message
        WHERE conversation = ? AND seq > 0 AND archive IS NOT NULL ORDER BY seq DESC LIMIT 1
        """, room.description
      ) { $0.text(0) }
      return found.flatMap { StanzaID.ofRoom(room, $0) }
    }
  }

  func unreadMentions(in room: JID) throws -> Int {
    try database.perform { database throws(DatabaseError) in
      // Nothing that somebody wrote has these quotation marks: in JSON theirs are escaped.
      try database.first(
        """
        SELECT count(*) FROM (
          SELECT payload FROM message WHERE conversation = ?1 AND is_outgoing = 0
            AND seq > ifnull((SELECT read FROM conversation WHERE name = ?1), 0) LIMIT ?2)
        WHERE instr(payload, '"mention":true') > 0
        """, room.description, StoreLimits.countedUnread
      ) { Int($0.integer(0)) } ?? 0
    }
  }

  func id(ofArchived archiveID: String, in room: JID) throws -> String? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        "SELECT stanza FROM message WHERE archive = ? AND seq > ?", StanzaID.stored(archiveID, in: room),
        MessageTable.firstPlace
      ) { $0.optionalText(0) } ?? nil
    }
  }

  func time(ofArchived archiveID: String, in room: JID) throws -> Timestamp? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        "SELECT written FROM message WHERE archive = ? AND seq > ?", StanzaID.stored(archiveID, in: room),
        MessageTable.firstPlace
      ) { Timestamp(milliseconds: $0.integer(0)) }
    }
  }

  func beginning(of room: JID) throws -> Timestamp? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        """
        SELECT CASE WHEN is_late THEN written END FROM message
        WHERE conversation = ? AND seq > 0 AND kind = 'groupchat' AND archive IS NOT NULL ORDER BY seq LIMIT 1
        """, room.description
      ) { $0.isNull(0) ? nil : Timestamp(milliseconds: $0.integer(0)) } ?? nil
    }
  }

  func archiveID(ofMessage id: String, in room: JID) throws -> String? {
    try database.perform { database throws(DatabaseError) in
      let found = try database.first(
        """
        SELECT archive FROM message INDEXED BY message_stanza
        WHERE stanza = ? AND conversation = ? AND seq > -1099511627776 AND archive IS NOT NULL ORDER BY seq DESC LIMIT 1
        """, id, room.description
      ) { $0.text(0) }
      return found.flatMap { StanzaID.ofRoom(room, $0) }
    }
  }
}
