// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Runs blocking calls beside the loop: on one thread, started when it is first needed, one call after the other.
///
/// A call cannot be interrupted. When its waiter gives up, the call is called abandoned; while it still blocks, another
/// thread takes over what waits behind it (see ``LoopLimits/helperThreads``), and the stuck thread leaves once it comes back.
final class HelperThreads: Sendable {
  private struct Call {
    var id: UInt64
    var body: @Sendable () -> Void
  }

  private struct State {
    var waiting = FIFO<Call>()
    var ids: UInt64 = 0
    var threads = 0
    /// Calls that run now and whose waiter has given up.
    var abandoned: Set<UInt64> = []
    /// Calls that run now.
    var running: Set<UInt64> = []

    /// Whether what waits needs one more thread: there is none, or all of them are stuck.
    var needsThread: Bool {
      !waiting.isEmpty && threads == abandoned.count && threads < LoopLimits.helperThreads
    }
  }

  private let state = Locked(State())
  /// Counts calls that were submitted. Semaphores are made for use by several threads.
  nonisolated(unsafe) private let submitted: UnsafeMutablePointer<sem_t>

  init() {
    submitted = .allocate(capacity: 1)
    sem_init(submitted, 0, 0)
  }

  deinit { preconditionFailure("the loop lives as long as the process, and so do its helpers") }

  /// Queues `body`; it runs on a helper thread.
  /// - Returns: the call's name for ``abandon(_:)``; nil when there is no thread and none can be started.
  func submit(_ body: @escaping @Sendable () -> Void) -> UInt64? {
    let id = state.withLock { state in
      state.ids += 1
      state.waiting.append(Call(id: state.ids, body: body))
      return state.ids
    }
    sem_post(submitted)
    startThreadIfNeeded()
    let isStranded = state.withLock { state in
      guard state.threads == 0 else { return false }
      state.waiting.removeAll { $0.id == id }
      return true
    }
    return isStranded ? nil : id
  }

  /// Nobody waits for this call any more: it is not begun, or, if it runs, no longer holds up the others.
  func abandon(_ id: UInt64) {
    state.withLock { state in
      if state.running.contains(id) {
        state.abandoned.insert(id)
      } else {
        state.waiting.removeAll { $0.id == id }
      }
    }
    startThreadIfNeeded()
  }

  private func startThreadIfNeeded() {
    let isNeeded = state.withLock { state in
      guard state.needsThread else { return false }
      state.threads += 1
      return true
    }
    guard isNeeded, !startThread() else { return }
    state.withLock { $0.threads -= 1 }
  }

  private func startThread() -> Bool {
    // Signals are for the thread of the loop: a handler here would interrupt the blocking call.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let helpers = Unmanaged.passRetained(self)
    let result = pthread_create(
      &thread, nil,
      { helpers in
        guard let helpers else { return nil }
        Unmanaged<HelperThreads>.fromOpaque(helpers).takeRetainedValue().work()
        return nil
      }, helpers.toOpaque())
    guard result == 0 else {
      helpers.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func work() {
    while true {
      while sem_wait(submitted) != 0 {}
      let next = state.withLock { state in
        let call = state.waiting.popFirst()
        if let call { state.running.insert(call.id) }
        return call
      }
      // The semaphore counts calls that were abandoned before they began, too.
      guard let next else { continue }
      next.body()
      let isReplaced = state.withLock { state in
        state.running.remove(next.id)
        // Another thread that is not stuck has taken this one's place.
        guard state.abandoned.remove(next.id) != nil, state.threads > state.abandoned.count + 1 else { return false }
        state.threads -= 1
        return true
      }
      if isReplaced { return }
    }
  }
}
