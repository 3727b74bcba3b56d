// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// What became of a message of ours. JSON: `message-state`.
package struct MessageStateChanged: ClientEvent, Equatable {
  /// How far it came: kept until there is a stream, sent on it, taken by the server, on their device, seen there; or not.
  package enum State: String, Encodable, Sendable { case waiting, sent, server, delivered, displayed, failed }
  package static let name = "message-state"
  package var id: String
  /// Whom the message is for.
  package var to: JID
  /// With `failed` comes ``error``.
  package var state: State
  /// One sentence why, with `failed`; nil with the others. May hold words from the network.
  package var error: String?
  package var topic: JID? { to.bare }

  package init(id: String, to: JID, state: State, error: String? = nil) {
    self.id = id
    self.to = to
    self.state = state
    self.error = error
  }

  private enum CodingKeys: String, CodingKey { case id, to, state, error }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(to.description, forKey: .to)
    try container.encode(state, forKey: .state)
    try container.encode(error, forKey: .error)
  }
}
