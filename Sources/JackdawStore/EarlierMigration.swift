// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Gives the log room before its beginning, for what the archive has of earlier times and for what is imported (``EarlierTable``).
enum EarlierMigration {
  static let migration = Migration(
    number: 14,
    script: """
      -- What waits for its place has a number below -1099511627776 now (``MessageTable/firstPlace``).
      DROP INDEX message_stanza;
      CREATE INDEX message_stanza ON message (stanza, conversation) WHERE seq > -1099511627776;

      -- When the log began, in milliseconds since 1970: what is earlier has a number below one, the lower the earlier.
      CREATE TABLE beginning (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        time INTEGER NOT NULL,
        -- Some of it was imported, and may lack the ids by which a message is known again.
        has_imports INTEGER NOT NULL DEFAULT 0
      ) STRICT;

      -- How far our server's archive was read backwards.
      CREATE TABLE archive_walk (
        -- With whom; '': everything.
        conversation TEXT PRIMARY KEY,
        -- The archive's id before which it goes on; NULL: from its end on.
        mark TEXT,
        -- What comes next stands before this number.
        number INTEGER,
        -- There is nothing more.
        is_complete INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- What was deleted on purpose, and must not come back.
      CREATE TABLE deleted (
        -- With whom; '': everything.
        conversation TEXT PRIMARY KEY,
        -- All that was written before, in milliseconds since 1970.
        before INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- Conversations that are not kept once they have been shown.
      CREATE TABLE unkept (
        conversation TEXT PRIMARY KEY
      ) STRICT, WITHOUT ROWID;

      -- Messages below the number up to which the index was made, and not in it.
      CREATE TABLE awaiting_index (
        seq INTEGER PRIMARY KEY
      ) STRICT;
      DROP TRIGGER message_removed;
      CREATE TRIGGER message_removed AFTER DELETE ON message
        WHEN old.seq > -1099511627776 AND old.seq <= (SELECT seq FROM indexed)
      BEGIN
        INSERT INTO unindexed (seq, body)
          SELECT old.seq, old.body WHERE NOT EXISTS (SELECT 1 FROM awaiting_index WHERE seq = old.seq);
        DELETE FROM awaiting_index WHERE seq = old.seq;
      END;
      """)
}
