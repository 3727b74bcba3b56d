// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Which friends come online while one looks on: not those who were there at the log-in, nor one whose connection comes and goes.
struct FriendArrivals {
  /// Bounded by the contacts.
  private var there: Set<JID> = []
  /// When they were last called for. Bounded by the contacts.
  private var called: [JID: MonotonicTime] = [:]
  private var begun: MonotonicTime?

  /// The server tells of everybody who is there.
  mutating func sessionBegan(at now: MonotonicTime) {
    there = []
    begun = now
  }

  /// Takes what is now known of a friend.
  mutating func isArrival(_ friend: JID, isThere: Bool, at now: MonotonicTime) -> Bool {
    guard isThere else {
      there.remove(friend)
      return false
    }
    guard there.insert(friend).inserted else { return false }
    if let begun, now - begun < CommandLimits.loginPresences { return false }
    if let last = called[friend], now - last < CommandLimits.sameFriendOnline { return false }
    called[friend] = now
    return true
  }
}
