// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Synchronization

// A signal handler may touch nothing that locks or allocates, so what it needs is in these two globals. Both are
// initialised before the first handler is installed.

/// Signals that came and were not dealt with yet: bit n - 1 for signal n.
private let pendingSignals = Atomic<UInt64>(0)

/// Where the handler writes a byte to end the loop's wait. Written once, before the first handler is installed.
nonisolated(unsafe) private var signalWakeUp: Int32 = -1

private func signalArrived(_ signal: Int32) {
  let interrupted = errno
  pendingSignals.bitwiseOr(1 << UInt64(signal - 1), ordering: .sequentiallyConsistent)
  var byte: UInt8 = 0
  // A full pipe is as good: the loop wakes up.
  _ = write(signalWakeUp, &byte, 1)
  errno = interrupted
}

/// Signals as they are known without the loop, for what holds it up.
package enum PendingSignals {
  /// Whether one came that is watched, that asks the program to end, and that the loop has not dealt with yet: nothing else is to be waited
  /// for then.
  package static var askToEnd: Bool {
    let bits = pendingSignals.load(ordering: .relaxed)
    return [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains { bits & (1 << UInt64($0 - 1)) != 0 }
  }
}

/// The watched signals and what they did before.
struct SignalTable {
  private struct Watched {
    let signal: Int32
    var previous: sigaction
    /// In the order of watching.
    var handlers: [(id: UInt64, handler: @Client () -> Void)]
  }

  /// Few: a dictionary of them would take longer to be made, as its type is, than all else of a watch.
  private var watched: [Watched] = []
  private var ids: UInt64 = 0

  init(wakeUp: Int32) {
    signalWakeUp = wakeUp
    pendingSignals.store(0, ordering: .relaxed)
  }

  mutating func insert(_ signal: Int32, _ handler: @escaping @Client () -> Void) -> UInt64 {
    precondition((1...64).contains(signal), "no such signal")
    ids += 1
    guard let index = index(of: signal) else {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = signalArrived
      action.sa_flags = SA_RESTART
      var previous = sigaction()
      let result = sigaction(signal, &action, &previous)
      precondition(result == 0, "a signal that cannot be caught")
      Self.unblock(signal)
      watched.append(Watched(signal: signal, previous: previous, handlers: [(ids, handler)]))
      return ids
    }
    watched[index].handlers.append((ids, handler))
    return ids
  }

  /// Whoever started this process may have blocked it, which a program inherits (execve(2)): it would never come.
  private static func unblock(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private func index(of signal: Int32) -> Int? { watched.firstIndex { $0.signal == signal } }

  /// Returns the handler, so that the caller releases it when the table is whole again.
  mutating func remove(_ id: UInt64, of signal: Int32) -> (@Client () -> Void)? {
    guard let entry = index(of: signal), let index = watched[entry].handlers.firstIndex(where: { $0.id == id }) else {
      return nil
    }
    let removed = watched[entry].handlers.remove(at: index)
    if watched[entry].handlers.isEmpty {
      var ended = watched.remove(at: entry)
      sigaction(signal, &ended.previous, nil)
    }
    return removed.handler
  }

  /// Whether a signal waits for ``takePending()``.
  var hasPending: Bool { pendingSignals.load(ordering: .relaxed) != 0 }

  /// The signals that came since the last call, lowest number first.
  func takePending() -> [Int32] {
    let bits = pendingSignals.exchange(0, ordering: .sequentiallyConsistent)
    return (Int32(1)...64).filter { bits & (1 << UInt64($0 - 1)) != 0 }
  }

  /// The watches of `signal` at this moment.
  func watches(of signal: Int32) -> [UInt64] { index(of: signal).map { watched[$0].handlers.map(\.id) } ?? [] }

  /// The handler of one watch; nil when it has ended.
  func handler(_ id: UInt64, of signal: Int32) -> (@Client () -> Void)? {
    index(of: signal).flatMap { watched[$0].handlers.first { $0.id == id }?.handler }
  }
}
