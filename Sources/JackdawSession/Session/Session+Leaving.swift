// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// The end of a connection that we want: with a last word, or at once.
extension Session {
  /// Leaves for good: `</stream:stream>`, and at most ``SessionLimits/closingPatience`` of waiting for the server's. Where nobody
  /// counts stanzas and the fate of a message is open, it is asked for before. Features say their last, each within a bound of its own.
  /// Nothing is thrown; what was not confirmed is told by its own events.
  package func leave() async {
    if isOnline { await features.leaving() }
    await delivery.settleLast()
    if let connection {
      await withCheckedContinuation { continuation in
        leaving.append(continuation)
        if allIsLogged() { sayFarewell() }
        connection.close()
      }
    }
    stores.logins?.settleTicket()
    await noteLast()
    guard phase != .ended else { return }
    let reason = ConnectionError(.closed, "The session is over.")
    // One that was cut is for the next run to go on with.
    loseStream(reason, forgets: phase != .interrupted)
    requests.removeAll(reason: reason)
    perform(life.handle(.left))
  }

  /// Drops the connection at once. Every open request ends with `reason`, unless the server holds the stream.
  package func drop(_ reason: ConnectionError) {
    guard let connection else { return }
    self.connection = nil
    connection.abandon()
    streamIsCut(reason, mayResume: life.resumptionsWithoutAck == 0)
    releaseLeavers()
  }

  func releaseLeavers() {
    let leavers = leaving
    leaving = []
    for leaver in leavers { leaver.resume() }
  }

  /// The last word on a stream that we end: all has come, and is in the log.
  func sayFarewell() {
    wire.sayFarewell()
    // What a single command is sent has its place in the log later.
    guard isOnline, !configuration.role.isOneShot else { return }
    farewell = stores.streams?.lastLogged()
  }

  /// The server has closed the stream behind our last word on it, and so has heard that.
  func farewellWasHeard() {
    if let farewell { stores.streams?.noteAcknowledged(through: farewell) }
    farewell = nil
  }
}
