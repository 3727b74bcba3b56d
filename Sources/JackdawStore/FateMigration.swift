// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How far our messages are that the server may not have is what the outbox says of them: the log has each as what it is to be, so that it
/// need not be written anew when the server has it.
enum FateMigration {
  static let migration = Migration(
    number: 36,
    script: """
      -- 'waiting' or 'sent'. NULL: it was kept before, or by a program of before that still runs, and the log says that.
      ALTER TABLE outbox ADD COLUMN state TEXT;
      -- What stands there is open, whatever else is known of it.
      DELETE FROM outbox WHERE EXISTS (SELECT 1 FROM message WHERE seq = outbox.message AND is_open = 0);
      DROP VIEW logged;
      -- As it is read again, where seq is asked to be above the first place: the planner would go by a bound here.
      CREATE VIEW logged AS
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, is_outgoing,
          CASE WHEN is_outgoing = 1 THEN ifnull(
            (SELECT outbox.state FROM outbox WHERE outbox.message = message.seq),
            CASE WHEN state IN ('server', 'delivered')
                AND seq <= ifnull((SELECT seen FROM conversation WHERE name = message.conversation), 0)
              THEN 'displayed' ELSE state END) END AS state,
          error, conversation,
          is_outgoing = 0 AND relation IS NULL
            AND seq > ifnull((SELECT read FROM conversation WHERE name = message.conversation), 0) AS is_unread,
          relation, refers, reactions, reply_to, quote,
          -- It is shown at the message that it is about: the same sender's, for a correction not written long before. What failed
          -- changes nothing there, and is shown nowhere where that message has failed, too, and it has no text of its own.
          CASE
            WHEN refers IS NULL OR relation = 'uncounted' THEN 0
            WHEN is_outgoing = 1 AND message.state IS 'failed' THEN relation <> 'replaces' AND EXISTS (
              SELECT 1 FROM message AS original INDEXED BY message_stanza
              WHERE original.stanza = message.refers AND original.conversation = message.conversation
                AND original.seq > -1099511627776 AND original.is_outgoing = 1 AND original.state IS 'failed')
            WHEN relation <> 'replaces' THEN 1
            ELSE EXISTS (
              SELECT 1 FROM message AS original INDEXED BY message_stanza
              WHERE original.stanza = message.refers AND original.conversation = message.conversation
                AND original.seq > -1099511627776 AND original.is_outgoing = message.is_outgoing
                AND (message.kind <> 'groupchat' OR message.is_outgoing = 1 OR original.sender = message.sender)
                AND original.refers IS NULL AND abs(message.written - original.written) <= 86400000)
          END AS is_applied,
          payload
        FROM message;
      """)
}
