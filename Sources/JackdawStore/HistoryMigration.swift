// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Makes the log something to read in again: by conversation, by words, by day, and from where one had read to.
enum HistoryMigration {
  static let migration = Migration(
    number: 13,
    script: """
      CREATE INDEX message_conversation ON message (conversation, seq, is_outgoing);

      CREATE TABLE conversation (
        -- The bare address whom it is with.
        name TEXT PRIMARY KEY,
        -- Up to this number somebody has read all.
        read INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      -- What was presented before is taken for read.
      INSERT INTO conversation (name, read)
        SELECT conversation, ifnull(
          (SELECT min(other.seq) - 1 FROM unpresented JOIN message AS other USING (seq)
            WHERE consumer = 'screen' AND other.conversation = message.conversation), max(seq))
        FROM message WHERE seq BETWEEN 1 AND ifnull((SELECT seq FROM cursor WHERE consumer = 'screen'), 0)
        GROUP BY conversation;

      -- As it is read again, where seq is asked to be above zero: a bound here would be the one that the planner goes by.
      CREATE VIEW logged AS
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, is_outgoing, state, error, conversation,
          is_outgoing = 0 AND seq > ifnull((SELECT read FROM conversation WHERE name = message.conversation), 0) AS is_unread
        FROM message;

      -- Numbers that were given, though no message has them any more: none is given twice.
      CREATE TABLE given (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seq INTEGER NOT NULL
      ) STRICT;

      -- What is searched: words, and parts of three characters. It is made when nothing else is to be done, up to this number.
      CREATE VIRTUAL TABLE message_words USING fts5 (
        body, content = 'message', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2', columnsize = 0);
      CREATE VIRTUAL TABLE message_parts USING fts5 (
        body, content = 'message', content_rowid = 'seq', tokenize = 'trigram', detail = 'none', columnsize = 0);
      CREATE TABLE indexed (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seq INTEGER NOT NULL
      ) STRICT;
      INSERT INTO indexed (id, seq) VALUES (1, 0);
      -- Removed messages that are still in the index, which a trigger may not change.
      CREATE TABLE unindexed (
        seq INTEGER PRIMARY KEY,
        body TEXT NOT NULL
      ) STRICT;
      CREATE TRIGGER message_removed AFTER DELETE ON message WHEN old.seq BETWEEN 1 AND (SELECT seq FROM indexed)
      BEGIN
        INSERT INTO unindexed (seq, body) VALUES (old.seq, old.body);
      END;
      -- Of what is in the index: between which numbers stands what was written on a day.
      CREATE TABLE day (
        -- Days since 1970, by UTC.
        number INTEGER PRIMARY KEY,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL
      ) STRICT;
      """)
}
