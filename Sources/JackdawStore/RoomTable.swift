// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The rooms that the user has joined or bookmarked.
@Client final class RoomTable: RoomStore {
  nonisolated static let migration = Migration(
    number: 22,
    script: """
      CREATE TABLE room (
        jid TEXT PRIMARY KEY,
        name TEXT,
        nick TEXT,
        password TEXT,
        bookmarked INTEGER NOT NULL,
        autojoin INTEGER NOT NULL,
        -- XML: what other clients keep with the bookmark.
        extensions TEXT,
        notify TEXT,
        tells_occupants INTEGER
      ) STRICT, WITHOUT ROWID;
      """)

  nonisolated static let archive = Migration(
    number: 28,
    script: """
      -- Up to where its archive was read when it was entered and the log had nothing of it; '': it was empty.
      ALTER TABLE room ADD COLUMN archive TEXT;
      """)

  nonisolated static let position = Migration(
    number: 31,
    script: """
      -- Behind what its archive is still to be read, as that was not finished; '': from its beginning on.
      ALTER TABLE room ADD COLUMN archive_gap TEXT;
      -- Of a room without archive the last message that came from it: when, in milliseconds since 1970, whose, and its id.
      ALTER TABLE room ADD COLUMN heard INTEGER;
      ALTER TABLE room ADD COLUMN heard_nick TEXT;
      ALTER TABLE room ADD COLUMN heard_id TEXT;
      """)

  private let database: AccountDatabase

  init(_ database: AccountDatabase) { self.database = database }

  func rooms() throws -> [RoomRecord] {
    try database.perform { database throws(DatabaseError) in try Self.rooms(database) }
  }

  static func rooms(_ database: Database) throws(DatabaseError) -> [RoomRecord] {
    // An address that is none any more, as the rules have changed since, is no room's.
    try database.all(
      """
      SELECT jid, name, nick, password, bookmarked, autojoin, extensions, notify, tells_occupants FROM room ORDER BY jid
      """
    ) { record($0) }.compactMap(\.self)
  }

  func room(_ jid: JID) throws -> RoomRecord? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        """
        SELECT jid, name, nick, password, bookmarked, autojoin, extensions, notify, tells_occupants
        FROM room WHERE jid = ?
        """, jid.bare.description
      ) { Self.record($0) } ?? nil
    }
  }

  func keep(_ room: RoomRecord) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run(
        """
        INSERT INTO room (jid, name, nick, password, bookmarked, autojoin, extensions, notify, tells_occupants)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (jid) DO UPDATE SET name = excluded.name, nick = excluded.nick, password = excluded.password,
            bookmarked = excluded.bookmarked, autojoin = excluded.autojoin, extensions = excluded.extensions,
            notify = excluded.notify, tells_occupants = excluded.tells_occupants
        """, room.jid.description, room.name, room.nick, room.password, room.isBookmarked, room.autojoin,
        room.extensions, room.notify?.rawValue, room.tellsOccupants)
    }
  }

  func position(in room: JID) throws -> RoomPosition? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        "SELECT archive, archive_gap, heard, heard_nick, heard_id FROM room WHERE jid = ?", room.bare.description
      ) { row -> RoomPosition in
        var position = RoomPosition()
        position.archiveCursor = row.optionalText(0)
        position.archiveGap = row.optionalText(1)
        if !row.isNull(2) {
          position.heard = RoomPosition.Heard(
            time: Timestamp(milliseconds: row.integer(2)), nick: row.optionalText(3), id: row.optionalText(4))
        }
        return position
      }
    }
  }

  func keep(_ position: RoomPosition, in room: JID) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run(
        "UPDATE room SET archive = ?, archive_gap = ?, heard = ?, heard_nick = ?, heard_id = ? WHERE jid = ?",
        position.archiveCursor, position.archiveGap, position.heard?.time.milliseconds, position.heard?.nick,
        position.heard?.id, room.bare.description)
    }
  }

  func forget(_ jid: JID) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run("DELETE FROM room WHERE jid = ?", jid.bare.description)
    }
  }

  private static func record(_ row: Row) -> RoomRecord? {
    guard let jid = try? JID(received: row.text(0)) else { return nil }
    var room = RoomRecord(jid, nick: row.optionalText(2))
    room.name = row.optionalText(1)
    room.password = row.optionalText(3)
    room.isBookmarked = row.flag(4)
    room.autojoin = row.flag(5)
    room.extensions = row.optionalText(6)
    room.notify = row.optionalText(7).flatMap { RoomNotify(rawValue: $0) }
    room.tellsOccupants = row.isNull(8) ? nil : row.flag(8)
    return room
  }
}
