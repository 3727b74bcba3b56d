// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Notes what the account's other devices were told of what was read here, and what they told that is not in the log yet.
enum ReadMarkMigration {
  static let migration = Migration(
    number: 16,
    script: """
      -- Up to this number the other devices know that all was read. What was read before is not told: they may be thousands.
      ALTER TABLE conversation ADD COLUMN published INTEGER NOT NULL DEFAULT 0;
      UPDATE conversation SET published = read;
      -- A few at a time.
      CREATE INDEX conversation_unpublished ON conversation (name) WHERE read > published;

      -- Up to which message another device has read, where that is not in the log.
      CREATE TABLE pending_displayed (
        -- The bare address whom the conversation is with.
        conversation TEXT PRIMARY KEY,
        -- The message's id in our server's archive.
        archive TEXT NOT NULL,
        -- What stands behind this number came later than that message; NULL: that is not known yet.
        after INTEGER,
        -- The greater the later.
        noted INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)
}
