// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawProtocol
import JackdawSession

/// An earlier message in a few words, where another one is about it.
struct EarlierWords {
  /// Safe to show, within a sentence.
  let text: String
  /// It is in the log.
  let isKnown: Bool

  /// In quotation marks: the first line of what is shown of it, or what it is where it has no text.
  /// - Parameter message: nil: it is not in the log.
  init(_ message: LoggedMessage?) {
    isKnown = message != nil
    guard let message else {
      text = "a message that is not here"
      return
    }
    let words = Self.firstLine(message.summary)
    // What ends the quotation is ours, or somebody's words could pass for those of who quotes them.
    text = words.isEmpty ? "a message without its text" : "\"\(words.replacing("\"", with: "'"))\""
  }

  /// A message that is named by nothing but that it is one.
  /// - Parameter words: safe to show.
  init(unnamed words: String) { (text, isKnown) = (words, true) }

  /// The first line that holds something, cut where it is long; safe to show. What is cut off is not looked at.
  static func firstLine(_ text: String, without mark: Character? = nil) -> String {
    let head = text.clipped(to: TerminalLimits.quotedLength)
    for line in head.split(whereSeparator: \.isNewline) {
      let words = line.drop { $0 == mark || $0.isWhitespace }
      if !words.isEmpty {
        return Width.truncate(Escaper.line(String(words)), to: TerminalLimits.quotedColumns)
      }
    }
    return ""
  }
}

/// Messages that are about earlier ones.
extension TextLines {
  /// What somebody says of an earlier message, as a line; nil where it is a message by itself.
  /// - Parameters:
  ///   - isOpen: of a room, that it is the conversation that is open.
  ///   - identity: who somebody in a room is, as far as it is known.
  func annotation(
    _ event: MessageArrived, from: Person, to: @autoclosure () -> Person, of earlier: EarlierWords,
    isOpen: Bool = false, identity: OccupantIdentity? = nil
  ) -> String? {
    for relation in event.relations {
      guard let does = Self.deed(relation) else { continue }
      let isOwn = from.isOwn || event.carbon == .sent
      let isInRoom = event.kind == .groupchat || event.isPrivate
      let who = isOwn ? "You" : isInRoom ? speaker(event, in: from, isOpen: isOpen, identity).text : from.label
      let place = isOwn ? " in the chat with \(addressee(event, to()))" : ""
      return layout.entry(
        time: sendingTime(of: event), label: .notice, lines: ["\(who) \(does) \(earlier.text)\(Self.end(of: place))"],
        look: .faint)
    }
    return nil
  }

  /// What stands behind an earlier message, with the full stop of the sentence: a name may have one.
  static func end(of place: String) -> String { place.isEmpty ? "." : Sentence.ended(place) }

  /// What is done to an earlier message, before that one; nil where something is said beside it.
  static func deed(_ relation: MessageRelation) -> String? {
    switch relation {
    case .retracts: "took back"
    case .reacts(_, []): "took back a reaction to"
    case .reacts(_, let with): "reacted \(remark(with.joined(separator: " "))) to"
    case .replaces, .replies: nil
    }
  }

  /// The mark of a reply.
  /// - Parameter quote: what it claims that the other one says, which is for who does not have that one.
  func reply(to answered: EarlierWords, claiming quote: String) -> String {
    let claimed = answered.isKnown ? "" : EarlierWords.firstLine(quote, without: ">")
    return " (reply to \(answered.text))" + (claimed.isEmpty ? "" : " [\(claimed)]")
  }
}

extension TextOutput {
  /// What a message is about that is said of an earlier one; nil for any other.
  func earlier(_ message: MessageArrived, of account: JID) -> EarlierWords? {
    let relations = message.relations
    // Most are about none.
    guard !relations.isEmpty else { return nil }
    let isOwn = message.carbon == .sent || message.from.bare == account.bare
    let conversation = isOwn ? message.conversationOfOwn : message.conversation
    // Of what one says to oneself the log does not tell which side said it.
    let side = conversation == account.bare ? nil : isOwn
    for relation in relations {
      switch relation {
      case .retracts(let id):
        guard repeatsRetracted else { return EarlierWords(unnamed: "a message") }
        // A room takes back what anybody said, the user too (XEP-0425).
        let isOfRoom = message.kind == .groupchat && message.from.resource == nil
        let found = names.message(ofID: id, in: conversation, isOutgoing: isOfRoom ? nil : side, of: account)
        return EarlierWords(found.flatMap { isOwn || isOfRoom || Self.isSaid($0, by: message) ? $0 : nil })
      case .reacts(let id, _), .replies(let id, _):
        // One that is about itself is about nothing.
        if id == message.id { return EarlierWords(nil) }
        return EarlierWords(names.message(ofID: id, in: conversation, isOutgoing: nil, of: account))
      case .replaces: continue
      }
    }
    return nil
  }

  /// Whether whoever takes a message back said it: nobody else takes it back, in a room neither, where another one may have had that nick
  /// before (XEP-0421).
  private static func isSaid(_ earlier: LoggedMessage, by message: MessageArrived) -> Bool {
    guard message.kind == .groupchat else { return true }
    guard let occupant = earlier.event.payload?.occupant, let other = message.payload?.occupant else {
      return earlier.event.from == message.from
    }
    return earlier.event.from == message.from && occupant == other
  }

  /// What a message of the log is about that says nothing by itself.
  func remarked(_ message: LoggedMessage, of account: JID?) -> EarlierWords {
    account.flatMap { earlier(message.event, of: $0) } ?? EarlierWords(unnamed: "a message")
  }

  /// What a message of the log answers.
  func answered(_ message: LoggedMessage, of account: JID?) -> EarlierWords? {
    guard message.event.answeredID != nil, let account else { return nil }
    var event = message.event
    event.relations.removeAll { if case .replies = $0 { false } else { true } }
    if message.isOutgoing { event.carbon = .sent }
    return earlier(event, of: account)
  }
}
