// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

extension ClientEvent {
  /// Whether it comes from `jid`, or is about them: what `--from` asks. With a resource that is one client alone, or in a room one
  /// occupant: what anybody else says there is not theirs.
  func concerns(_ jid: JID) -> Bool {
    guard let topic, topic.bare == jid.bare else { return false }
    return jid.isBare || parties.isEmpty || parties.contains(jid.resource)
  }

  /// Whether something came by it: what we said ourselves on another device did not come, and a reaction is no message.
  var isNews: Bool {
    guard let message = asMessage else { return true }
    return message.carbon != .sent && !message.isAnnotation
  }

  /// Bytes of what others wrote in it, for whoever holds it in memory.
  var bytesOfText: Int {
    if let message = asMessage { return message.heldBytes }
    return switch self {
    case let room as RoomChanged: room.text?.utf8.count ?? 0
    case let occupant as OccupantChanged: occupant.text?.utf8.count ?? 0
    case let request as FriendRequested: request.message?.utf8.count ?? 0
    case let event as ScriptEvent: event.text?.utf8.count ?? 0
    default: 0
    }
  }

  /// The resources of those whom it is from or about; none: it is about all that its topic has.
  private var parties: [String?] {
    switch self {
    case let message as MessageArrived: [(message.carbon == .sent ? message.to : message.from).resource]
    case let presence as PresenceChanged: [presence.from.resource]
    case let typing as TypingChanged: [typing.from.resource]
    // Our own message to a whole room, or to somebody wherever they are, is nobody's in particular.
    case let state as MessageStateChanged: [(state.by ?? state.to).resource].filter { $0 != nil }
    case let occupant as OccupantChanged: [occupant.nick, occupant.newNick].filter { $0 != nil }
    default: []
    }
  }
}
