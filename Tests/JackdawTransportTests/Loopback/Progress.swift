// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Lets a test wait until something is so. Whoever changes anything says so with ``happened()``.
@Client final class Progress {
  struct TimedOut: Error, CustomStringConvertible {
    var what: String
    var description: String { "it never happened that \(what)" }
  }

  /// Far more than anything on loopback takes: only a test that fails waits this long.
  private static let patience: Duration = .seconds(180)
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func happened() {
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until `condition` holds.
  func until(_ what: String, _ condition: @Client () -> Bool) async throws(TimedOut) {
    var isLate = false
    let timer = EventLoop.main.schedule(after: Self.patience) { [weak self] in
      isLate = true
      self?.happened()
    }
    defer { timer.cancel() }
    while !condition() {
      guard !isLate else { throw TimedOut(what: what) }
      await withCheckedContinuation { waiters.append($0) }
    }
  }
}
