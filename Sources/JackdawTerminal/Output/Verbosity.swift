// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much is said: `-q`, nothing, `-v`.
package enum Verbosity: Int, Sendable, Comparable {
  case quiet, normal, verbose

  package static func < (left: Verbosity, right: Verbosity) -> Bool { left.rawValue < right.rawValue }
}
