// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// What work costs in processor time of the thread that does it: how busy the machine is makes no difference that counts.
package enum ProcessorTime {
  /// Milliseconds of one run.
  package static func milliseconds(of work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }

  /// Milliseconds, the least of three runs, or of fewer where that is less than enough.
  package static func least(enough: Double = 0, of work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<3 where least >= enough { least = min(least, try milliseconds(of: work)) }
    return least
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}
