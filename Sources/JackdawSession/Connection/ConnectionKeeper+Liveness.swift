// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Signs of life: the server's and the user's.
extension ConnectionKeeper {
  // MARK: The server's

  /// Whatever comes proves that the link carries bytes both ways, for a server without our acknowledgements soon falls
  /// silent. But what lay in the kernel's buffer while we slept proves nothing, so a question that is open stays open: the
  /// answer may take ``ConnectionKeeperLimits/answerTime`` from the last bytes on.
  mutating func noteTraffic(at now: MonotonicTime, answersHeartbeat: Bool) -> [Action] {
    switch state {
    case .idle, .connecting, .waiting, .gaveUp, .quitting: break
    case .online(var link):
      link.lastTraffic = max(link.lastTraffic, now)
      if answersHeartbeat { (link.askedAt, link.proofTime) = (nil, nil) }
      state = .online(link)
    }
    return []
  }

  /// A log-in takes several answers of the server: one more will not take longer than all of them did.
  func proofTime(afterLoginOf duration: Duration) -> Duration {
    min(max(duration, ConnectionKeeperLimits.shortestProof), ConnectionKeeperLimits.answerTime)
  }

  func heartbeatDeadline(of link: Link) -> MonotonicTime {
    if let askedAt = link.askedAt {
      let lastSign = max(askedAt, link.lastTraffic)
      guard let proofTime = link.proofTime else { return lastSign + ConnectionKeeperLimits.answerTime }
      return min(lastSign + proofTime, askedAt + ConnectionKeeperLimits.longestProof)
    }
    let silence = userIsActive ? ConnectionKeeperLimits.silence : ConnectionKeeperLimits.silenceWhenInactive
    return link.lastTraffic + silence
  }

  mutating func checkLink(
    _ link: Link, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let deadline = heartbeatDeadline(of: link)
    guard now >= deadline else { return [] }
    if link.askedAt == nil || now - deadline > ConnectionKeeperLimits.lateness { return probe(at: now) }
    return [.drop] + end(.mayRetry("The server does not answer any more."), at: now, using: &generator)
  }

  /// Asks at once whether the link still stands, or, without one, tries soon.
  mutating func probe(at now: MonotonicTime) -> [Action] {
    switch state {
    case .idle, .connecting, .gaveUp, .quitting: return []
    case .waiting(let wait): return shorten(wait, at: now)
    case .online(var link):
      // Waking up is told by several at once.
      if let askedAt = link.askedAt, now - askedAt < ConnectionKeeperLimits.probePause { return [] }
      link.askedAt = now
      state = .online(link)
      return [.sendHeartbeat]
    }
  }

  // MARK: The user's

  mutating func becomeActive(at now: MonotonicTime) -> [Action] {
    lastUserAction = now
    guard !userIsActive else { return [] }
    userIsActive = true
    return isOnline ? [.sendActive] : []
  }

  mutating func becomeInactive() -> [Action] {
    guard userIsActive else { return [] }
    userIsActive = false
    return isOnline ? [.sendInactive] : []
  }

  /// When the user will count as away; nil when they do already, or are not watched.
  var idleDeadline: MonotonicTime? {
    guard policy.watchesIdleness, userIsActive else { return nil }
    return lastUserAction.map { $0 + ConnectionKeeperLimits.idleness }
  }

  mutating func checkIdleness(at now: MonotonicTime) -> [Action] {
    guard let idleDeadline, now >= idleDeadline else { return [] }
    return becomeInactive()
  }
}
