// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CLoader
import Glibc

/// The program and its libraries as the kernel maps them: a page of code or constants stays mapped once it was used, and
/// the kernel maps 64 KB around each. What only a beginning used is most of what a short command would have at its end.
package enum LoadedFiles {
  /// Has the kernel unmap all pages of code and constants; those used again are mapped anew from its cache. Takes a
  /// millisecond with that, so it is for the end of a phase: the start, a handshake.
  ///
  /// Does nothing in a process that is traced: a debugger's breakpoints are changes of such pages, and would be lost.
  package static func giveBackPages() {
    guard !isTraced else { return }
    jackdaw_give_back_loaded_pages()
  }

  /// True where it is not known.
  private static var isTraced: Bool {
    let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: LoopLimits.processStatus + 1) { buffer in
      let count = read(file, buffer.baseAddress, LoopLimits.processStatus)
      buffer[max(count, 0)] = 0
      return buffer.baseAddress.flatMap { strstr($0, "\nTracerPid:\t0\n") } == nil
    }
  }
}
