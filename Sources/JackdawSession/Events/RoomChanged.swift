// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Something changed for the user in a room, or for the room. JSON: `room`.
package struct RoomChanged: ClientEvent, Equatable {
  /// What it was.
  package enum Change: String, Encodable, Sendable, CaseIterable {
    /// The user is in it now.
    case joined
    /// The user left it.
    case left
    /// The user was not let in.
    case refused
    /// The user was removed for now.
    case kicked
    /// The user was removed for good.
    case banned
    /// The user was removed, as they are no member any more, or the room is for members only now.
    case removed
    /// The user is out of it for a reason that passes: the room is joined again by itself.
    case lost
    /// It is no more.
    case destroyed
    /// It is about something else.
    case topic
    /// The user is called otherwise there.
    case nick
    /// Its configuration changed.
    case configuration
  }

  package static let name = "room"
  /// The room's bare address.
  package var room: JID
  package var change: Change
  /// What the user is called there; with ``Change/topic`` who set it. From the network.
  package var nick: String?
  /// The topic, or why it happened. From the network.
  package var text: String?
  /// Who did it, by nick or address. From the network.
  package var actor: String?
  /// Where the room has gone.
  package var alternative: JID?
  /// With ``Change/joined``: there was no such room, and the user has made it by entering it (XEP-0045 10.1.1).
  package var isNew: Bool
  package var topic: JID? { room }

  package init(
    _ room: JID, _ change: Change, nick: String? = nil, text: String? = nil, actor: String? = nil,
    alternative: JID? = nil, isNew: Bool = false
  ) {
    self.room = room
    self.change = change
    self.nick = nick
    self.text = text
    self.actor = actor
    self.alternative = alternative
    self.isNew = isNew
  }

  private enum CodingKeys: String, CodingKey { case room, change, nick, text, actor, alternative, isNew = "new" }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.description, forKey: .room)
    try container.encode(change, forKey: .change)
    try container.encode(nick, forKey: .nick)
    try container.encode(text, forKey: .text)
    try container.encode(actor, forKey: .actor)
    try container.encode(alternative?.description, forKey: .alternative)
    try container.encode(isNew, forKey: .isNew)
  }
}
