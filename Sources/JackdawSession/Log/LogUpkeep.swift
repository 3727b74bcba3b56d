// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// What a program that remains online does for the log while nothing else is to be done: what came is made findable, and what is not to be kept
/// is removed. What was answered on another device counts as read.
@Client package final class LogUpkeep {
  /// What is done next.
  private enum Work {
    /// First: what is not to be kept at all leaves the less behind when it was never in the index.
    case expire
    /// What was removed leaves no trace.
    case purge
    case index
  }

  private enum State {
    /// All is done.
    case idle
    /// Messages have come, the first and the last of them then.
    case resting(since: MonotonicTime, last: MonotonicTime)
    /// The work is under way. What comes meanwhile may not be part of it.
    case working(isAgain: Bool)
  }

  private let log: any MessageLog
  private let clock: any LoopClock
  private let rule: @Client () -> RetentionRule
  private var state = State.idle
  private var timer: LoopTimer?
  private var arrivals: Subscription?

  /// Begins some seconds from now, and again when messages came and none has come for so long; or, where they do not cease, a minute after
  /// the first.
  /// - Parameter rule: what is kept, asked each time.
  package init(
    _ log: any MessageLog, events: EventBus, clock: any LoopClock, rule: @escaping @Client () -> RetentionRule
  ) {
    self.log = log
    self.clock = clock
    self.rule = rule
    arrivals = events.on(MessageArrived.self) { [weak self] message in
      if message.carbon == .sent, let place = message.place {
        // The store has reported its error.
        try? log.markRead(message.conversation, through: place.seq)
      }
      self?.messageCame()
    }
    messageCame()
  }

  private func messageCame() {
    switch state {
    case .idle: rest()
    // The timer that runs is set on when it fires: of thousands of messages each would set another.
    case .resting(let since, _): state = .resting(since: since, last: clock.now)
    case .working: state = .working(isAgain: true)
    }
  }

  private func rest() {
    let now = clock.now
    state = .resting(since: now, last: now)
    wait(until: now + SessionLimits.logRest)
  }

  private func wait(until end: MonotonicTime) {
    timer = clock.schedule(at: end) { [weak self] in self?.waited() }
  }

  private func waited() {
    guard case .resting(let since, let last) = state else { return }
    let end = min(last + SessionLimits.logRest, since + SessionLimits.logRestAtMost)
    guard clock.now >= end else { return wait(until: end) }
    state = .working(isAgain: false)
    go(on: .expire)
  }

  private func go(on work: Work) {
    // The store has reported its error; another program that has it locked may be doing the same.
    guard let next = try? next(after: work) else { return worked() }
    timer = clock.schedule(after: SessionLimits.logIndexPause) { [weak self] in self?.go(on: next) }
  }

  private func worked() {
    if case .working(isAgain: true) = state { return rest() }
    state = .idle
  }

  private func next(after work: Work) throws -> Work? {
    switch work {
    case .expire: try log.expire(rule()) > 0 ? .purge : .index
    case .purge: try log.purge() ? .purge : .expire
    case .index: try log.extendIndex(isWaitedFor: false) > 0 ? .index : nil
    }
  }
}
