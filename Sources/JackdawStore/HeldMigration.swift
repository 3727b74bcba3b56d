// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Messages that waited for their place, before they were rows of the log (``LogMigration``).
enum HeldMigration {
  static let migration = Migration(
    number: 8,
    script: """
      CREATE TABLE held (
        id INTEGER PRIMARY KEY,
        -- The number of the program that got it.
        owner INTEGER NOT NULL,
        sender TEXT NOT NULL,
        recipient TEXT NOT NULL,
        -- Its attribute id, and whether it names no other message.
        stanza TEXT,
        is_unique INTEGER NOT NULL,
        -- What is said to be its id in our server's archive.
        archive TEXT,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        -- Milliseconds since 1970: when it was written, as far as known.
        time INTEGER NOT NULL,
        -- The server gave it out of what it keeps.
        is_late INTEGER NOT NULL,
        carbon TEXT
      ) STRICT;
      """)
}
