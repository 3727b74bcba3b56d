// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What messages say of earlier ones.
enum RelationMigration {
  static let migration = Migration(
    number: 15,
    script: """
      -- What it does to an earlier message: 'replaces', 'retracts', 'reacts'; 'emptied': nothing, its text was removed, as it was
      -- retracted; NULL: nothing.
      ALTER TABLE message ADD COLUMN relation TEXT;
      -- The attribute id of that message.
      ALTER TABLE message ADD COLUMN refers TEXT;
      -- Of 'reacts': the reactions, a line each.
      ALTER TABLE message ADD COLUMN reactions TEXT;
      -- The attribute id of the message that it answers.
      ALTER TABLE message ADD COLUMN reply_to TEXT;
      -- From which to before which code point the text repeats that one: 'START-END'.
      ALTER TABLE message ADD COLUMN quote TEXT;
      -- With whom is seen in the message itself.
      DROP INDEX message_stanza;
      CREATE INDEX message_stanza ON message (stanza) WHERE seq > -1099511627776;
      CREATE INDEX message_refers ON message (conversation, refers, is_outgoing, seq) WHERE refers IS NOT NULL;

      CREATE INDEX message_retracts ON message (seq) WHERE relation = 'retracts';

      DROP VIEW logged;
      -- As it is read again, where seq is asked to be above the first place: a bound here would be the one that the planner goes by.
      CREATE VIEW logged AS
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, is_outgoing, state, error, conversation,
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
