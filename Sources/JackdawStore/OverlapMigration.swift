// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// From where on the archive is read once more.
enum OverlapMigration {
  static let migration = Migration(
    number: 34,
    script: """
      -- Behind this id of the archive lies all that may have been overtaken by what has the id in mark; NULL: the messages tell.
      ALTER TABLE archive ADD COLUMN overlap TEXT;
      """)
}
