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
      """)
}
