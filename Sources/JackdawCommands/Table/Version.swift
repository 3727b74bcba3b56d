// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// What `jackdaw --version` says.
package enum Version {
  /// Semantic version of the program, told to others too (XEP-0092).
  package static let number = Software.own.version
  /// The line that `--version` prints, without its newline.
  package static let text = "jackdaw \(number)"
}
