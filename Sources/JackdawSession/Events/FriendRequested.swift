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
  /// The SHA-1 of their picture in hexadecimal digits, as XEP-0153 names it, where it is known.
  package var photo: String?
  package var topic: JID? { jid.bare }

  package init(jid: JID, displayName: String? = nil, message: String? = nil, photo: String? = nil) {
    self.jid = jid
    self.displayName = displayName
    self.message = message
    self.photo = photo
  }

  /// What is known of a request by now.
  package init(_ request: FriendRequest) {
    self.init(
      jid: request.jid, displayName: request.cardName ?? request.nickname, message: request.message,
      photo: request.photo)
  }

  private enum CodingKeys: String, CodingKey { case jid, name, message, photo }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(displayName, forKey: .name)
    try container.encode(message, forKey: .message)
    try container.encode(photo, forKey: .photo)
  }
}
