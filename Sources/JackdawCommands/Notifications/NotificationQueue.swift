// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// For what of all that happens the user is called, and when. A value: events come in, calls are drained.
///
/// The first is made at once; what follows within ``CommandLimits/notificationPause`` is gathered, a call for each person. What was
/// stored while the user was away is gathered from the first on, since another device may be about to say that it was read there.
struct NotificationQueue {
  /// One call for all that is new of one person.
  struct Call {
    var kind: NotificationSettings.Kind
    var person: JID
    /// The last of what happened.
    var event: any ClientEvent
    var count: Int
    /// The bell rings for some of it.
    var rings: Bool
  }

  /// When ``drain(at:)`` is to be called.
  enum Due: Equatable {
    case now
    case after(Duration)
    /// It is coming up already, or there is nothing.
    case asBefore
  }

  private struct Key: Hashable {
    var kind: NotificationSettings.Kind
    var person: JID
  }

  /// Bounded by ``CommandLimits/notificationsGathered``.
  private var calls: [Call] = []
  /// Bounded by ``CommandLimits/notificationsGathered``.
  private var places: [Key: Int] = [:]
  private var lastCall: MonotonicTime?
  private var isScheduled = false

  /// - Parameters:
  ///   - isLate: it was stored on the way.
  ///   - rings: the bell rings for it.
  mutating func add(
    _ event: any ClientEvent, _ kind: NotificationSettings.Kind, of person: JID, isLate: Bool, rings: Bool,
    at now: MonotonicTime
  ) -> Due {
    let key = Key(kind: kind, person: person)
    if let place = places[key] {
      calls[place].event = event
      calls[place].count += 1
      calls[place].rings = calls[place].rings || rings
    } else {
      guard calls.count < CommandLimits.notificationsGathered else { return .asBefore }
      places[key] = calls.count
      calls.append(Call(kind: kind, person: person, event: event, count: 1, rings: rings))
    }
    guard !isScheduled else { return .asBefore }
    isScheduled = true
    let rest = lastCall.map { CommandLimits.notificationPause - (now - $0) } ?? .zero
    let wait = isLate ? max(rest, CommandLimits.notificationPause) : rest
    return wait > .zero ? .after(wait) : .now
  }

  /// What is to be called for now.
  mutating func drain(at now: MonotonicTime) -> [Call] {
    defer { (calls, places, isScheduled) = ([], [:], false) }
    lastCall = now
    return calls
  }
}
