// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Whom we have asked to be friends, and who has not asked in their turn.
enum InvitationMigration {
  static let migration = Migration(
    number: 29,
    script: """
      CREATE TABLE invited (
        jid TEXT PRIMARY KEY
      ) STRICT, WITHOUT ROWID;
      INSERT INTO invited (jid) SELECT jid FROM roster_item WHERE ask AND subscription = 'none';
      """)
}
