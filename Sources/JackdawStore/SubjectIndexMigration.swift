// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Subjects are searched with the texts of their messages. What was indexed before is as it was: to index it again would take as long as a
/// new index of everything.
enum SubjectIndexMigration {
  static let migration = Migration(
    number: 21,
    script: """
      -- Subjects that are in the index, each behind the text of its message.
      CREATE TABLE indexed_subject (
        seq INTEGER PRIMARY KEY,
        subject TEXT NOT NULL
      ) STRICT;
      -- What is in the index of a message, or is to be.
      CREATE VIEW indexed_text AS
        SELECT seq, body || ifnull(char(10) || (SELECT subject FROM indexed_subject WHERE seq = message.seq), '') AS text
        FROM message;
      DROP TRIGGER message_removed;
      CREATE TRIGGER message_removed AFTER DELETE ON message
        WHEN old.seq > -1099511627776 AND old.seq <= (SELECT seq FROM indexed)
      BEGIN
        INSERT INTO unindexed (seq, body)
          SELECT old.seq, old.body || ifnull(char(10) || (SELECT subject FROM indexed_subject WHERE seq = old.seq), '')
          WHERE NOT EXISTS (SELECT 1 FROM awaiting_index WHERE seq = old.seq);
        DELETE FROM awaiting_index WHERE seq = old.seq;
        DELETE FROM indexed_subject WHERE seq = old.seq;
      END;
      """)
}
