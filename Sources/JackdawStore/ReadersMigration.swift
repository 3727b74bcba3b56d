// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// When each reader was last there, as nothing waits for one that never comes again; and what the server was told of.
enum ReadersMigration {
  static let migration = Migration(
    number: 32,
    script: """
      -- Milliseconds since 1970: when it was last presented something, or asked for it; 0: never.
      ALTER TABLE cursor ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
      -- Of those that have been there nobody knows when.
      UPDATE cursor SET used = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE consumer <> 'screen' OR seq > 0;
      CREATE TABLE acknowledged (
        -- The number of the program.
        owner INTEGER PRIMARY KEY,
        -- Up to there the server was told at the end of a run that it has all that it logged.
        seq INTEGER NOT NULL
      ) STRICT;
      """)
}
