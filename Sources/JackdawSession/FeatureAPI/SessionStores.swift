// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// What the session keeps between runs, each part declared by the room that needs it. Nil: not kept.
@Client package struct SessionStores {
  package var roster: (any RosterStore)?
  package var logins: (any LoginMemoryStore)?
  package var capabilities: (any CapabilityStore)?
  package var friendRequests: (any FriendRequestStore)?
  package var messages: (any MessageStore)?
  package var streams: (any StreamStore)?
  package var log: (any MessageLog)?
  package var earlier: (any EarlierMessages)?
  package var readMarks: (any ReadMarkStore)?
  package var blocked: (any BlockStore)?
  package var rooms: (any RoomStore)?

  package init(
    roster: (any RosterStore)? = nil, logins: (any LoginMemoryStore)? = nil, capabilities: (any CapabilityStore)? = nil,
    friendRequests: (any FriendRequestStore)? = nil, messages: (any MessageStore)? = nil,
    streams: (any StreamStore)? = nil, log: (any MessageLog)? = nil, earlier: (any EarlierMessages)? = nil,
    readMarks: (any ReadMarkStore)? = nil, blocked: (any BlockStore)? = nil,
    rooms: (any RoomStore)? = nil
  ) {
    self.roster = roster
    self.logins = logins
    self.capabilities = capabilities
    self.friendRequests = friendRequests
    self.messages = messages
    self.streams = streams
    self.log = log
    self.earlier = earlier
    self.readMarks = readMarks
    self.blocked = blocked
    self.rooms = rooms
  }
}
