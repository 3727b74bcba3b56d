// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// What the system has none of at the moment, and may have again.
package enum SystemShortage {
  /// Whether a call failed as there is no descriptor or no memory left, which says nothing of what it was about.
  /// - Parameter number: the system's error number, of the C library's `errno.h`.
  package static func isNamed(by number: Int32) -> Bool { [EMFILE, ENFILE, ENOMEM].contains(number) }
}
