// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The descriptors 0, 1 and 2, which a shell's `>&-` leaves closed.
enum StandardDescriptors {
  /// Puts something in the place of those that are closed, so that no socket and no file gets their number and is taken for
  /// them. What is there fails when it is used: stdin cannot be read, nor the others written.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number: this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
