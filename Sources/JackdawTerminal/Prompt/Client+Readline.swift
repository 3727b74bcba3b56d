// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

extension Client {
  /// Calls `body` from a C callback, which knows no isolation. Readline calls back only from within calls that the prompt
  /// made, on the loop's thread; anything else traps.
  static func assumeIsolated<Result>(_ body: @Client () -> Result) -> Result {
    shared.preconditionIsolated()
    return withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Result).self)() }
  }
}
