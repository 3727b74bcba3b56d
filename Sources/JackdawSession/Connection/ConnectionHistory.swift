// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawTransport

/// What became of a session's connections so far, as far as the next one is made otherwise for it. A value: what happened goes
/// in with its moment.
struct ConnectionHistory: Sendable {
  /// Where log-ins came to nothing since the last good one, oldest first: each of the domain's servers gets its turn.
  private(set) var failedTargets: [ConnectionTarget] = []
  /// The last connection ended in a flood: the server may have had more to say at once than it keeps until it is acknowledged.
  /// The next stream, unless it is the same, is not counted.
  private(set) var endedInFlood = false
  private var placeLeftOpen = PlaceLeftOpen()

  // MARK: Log-ins

  /// - Parameter target: where it was tried; nil: no connection stood.
  mutating func loginFailed(at target: ConnectionTarget?, _ error: any Error) {
    // A server that sends us elsewhere works.
    guard let target, !(error is ConnectionRedirect) else { return }
    failedTargets.removeAll { $0 == target }
    failedTargets.append(target)
  }

  mutating func loginSucceeded() { failedTargets = [] }

  /// The new stream has begun, and is counted or not.
  mutating func streamBegan() { endedInFlood = false }

  // MARK: Ends

  /// A connection ends that was waiting for a place (``PlaceLeftOpen``), of this program or of the one before.
  mutating func leftPlace(at now: MonotonicTime) { placeLeftOpen.wasLeft(at: now) }

  /// Whether the server may still give one.
  func hasPlaceLeftOpen(at now: MonotonicTime) -> Bool { placeLeftOpen.isOpen(at: now) }

  /// What an end means: nobody else has come where it was an earlier connection of ours that the server has let in late.
  mutating func explained(_ error: any Error, at now: MonotonicTime) -> any Error {
    guard (error as? ConnectionError)?.code == .conflict, placeLeftOpen.explainsConflict(at: now) else { return error }
    return ConnectionError(.lost, "the server gave this connection's place to an earlier try of this program")
  }

  /// A connection has ended.
  /// - Parameter untold: how many stanzas had come since the server last heard how many did.
  mutating func ended(untold: Int) { endedInFlood = untold >= SessionLimits.floodOfStanzas }

  /// Whether a flood is why the server ended the connection. Its word may be lost with the rest, but a stream that it ended so
  /// cannot go on.
  func isEndOfFlood(_ error: ConnectionError) -> Bool { endedInFlood && error.condition == "policy-violation" }
}
