// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Somebody else came into a room, went, or is something else there, or the user is. Told of small rooms, and where the user wants it; of the
/// user always. JSON: `occupant`.
package struct OccupantChanged: ClientEvent, Equatable {
  /// What happened to them.
  package enum Change: String, Encodable, Sendable, CaseIterable {
    case joined, left, renamed, kicked, banned
    /// What they may do, or what they are for good, changed.
    case role
  }

  package static let name = "occupant"
  /// The room's bare address.
  package var room: JID
  package var change: Change
  /// Whom it is about, as they were called before. From the network.
  package var nick: String
  /// It is about the user.
  package var isOwn = false
  /// What they are called now, with ``Change/renamed``. From the network.
  package var newNick: String?
  package var role: RoomRole
  package var affiliation: RoomAffiliation
  /// With ``Change/role``: what they could do before (XEP-0045 5.1); where that is ``role``, they are something else for good (XEP-0045 5.2).
  package var roleBefore: RoomRole?
  /// Their own address, where the room shows it.
  package var jid: JID?
  /// Who did it, by nick or address. From the network.
  package var actor: String?
  /// Why. From the network.
  package var text: String?
  package var topic: JID? { room }

  /// - Parameter occupant: as they were before they were renamed or left; else as they are now.
  package init(_ room: JID, _ change: Change, _ occupant: Occupant) {
    self.room = room
    self.change = change
    nick = occupant.nick
    role = occupant.role
    affiliation = occupant.affiliation
    jid = occupant.jid
  }

  private enum CodingKeys: String, CodingKey {
    case room, change, nick
    case newNick = "new_nick"
    case role, affiliation, jid, actor, text, own
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.description, forKey: .room)
    try container.encode(change, forKey: .change)
    try container.encode(nick, forKey: .nick)
    try container.encode(newNick, forKey: .newNick)
    try container.encode(role, forKey: .role)
    try container.encode(affiliation, forKey: .affiliation)
    try container.encode(jid?.description, forKey: .jid)
    try container.encode(actor, forKey: .actor)
    try container.encode(text, forKey: .text)
    try container.encode(isOwn, forKey: .own)
  }
}
