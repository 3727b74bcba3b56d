// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Whether the log takes what is to be in it. Another program of the account may have it locked for a moment.
@Client enum LogAccess {
  case free
  /// It is tried again when the timer fires, and not waited for any longer than until `end`.
  case locked(until: MonotonicTime, LoopTimer)
  /// It was locked, and is tried at present.
  case trying(until: MonotonicTime)
  /// It has been locked for too long, or the session is over: it is done without, until it takes something.
  case givenUp

  /// It is not to be tried before the timer fires.
  var isLocked: Bool { if case .locked = self { true } else { false } }

  /// It turned out to be locked.
  /// - Parameter again: is called when it is to be tried again, ``SessionLimits/logPause`` from now.
  /// - Returns: false when it has been so for ``CoreContext/logPatience``.
  mutating func isLocked(_ core: CoreContext, again: @escaping @Client () -> Void) -> Bool {
    let clock = core.clock
    let end: MonotonicTime
    switch self {
    case .free: end = clock.now + core.logPatience
    case .locked(let until, _), .trying(let until): end = until
    case .givenUp: return false
    }
    guard clock.now < end else {
      self = .givenUp
      return false
    }
    self = .locked(until: end, clock.schedule(after: SessionLimits.logPause, again))
    return true
  }

  mutating func isTriedAgain() {
    if case .locked(let end, _) = self { self = .trying(until: end) }
  }
}

/// Something cannot be done before the log is unlocked.
struct LogIsLocked: StoreFailure {
  let isBusy = true
  var description: String { "The log is locked by another program." }
}

extension CoreContext {
  /// How long a locked log is waited for: what waits for it has to be done within `--timeout`.
  var logPatience: Duration { min(SessionLimits.logPatience, timeout / 2) }

  /// Does what needs the log, again and again while another program has it locked, for ``logPatience`` at most.
  /// - Throws: what `work` does; `CancellationError`.
  func patiently<Result>(_ work: () throws -> Result) async throws -> Result {
    let end = clock.now + logPatience
    while true {
      do {
        return try work()
      } catch let error as any StoreFailure where error.isBusy && clock.now < end {
        try await clock.sleep(for: SessionLimits.logPause)
      }
    }
  }
}
