// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// Whose history a file has.
package enum ImportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// JSON Lines, as `history --export json` writes them.
  case json
  /// Profanity's chat logs, or its `chatlog.db`.
  case profanity
  /// Gajim's `logs.db`.
  case gajim
}
