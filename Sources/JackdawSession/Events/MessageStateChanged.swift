// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// What became of a message of ours. JSON: `message-state`.
package struct MessageStateChanged: ClientEvent, Equatable {
  package static let name = "message-state"
  package var id: String
  /// Whom the message is for.
  package var to: JID
  /// How far it came.
  package var state: DeliveryState
  /// Of a message in a room that was read: the room, and who has read it there.
  package var by: JID?
  /// The user withdrew it here: the command that did so says it. No part of what is told.
  package var isOwnWithdrawal = false
  package var topic: JID? { to.bare }

  package init(id: String, to: JID, state: DeliveryState, by: JID? = nil) {
    self.id = id
    self.to = to
    self.state = state
    self.by = by
  }

  private enum CodingKeys: String, CodingKey { case id, to, state, by, error }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(to.description, forKey: .to)
    try container.encode(state, forKey: .state)
    try container.encode(by?.description, forKey: .by)
    try container.encode(state.reason, forKey: .error)
  }
}
