// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Hears that something has gone from a folder, or the folder itself (inotify(7)). Releasing the last reference ends the watch.
@Client package final class FolderWatch {
  private let descriptor: Int32
  private var watch: DescriptorWatch?

  /// - Parameters:
  ///   - folder: its path.
  ///   - onLoss: called once for all that has gone meanwhile; what that was is for the caller to see.
  /// - Returns: nil: there is no such folder, or the system does not tell us.
  package init?(_ folder: String, onLoss: @escaping @Client () -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    let losses = UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    guard inotify_add_watch(descriptor, folder, losses) >= 0 else {
      close(descriptor)
      return nil
    }
    watch = EventLoop.main.watch(descriptor, .readable) { _ in
      Self.skip(descriptor)
      onLoss()
    }
  }

  isolated deinit {
    watch?.cancel()
    close(descriptor)
  }

  /// What has not been read after this is told in the loop's next turn.
  private static func skip(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: LoopLimits.folderChanges, alignment: MemoryLayout<UInt32>.alignment) {
      _ = read(descriptor, $0.baseAddress, $0.count)
    }
  }
}
