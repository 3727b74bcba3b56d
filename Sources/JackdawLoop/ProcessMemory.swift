// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CPrctl
import Glibc

/// The memory of this process, in which passwords and keys stand.
package enum ProcessMemory {
  /// Keeps it out of core dumps, and out of reach of the user's other programs (ptrace(2), `/proc/PID/mem`). Programs that are
  /// started from here are not affected.
  /// - Returns: whether the system does so.
  @discardableResult package static func keepPrivate() -> Bool {
    // The limit is not held to where dumps are handed to a program (core(5)).
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    return jackdaw_set_dumpable(0) == 0 && jackdaw_get_dumpable() == 0
  }

  /// Gives back what the process has needed and does not need now: free pieces of the heap, and the pages of program and libraries, which
  /// are read again, mostly from memory, where they are used again. For a process that is about to wait for long.
  package static func giveBack() {
    malloc_trim(0)
    jackdaw_drop_files()
  }
}
