// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// What somebody may do in a room for as long as they are in it (XEP-0045 5.1).
package enum RoomRole: String, Sendable, CaseIterable, Encodable {
  case none, visitor, participant, moderator
}

/// What somebody is to a room for good (XEP-0045 5.2).
package enum RoomAffiliation: String, Sendable, CaseIterable, Encodable {
  case outcast, none, member, admin, owner
}

/// Somebody in a room. All of it is said by the room.
package struct Occupant: Sendable, Equatable {
  /// What they are called there. From the network: to be shown through the escaper only.
  package var nick: String
  package var role: RoomRole
  package var affiliation: RoomAffiliation
  /// Their own address, where the room shows it.
  package var jid: JID?
  /// What stays the same when they change their nick or come again (XEP-0421).
  package var id: String?
  /// `chat`, `away`, `xa`, `dnd`; nil: available.
  package var show: Presence.Show?

  package init(nick: String, role: RoomRole = .none, affiliation: RoomAffiliation = .none) {
    self.nick = nick
    self.role = role
    self.affiliation = affiliation
  }
}

/// What a room is about (XEP-0045 8.1).
package struct RoomTopic: Sendable, Equatable {
  /// From the network; empty: it has none.
  package var text: String
  /// Who set it; nil: the room does not say.
  package var nick: String?
}
