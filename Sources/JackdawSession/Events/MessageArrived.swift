// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A message arrived (or one of ours was sent from another device). JSON: `message`.
package struct MessageArrived: ClientEvent, Equatable {
  /// Which way it went that another device of ours sent or received (XEP-0280).
  package enum Carbon: String, Encodable, Sendable, CaseIterable { case sent, received }
  package static let name = "message"
  package var id: String?
  /// The sender's full JID, or bare where it gave none; ours when ``carbon`` is `.sent`.
  package var from: JID
  /// Whom it was sent to: one of our addresses unless ``carbon`` is `.sent`.
  package var to: JID
  /// `.error` is never among them: see ``MessageStateChanged``.
  package var kind: Message.Kind
  /// From the network: to be shown through the escaper only. Empty where ``isAnnotation``.
  package var body: String
  /// When it was first sent, for one that was stored on the way (XEP-0203).
  package var delayed: Timestamp?
  package var carbon: Carbon?
  package var encrypted: Bool
  /// What it carries beside its text; nil: nothing.
  package var payload: MessagePayload? {
    get { box?.payload }
    set { box = newValue.map(PayloadBox.init) }
  }
  private var box: PayloadBox?
  /// What it says of earlier messages. Bounded by the kinds of ``MessageRelation``.
  package var relations: [MessageRelation]
  /// What its sender asks to be told of it. No part of what was said.
  package var questions: MessageQuestions = []
  /// Of ours: it waits for a connection. No part of what was said.
  package var isWaiting = false
  /// Where it stands in the message log, for whoever presents it; nil: it is not there. No part of what was said.
  package var place: LogPlace?
  package var topic: JID? { other.bare }
  /// Whom the conversation is with: a bare address, or an occupant's where it is private in a room.
  package var conversation: JID { payload?.isPrivate == true ? other : other.bare }
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
  package var conversationOfOwn: JID { payload?.isPrivate == true ? to : to.bare }

  /// As it is told; what is encrypted by its payload is ``encrypted``.
  package init(
    id: String?, from: JID, to: JID, kind: Message.Kind, body: String, delayed: Timestamp? = nil,
    carbon: Carbon? = nil, encrypted: Bool = false, relations: [MessageRelation] = [], payload: MessagePayload? = nil
  ) {
    self.id = id
    self.from = from
    self.to = to
    self.kind = kind
    self.body = body
    self.delayed = delayed
    self.carbon = carbon
    self.encrypted = encrypted
    self.relations = relations
    self.payload = payload
    if payload?.encryption != nil { self.encrypted = true }
  }

  /// It says nothing by itself, only something of an earlier message, which it retracts or reacts to, or something for people alone:
  /// that somebody calls, wants attention, or sent what is not known.
  package var isAnnotation: Bool {
    if body.isEmpty, let kind = payload?.content?.kind, [.call, .attention, .unknown].contains(kind) { return true }
    return saysOfEarlier
  }

  /// Somebody has something to say to the reader, if only that they call or want attention: it is unread until it was read. What is said
  /// of an earlier message, and what nobody can read as Jackdaw does not know it, is not.
  package var countsAsUnread: Bool {
    !saysOfEarlier && !corrects && !(body.isEmpty && payload?.content?.kind == .unknown)
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

  package static func == (one: Self, other: Self) -> Bool {
    one.id == other.id && one.from == other.from && one.to == other.to && one.kind == other.kind
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
  package var isInvitation: Bool { payload?.content?.kind == .invitation }
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
