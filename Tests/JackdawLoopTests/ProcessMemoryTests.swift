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

  @Test("is given back as far as it is free or a file's, and all goes on")
  func isGivenBack() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // Everything from here on uses what was unmapped.
      guard let before = residentFilePages() else { exit(1) }
      ProcessMemory.giveBack()
      guard let after = residentFilePages(), after < before / 2 else { exit(2) }
      let words = (0..<1_000).map { "word \($0)" }.sorted()
      exit(words.first == "word 0" && words.count == 1_000 ? 7 : 3)
    }
  }
}

/// How much of files and shared memory this process has in its memory (proc(5), `statm`); nil: the kernel does not say.
private func residentFilePages() -> Int? {
  guard let file = fopen("/proc/self/statm", "r") else { return nil }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard fgets(&line, 256, file) != nil else { return nil }
  let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
    separator: " ")
  return words.count > 2 ? Int(words[2]) : nil
}
