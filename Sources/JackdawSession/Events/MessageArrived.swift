// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A message arrived (or one of ours was sent from another device). JSON: `message`.
///
/// On its way from the stream to the screen it is copied a dozen times. What it has is one object on the heap, which does not change: each
/// copy would count the references of all its texts.
package struct MessageArrived: ClientEvent, Equatable {
  /// Which way it went that another device of ours sent or received (XEP-0280).
  package enum Carbon: String, Encodable, Sendable, CaseIterable { case sent, received }
  package static let name = "message"

  /// What a message has, as the properties say.
  private struct Parts {
    var id: String?
    var from: JID
    var to: JID
    var kind: Message.Kind
    var body: String
    var delayed: Timestamp?
    var carbon: Carbon?
    var encrypted: Bool
    var relations: [MessageRelation]
    var questions: MessageQuestions
    var box: PayloadBox?
    var isWaiting = false
  }

  private final class Content: Sendable {
    let parts: Parts
    init(_ parts: Parts) { self.parts = parts }
  }

  private var content: Content

  private mutating func change(_ change: (inout Parts) -> Void) {
    var parts = content.parts
    change(&parts)
    content = Content(parts)
  }

  /// Its attribute `id`.
  package var id: String? {
    get { content.parts.id }
    set { change { $0.id = newValue } }
  }
  /// The sender's full JID, or bare where it gave none; ours when ``carbon`` is `.sent`.
  package var from: JID {
    get { content.parts.from }
    set { change { $0.from = newValue } }
  }
  /// Whom it was sent to: one of our addresses unless ``carbon`` is `.sent`.
  package var to: JID {
    get { content.parts.to }
    set { change { $0.to = newValue } }
  }
  /// `.error` is never among them: see ``MessageStateChanged``.
  package var kind: Message.Kind {
    get { content.parts.kind }
    set { change { $0.kind = newValue } }
  }
  /// From the network: to be shown through the escaper only. Empty where ``isAnnotation``.
  package var body: String {
    get { content.parts.body }
    set { change { $0.body = newValue } }
  }
  /// When it was first sent, for one that was stored on the way (XEP-0203).
  package var delayed: Timestamp? {
    get { content.parts.delayed }
    set { change { $0.delayed = newValue } }
  }
  /// Which way it went, where another device of ours sent or received it; nil: it came here.
  package var carbon: Carbon? {
    get { content.parts.carbon }
    set { change { $0.carbon = newValue } }
  }
  /// What was said is encrypted, and cannot be read.
  package var encrypted: Bool {
    get { content.parts.encrypted }
    set { change { $0.encrypted = newValue } }
  }
  /// What it carries beside its text; nil: nothing.
  package var payload: MessagePayload? {
    get { content.parts.box?.payload }
    set { change { $0.box = newValue.map(PayloadBox.init) } }
  }
  /// Whether it carries anything beside its text. Most do not, and ``payload`` is large.
  package var hasPayload: Bool { content.parts.box != nil }
  /// What it says of earlier messages. Bounded by the kinds of ``MessageRelation``.
  package var relations: [MessageRelation] {
    get { content.parts.relations }
    set { change { $0.relations = newValue } }
  }
  /// What its sender asks to be told of it. No part of what was said.
  package var questions: MessageQuestions {
    get { content.parts.questions }
    set { change { $0.questions = newValue } }
  }
  /// Of ours: it waits for a connection. No part of what was said.
  package var isWaiting: Bool {
    get { content.parts.isWaiting }
    set { change { $0.isWaiting = newValue } }
  }
  /// Where it stands in the message log, for whoever presents it; nil: it is not there. No part of what was said. Kept beside ``content``, as
  /// it is set when the message is in the log, and the rest need not be made anew for that.
  package var place: LogPlace?

  package var topic: JID? { other.bare }
  package var asMessage: MessageArrived? { self }
  /// Whom the conversation is with: a bare address, or an occupant's where it is private in a room.
  package var conversation: JID { isPrivate ? other : other.bare }
  /// It was said to one occupant of a room alone.
  package var isPrivate: Bool { content.parts.box?.payload.isPrivate == true }
  private var other: JID { carbon == .sent ? to : from }

  /// A message that the user just wrote here, as it is shown.
  package static func said(
    _ body: String, id: String, from account: JID, to: JID, _ addressing: Addressing,
    relations: [MessageRelation] = []
  ) -> MessageArrived {
    var said = MessageArrived(
      id: id, from: account, to: to, kind: addressing == .room ? .groupchat : .chat, body: body, relations: relations)
    if addressing == .occupant {
      var payload = MessagePayload()
      payload.isPrivate = true
      said.payload = payload
    }
    return said
  }

  /// Whom the conversation is with, of a message that the user wrote on this device or another.
  package var conversationOfOwn: JID { isPrivate ? to : to.bare }

  /// As it is told; what is encrypted by its payload is ``encrypted``.
  package init(
    id: String?, from: JID, to: JID, kind: Message.Kind, body: String, delayed: Timestamp? = nil,
    carbon: Carbon? = nil, encrypted: Bool = false, relations: [MessageRelation] = [], payload: MessagePayload? = nil,
    questions: MessageQuestions = []
  ) {
    self.init(
      id: id, from: from, to: to, kind: kind, body: body, delayed: delayed, carbon: carbon, encrypted: encrypted,
      relations: relations, box: payload.map(PayloadBox.init), questions: questions, place: nil)
  }

  /// - Parameter box: what it carries beside its text.
  init(
    id: String?, from: JID, to: JID, kind: Message.Kind, body: String, delayed: Timestamp?, carbon: Carbon?,
    encrypted: Bool = false, relations: [MessageRelation], box: PayloadBox?, questions: MessageQuestions,
    place: LogPlace?
  ) {
    content = Content(
      Parts(
        id: id, from: from, to: to, kind: kind, body: body, delayed: delayed, carbon: carbon,
        encrypted: encrypted || box?.payload.encryption != nil, relations: relations, questions: questions, box: box))
    self.place = place
  }

  /// It says nothing by itself, only something of an earlier message, which it retracts or reacts to, or something for people alone:
  /// that somebody calls, wants attention, or sent what is not known.
  package var isAnnotation: Bool {
    if body.isEmpty, let kind = contentKind, [.call, .attention, .unknown].contains(kind) { return true }
    return saysOfEarlier
  }

  /// Somebody has something to say to the reader, if only that they call or want attention: it is unread until it was read. What is said
  /// of an earlier message, and what nobody can read as Jackdaw does not know it, is not.
  package var countsAsUnread: Bool {
    !saysOfEarlier && !corrects && !(body.isEmpty && contentKind == .unknown)
  }

  private var saysOfEarlier: Bool {
    relations.contains { relation in
      switch relation {
      case .retracts, .reacts: true
      case .replaces, .replies: false
      }
    }
  }

  /// It stands in the place of an earlier message.
  package var corrects: Bool { relations.contains { if case .replaces = $0 { true } else { false } } }

  /// The id of the message that it answers (XEP-0461).
  package var answeredID: String? {
    for case .replies(let id, _) in relations { return id }
    return nil
  }

  /// What it repeats of the message that it answers, beside ``body``; empty: nothing.
  package var quotedText: String {
    for case .replies(_, let quote?) in relations { return quote }
    return ""
  }

  /// Bytes of what it says and repeats, for whoever bounds how many are held.
  package var textBytes: Int { body.utf8.count + quotedText.utf8.count }

  /// Bytes of that and of what comes with it, for whoever holds it in memory.
  package var heldBytes: Int {
    textBytes + (id?.utf8.count ?? 0) + (from.resource?.utf8.count ?? 0) + (payload?.bytes ?? 0)
  }

  private var contentKind: MessageContent.Kind? { content.parts.box?.payload.content?.kind }

  package static func == (one: Self, other: Self) -> Bool {
    one.content === other.content
      || one.id == other.id && one.from == other.from && one.to == other.to && one.kind == other.kind
        && one.body == other.body && one.delayed == other.delayed && one.carbon == other.carbon
        && one.encrypted == other.encrypted && one.relations == other.relations && one.payload == other.payload
  }

  private static let noPayload = MessagePayload()

  private enum CodingKeys: String, CodingKey {
    case id, from, to, type, body, delayed, carbon, encrypted
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(from.description, forKey: .from)
    try container.encode(to.description, forKey: .to)
    try container.encode(kind.rawValue, forKey: .type)
    try container.encode(body, forKey: .body)
    try container.encode(delayed?.description, forKey: .delayed)
    try container.encode(carbon, forKey: .carbon)
    try container.encode(encrypted, forKey: .encrypted)
    try RelationKeys(relations).encode(to: encoder)
    try (payload ?? Self.noPayload).encode(to: encoder)
  }
}

extension MessageArrived {
  /// Somebody invites into a room.
  package var isInvitation: Bool { contentKind == .invitation }
}

/// Relations as JSON has them, a key each.
package struct RelationKeys: Encodable {
  private var replaces: String?
  private var retracts: String?
  private var replyTo: String?
  private var quoted: String?
  private var reactsTo: String?
  private var reactions: [String]?

  /// - Parameter relations: of one message: each kind once.
  package init(_ relations: [MessageRelation]) {
    for relation in relations {
      switch relation {
      case .replaces(let id): replaces = id
      case .retracts(let id): retracts = id
      case .replies(let id, let quote): (replyTo, quoted) = (id, quote)
      case .reacts(let id, let with): (reactsTo, reactions) = (id, with)
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case replaces, retracts
    case replyTo = "reply_to"
    case quoted
    case reactsTo = "reacts_to"
    case reactions
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(replaces, forKey: .replaces)
    try container.encode(retracts, forKey: .retracts)
    try container.encode(replyTo, forKey: .replyTo)
    try container.encode(quoted, forKey: .quoted)
    try container.encode(reactsTo, forKey: .reactsTo)
    try container.encode(reactions, forKey: .reactions)
  }
}
