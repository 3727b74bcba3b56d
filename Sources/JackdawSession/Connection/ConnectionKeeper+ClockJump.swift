// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

extension ConnectionKeeper {
  /// Notices that the machine slept: the monotonic clock stands still meanwhile, a clock that counts sleep does not.
  package struct ClockJump: Sendable {
    private var last: (monotonic: MonotonicTime, counting: MonotonicTime)?

    package init() {}

    /// Both clocks were read just now.
    /// - Parameter counting: a clock that goes on through sleep (`CLOCK_BOOTTIME`), or the time of day.
    /// - Returns: how long the machine slept since the last call; nil when it did not. A time of day that was set back
    ///   or forward counts as well: one heartbeat too many does no harm.
    package mutating func noted(monotonic: MonotonicTime, counting: MonotonicTime) -> Duration? {
      defer { last = (monotonic, counting) }
      guard let last else { return nil }
      let drift = (counting - last.counting) - (monotonic - last.monotonic)
      let size = drift < .zero ? .zero - drift : drift
      return size > ConnectionKeeperLimits.clockTolerance ? size : nil
    }
  }
}
