// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// Cancels a piece of work that takes too long.
@Client final class TimeLimit {
  let duration: Duration
  private let clock: any LoopClock
  private let spared: @Client () -> Duration
  private var timer: LoopTimer?
  /// When it began, and what had been spared by then.
  private var beginning: (time: MonotonicTime, spared: Duration)?
  private var cancelWork: (@Client () -> Void)?
  /// Whether the work was cancelled for it.
  private(set) var hasPassed = false

  /// - Parameter spared: how much time has been that does not count, as a person was asked for something; it may grow.
  init(_ duration: Duration, clock: any LoopClock, spared: @escaping @Client () -> Duration = { .zero }) {
    self.duration = duration
    self.clock = clock
    self.spared = spared
  }

  /// The time begins; once is enough.
  func begin() {
    guard timer == nil, !hasPassed else { return }
    beginning = (clock.now, spared())
    wait(duration, spared())
  }

  /// How much of the time is left.
  var left: Duration {
    guard let beginning else { return duration }
    return duration + (spared() - beginning.spared) - (clock.now - beginning.time)
  }

  /// - Parameter known: what had been spared when this time began.
  private func wait(_ time: Duration, _ known: Duration) {
    timer = clock.schedule(after: time) { [weak self] in self?.timeIsOver(known) }
  }

  private func timeIsOver(_ known: Duration) {
    let now = spared()
    guard now <= known else { return wait(max(now - known, ConnectionKeeperLimits.shortestExtension), now) }
    hasPassed = true
    cancelWork?()
  }

  /// What is left to do waits for somebody who may take any time.
  func lift() { timer = nil }

  /// Does the work; it is cancelled when the time has passed, or with the calling task.
  /// - Throws: what it throws.
  func run<Value: Sendable>(_ work: @escaping @Client () async throws -> Value) async throws -> Value {
    let task: Task<Value, any Error> = EventLoop.main.start(work)
    cancelWork = { task.cancel() }
    defer {
      cancelWork = nil
      timer = nil
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

extension Duration {
  /// In seconds, for a sentence: `30 s`, `0.5 s`.
  var inSeconds: String {
    let (seconds, attoseconds) = components
    guard attoseconds != 0 else { return "\(seconds) s" }
    return "\(Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1_000) s"
  }
}
