// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What becomes of our own entry when somebody ends the friendship from their side (RFC 6121 3.2.1 and 3.3.1).
package enum WhenRemoved: String, Sendable, CaseIterable {
  /// The entry stays as the server leaves it.
  case keep
  /// The entry goes too, and with it what is left of either subscription.
  case remove
  /// The entry stays, and the user is told the command that removes it.
  case ask
}
