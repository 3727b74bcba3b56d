// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A moment on the monotonic clock: nanoseconds since an arbitrary start. Never goes back, says nothing of the date.
///
/// Arithmetic saturates, so that a delay of absurd length (a number that a peer sent) means "never" instead of a trap.
package struct MonotonicTime: Comparable, Hashable, Sendable {
  /// Since the clock's arbitrary start; `Int64.max` stands for never.
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The moment `duration` after `time`, before it where that is negative; fractions of a nanosecond are dropped.
  package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    let (seconds, attoseconds) = duration.components
    let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let past = seconds < 0 || attoseconds < 0
    guard !whole.overflow else { return MonotonicTime(nanoseconds: past ? .min : .max) }
    let length = whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !length.overflow else { return MonotonicTime(nanoseconds: past ? .min : .max) }
    let sum = time.nanoseconds.addingReportingOverflow(length.partialValue)
    return MonotonicTime(nanoseconds: sum.overflow ? (past ? .min : .max) : sum.partialValue)
  }

  /// The time from `earlier` to `later`, negative when they are the other way round.
  package static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
    let difference = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    guard difference.overflow else { return .nanoseconds(difference.partialValue) }
    return .nanoseconds(later < earlier ? Int64.min : .max)
  }
}
