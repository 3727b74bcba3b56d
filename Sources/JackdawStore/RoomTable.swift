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

  private let database: AccountDatabase

  init(_ database: AccountDatabase) { self.database = database }

  func rooms() throws -> [RoomRecord] {
    try database.perform { database throws(DatabaseError) in try Self.rooms(database) }
  }

  static func rooms(_ database: Database) throws(DatabaseError) -> [RoomRecord] {
    // An address that is none any more, as the rules have changed since, is no room's.
    try database.all(
      """
      SELECT jid, name, nick, password, bookmarked, autojoin, extensions, notify, tells_occupants, archive
      FROM room ORDER BY jid
      """
    ) { record($0) }.compactMap(\.self)
  }

  func room(_ jid: JID) throws -> RoomRecord? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        """
        SELECT jid, name, nick, password, bookmarked, autojoin, extensions, notify, tells_occupants, archive
        FROM room WHERE jid = ?
        """, jid.bare.description
      ) { Self.record($0) } ?? nil
    }
  }

  func keep(_ room: RoomRecord) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run(
        """
        INSERT OR REPLACE INTO room
          (jid, name, nick, password, bookmarked, autojoin, extensions, notify, tells_occupants, archive)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, room.jid.description, room.name, room.nick, room.password, room.isBookmarked, room.autojoin,
        room.extensions, room.notify?.rawValue, room.tellsOccupants, room.archiveCursor)
    }
  }

  func forget(_ jid: JID) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run("DELETE FROM room WHERE jid = ?", jid.bare.description)
    }
  }

  private static func record(_ row: Row) -> RoomRecord? {
    guard let jid = try? JID(row.text(0)) else { return nil }
    var room = RoomRecord(jid, nick: row.optionalText(2))
    room.name = row.optionalText(1)
    room.password = row.optionalText(3)
    room.isBookmarked = row.flag(4)
    room.autojoin = row.flag(5)
    room.extensions = row.optionalText(6)
    room.notify = row.optionalText(7).flatMap { RoomNotify(rawValue: $0) }
    room.tellsOccupants = row.isNull(8) ? nil : row.flag(8)
    room.archiveCursor = row.optionalText(9)
    return room
  }
}
