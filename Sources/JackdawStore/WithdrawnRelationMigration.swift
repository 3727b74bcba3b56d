// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What one of ours was to change in another of ours that nobody got, as when the two were withdrawn together.
enum WithdrawnRelationMigration {
  static let migration = Migration(
    number: 33,
    script: """
      DROP VIEW logged;
      -- As it is read again, where seq is asked to be above the first place: the planner would go by a bound here.
      CREATE VIEW logged AS
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, is_outgoing,
          CASE WHEN state IN ('server', 'delivered')
              AND seq <= ifnull((SELECT seen FROM conversation WHERE name = message.conversation), 0)
            THEN 'displayed' ELSE state END AS state,
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
