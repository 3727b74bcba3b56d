// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

extension DatabaseFile {
  /// Why the file could not be opened. SQLite takes it for another program's lock, or for a disk that fails, where the file system has no locks
  /// at all, as NFS without its lock daemon.
  /// - Parameter lackOfLocks: what the system says of locks beside a path, as an errno; nil: that there are.
  @Client func explained(
    _ error: DatabaseError, lackOfLocks: @Client (String) -> Int32? = Instances.lackOfLocks
  ) -> DatabaseError {
    guard [.busy, .inputOutput].contains(error.code.primary), let path = existingPath, let reason = lackOfLocks(path)
    else { return error }
    return DatabaseError(
      code: .noLocks,
      message: "files in '\(directory)' cannot be locked (\(String(cString: strerror(reason)))); "
        + "--data-dir names a folder of a file system where they can")
  }
}
