// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What the server may not have is what the outbox has a row of: the index of the same, which each message of ours went into and out of
/// again, says nothing more.
enum OpenIndexMigration {
  static let migration = Migration(number: 35, script: "DROP INDEX message_open;")
}
