// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A message of ours came back.
package struct MessageBounced: Error, Sendable, CustomStringConvertible {
  package var id: String
  /// To whom it was sent.
  package var to: JID
  /// What the other side, or a server between, said.
  package var error: StanzaError
  /// What that means: of a room, why it does not let the user in.
  package var reason: String
  /// From the network: to be shown through the escaper only.
  package var description: String { "The message to \(to) was refused: \(reason)" }
}
