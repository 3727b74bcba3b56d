// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// By which other threads, and signals, wake the loop. It is the first that the program needs descriptors for.
enum WakeUpPipe {
  /// EX_TEMPFAIL of sysexits.h: the process may have more another time.
  private static let temporaryFailure: Int32 = 75

  /// Both ends, which do not block and are no children's. Ends the program where there are no descriptors: without a loop there is nobody
  /// to tell that otherwise.
  static func open() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      let text = Array("jackdaw: Jackdaw cannot begin: \(String(cString: strerror(errno))).\n".utf8)
      _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      exit(temporaryFailure)
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }
}
