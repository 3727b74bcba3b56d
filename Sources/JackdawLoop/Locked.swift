// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// A value that several threads use, one at a time: what the loop and its helpers hand each other, or any thread may be asked for.
///
/// Made of a POSIX mutex and not the standard library's `Mutex`, as the thread sanitizer knows nothing of the latter on
/// Linux and reports every use of it as a race. `@unchecked`, as the compiler does not know that the value is reached under the mutex alone.
package struct Locked<Value>: @unchecked Sendable {
  /// One allocation, whose address is the mutex's for life.
  private final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
    deinit {
      withUnsafeMutablePointers { mutex, value in
        pthread_mutex_destroy(mutex)
        _ = value.deinitialize(count: 1)
      }
    }
  }

  private let storage: ManagedBuffer<pthread_mutex_t, Value>

  /// With a mutex of its own.
  package init(_ value: sending Value) {
    storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
    storage.withUnsafeMutablePointers { mutex, element in
      pthread_mutex_init(mutex, nil)
      element.initialize(to: value)
    }
  }

  /// Runs `body` with the value, which nobody else has meanwhile; `body` must not ask for it again.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    storage.withUnsafeMutablePointers { mutex, value in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&value.pointee)
    }
  }
}
