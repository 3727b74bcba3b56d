// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop

/// Coming and going: tries, waits, redirections, giving up.
extension ConnectionKeeper {
  mutating func start(at now: MonotonicTime) -> [Action] {
    switch state {
    case .idle: connect(at: now)
    case .connecting, .online, .waiting, .gaveUp, .quitting: []
    }
  }

  mutating func connect(to endpoint: HostPort? = nil, at now: MonotonicTime) -> [Action] {
    state = .connecting(since: now)
    return [.announce(ConnectionChanged(state: .connecting)), .connect(endpoint)]
  }

  mutating func goOnline(resumed: Bool, at now: MonotonicTime) -> [Action] {
    guard case .connecting(let start) = state else { return [] }
    // A server that resumes a stream and then does nothing with what we say (Prosody 0.12 may go on with half a stanza of
    // before the cut) is to be found out soon.
    state = .online(
      Link(
        since: now, lastTraffic: now, askedAt: resumed ? now : nil,
        proofTime: resumed ? proofTime(afterLoginOf: now - start) : nil))
    hasBeenOnline = true
    if lastUserAction == nil { lastUserAction = now }
    let announcement = Action.announce(ConnectionChanged(state: resumed ? .resumed : .online))
    // A server takes every new stream, and every resumed one, for active (XEP-0352 5).
    return [announcement] + (userIsActive ? [] : [.sendInactive]) + (resumed ? [.sendHeartbeat] : [])
  }

  mutating func end(
    _ ending: Ending, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch state {
    case .idle, .waiting, .gaveUp: return []
    case .quitting: return [.announce(ConnectionChanged(state: .offline))]
    case .connecting: break
    case .online(let link): forgetTroubles(ifStable: link, at: now)
    }
    switch ending {
    case .mayRetry(let reason) where hasBeenOnline || policy.retriesFirstConnect,
      .unverified(let reason) where hasBeenOnline || policy.retriesFirstConnect:
      let delay = nextDelay(after: ending, using: &generator)
      state = .waiting(Wait(since: now, until: now + delay))
      return [.announce(ConnectionChanged(state: .retrying, reason: reason, retryIn: delay / .seconds(1)))]
    case .mayRetry, .unverified, .final:
      state = .gaveUp
      return [.announce(ConnectionChanged(state: .offline, reason: ending.reason)), .giveUp(ending)]
    }
  }

  mutating func redirect(
    to endpoint: HostPort, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch state {
    case .idle, .waiting, .gaveUp, .quitting: return []
    case .connecting: break
    case .online(let link): forgetTroubles(ifStable: link, at: now)
    }
    hops += 1
    guard hops <= ConnectionKeeperLimits.longestRedirection else {
      hops = 0
      return end(.mayRetry("The server redirects in a circle."), at: now, using: &generator)
    }
    return connect(to: endpoint, at: now)
  }

  mutating func beginQuestion(at now: MonotonicTime) -> [Action] {
    askingSince = askingSince ?? now
    return []
  }

  /// A try that is under way has all of its time again.
  mutating func endQuestion(at now: MonotonicTime) -> [Action] {
    guard let since = askingSince.take() else { return [] }
    askedTime += now - since
    if case .connecting = state { state = .connecting(since: now) }
    return []
  }

  /// How long the password has been asked for so far, all times together.
  func timeAsked(at now: MonotonicTime) -> Duration { askedTime + (askingSince.map { now - $0 } ?? .zero) }

  /// The user has the last word: even after giving up, a try begins at once and the waits begin anew.
  mutating func reconnect(at now: MonotonicTime) -> [Action] {
    switch state {
    case .connecting, .quitting: return []
    case .idle, .waiting, .gaveUp:
      forgetTroubles()
      return connect(at: now)
    case .online:
      forgetTroubles()
      return [.drop] + connect(at: now)
    }
  }

  /// After ``Input/quit`` nothing is tried any more. The end of an open connection is still announced.
  mutating func quit() -> [Action] {
    switch state {
    case .quitting: return []
    case .connecting, .online:
      state = .quitting
      return []
    case .idle, .waiting, .gaveUp:
      state = .quitting
      return [.announce(ConnectionChanged(state: .offline))]
    }
  }

  /// A wait goes on no longer than a first one would take, counted from its start: things may be better now, but a
  /// network that comes and goes must not make us storm the server.
  mutating func shorten(_ wait: Wait, at now: MonotonicTime) -> [Action] {
    let until = min(wait.until, max(now, wait.since + ConnectionKeeperLimits.firstWait))
    guard until > now else { return connect(at: now) }
    state = .waiting(Wait(since: wait.since, until: until))
    return []
  }

  private mutating func forgetTroubles(ifStable link: Link, at now: MonotonicTime) {
    if now - link.since >= ConnectionKeeperLimits.stableAfter { forgetTroubles() }
  }

  private mutating func forgetTroubles() { (waits, longWaits, hops) = (0, 0, 0) }

  /// 2, 4, 8 … 64, 64 s; where nothing was verified 2, 32, 64 … 256, 300, 300 s. Each shortened by up to a quarter, in whole
  /// milliseconds.
  private mutating func nextDelay(after ending: Ending, using generator: inout some RandomNumberGenerator) -> Duration {
    let full: Duration
    if case .unverified = ending {
      full =
        longWaits == 0
        ? ConnectionKeeperLimits.firstWait
        : min(ConnectionKeeperLimits.firstLongWait * (1 << (longWaits - 1)), ConnectionKeeperLimits.longestLongWait)
      if full < ConnectionKeeperLimits.longestLongWait { longWaits += 1 }
    } else {
      full = min(ConnectionKeeperLimits.firstWait * (1 << waits), ConnectionKeeperLimits.longestWait)
      if full < ConnectionKeeperLimits.longestWait { waits += 1 }
    }
    let shortening = UInt64(full / ConnectionKeeperLimits.waitShortening / .milliseconds(1))
    return full - .milliseconds(Int64(generator.next().multipliedFullWidth(by: shortening + 1).high))
  }
}
