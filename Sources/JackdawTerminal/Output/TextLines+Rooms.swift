// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What is said and done in rooms.
extension TextLines {
  /// Who says something in a room: what they are called there, and where that is.
  /// - Parameters:
  ///   - isOpen: the room stands above, or is the one that is talked in.
  ///   - identity: who they are beside that, as far as it is known.
  func speaker(_ event: MessageArrived, in room: Person, isOpen: Bool, _ identity: OccupantIdentity?)
    -> EntryLayout.Label
  {
    var nick = event.from.resource.map { Self.nick($0, of: identity?.contact) }
    if let double = identity?.double { nick? += " (not \(Self.nick(double)))" }
    if let identity, let other = identity.resembled, identity.isAddressKnown {
      nick? += " (not your contact \(Person(other.jid, name: other.name).label))"
    }
    if event.from.resource.map(Escaper.mixesScripts) == true { nick? += " (mixes scripts)" }
    let place = isOpen ? "" : " in \(room.label)"
    // What the room itself says is no occupant's.
    var text = nick.map { $0 + place } ?? room.label
    if event.isPrivate { text += isOpen ? " (private)" : ", private" }
    let color = event.payload?.occupant ?? event.from.resource ?? room.jid.description
    let look = event.payload?.isMention == true ? Style.Look.unread : layout.style.look(ofName: color)
    return EntryLayout.Label(text: text, look: look, separator: ": ")
  }

  /// Whom a message of the user's own is for.
  func addressee(_ event: MessageArrived, _ to: Person) -> String {
    guard event.isPrivate, let nick = event.to.resource else { return to.label }
    return "\(Self.nick(nick)) in \(to.label), private"
  }

  /// What somebody is called in a room, cut where it is long; safe to show. One that could pass for the user, for the program, or for more
  /// than a name, is in quotation marks: what stands in brackets, and behind a comma or a semicolon, is the program's to say, and spaces at
  /// an end hide what the name begins with, or that it is another's with one more.
  static func nick(_ nick: String) -> String {
    let clipped = nick.clipped(to: TerminalLimits.nameLength)
    let name = Escaper.name(clipped)
    let looksOtherwise =
      name.contains { ":→(,;".contains($0) } || others.contains(NameLikeness.key(clipped))
      || name.unicodeScalars.first.map { "-*!<[#\" ".unicodeScalars.contains($0) } ?? true
      || name.unicodeScalars.last == " "
    return looksOtherwise ? "\"\(name.replacing("\"", with: "'"))\"" : name
  }

  /// As sentences call the user and whoever is not named, and lines the program; as ``NameLikeness`` has them.
  private static let others: Set<String> = Set(["me", "you", "somebody", "jackdaw"].map(NameLikeness.key))

  /// What somebody is called in a room, before it the name by which the user knows them.
  /// - Parameter contact: who it is, where the room shows that.
  static func nick(_ nick: String, of contact: RosterItem?) -> String {
    guard let contact, let name = contact.name, !name.isEmpty else { return Self.nick(nick) }
    let label = Person(contact.jid, name: name).label
    return NameLikeness.key(name) == NameLikeness.key(nick) ? label : "\(label) (\(Self.nick(nick)))"
  }

  /// Said once of somebody in a room that does not show who anybody is, before their first message.
  func namesake(_ occupant: JID, of contact: Person, in room: Person) -> String {
    let nick = occupant.resource.map(Self.nick) ?? ""
    return notice(
      "\(nick) in \(room.label) need not be your contact \(contact.label): the room does not show who is who.",
      look: .stranger)
  }

  /// What befell the user in a room, or the room itself.
  func room(_ event: RoomChanged, _ room: Person) -> String {
    let name = room.label
    let reason = event.text.flatMap { $0.isEmpty ? nil : $0 }.map { ": " + Self.remark($0) } ?? ""
    let by = event.actor.map { " by \(Self.nick($0))" } ?? ""
    switch event.change {
    case .joined:
      let nick = event.nick.map { " as \(Self.nick($0))" } ?? ""
      guard event.isNew else { return notice("You are in \(name)\(nick).") }
      return notice("There was no room \(name): you made it, and are in it\(nick).")
    case .left: return notice("You left \(name).")
    case .refused:
      let words = event.text.map { Self.remark($0) } ?? "\(name) does not let you in."
      return failure([words + follow(event)])
    case .kicked: return notice(ended("You were removed from \(name)\(by)\(reason)"), look: .warning)
    case .banned: return notice(ended("You are banned from \(name)\(by)\(reason)"), look: .warning)
    case .removed:
      return notice(ended("\(name) is for members only, and you are not one of them any more\(reason)"), look: .warning)
    case .lost:
      return notice(ended("\(name) is not to be reached\(reason)") + " It is joined again by itself.", look: .warning)
    case .destroyed:
      return notice(ended("\(name) was closed for good\(reason)") + follow(event), look: .warning)
    case .topic:
      let who = event.nick.map(Self.nick)
      guard let topic = event.text, !topic.isEmpty else {
        return notice("\(who ?? "Somebody") took the topic of \(name) away.")
      }
      return notice(
        who.map { "\($0) set the topic of \(name): \(Self.remark(topic))" }
          ?? "The topic of \(name) is: \(Self.remark(topic))")
    case .nick: return notice("You are \(event.nick.map(Self.nick) ?? "") in \(name) now.")
    case .configuration: return notice("The configuration of \(name) changed.")
    }
  }

  /// Where a room has gone, for whoever wants to go there, too.
  private func follow(_ event: RoomChanged) -> String {
    guard let alternative = event.alternative else { return "" }
    let address = Escaper.address(alternative)
    guard address == alternative.description, let new = typed(alternative),
      let old = Self.word(event.room.description)
    else {
      return " It names another room: \(address)."
    }
    return " To follow it, type: \(roomsCommand) join \(new) --instead-of \(old)"
  }

  /// Somebody who is no contact has invited the user.
  func invitation(byStranger person: Person) -> String {
    notice("\(person.label), who is not one of your friends, invites you into a room. \(seeing("it"))")
  }

  /// A room has invited the user, and does not tell whose address the invitation is from.
  /// - Parameter nick: what whoever invites is called there; nil: it does not say.
  func invitation(byRoom room: Person, inTheNameOf nick: String?) -> String {
    let who =
      nick.map { "says that \(Self.nick($0)) there invites you, but not whose name that is" }
      ?? "invites you, and does not say who wants that"
    return notice("The room \(room.label) \(who). \(seeing("it"))")
  }

  /// Several have invited the user, whom they do not know or who do not say who they are.
  func invitations(_ count: Int) -> String {
    notice("There are \(count) invitations into rooms, none of them known to be from a friend. \(seeing("them"))")
  }

  private func seeing(_ what: String) -> String { "To see \(what), type: \(roomsCommand) invitations\(afterSwitching)" }

  private func ended(_ text: String) -> String { Sentence.ended(text) }

  /// Who came and went, a line for each room, in the order in which it happened; those who come or go beside one another are named
  /// together.
  func occupants(_ changes: OccupantDigest.Changes, in room: Person) -> String {
    var parts: [String] = []
    var (came, went): ([String], [String]) = ([], [])
    func endCrowd() {
      if !came.isEmpty { parts.append("\(Self.naming(came)) came") }
      if !went.isEmpty { parts.append("\(Self.naming(went)) left") }
      (came, went) = ([], [])
    }
    for change in changes.all {
      switch change {
      case .came(let nick): came.append(Self.nick(nick, of: changes.contacts[nick]))
      case .went(let nick): went.append(Self.nick(nick, of: changes.contacts[nick]))
      case .other(_, let words):
        endCrowd()
        parts.append(words)
      }
    }
    endCrowd()
    return notice("\(parts.joined(separator: "; ")) (\(room.label))")
  }

  /// What befell somebody, beside coming and going; nil: nothing to be told.
  static func words(_ event: OccupantChanged) -> String? {
    let (who, isNow, was) = event.isOwn ? ("You", "are", "were") : (nick(event.nick), "is", "was")
    let actor = event.actor.map(nick)
    let by = actor.map { " by \($0)" } ?? ""
    // What somebody may do is a state, and that somebody else changed it a deed: "may not speak by carol" says neither.
    func told(_ state: String, _ deed: String) -> String {
      actor == nil ? "\(who) \(state)" : "\(who) \(was) \(deed)\(by)"
    }
    let reason = event.text.flatMap { $0.isEmpty ? nil : $0 }.map { " (\(remark($0)))" } ?? ""
    switch event.change {
    case .joined, .left: return nil
    case .renamed: return event.newNick.map { "\(who) is \(nick($0)) now" }
    case .kicked: return "\(who) was removed\(by)\(reason)"
    case .banned: return "\(who) was banned\(by)\(reason)"
    case .role where event.roleBefore == event.role:
      switch event.affiliation {
      case .owner: return "\(who) \(was) made an owner\(by)"
      case .admin: return "\(who) \(was) made an administrator\(by)"
      case .member: return "\(who) \(was) made a member\(by)"
      case .none: return told("\(isNow) no longer a member", "removed from the members")
      case .outcast: return nil
      }
    case .role:
      switch event.role {
      case .moderator: return told("\(isNow) a moderator", "made a moderator")
      case .visitor: return told("may not speak", "muted")
      case .participant where event.roleBefore == .moderator:
        return told("\(isNow) no longer a moderator", "removed from the moderators")
      case .participant: return told("may speak", "given voice")
      case .none: return nil
      }
    }
  }
}
