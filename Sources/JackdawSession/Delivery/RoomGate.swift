// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What the way out of messages has to know of rooms: they take nothing from who is not in them.
@Client package protocol RoomGate: AnyObject {
  /// What kind of address this is.
  func addressing(of jid: JID) -> Addressing

  /// Whether the user is in a room, so that messages may be written to it and to who is in it. Where not, the room is joined for them, and
  /// ``Delivery/roomOpened(_:)`` or ``Delivery/roomRefused(_:_:reason:)`` says what came of it.
  func mayWrite(to room: JID) -> Bool
}
