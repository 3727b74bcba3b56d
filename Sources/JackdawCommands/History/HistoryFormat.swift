// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// The form in which history is written for a file.
package enum HistoryFormat: String, CaseIterable, Sendable {
  /// The lines that are shown, each with its date.
  case text
  /// JSON Lines, as `--json` has them.
  case json
  /// A page that stands alone.
  case html
}

extension HistoryFormat: ExpressibleByArgument {}
