// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Testing

@Suite("The memory of the process") struct ProcessMemoryTests {
  @Test("is not dumped")
  func isPrivate() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var limit = rlimit()
      guard ProcessMemory.keepPrivate(), getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0,
        limit.rlim_cur == 0, limit.rlim_max == 0
      else { exit(1) }
      exit(7)
    }
  }
}
