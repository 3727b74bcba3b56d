// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What messages carry beside their texts.
extension TextLines {
  /// Whose message it is, and how it is told.
  struct Teller {
    /// The sender at the beginning of a sentence.
    var who: String
    /// Who reads it, or whom one of our own is for.
    var whom: String
    /// It is one of our own.
    var isOwn: Bool
    /// It is told later than it came.
    var isLate: Bool
    /// Who sent it, as an address.
    var room: String
    /// Whom somebody else says that an invitation is from.
    var inviter: String?
  }

  /// - Parameter who: what whoever sent it is called; in a room that is not the room.
  func teller(_ event: MessageArrived, _ who: String, _ from: Person, _ to: Person, _ inviter: Person?) -> Teller {
    let isOwn = from.isOwn || event.carbon == .sent
    return Teller(
      who: isOwn ? "You" : who, whom: addressee(event, to), isOwn: isOwn, isLate: event.delayed != nil,
      room: from.jid.bare.description, inviter: inviter.map { Self.name(of: $0, in: from.jid) })
  }

  /// Who invites: somebody, or whoever has that name in the room.
  private static func name(of inviter: Person, in room: JID) -> String {
    guard inviter.jid.bare == room.bare, let name = inviter.jid.resource else { return inviter.label }
    return Escaper.name(name.clipped(to: TerminalLimits.nameLength))
  }

  /// Adds it to a message: marks in round brackets are the program's words, those in square brackets the sender's. What stands beside the
  /// text comes in lines behind it.
  func add(_ payload: MessagePayload, to entry: inout TextEntry, _ teller: Teller) {
    if let scheme = payload.encryption {
      // What OTR begins with asks for it, and hides nothing.
      if scheme == "OTR", MessagePayload.asksForOTR(entry.body) {
        return entry.say(
          teller.isOwn
            ? "You asked \(teller.whom) to encrypt with OTR."
            : "\(teller.who) asks to encrypt with OTR, which Jackdaw cannot do.")
      }
      let what = "an encrypted message (\(Self.remark(scheme))) that Jackdaw cannot read."
      return entry.say(teller.isOwn ? "You sent \(teller.whom) \(what)" : "\(teller.who) sent \(what)")
    }
    if let content = payload.content {
      if let sentence = sentence(content, hasText: !entry.body.isEmpty, teller) { return entry.say(sentence) }
      add(content, to: &entry)
    }
    if let hint = payload.spoiler {
      entry.label.text += hint.isEmpty ? " (spoiler)" : " (spoiler) [\(Self.remark(hint))]"
      entry.isSpoiler = true
    }
    if let subject = payload.subject { entry.label.text += " [\(Self.remark(subject))]" }
    add(payload.links, to: &entry)
    if entry.body.isEmpty, entry.label.separator == ": " { entry.label.separator = ":" }
  }

  /// An address that is all of the text, or stands in it, is not shown twice.
  private func add(_ links: [MessagePayload.Link], to entry: inout TextEntry) {
    for link in links {
      let words = link.description.map { Self.remark($0) }
      if entry.body.isEmpty || entry.body == link.url {
        entry.body = link.url
        if !entry.label.text.hasSuffix(")") { entry.label.text += " (link)" }
        if let words { entry.body += "\n" + words }
      } else if !entry.body.contains(link.url) {
        entry.body += "\nlink: " + Escaper.line(link.url) + (words.map { " (\($0))" } ?? "")
      } else if let words, !entry.body.contains(words) {
        entry.body += "\nlink: " + words
      }
    }
  }
}

extension TextEntry {
  /// Makes a line of the program of it.
  /// - Parameter words: safe to show.
  mutating func say(_ words: String) {
    label = .notice
    look = .faint
    body = words
    isOurs = true
    mayBeStyled = false
  }
}
