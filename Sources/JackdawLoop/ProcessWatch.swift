// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSpawn
import Glibc

/// Hears that a process has ended that is no child of ours (pidfd_open(2)). Releasing the last reference ends the watch.
@Client package final class ProcessWatch {
  private let descriptor: Int32
  private var watch: DescriptorWatch?

  /// - Parameters:
  ///   - process: its id.
  ///   - onEnd: called once.
  /// - Returns: nil: there is no such process, or the system does not tell us.
  package init?(_ process: Int32, onEnd: @escaping @Client () -> Void) {
    let descriptor = process > 0 ? jackdaw_process_descriptor(process) : -1
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    watch = EventLoop.main.watch(descriptor, .readable) { [weak self] _ in
      // It stays readable.
      self?.watch?.cancel()
      onEnd()
    }
  }

  isolated deinit {
    watch?.cancel()
    close(descriptor)
  }
}
