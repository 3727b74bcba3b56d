// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Makes the table of messages the one log: what waits for its place is a row of it, and what was presented is a cursor for each
/// consumer.
enum LogMigration {
  static let migration = Migration(
    number: 9,
    script: """
      DROP INDEX message_peer;
      DROP INDEX message_open;
      ALTER TABLE message RENAME COLUMN id TO seq;
      ALTER TABLE message RENAME COLUMN peer TO conversation;
      ALTER TABLE message RENAME COLUMN is_ours TO is_outgoing;
      ALTER TABLE message RENAME COLUMN time TO written;
      -- Milliseconds since 1970: when this program got it, or wrote it.
      ALTER TABLE message ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
      -- The server gave it out of what it keeps, with its stamp.
      ALTER TABLE message ADD COLUMN is_late INTEGER NOT NULL DEFAULT 0;
      -- Its attribute id names no other message (XEP-0359).
      ALTER TABLE message ADD COLUMN is_unique INTEGER NOT NULL DEFAULT 0;
      -- Of one that waits for its place: what is said to be its id in our server's archive, whoever wrote that.
      ALTER TABLE message ADD COLUMN claimed_archive TEXT;
      -- Milliseconds since 1970: when its sender first sent it, where they say that they sent it before (XEP-0203).
      ALTER TABLE message ADD COLUMN first_sent INTEGER;
      UPDATE message SET received = written;
      -- What is to be looked up of a message that comes again.
      CREATE INDEX message_stanza ON message (stanza, conversation);
      -- Ours that the server may not have.
      CREATE INDEX message_open ON message (seq) WHERE is_open = 1;

      -- Up to where a consumer was presented everything, but for what stands in unpresented.
      CREATE TABLE cursor (
        consumer TEXT PRIMARY KEY,
        seq INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE unpresented (
        consumer TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (consumer, seq)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO cursor (consumer, seq) SELECT 'screen', ifnull(max(seq), 0) FROM message;
      INSERT INTO unpresented (consumer, seq)
        SELECT 'screen', seq FROM message WHERE is_open = 1 AND (is_outgoing = 0 OR carbon IS NOT NULL);
      UPDATE message SET is_open = 0 WHERE is_outgoing = 0 OR carbon IS NOT NULL;

      -- What waits for its place has a number below all others (``MessageTable/firstPostponed``).
      INSERT INTO message
        (seq, conversation, sender, recipient, is_outgoing, stanza, kind, body, written, carbon, owner, is_open, received,
         is_late, is_unique, claimed_archive)
        SELECT id - 4611686018427387904,
          CASE carbon WHEN 'sent'
            THEN CASE instr(recipient, '/') WHEN 0 THEN recipient ELSE substr(recipient, 1, instr(recipient, '/') - 1) END
            ELSE CASE instr(sender, '/') WHEN 0 THEN sender ELSE substr(sender, 1, instr(sender, '/') - 1) END END,
          sender, recipient, carbon IS 'sent', stanza, kind, body, time, carbon, owner, 0, time, is_late, is_unique, archive
        FROM held;
      DROP TABLE held;
      """)
}
