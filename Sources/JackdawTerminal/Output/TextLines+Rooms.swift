// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What is said and done in rooms.
extension TextLines {
  /// Who says something in a room: what they are called there, and where that is.
  /// - Parameters:
  ///   - isOpen: the room stands above, or is the one that is talked in.
  ///   - double: somebody else there who is called alike.
  func speaker(_ event: MessageArrived, in room: Person, isOpen: Bool, double: String?) -> EntryLayout.Label {
    var nick = event.from.resource.map(Self.nick)
    if let double { nick? += " (not \(Self.nick(double)))" }
    if event.from.resource.map(Escaper.mixesScripts) == true { nick? += " (mixes scripts)" }
    let place = isOpen ? "" : " in \(room.label)"
    // What the room itself says is no occupant's.
    var text = nick.map { $0 + place } ?? room.label
    if event.payload?.isPrivate == true { text += isOpen ? " (private)" : ", private" }
    let color = event.payload?.occupant ?? event.from.resource ?? room.jid.description
    let look = event.payload?.isMention == true ? Style.Look.unread : layout.style.look(ofName: color)
    return EntryLayout.Label(text: text, look: look, separator: ": ")
  }

  /// Whom a message of the user's own is for.
  func addressee(_ event: MessageArrived, _ to: Person) -> String {
    guard event.payload?.isPrivate == true, let nick = event.to.resource else { return to.label }
    return "\(Self.nick(nick)) in \(to.label), private"
  }

  /// What somebody is called in a room, cut where it is long; safe to show. One that could pass for the user, for the program, or for more
  /// than a name, is in quotation marks.
  static func nick(_ nick: String) -> String {
    let name = Escaper.name(nick.clipped(to: TerminalLimits.nameLength))
    let looksOtherwise =
      name.contains(":") || name.contains("→") || name.lowercased() == "me"
      || name.first.map { "-*!<[(#\"".contains($0) } ?? true
    return looksOtherwise ? "\"\(name.replacing("\"", with: "'"))\"" : name
  }

  /// What befell the user in a room, or the room itself.
  func room(_ event: RoomChanged, _ room: Person) -> String {
    let name = room.label
    let reason = event.text.flatMap { $0.isEmpty ? nil : $0 }.map { ": " + Self.remark($0) } ?? ""
    let by = event.actor.map { " by \(Self.nick($0))" } ?? ""
    switch event.change {
    case .joined:
      let nick = event.nick.map { " as \(Self.nick($0))" } ?? ""
      return notice("You are in \(name)\(nick).")
    case .left: return notice("You left \(name).")
    case .refused: return notice(event.text.map { Self.remark($0) } ?? "\(name) does not let you in.", look: .warning)
    case .kicked: return notice(ended("You were removed from \(name)\(by)\(reason)"), look: .warning)
    case .banned: return notice(ended("You are banned from \(name)\(by)\(reason)"), look: .warning)
    case .removed:
      return notice(ended("\(name) is for members only, and you are not one of them any more\(reason)"), look: .warning)
    case .lost:
      return notice(ended("\(name) is not to be reached\(reason)") + " It is joined again by itself.", look: .warning)
    case .destroyed:
      return notice(ended("\(name) was closed for good\(reason)") + follow(event.alternative), look: .warning)
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
  private func follow(_ alternative: JID?) -> String {
    guard let alternative else { return "" }
    let address = Escaper.address(alternative)
    guard address == alternative.description, let word = Self.typed(alternative) else {
      return " It names another room: \(address)."
    }
    return " To follow it, type: \(roomsCommand) join \(word)"
  }

  private func ended(_ text: String) -> String { Sentence.ended(text) }

  /// Who came and went, a line for each room.
  func occupants(_ changes: OccupantDigest.Changes, in room: Person) -> String {
    var parts: [String] = []
    func add(_ nicks: [String], _ words: String) {
      if !nicks.isEmpty { parts.append("\(Self.naming(nicks.map(Self.nick))) \(words)") }
    }
    add(changes.came, "came")
    add(changes.went, "left")
    parts += changes.others.map { $0 }
    return notice("\(parts.joined(separator: "; ")) (\(room.label))")
  }

  /// What befell somebody else, beside coming and going; nil: nothing to be told.
  static func words(_ event: OccupantChanged) -> String? {
    let who = nick(event.nick)
    let by = event.actor.map { " by \(nick($0))" } ?? ""
    let reason = event.text.flatMap { $0.isEmpty ? nil : $0 }.map { " (\(remark($0)))" } ?? ""
    switch event.change {
    case .joined, .left: return nil
    case .renamed: return event.newNick.map { "\(who) is \(nick($0)) now" }
    case .kicked: return "\(who) was removed\(by)\(reason)"
    case .banned: return "\(who) was banned\(by)\(reason)"
    case .role:
      switch event.role {
      case .moderator: return "\(who) is a moderator\(by)"
      case .visitor: return "\(who) may not speak\(by)"
      case .participant: return "\(who) may speak\(by)"
      case .none: return nil
      }
    }
  }
}
