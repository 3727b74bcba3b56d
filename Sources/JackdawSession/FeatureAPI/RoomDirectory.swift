// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What features may know of the rooms that the user is in, and tell of them.
@Client package protocol RoomDirectory: AnyObject {
  /// Whether a bare address is a room's: one that was joined, is about to be, or is kept as one.
  func isRoom(_ jid: JID) -> Bool

  /// Whether the user is in a room whose occupants are few, let in by name, and see who each of them is: what they are told there is told to
  /// people.
  func isPrivate(_ jid: JID) -> Bool

  /// Whether the user is about to be in a room.
  func isBeingEntered(_ jid: JID) -> Bool

  /// What the rooms of this session know to be kept of one; nil: nothing. The store may be ahead of it, where another program shares it.
  func record(of jid: JID) -> RoomRecord?

  /// The bookmarks of the account were read: those that say so are joined, in the background.
  /// - Parameter removed: those of rooms that had one when they were read before.
  func bookmarksWereRead(_ rooms: [RoomRecord], removed: [JID])

  /// Another device changed a bookmark: the room is joined or left as it says.
  func bookmarkChanged(_ room: RoomRecord)

  /// Another device removed a bookmark: the room is left.
  func bookmarkRemoved(_ jid: JID)
}
