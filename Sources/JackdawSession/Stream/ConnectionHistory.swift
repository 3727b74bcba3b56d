// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawTransport

/// What of a session's earlier connections changes how the next one is made. A value: what happened goes in with its moment.
struct ConnectionHistory: Sendable {
  /// Addresses at which log-ins failed since the last one that succeeded, oldest first: so each of the domain's servers gets its turn,
  /// and each of its addresses.
  /// Bounded by ``SessionLimits/failedPlaces``.
  private(set) var failedPlaces: [ConnectionPlace] = []
  /// The last connection ended in a flood of stanzas: the server may have sent more at once than it keeps unacknowledged. The next stream,
  /// unless this one is resumed, does without stream management.
  private(set) var endedInFlood = false
  /// When the last log-in was begun.
  private var loginBegan: MonotonicTime?
  /// A conflict has been retried since a connection last stood for longer than ``SessionLimits/staleBind``.
  private var hasRetriedConflict = false
  /// The present connection ends because of what we asked for.
  private(set) var expectsEnd = false

  /// A log-in failed over the upgrade of keys that the server asked for with it (XEP-0480): this run does not offer that any more.
  private(set) var hasFailedUpgrade = false

  /// How many streams that were ready have ended because of XML that is wrong.
  private var faultyStreams = 0

  // MARK: Log-ins

  mutating func loginBegan(at now: MonotonicTime) {
    loginBegan = now
    expectsEnd = false
  }

  /// - Parameter places: where it was tried, the last one last; none: no connection stood.
  mutating func loginFailed(at places: [ConnectionPlace], _ error: any Error) {
    // A server that sends us elsewhere works.
    guard !(error is ConnectionRedirect) else { return }
    for place in places {
      failedPlaces.removeAll { $0 == place }
      failedPlaces.append(place)
    }
    failedPlaces.removeFirst(max(0, failedPlaces.count - SessionLimits.failedPlaces))
  }

  mutating func loginSucceeded() { failedPlaces = [] }

  /// No further log-in of this run is to fail by the same.
  mutating func upgradeFailed() { hasFailedUpgrade = true }

  /// The new stream has begun, and is counted or not.
  mutating func streamBegan() { endedInFlood = false }

  // MARK: Faults

  /// The server's XML is wrong on a stream that was ready.
  mutating func streamIsFaulty() { faultyStreams = min(faultyStreams + 1, SessionLimits.faultyStreams) }

  /// XML that ended earlier streams will come again: by XEP-0198, from the offline storage, from the archive. From here on it is to be
  /// skipped.
  var expectsFaults: Bool { faultyStreams >= SessionLimits.faultyStreams }

  // MARK: Ends

  /// Whether what is asked of the server ends the connection, whatever it says with that.
  mutating func endIsExpected(_ isExpected: Bool) { expectsEnd = isExpected }

  /// What an end means. A server may get round late to the bind request of a connection that is dead (seen with ejabberd 23.01, whose
  /// processes wait for each other when it is busy): it then throws out the living one with `conflict`, as if somebody else had
  /// come. So the first conflict soon after a log-in is retried, and one only: where somebody else wants the same resource, nobody
  /// throws anybody out for ever.
  mutating func explained(_ error: any Error, at now: MonotonicTime) -> any Error {
    let isSoon = loginBegan.map { now - $0 <= SessionLimits.staleBind } ?? false
    if !isSoon { hasRetriedConflict = false }
    guard (error as? ConnectionError)?.code == .conflict, isSoon, !hasRetriedConflict, !expectsEnd else { return error }
    hasRetriedConflict = true
    return ConnectionError(.lost, "Another connection replaced this one right after the log-in.")
  }

  /// A connection has ended.
  /// - Parameter unacknowledgedInbound: how many stanzas had come since our last acknowledgement.
  mutating func ended(unacknowledgedInbound: Int) {
    endedInFlood = unacknowledgedInbound >= SessionLimits.floodOfStanzas
  }

  /// Whether a flood is why the server ended the connection. Its word may be lost with the rest, but a stream that it ended so
  /// cannot go on.
  func isEndOfFlood(_ error: ConnectionError) -> Bool { endedInFlood && error.condition == "policy-violation" }
}
