// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Makes it known without reading the log how much of it was said by others in rooms: see ``RoomTotal``.
enum RoomQuotaMigration {
  static let migration = Migration(
    number: 24,
    script: """
      -- Bytes of what somebody said in a room; NULL for everything else.
      ALTER TABLE message ADD COLUMN room_bytes INTEGER;
      UPDATE message SET room_bytes = length(CAST(body AS BLOB)) + ifnull(length(CAST(payload AS BLOB)), 0)
        WHERE kind = 'groupchat' AND is_outgoing = 0;
      CREATE INDEX message_rooms ON message (seq, room_bytes) WHERE room_bytes IS NOT NULL;
      """)
}
