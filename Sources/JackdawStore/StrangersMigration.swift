// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Makes it known without reading the log how much of it strangers have written: see ``Strangers``.
enum StrangersMigration {
  static let migration = Migration(
    number: 11,
    script: """
      -- Bytes of what a stranger wrote; NULL for everybody else.
      ALTER TABLE message ADD COLUMN strangers_bytes INTEGER;
      -- Whom we have written to.
      CREATE INDEX message_ours ON message (conversation) WHERE is_outgoing = 1;
      -- Not oneself and not one's own server, whose names are in the recipient's.
      UPDATE message SET strangers_bytes = length(CAST(body AS BLOB))
        WHERE seq > 0 AND is_outgoing = 0 AND instr(recipient, conversation) = 0
        AND conversation NOT IN (SELECT jid FROM roster_item)
        AND conversation NOT IN (SELECT conversation FROM message WHERE is_outgoing = 1)
        AND EXISTS (SELECT 1 FROM roster);
      CREATE INDEX message_strangers ON message (seq, strangers_bytes) WHERE strangers_bytes IS NOT NULL;
      """)

  static let removal = Migration(
    number: 12,
    script: """
      -- Ids in our server's archive of messages that were removed: what comes from there again is no news.
      CREATE TABLE removed_message (
        number INTEGER PRIMARY KEY,
        archive TEXT NOT NULL UNIQUE
      ) STRICT;
      """)
}
