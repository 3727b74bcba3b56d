// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// A thread of its own for work that waits in a system call. Dispatch has only so many: where a few hundred of them read from
/// programs, nobody would learn of the end of those that have ended.
enum BlockingThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs the work, and ends with it.
  static func run(_ body: @escaping @Sendable () -> Void) {
    var thread: pthread_t = 0
    let work = Unmanaged.passRetained(Work(body))
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    precondition(error == 0, "a thread cannot be made: \(error)")
    pthread_detach(thread)
  }
}
