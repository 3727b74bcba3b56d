// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Messages that are no text, or more than one.
extension TextLines {
  /// What the program says in the place of the message; nil: its text is shown.
  func sentence(_ content: MessageContent, hasText: Bool, _ teller: Teller) -> String? {
    switch content.kind {
    case .invitation: return invitation(content, teller)
    case .attention where !hasText:
      return teller.isOwn ? "You asked for the attention of \(teller.whom)." : "\(teller.who) wants your attention."
    case .call: return "\(teller.who) \(teller.isLate ? "called" : "is calling") (Jackdaw has no calls)."
    case .contacts where !hasText:
      let hint = teller.isOwn ? nil : hint(content)
      let end = hint.map { ". " + $0 } ?? "."
      return "\(teller.who) suggest\(teller.isOwn ? "ed" : "s") \(Self.contacts(content))\(end)"
    case .unknown:
      let names = content.items.prefix(Self.namesOfUnknown).map { Self.remark($0) }.joined(separator: ", ")
      return "\(teller.who) sent something that Jackdaw cannot show (\(names))."
    case .attention, .contacts, .place, .file, .sticker, .form: return nil
    }
  }

  private static let namesOfUnknown = 3

  private func invitation(_ content: MessageContent, _ teller: Teller) -> String {
    let room = Self.address(content.address ?? "")
    let reason = content.text.map { ": " + Self.remark($0) } ?? ""
    if teller.isOwn { return "You invited \(teller.whom) to the room \(room)\(reason)" }
    let words =
      if content.person == nil {
        content.address == teller.room ? "\(room) invites you" : "\(teller.who) invites you to the room \(room)"
      } else {
        "\(room) says that \(teller.inviter ?? "somebody") invites you there"
      }
    return words + reason + entrance(content.address)
  }

  /// The command that enters a room into which somebody invites, to be copied, and how it is declined; a full stop where the address is not safe to be typed.
  private func entrance(_ room: String?) -> String {
    guard let jid = room.flatMap({ try? JID($0).bare }), Escaper.address(jid) == jid.description,
      let word = typed(jid)
    else { return "." }
    return " – to enter it, type: \(roomsCommand) accept \(word) (or: decline)"
  }

  /// The command that takes suggested contacts, to be copied: they are asked to be friends only by who types it. None for those that are to
  /// be removed or changed: nobody is to lose a contact for somebody else's word.
  private func hint(_ content: MessageContent) -> String? {
    guard content.type == "add" else { return nil }
    let jids = content.items.prefix(TerminalLimits.suggestedContacts).compactMap { item -> JID? in
      guard let jid = try? JID(item).bare, Escaper.address(jid) == jid.description else { return nil }
      return Self.word(jid.description) == nil ? nil : jid
    }
    guard let first = jids.first.flatMap(typed) else { return nil }
    let words = [first] + jids.dropFirst().compactMap { Self.word($0.description) }
    return "To add \(words.count == 1 ? "it" : "them"), type: \(friendsCommand) add \(words.joined(separator: " "))"
  }

  private static func contacts(_ content: MessageContent) -> String {
    let names = content.items.map { address($0) }
    let people = names.count == 1 ? "a contact" : "\(names.count) contacts"
    let what =
      switch content.type {
      case "delete": "removing \(people)"
      case "modify": "changing \(people)"
      default: people
      }
    return "\(what): \(naming(names))"
  }

  /// One that is none is shown as it came.
  private static func address(_ text: String) -> String {
    (try? JID(received: text)).map { Escaper.address($0) } ?? remark(text)
  }

  /// Marks the sender, and adds to the text what it does not say.
  func add(_ content: MessageContent, to entry: inout TextEntry) {
    var details: [String] = []
    switch content.kind {
    case .attention: entry.label.text += " (wants your attention)"
    case .contacts: details = ["suggests \(Self.contacts(content))", hint(content)].compactMap { $0 }
    case .place:
      entry.label.text += " (place)"
      details = [content.url, content.text.map { Self.remark($0) }].compactMap { $0 }
    case .sticker where !entry.body.isEmpty: entry.label.text += " (sticker)"
    case .file, .sticker:
      entry.label.text += content.kind == .file ? " (file)" : " (sticker)"
      let about =
        [content.name, content.type].compactMap { $0 }.map { Self.remark($0) }
        + [content.size.map(Self.size)].compactMap { $0 }
      details = [
        content.url, about.isEmpty ? nil : about.joined(separator: ", "), content.text.map { Self.remark($0) },
      ]
      .compactMap { $0 }
    case .form:
      entry.label.text += " (form)"
      details =
        [content.name, content.text].compactMap { $0 }.map { Self.remark($0) }
        + content.items.map { "– " + Self.remark($0) }
    case .invitation, .call, .unknown: break
    }
    for detail in details where !entry.body.contains(detail) {
      entry.body += (entry.body.isEmpty ? "" : "\n") + Escaper.line(detail)
    }
  }

  /// `12 kB`
  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1_000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }
}
