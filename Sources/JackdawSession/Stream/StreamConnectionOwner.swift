// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Hears what a ``StreamConnection`` brings.
@Client protocol StreamConnectionOwner: AnyObject {
  /// A step of the log-in succeeded.
  func connectionStepped(_ step: LoginStep)
  /// The log-in is done: stanzas may be sent from now on, and may come before this call's caller goes on.
  func connectionLoggedIn(_ outcome: LoginOutcome)
  /// Bytes came, whatever they are.
  func connectionReceivedBytes()
  /// The kernel took some of what had waited for room.
  func connectionMadeRoom()
  func connectionReceived(_ stanza: Element)
  /// A stanza exceeds a limit of ours, and was left out.
  /// - Parameter envelope: its own tag.
  func connectionLeftOut(_ envelope: Element, _ reason: DecodeError)
  /// The server's XML is wrong on a stream that is ready: the stream ends when this returns.
  /// - Parameter losesStanza: it is within a stanza, and where that ends cannot be known.
  func connectionIsFaulty(losesStanza: Bool)
  /// An element of the ready stream that is no stanza (XEP-0198's for example).
  func connectionReceivedOther(_ element: Element)
  /// A connection that had been ready is over; nil when it was closed politely. A ``ConnectionError`` or a
  /// ``ConnectionRedirect``.
  func connectionEnded(_ error: (any Error)?)
}
