// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// A place at the server, a resource or a stream to go on with, that was asked for on a connection which ended before the
/// answer.
///
/// A server may get round to such a request when our next connection has the place already. It then gives the place to the
/// connection that is dead, and throws the living one out with `conflict`, as if somebody else had come (seen with ejabberd
/// 23.01, whose processes wait for each other when it is busy). A value: what happened goes in with its moment.
struct PlaceLeftOpen: Sendable {
  private var since: MonotonicTime?

  /// A connection ended that was waiting for a place.
  mutating func wasLeft(at now: MonotonicTime) { since = now }

  /// Whether the server may still give it.
  func isOpen(at now: MonotonicTime) -> Bool {
    guard let since else { return false }
    return now - since <= SessionLimits.placeLeftOpen
  }

  /// Whether a conflict is our own doing. It explains one conflict only: where somebody else wants the same place, the next
  /// one is the end, and nobody throws anybody out for ever.
  mutating func explainsConflict(at now: MonotonicTime) -> Bool {
    defer { since = nil }
    return isOpen(at: now)
  }
}
