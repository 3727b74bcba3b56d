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
  let account: String?
  /// How it is written, with what the account is called that the line is of.
  let time: String
  /// Texts are shown as their authors styled them (XEP-0393).
  var isStyling: Bool
  /// How a command for the contact list is typed here: `/friends`, or `jackdaw friends`.
  var friendsCommand: String
  /// The same for rooms: `/rooms`, or `jackdaw rooms`.
  var roomsCommand: String

  /// A time, with what the account is called that the line is of.
  static func stamp(_ time: String, _ account: String?) -> String {
    account.map { "\(time) [\(Escaper.line($0))]" } ?? time
  }

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
    layout.entry(time: time, label: style.isSpoken ? .spokenFailure : .failure, lines: lines, look: .bad)
  }

  // MARK: Messages

  /// `TIME SENDER: TEXT`; `TIME * SENDER TEXT` for what begins with `/me ` (XEP-0245), which no line of the program does.
  /// - Parameters:
  ///   - isPlain: it is plain whom a message of the user's own is for; else it names them.
  ///   - isOpen: the conversation is the one that is open: of a room only the speaker is named.
  ///   - isBesideRoom: a room is open, where whoever reads might take it for said to all.
  ///   - identity: who somebody in a room is, as far as it is known.
  ///   - inviter: whom somebody else says that an invitation is from.
  ///   - answered: of a reply, what it answers.
  func message(
    _ event: MessageArrived, from: Person, to: @autoclosure () -> Person, isPlain: Bool, isOpen: Bool = false,
    isBesideRoom: Bool = false, identity: OccupantIdentity? = nil, inviter: Person? = nil, answered: EarlierWords? = nil
  ) -> TextEntry {
    let isOwn = from.isOwn || event.carbon == .sent
    var who = from.label
    var label = EntryLayout.Label(text: who, look: look(of: from), separator: ": ")
    if isOwn {
      let to = to()
      label.text = isPlain ? "me" : (style.isSpoken ? "me to " : "me → ") + (to.isOwn ? "myself" : addressee(event, to))
      if event.isWaiting { label.text += style.isSpoken ? " (waiting)" : " …" }
      label.look = .own
    } else if event.kind == .groupchat || event.isPrivate {
      label = speaker(event, in: from, isOpen: isOpen, identity)
      who = label.text
    } else if event.kind == .error {
      label.text = "!! " + label.text
      label.look = .bad
    } else if isBesideRoom {
      label.text += " (private)"
    }
    if let answered { label.text += reply(to: answered, claiming: event.quotedText) }
    if event.corrects { label.text += " (corrected)" }
    var body = event.body
    if body.hasPrefix("/me ") {
      body.removeFirst(4)
      label.text = "* " + label.text
      label.separator = " "
    }
    var entry = TextEntry(
      time: sendingTime(of: event), label: label, body: body, look: event.kind == .error ? .bad : .plain)
    entry.mayBeStyled = isStyling
    if event.hasPayload, let payload = event.payload {
      if payload.isUnstyled { entry.mayBeStyled = false }
      add(payload, to: &entry, teller(event, who, from, to(), inviter))
    }
    return entry
  }

  /// When it was sent, as it is written.
  func sendingTime(of event: MessageArrived) -> String {
    // A stamp may be forged; nothing was sent later than now.
    guard let sent = event.delayed, sent < now else { return time }
    return Self.stamp(localTime.short(sent, now: now), account)
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
        "\(person.label) is not one of your friends, and mixes scripts to look like another address.",
        look: .stranger)
    }
    return notice("\(person.label) is not one of your friends.", look: .stranger)
  }

  /// - Parameters:
  ///   - to: whom it was for.
  ///   - nick: what somebody in a room is called there, whom alone it was for; nil: it was for no such one.
  func failed(to: Person, nick: String? = nil, _ reason: String) -> String {
    let whom = nick.map { "\(Self.nick($0)) in \(to.label)" } ?? to.label
    return failure([cross + Sentence.joined("Your message to \(whom) was not delivered.", Self.remark(reason))])
  }

  /// Why a message of the log, above, did not arrive.
  func failedBefore(_ reason: String, time: String) -> String {
    layout.entry(
      time: time, label: .notice, lines: [cross + "not delivered" + Self.why(reason)], look: .faint)
  }

  /// Who listens to the words needs no sign.
  private var cross: String { style.isSpoken ? "" : "✗ " }

  private static func why(_ reason: String) -> String { reason.isEmpty ? "" : ": " + remark(reason) }

  /// What somebody says beside a message, on one line and cut where it is long.
  static func remark(_ text: String) -> String { Escaper.line(text.clipped(to: TerminalLimits.remarkLength)) }

  private func look(of person: Person) -> Style.Look {
    person.isFriend ? style.look(ofName: person.jid.bare.description) : .stranger
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

  // MARK: Connection

  func connection(_ event: ConnectionChanged) -> String {
    var reason = event.reason.map { ": " + Self.remark($0) } ?? ""
    if !reason.hasSuffix(".") { reason += "." }
    switch event.state {
    case .connecting: return notice("Connecting\(reason)")
    case .online: return notice("You are online\(reason)")
    case .resumed: return notice("You are online again\(reason)")
    case .offline: return notice("You are offline\(reason)", look: .warning)
    case .retrying:
      let wait = event.retryIn.map { " Next try in \(Self.seconds($0)) s." } ?? ""
      return notice("You are offline\(reason)\(wait)", look: .warning)
    }
  }

  private static func seconds(_ duration: Double) -> Int {
    duration.isFinite ? Int(max(0, min(duration, 86_400)).rounded(.up)) : 0
  }
}

extension TextLines {
  /// - Parameters:
  ///   - time: how ``now`` is written.
  ///   - account: what the account is called that the line is of; nil: that is plain.
  init(
    layout: EntryLayout, localTime: LocalTime, now: Timestamp, time: String, account: String? = nil,
    isStyling: Bool = true, friendsCommand: String = "jackdaw friends", roomsCommand: String = "jackdaw rooms"
  ) {
    // By the one that Swift makes, which has another order: what is written within the type itself copies the whole when it is done.
    self.init(
      layout: layout, localTime: localTime, now: now, account: account, time: Self.stamp(time, account),
      isStyling: isStyling, friendsCommand: friendsCommand, roomsCommand: roomsCommand)
  }
}
