// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts

/// What it takes to go on with a stream that was cut (XEP-0198 5).
package struct StreamResumption: Sendable, Equatable {
  /// The server's name for the stream; nothing is to be read from it.
  package var id: String
  /// The full JID that is bound to the stream.
  package var jid: JID
  /// How many of the server's stanzas have been handled, modulo 2³².
  package var handled: UInt32
  /// Where the server would like us to come back, instead of where the domain says; what is verified there stays the domain.
  package var location: HostPort?
  /// How long the server holds the stream after a cut; nil: it does not say.
  package var lifetime: Duration?

  package init(id: String, jid: JID, handled: UInt32, location: HostPort? = nil, lifetime: Duration? = nil) {
    self.id = id
    self.jid = jid
    self.handled = handled
    self.location = location
    self.lifetime = lifetime
  }
}

/// How a log-in stands to the stream that was to be resumed.
package enum StreamContinuation: Sendable, Equatable {
  /// Nothing was to be resumed.
  case fresh
  /// The stream goes on.
  /// - Parameter handled: how many of our stanzas the server has; nil: it does not say.
  case resumed(handled: UInt32?)
  /// The server does not have it any more, and a resource was bound anew.
  /// - Parameter handled: how many of our stanzas it had, where it still knows.
  case lost(handled: UInt32?)

  /// Whether the stream goes on.
  package var isResumed: Bool { if case .resumed = self { true } else { false } }
}
