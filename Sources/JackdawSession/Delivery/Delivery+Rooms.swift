// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// Our messages in rooms: they wait until the user is there, and have arrived when the room reflects them.
extension Delivery {
  /// The user is in a room: what waits for it goes out.
  package func roomOpened(_ room: JID) { if !outbox.open(in: room).isEmpty { flush() } }

  /// The user is not let into a room: what waits for it cannot be sent.
  /// - Parameter reason: one sentence, which may hold words from the network.
  package func roomRefused(_ room: JID, _ error: StanzaError, reason: String) {
    // All fail before the first is posted: a message that still waited for the room would have it entered again.
    let failed = outbox.open(in: room).compactMap { outbox.fail(id: $0.id, reason: reason, error) }
    for entry in failed { tell(entry) }
  }

  /// A room rejected a message, as the user was not in it, and is being joined again: the message is sent again once that is done, and
  /// fails if it cannot be done.
  /// - Returns: whether it will be sent again.
  package func roomRejected(_ id: String, in room: JID) -> Bool {
    guard let entry = outbox[id], entry.awaitsReflection, entry.peer == room else { return false }
    return outbox.putBack(id: id)
  }

  /// The user has left a room: open messages for it would bring them back, and fail. A private message to an occupant that was written is
  /// settled by the server's acknowledgement, as no room reflects it.
  package func roomWasLeft(_ room: JID) {
    let entries = outbox.open(in: room).filter { $0.awaitsReflection || !$0.isWritten }
    let error = StanzaError(kind: .modify, condition: "not-acceptable")
    let failed = entries.compactMap { entry -> Outbox.Entry? in
      let reason =
        entry.state == .waiting ? "You left \(room) before it was sent." : "\(room) did not confirm it before you left."
      return outbox.fail(id: entry.id, reason: reason, error)
    }
    // A message of this very turn has to be stored before its outcome can be.
    if failed.contains(where: { $0.stored == nil }), !log.isLocked { keepNew() }
    for entry in failed { tell(outbox[entry.id] ?? entry) }
  }

  /// The session is a single command's: nobody reads what comes.
  package var isForOneCommand: Bool { core.role.isOneShot }

  /// Whether a message to a room is uncertain: the room's history of that time tells whether it arrived.
  package func isInDoubt(about room: JID) -> Bool { outbox.isInDoubt(room.bare) }

  /// Whether something is open for a room, or for somebody in it.
  package func hasOpen(in room: JID) -> Bool { !outbox.open(in: room.bare).isEmpty }

  /// Rooms for which something is open, or for somebody in them.
  package var openRooms: Set<JID> {
    Set(outbox.openEntries.lazy.filter { $0.addressing != .person }.map(\.to.bare))
  }

  /// A room has sent a message of ours to all who are in it.
  /// - Returns: whether it is one of this run's own.
  @discardableResult package func reflected(_ id: String, in room: JID) -> Bool {
    guard let entry = outbox[id], entry.awaitsReflection, entry.peer == room else { return false }
    if let entry = outbox.confirmAlone(id: id) { confirmed([entry]) }
    return true
  }

  /// Whether a message of ours was sent to a room, which has not said yet that it has it.
  package func awaitsReflection(_ id: String, in room: JID) -> Bool {
    guard let entry = outbox[id] else { return false }
    return entry.awaitsReflection && entry.state.isOpen && entry.peer == room
  }

  /// Somebody in a room has read a message of ours there, and what we wrote before it.
  /// - Parameters:
  ///   - id: the message's own.
  ///   - occupant: the room, and who it is there.
  func wasRead(_ id: String, in room: JID, by occupant: JID) {
    // It has not arrived there before the room says so.
    if let entry = outbox[id], entry.state.isOpen { return }
    note(MessageReport(id: id, peer: room, state: .displayed, origin: .told))
    core.events.post(MessageStateChanged(id: id, to: room, state: .displayed, by: occupant))
  }

  /// A room's history of the time of the lost stream has been read: an uncertain message that was not in it is sent again.
  package func roomWasRead(_ room: JID) {
    let uncertain = outbox.uncertain.filter { $0.addressing != .person && $0.to.bare == room }
    for entry in uncertain where entry.awaitsReflection { outbox.repeatUncertain(id: entry.id) }
    if !uncertain.isEmpty { flush() }
  }
}
