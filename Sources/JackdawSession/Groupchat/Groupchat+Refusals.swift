// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// What rooms say to whoever may not enter, or may not be called what they want.
extension Groupchat {
  /// A room did not let the user in.
  func wasRefused(_ room: Room, _ error: StanzaError, _ text: String? = nil) {
    if error.condition == "conflict", !room.isNickChosen, room.nicksTried < RoomLimits.nicksTried {
      room.nicksTried += 1
      room.nick += "_"
      EventLoop.main.start { [weak self] in await self?.enter(room) }
      return
    }
    refused(
      room, RequestError(.refused, text ?? Self.sentence(error, room), stanzaError: error), mayPass: Self.mayPass(error)
    )
  }

  func refused(_ room: Room, _ error: RequestError, mayPass: Bool) {
    room.timer = nil
    let isWaitedFor = room.entering.count > 0
    room.entering.end(.failure(error))
    // Whoever waits for it is told, and gives it up.
    let mayPass = mayPass && (!isWaitedFor || staysWanted(room))
    act(room, .refused(mayPass: mayPass))
    if mayPass {
      // It is tried again, and so is no refusal yet. Whoever waits for it has been told.
      if !isWaitedFor { context.remark("\(error)") }
      return
    }
    // Whoever only wrote there makes no room; whose bookmark it is does.
    if room.making != .never, refusals.count < RoomLimits.rooms { refusals[room.jid] = room.record }
    context.delivery.roomRefused(room.jid, error.stanzaError ?? .undefined, reason: error.description)
    let moved = error.stanzaError.flatMap { Self.place($0, otherThan: room.jid) }
    context.events.post(
      RoomChanged(room.jid, .refused, nick: room.nick, text: error.description, alternative: moved))
  }

  /// Where a room has gone that does not exist any more (XEP-0045 10.9); nil: it does not say, or that is no other room.
  package static func place(_ error: StanzaError, otherThan room: JID) -> JID? {
    guard error.condition == "gone", let location = error.location else { return nil }
    let jid = (try? XMPPURI(location).jid) ?? (try? JID(received: location))
    return jid.flatMap { $0.localpart != nil && $0.bare != room.bare ? $0.bare : nil }
  }

  /// It may let the user in later.
  private static func mayPass(_ error: StanzaError) -> Bool {
    error.kind == .wait
      || ["remote-server-timeout", "remote-server-not-found", "internal-server-error", "resource-constraint"]
        .contains(error.condition)
  }

  /// What a refusal means (XEP-0045 7.2).
  /// - Parameter asked: the nick that the user, who is inside, asked for (XEP-0045 7.6).
  static func sentence(_ error: StanzaError, _ room: Room, asked: String? = nil) -> String {
    let nick = asked ?? room.nick
    let reason =
      switch error.condition {
      case "conflict": "Somebody else is called '\(nick)' in \(room.jid)."
      case "jid-malformed": "\(room.jid) does not take the nick '\(nick)'."
      case "item-not-found": "There is no room \(room.jid), or nobody may enter it yet."
      case "forbidden", "not-authorized", "registration-required", "not-allowed", "not-acceptable":
        asked == nil ? letsNobodyIn(error, room) : "You may not be called '\(nick)' in \(room.jid)."
      case "service-unavailable": "\(room.jid) is full, or its server has no rooms."
      case "gone":
        place(error, otherThan: room.jid).map { "The room \(room.jid) has moved to \($0)." }
          ?? "The room \(room.jid) does not exist any more."
      case "remote-server-not-found", "remote-server-timeout": "\(room.jid) cannot be reached: \(error)"
      default: letsNobodyIn(error, room)
      }
    guard let text = error.text, !text.isEmpty, !reason.contains("\(error)") else { return reason }
    return Sentence.joined(reason, text)
  }

  /// Of whoever wants to enter.
  private static func letsNobodyIn(_ error: StanzaError, _ room: Room) -> String {
    switch error.condition {
    case "forbidden": "You are banned from \(room.jid)."
    case "not-authorized":
      room.record.password == nil ? "\(room.jid) asks for a password." : "The password for \(room.jid) is wrong."
    case "registration-required": "\(room.jid) is for members only."
    case "not-allowed": "You may not make the room \(room.jid), or not enter it."
    default: "\(room.jid) does not let you in: \(error)"
    }
  }
}
