// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Somebody asks to be a friend. JSON: `friend-request`.
package struct FriendRequested: ClientEvent, Equatable {
  package static let name = "friend-request"
  /// Who asks.
  package var jid: JID
  /// The name of their vCard or nickname, where one is known.
  package var displayName: String?
  /// What they wrote with the request.
  package var message: String?
  package var topic: JID? { jid.bare }

  package init(jid: JID, displayName: String? = nil, message: String? = nil) {
    self.jid = jid
    self.displayName = displayName
    self.message = message
  }

  private enum CodingKeys: String, CodingKey { case jid, name, message }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(displayName, forKey: .name)
    try container.encode(message, forKey: .message)
  }
}
