// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What people are told of what the user does with their messages, and what they tell of the user's.
enum QuestionMigration {
  static let migration = Migration(
    number: 17,
    script: """
      -- What its sender asks to be told of a message (`MessageQuestions`).
      ALTER TABLE message ADD COLUMN questions INTEGER NOT NULL DEFAULT 0;
      -- Up to this number those who wrote know that it was read, or are not to. What was read before is not told: they may be thousands.
      ALTER TABLE conversation ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
      UPDATE conversation SET told = read;
      -- Up to this number of ours they have seen what was written.
      ALTER TABLE conversation ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
      -- A few at a time.
      CREATE INDEX conversation_untold ON conversation (name) WHERE read > told;

      -- What the user said of one conversation alone.
      CREATE TABLE privacy (
        conversation TEXT NOT NULL,
        -- `Disclosure`
        what TEXT NOT NULL,
        is_allowed INTEGER NOT NULL,
        PRIMARY KEY (conversation, what)
      ) STRICT, WITHOUT ROWID;

      DROP VIEW logged;
      -- As it is read again, where seq is asked to be above the first place: a bound here would be the one that the planner goes by.
      CREATE VIEW logged AS
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, is_outgoing,
          CASE WHEN state IN ('server', 'delivered')
              AND seq <= ifnull((SELECT seen FROM conversation WHERE name = message.conversation), 0)
            THEN 'displayed' ELSE state END AS state,
          error, conversation,
          is_outgoing = 0 AND relation IS NULL
            AND seq > ifnull((SELECT read FROM conversation WHERE name = message.conversation), 0) AS is_unread,
          relation, refers, reactions, reply_to, quote,
          -- It is shown at the message that it is about: the same sender's, for a correction not written long before.
          CASE
            WHEN refers IS NULL THEN 0
            WHEN relation <> 'replaces' THEN 1
            ELSE EXISTS (
              SELECT 1 FROM message AS original INDEXED BY message_stanza
              WHERE original.stanza = message.refers AND original.conversation = message.conversation
                AND original.seq > -1099511627776 AND original.is_outgoing = message.is_outgoing
                AND original.refers IS NULL AND abs(message.written - original.written) <= 86400000)
          END AS is_applied
        FROM message;
      """)
}
