// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Makes the log's indexes hold only what is looked up in them: no row without an id in the archive, and none that waits for its
/// place. A column that is declared unique has every row in its index, so the table is made anew.
enum IndexMigration {
  static let migration = Migration(
    number: 10,
    script: """
      CREATE TABLE log (
        -- The order in which it is to be read; below zero while it waits for its place (``MessageTable/firstPostponed``).
        seq INTEGER PRIMARY KEY,
        -- The bare address whom the conversation is with.
        conversation TEXT NOT NULL,
        sender TEXT NOT NULL,
        recipient TEXT NOT NULL,
        -- We wrote it, here or on another device.
        is_outgoing INTEGER NOT NULL,
        -- Its attribute id.
        stanza TEXT,
        -- Its id in our server's archive.
        archive TEXT,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        -- Milliseconds since 1970: when it was written, as far as known.
        written INTEGER NOT NULL,
        -- Which way it went that another device of ours sent or received: 'sent', 'received'.
        carbon TEXT,
        -- The number of the program that kept it.
        owner INTEGER NOT NULL,
        -- Of ours: 'waiting', 'sent', 'server', 'failed'.
        state TEXT,
        error TEXT,
        -- The server may not have it.
        is_open INTEGER NOT NULL,
        -- Milliseconds since 1970: when this program got it, or wrote it.
        received INTEGER NOT NULL DEFAULT 0,
        -- The server gave it out of what it keeps, with its stamp.
        is_late INTEGER NOT NULL DEFAULT 0,
        -- Its attribute id names no other message (XEP-0359).
        is_unique INTEGER NOT NULL DEFAULT 0,
        -- Of one that waits for its place: what is said to be its id in our server's archive, whoever wrote that.
        claimed_archive TEXT,
        -- Milliseconds since 1970: when its sender first sent it, where they say that they sent it before (XEP-0203).
        first_sent INTEGER
      ) STRICT;
      INSERT INTO log SELECT
        seq, conversation, sender, recipient, is_outgoing, stanza, archive, kind, body, written, carbon, owner, state, error,
        is_open, received, is_late, is_unique, claimed_archive, first_sent
        FROM message ORDER BY seq;
      CREATE TABLE sending (
        message INTEGER PRIMARY KEY REFERENCES log (seq) ON DELETE CASCADE,
        -- The stream that it was last written to, and how many stanzas that had then; NULL where it cannot be resumed.
        stream TEXT,
        position INTEGER,
        -- The archive's last id that was known when it was first written.
        mark TEXT
      ) STRICT;
      INSERT INTO sending SELECT message, stream, position, mark FROM outbox;
      DROP TABLE outbox;
      DROP TABLE message;
      ALTER TABLE log RENAME TO message;
      ALTER TABLE sending RENAME TO outbox;
      CREATE UNIQUE INDEX message_archive ON message (archive) WHERE archive IS NOT NULL;
      -- What is to be looked up of a message that comes again.
      CREATE INDEX message_stanza ON message (stanza, conversation) WHERE seq > 0;
      -- Ours that the server may not have.
      CREATE INDEX message_open ON message (seq) WHERE is_open = 1;
      """)
}
