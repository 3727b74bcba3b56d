// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawProtocol
import JackdawSession

/// Events as lines for people. A value: who somebody is and what time it is comes in, finished lines come out.
struct TextLines {
  var layout: EntryLayout
  var localTime: LocalTime
  var now: Timestamp
  /// How it is written.
  var time: String

  private var style: Style { layout.style }

  /// A line of the program itself.
  /// - Parameter text: safe to show.
  func notice(_ text: String, look: Style.Look = .faint) -> String {
    layout.entry(time: time, label: .notice, lines: [text], look: look)
  }

  /// What the program has to say in its own words.
  /// - Parameter lines: safe to show.
  func remark(_ lines: [String]) -> String {
    layout.entry(time: time, label: .notice, lines: lines, look: .faint)
  }

  /// - Parameter lines: safe to show.
  func failure(_ lines: [String]) -> String {
    layout.entry(time: time, label: .failure, lines: lines, look: .bad)
  }

  // MARK: Messages

  /// `TIME SENDER: TEXT`; `TIME * SENDER TEXT` for what begins with `/me ` (XEP-0245), which no line of the program does.
  /// - Parameter isPlain: it is plain whom a message of the user's own is for; else it names them.
  func message(
    _ event: MessageArrived, from: Person, to: @autoclosure () -> Person, isPlain: Bool
  ) -> TextEntry {
    let isOwn = from.isOwn || event.carbon == .sent
    var label = EntryLayout.Label(text: from.label, look: look(of: from), separator: ": ")
    if isOwn {
      let to = to()
      label.text = isPlain ? "me" : "me → " + (to.isOwn ? "myself" : to.label)
      label.look = .own
    } else if event.kind == .groupchat, let nick = event.from.resource {
      label.text = Escaper.name(nick.clipped(to: TerminalLimits.nameLength)) + " in " + from.label
      label.look = style.look(ofName: event.from.description)
    } else if event.kind == .error {
      label.text = "!! " + label.text
      label.look = .bad
    }
    if event.corrects { label.text += " (corrected)" }
    var body = event.body
    if body.hasPrefix("/me ") {
      body.removeFirst(4)
      label.text = "* " + label.text
      label.separator = " "
    }
    // A stamp may be forged; nothing was sent later than now.
    let sent = event.delayed.map { $0 < now ? localTime.short($0, now: now) : time }
    return TextEntry(time: sent ?? time, label: label, body: body, look: event.kind == .error ? .bad : .plain)
  }

  /// What somebody says of an earlier message, as a line; nil where it is a message by itself.
  func annotation(_ event: MessageArrived, from: Person, to: @autoclosure () -> Person) -> String? {
    for relation in event.relations {
      let isOwn = from.isOwn || event.carbon == .sent
      let who = isOwn ? "You" : from.label
      let whose = isOwn ? "to what \(to().label) said" : "to what was said"
      switch relation {
      case .retracts: return notice("\(who) retracted a message\(isOwn ? " to \(to().label)" : "")")
      case .reacts(_, []): return notice("\(who) took back a reaction \(whose)")
      case .reacts(_, let with): return notice("\(who) reacted \(whose): \(Self.remark(with.joined(separator: " ")))")
      case .replaces, .replies: continue
      }
    }
    return nil
  }

  /// Who reacted to a message, and how.
  func reactions(_ reactions: [(person: Person, with: [String])], time: String) -> String {
    let words = reactions.map { reaction in
      reaction.with.joined(separator: " ") + " " + (reaction.person.isOwn ? "me" : reaction.person.label)
    }
    return layout.entry(time: time, label: .notice, lines: [Self.remark(words.joined(separator: ", "))], look: .faint)
  }

  /// Said once of somebody who is not in the contact list, before their first message.
  func stranger(_ person: Person) -> String {
    if Escaper.isMixed(person.jid) {
      return notice(
        "\(person.label) is not among your friends, and mixes scripts to look like another address", look: .warning)
    }
    return notice("\(person.label) is not among your friends", look: .warning)
  }

  func failed(to: Person, _ reason: String) -> String {
    failure(["not delivered to \(to.label)\(reason.isEmpty ? "" : ": " + Self.remark(reason))"])
  }

  /// What somebody says beside a message, on one line and cut where it is long.
  private static func remark(_ text: String) -> String { Escaper.line(text.clipped(to: TerminalLimits.remarkLength)) }

  private func look(of person: Person) -> Style.Look {
    person.isFriend ? style.look(ofName: person.jid.bare.description) : .warning
  }

  // MARK: Presence

  /// One line for each, or one for many.
  func presence(_ changes: [(person: Person, standing: PresenceDigest.Standing)]) -> String {
    var lines = ""
    for kind in ["online", "away", "busy", "offline"] {
      let some = changes.filter { Self.kind($0.standing.show) == kind }
      if some.count > TerminalLimits.presenceLines {
        lines += notice("\(some.count) friends are \(kind): \(Self.naming(some.map(\.person.label)))")
      } else {
        for (person, standing) in some { lines += presence(of: person, standing) }
      }
    }
    return lines
  }

  /// `TIME -- Bob is away: lunch`.
  func presence(of person: Person, _ standing: PresenceDigest.Standing) -> String {
    let status = standing.status.map { $0.isEmpty ? "" : ": " + Self.remark($0) } ?? ""
    return notice("\(person.label) is \(Self.words(standing.show))\(status)")
  }

  /// A few names, and how many more.
  static func naming(_ labels: [String]) -> String {
    let shown = 5
    guard labels.count > shown + 1 else { return labels.joined(separator: ", ") }
    return labels.prefix(shown).joined(separator: ", ") + " and \(labels.count - shown) more"
  }

  private static func kind(_ show: String) -> String {
    switch show {
    case "away", "xa": "away"
    case "dnd": "busy"
    case "unavailable": "offline"
    default: "online"
    }
  }

  private static func words(_ show: String) -> String {
    switch show {
    case "chat": "free for a chat"
    case "xa": "away for long"
    default: kind(show)
    }
  }

  // MARK: Friends

  func friend(_ item: RosterItem, change: FriendChanged.Change?, person: Person) -> String {
    let who = item.name == nil ? person.label : "\(person.label) (\(Escaper.address(item.jid.bare)))"
    switch change {
    case .added: return notice("\(who) is in your contact list: \(Self.words(item))")
    case .updated: return notice("\(who): \(Self.words(item))")
    case .removed: return notice("\(who) is no longer in your contact list")
    case nil: return notice("\(who): \(Self.words(item))\(Self.groups(item))")
    }
  }

  /// - Parameter answer: how a command is typed here, as for ``request(_:answer:)``.
  func ended(_ event: FriendshipEnded, person: Person, answer: String) -> String {
    if event.wasRefusal { return notice(person.label + " refused your request") }
    let what = person.label + " does not show you their presence any more"
    let address = Escaper.address(event.jid.bare)
    guard event.policy == .ask, let typed = Self.typed(event.jid.bare), address == event.jid.bare.description else {
      return notice(what)
    }
    return layout.entry(time: time, label: .notice, lines: [what, "\(answer) remove \(typed)"], look: .bold)
  }

  func block(_ event: BlockChanged) -> String {
    notice(Escaper.address(event.jid) + (event.change == .blocked ? " is blocked" : " is no longer blocked"))
  }

  private static func words(_ item: RosterItem) -> String {
    switch (item.subscription, item.ask) {
    case (.both, _): "you see each other's presence"
    case (.to, _): "you see their presence"
    case (.from, true): "they see your presence; you asked to see theirs"
    case (.from, false): "they see your presence"
    case (.none, true): "you asked to see their presence"
    case (.none, false): "no presence either way"
    }
  }

  private static func groups(_ item: RosterItem) -> String {
    let groups = item.groups.prefix(TerminalLimits.remarkLength).map { $0.clipped(to: TerminalLimits.nameLength) }
    return item.groups.isEmpty ? "" : " [" + remark(groups.joined(separator: ", ")) + "]"
  }

  /// - Parameter answer: how a command is typed here: `/friends`, or `jackdaw friends`.
  func request(_ event: FriendRequested, answer: String) -> String {
    let address = Escaper.address(event.jid.bare)
    let name = event.displayName.map { " (\(Escaper.name($0.clipped(to: TerminalLimits.nameLength))))" } ?? ""
    var lines = ["\(address)\(name) asks to be your friend"]
    if let message = event.message, !message.isEmpty {
      lines[0] += ":"
      let words = Escaper.lines(message.clipped(to: TerminalLimits.remarkLength))
      lines += words.prefix(TerminalLimits.requestLines)
      if words.count > TerminalLimits.requestLines { lines.append("…") }
    }
    if let typed = Self.typed(event.jid.bare), address == event.jid.bare.description {
      lines.append("\(answer) accept \(typed)  or  \(answer) reject \(typed)")
    } else {
      lines.append("see \(answer) requests")
    }
    return layout.entry(time: time, label: .notice, lines: lines, look: .bold)
  }

  /// An address as a word that a shell or the prompt leaves as it is, since it will be copied there; nil for one that could
  /// be taken for an option or holds a quote. A localpart may hold `$`, `;` and backquotes.
  private static func typed(_ jid: JID) -> String? {
    let address = jid.description
    guard !address.hasPrefix("-"), !address.contains("'") else { return nil }
    let isWord = address.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "@._+-".unicodeScalars.contains(scalar)
    }
    return isWord ? address : "'\(address)'"
  }

  /// - Parameter before: how many were told of shortly before; whose names more are is then no news.
  func requests(_ people: [Person], before: Int, answer: String) -> String {
    guard before == 0 else {
      return notice(
        "\(people.count) more ask to be your friends, \(before + people.count) in all; see \(answer) requests",
        look: .bold)
    }
    return notice(
      "\(people.count) people ask to be your friends: \(Self.naming(people.map(\.label))); see \(answer) requests",
      look: .bold)
  }

  // MARK: Connection

  func connection(_ event: ConnectionChanged) -> String {
    let reason = event.reason.map { ": " + Self.remark($0) } ?? ""
    switch event.state {
    case .connecting: return notice("connecting\(reason)")
    case .online: return notice("online\(reason)")
    case .resumed: return notice("online again\(reason)")
    case .offline: return notice("offline\(reason)", look: .warning)
    case .retrying:
      let wait = event.retryIn.map { ", next try in \(Self.seconds($0)) s" } ?? ""
      return notice("offline\(wait)\(reason)", look: .warning)
    }
  }

  private static func seconds(_ duration: Double) -> Int {
    duration.isFinite ? Int(max(0, min(duration, 86_400)).rounded(.up)) : 0
  }
}
