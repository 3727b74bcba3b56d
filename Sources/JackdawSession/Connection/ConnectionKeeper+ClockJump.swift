// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension ConnectionKeeper {
  /// Notices that the machine slept: the clock of the deadlines stands still meanwhile, and the peers' do not.
  package struct ClockJump: Sendable {
    private var last: Duration?

    package init() {}

    /// The clocks were read just now.
    /// - Parameter suspendedTime: how long the machine has slept altogether (``LoopClock/suspendedTime``).
    /// - Returns: whether it has since the last call.
    package mutating func noted(_ suspendedTime: Duration) -> Bool {
      defer { last = suspendedTime }
      return last.map { suspendedTime - $0 > ConnectionKeeperLimits.clockTolerance } ?? false
    }
  }
}
