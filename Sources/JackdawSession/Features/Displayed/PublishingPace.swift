// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// When it is published what was read: a moment after the first of it, so that reading line by line costs one publication, and never
/// before it is known what the other devices published. A value: it is told what happened and says what to do.
struct PublishingPace: Sendable, Equatable {
  /// What to do.
  enum Action: Sendable, Equatable {
    case nothing
    /// Tell ``timerFired()`` after ``FeatureLimits/displayedDelay``.
    case startTimer
    /// Publish what there is, then tell ``published(isComplete:)`` or ``close()``.
    case publish
  }

  private enum State: Equatable {
    /// Nothing may be published: there is no stream, or what stands there is not known, or the server takes nothing.
    case closed
    /// All is published.
    case idle
    /// Something was read, and the timer runs.
    case waiting
    /// Something may have been read since this began.
    case publishing(isMarkedAgain: Bool)
  }

  private var state = State.closed
  /// Nothing waits for a timer any more.
  private var isLeaving = false

  /// It is known what the other devices published: what was read before, by an earlier run for one, is due.
  mutating func open() -> Action {
    guard state == .closed else { return .nothing }
    return publish()
  }

  /// Something was read.
  mutating func marked() -> Action {
    switch state {
    case .closed, .waiting: return .nothing
    case .publishing:
      state = .publishing(isMarkedAgain: true)
      return .nothing
    case .idle:
      state = .waiting
      return .startTimer
    }
  }

  /// The timer fired.
  mutating func timerFired() -> Action {
    switch state {
    case .waiting: publish()
    case .closed, .idle, .publishing: .nothing
    }
  }

  /// What there was is published.
  /// - Parameter isComplete: false: there is more.
  mutating func published(isComplete: Bool) -> Action {
    switch state {
    case .publishing(let isMarkedAgain):
      guard isMarkedAgain || !isComplete else {
        state = .idle
        return .nothing
      }
      if isLeaving { return publish() }
      state = .waiting
      return .startTimer
    case .closed, .idle, .waiting: return .nothing
    }
  }

  /// The session is left: what there is is published now.
  mutating func leave() -> Action {
    isLeaving = true
    switch state {
    case .closed: return .nothing
    case .idle, .waiting: return publish()
    case .publishing: return marked()
    }
  }

  /// The stream is gone, or the server takes nothing on it.
  mutating func close() { state = .closed }

  private mutating func publish() -> Action {
    state = .publishing(isMarkedAgain: false)
    return .publish
  }
}
