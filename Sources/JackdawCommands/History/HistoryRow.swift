// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
package import JackdawSession

/// A message of the log, shown again. JSON: a `message` event, then what the log knows of it.
package struct HistoryRow: CommandRow {
  package static let event = MessageArrived.name
  package var message: LoggedMessage
  /// What the row is in the list.
  package var part: Part
  /// How many messages from here on nobody has read, at the first of them.
  package var unread: Int?
  /// Whom the conversation is with goes without saying.
  package var isOfOne: Bool

  /// What a row is to those around it.
  package enum Part: Sendable, Equatable {
    /// A message among others of one conversation, or of all.
    case line
    /// A line of a file, with its date.
    case exported
    /// What was searched for; the first of a group that stands together.
    case hit(beginsGroup: Bool)
    /// What stands around a hit.
    case context(beginsGroup: Bool)
  }

  package init(_ message: LoggedMessage, part: Part = .line, unread: Int? = nil, isOfOne: Bool = false) {
    self.message = message
    self.part = part
    self.unread = unread
    self.isOfOne = isOfOne
  }

  /// For tables; whoever shows text shows it as a message.
  package var cells: [Cell] { [Cell(message.event.from.bare.description, .jid), Cell(message.event.body)] }

  private enum CodingKeys: String, CodingKey {
    case number, conversation, outgoing, state, unread, found
  }

  package func encode(to encoder: any Encoder) throws {
    try message.event.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(message.number, forKey: .number)
    try container.encode(message.conversation.description, forKey: .conversation)
    try container.encode(message.isOutgoing, forKey: .outgoing)
    try container.encode(message.state?.name, forKey: .state)
    try container.encode(message.isUnread, forKey: .unread)
    switch part {
    case .line, .exported: try container.encodeNil(forKey: .found)
    case .hit: try container.encode(true, forKey: .found)
    case .context: try container.encode(false, forKey: .found)
    }
    try FateKeys(message.fate).encode(to: encoder)
  }
}

/// What was said of a message later as JSON has it, a key each.
struct FateKeys: Encodable {
  private var corrected: String?
  private var retracted: Bool
  private var reacted: [Reacted]

  /// Somebody's reactions.
  private struct Reacted: Encodable {
    var from: String
    var reactions: [String]
  }

  init(_ fate: MessageFate) {
    (corrected, retracted) = (fate.correction, fate.isRetracted)
    reacted = fate.reactions.map { Reacted(from: $0.from.description, reactions: $0.with) }
  }

  private enum CodingKeys: String, CodingKey { case corrected, retracted, reacted }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(corrected, forKey: .corrected)
    try container.encode(retracted, forKey: .retracted)
    try container.encode(reacted, forKey: .reacted)
  }
}

extension LoggedMessage {
  /// What that is encrypted with which its sender wants to have said: the message, or what was said in its place.
  package var encryption: String? { correction == nil ? event.payload?.encryption : fate.correctionEncryption }

  /// What its sender wants to have said, or said last before it was taken back; empty where that cannot be read.
  package var shownText: String { encryption == nil ? correction ?? event.body : "" }

  /// What was said in its place, last; of what was taken back only what can still be read.
  private var correction: String? {
    if fate.isRetracted, fate.isEmptied || fate.correctionEncryption != nil { return nil }
    return fate.correction
  }

  /// It in a few words, where it stands without its sender: what is encrypted, or has no text, in words of the program.
  package var summary: String {
    if let deed = event.relations.deed { return deed }
    if let encryption { return MessagePayload.summary(of: event.body, encryptedWith: encryption) }
    guard let payload = event.payload, correction == nil else { return shownText }
    return payload.summary(of: event.body)
  }

  /// The first line of it, for a list; of what was taken back that it was.
  package var firstLine: String {
    if fate.isRetracted { return "(taken back)" }
    return summary.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init) ?? ""
  }

  /// What whoever said it is called in a room, in quotation marks where that could pass for the user; nil outside of rooms, and where
  /// the room itself says it.
  package var speaker: String? {
    guard isInRoom, let nick = event.from.resource else { return nil }
    return NameLikeness.key(nick) == NameLikeness.key("me") ? "\"\(nick)\"" : nick
  }

  /// One of the user's own that was to change an earlier message, and did not arrive: there is nothing to be said of it.
  var isFailedRemark: Bool {
    guard isFailed else { return false }
    return event.relations.deed != nil || event.corrects
  }

  /// One of the user's own that did not arrive, as far as is known: where one of several devices sends it back others may have it.
  var isFailed: Bool {
    guard isOutgoing, case .failed = state else { return false }
    return true
  }

  /// One of the user's own that was taken out of the outbox before it was sent: nobody has it.
  var isWithdrawn: Bool { isOutgoing && state == .failed(reason: Withdrawal.reason(mayHaveArrived: false)) }

  /// What was searched for stands in what the message said before it was corrected.
  private var isFoundAsBefore: Bool { !hits.isEmpty && fate.correction != nil && foundText != fate.correction }

  /// What is said of the text beside it; nil: nothing.
  package var remark: String? {
    if fate.isRetracted { return "retracted" }
    if isFoundAsBefore { return "corrected since" }
    return fate.correction != nil || event.corrects ? "corrected" : nil
  }
}

extension MessageRelation {
  /// It says nothing without the message of this id.
  func changes(_ id: String) -> Bool {
    switch self {
    case .replaces(let other), .retracts(let other), .reacts(let other, _): other == id
    case .replies: false
    }
  }
}

extension [MessageRelation] {
  /// What a message does to an earlier one, where it says nothing by itself.
  var deed: String? {
    for relation in self {
      switch relation {
      case .retracts: return "took a message back"
      case .reacts(_, []): return "took a reaction back"
      case .reacts(_, let with): return "reacted \(with.joined(separator: " "))"
      case .replaces, .replies: continue
      }
    }
    return nil
  }
}

/// A conversation in the list of them.
package struct ConversationRow: CommandRow {
  package var summary: ConversationSummary
  /// What the user calls them.
  package var name: String?
  /// When the last message was written, for people.
  package var time: String

  package var cells: [Cell] {
    let last = summary.last
    let body = last.firstLine.cut(toCodePoints: CommandLimits.listedText)
    let called = name ?? summary.conversation.localpart ?? summary.conversation.description
    let said =
      body.hasPrefix("/me ")
      ? "* \(last.isOutgoing ? "me" : last.speaker ?? called) \(body.dropFirst("/me ".count))"
      : (last.isOutgoing ? "me: " : "") + body
    return [
      Cell(called, .name),
      Cell(summary.conversation.description, .jid), Cell(time, .time),
      Cell(summary.unread == 0 ? "" : "\(summary.unread) unread", .unread),
      Cell(said, .faint),
    ]
  }

  private enum CodingKeys: String, CodingKey { case jid, name, unread, number, written, outgoing, body }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(summary.conversation.description, forKey: .jid)
    try container.encode(name, forKey: .name)
    try container.encode(summary.unread, forKey: .unread)
    try container.encode(summary.last.number, forKey: .number)
    try container.encode(summary.last.event.delayed?.description, forKey: .written)
    try container.encode(summary.last.isOutgoing, forKey: .outgoing)
    try container.encode(summary.last.event.body, forKey: .body)
    try FateKeys(summary.last.fate).encode(to: encoder)
  }
}
