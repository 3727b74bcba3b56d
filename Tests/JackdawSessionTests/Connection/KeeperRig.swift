// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

@testable import JackdawSession

/// A keeper, the time in seconds, and a chance that always gives the same.
struct KeeperRig {
  var keeper: ConnectionKeeper
  var now = MonotonicTime(nanoseconds: 0)
  var chance: FixedChance

  /// - Parameters:
  ///   - chance: 0 for waits that are not shortened.
  ///   - timeout: for one log-in.
  init(_ policy: ConnectionKeeper.Policy = .interactive, chance: UInt64 = 0, timeout: Duration = .zero) {
    keeper = ConnectionKeeper(policy: policy, timeout: timeout)
    self.chance = FixedChance(value: chance)
  }

  /// A keeper that has just come online.
  static func online(_ policy: ConnectionKeeper.Policy = .interactive) -> KeeperRig {
    var rig = KeeperRig(policy)
    rig.tell(.started)
    rig.tell(.wentOnline(resumed: false))
    return rig
  }

  /// A keeper that has just come back, at once.
  static func resumed(_ policy: ConnectionKeeper.Policy = .interactive) -> KeeperRig {
    var rig = KeeperRig(policy)
    rig.tell(.started)
    rig.tell(.wentOnline(resumed: true))
    return rig
  }

  @discardableResult mutating func tell(_ input: ConnectionKeeper.Input) -> [ConnectionKeeper.Action] {
    keeper.handle(input, at: now, using: &chance)
  }

  mutating func pass(_ duration: Duration) { now = now + duration }

  /// Lets time go on to the next deadline.
  mutating func runToDeadline() -> [ConnectionKeeper.Action] {
    guard let deadline = keeper.nextDeadline else { return [] }
    now = max(now, deadline)
    return tell(.deadlinePassed)
  }

  /// How long it is to the next deadline, in milliseconds.
  var wait: Int64? {
    keeper.nextDeadline.map { Int64(($0 - now) / .milliseconds(1)) }
  }
}

struct FixedChance: RandomNumberGenerator {
  var value: UInt64
  func next() -> UInt64 { value }
}

extension ConnectionKeeper.Action {
  static func announce(
    _ state: ConnectionChanged.State, _ reason: String? = nil, retryIn: Double? = nil
  ) -> ConnectionKeeper.Action {
    .announce(ConnectionChanged(state: state, reason: reason, retryIn: retryIn))
  }
}
