// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What a message carries beside its text. All of it is from the network, within ``PayloadLimits``: to be shown through the escaper
/// only. As JSON it is kept in the log, and part of the JSON of ``MessageArrived``.
package struct MessagePayload: Sendable, Hashable {
  /// An address outside of XMPP (XEP-0066).
  package struct Link: Sendable, Hashable, Encodable {
    /// As the sender wrote it.
    package var url: String
    /// What the sender says of it.
    package var description: String?

    package init(url: String, description: String? = nil) {
      self.url = url
      self.description = description
    }
  }

  /// RFC 6121 5.2.4.
  package var subject: String?
  /// RFC 6121 5.2.5.
  package var thread: String?
  /// Of the text, where the message has it in several (RFC 6121 5.2.3).
  package var language: String?
  /// What it is encrypted with: `OMEMO`, `OpenPGP`, `OTR`, or as the sender calls it (XEP-0380). The text is not what was said then.
  package var encryption: String?
  /// XEP-0066.
  package var links: [Link] = []

  /// It is not to be seen at once, for this reason, which may be empty (XEP-0382); nil: it may.
  package var spoiler: String?
  /// What it is where it is no text, or more than one.
  package var content: MessageContent?

  /// Its text is to be shown as it is (XEP-0393 7).
  package var isUnstyled = false

  /// Who said it in a room, whatever they are called there today (XEP-0421).
  package var occupant: String?
  /// It was said to one occupant of a room alone (XEP-0045 7.5): the conversation is with that one.
  package var isPrivate = false
  /// It was said in a room, and names the user there.
  package var isMention = false

  /// Of an invitation: what lets the user into the room. The log keeps it (``Kept``), and no JSON that anybody is shown has it.
  package var roomPassword: String?
  /// Of an invitation: the user has accepted or declined it. Kept as ``roomPassword`` is.
  package var isAnswered = false

  package init() {}

  /// Reads what ``json`` has written; nil where nothing is in it.
  package init?(json value: JSONValue) {
    subject = value[CodingKeys.subject.rawValue].text
    thread = value[CodingKeys.thread.rawValue].text
    language = value[CodingKeys.language.rawValue].text
    encryption = value[CodingKeys.encryption.rawValue].text
    links = value[CodingKeys.links.rawValue].elements.compactMap { link in
      link["url"].text.map { Link(url: $0, description: link["description"].text) }
    }
    spoiler = value[CodingKeys.spoiler.rawValue].text
    content = MessageContent(json: value[CodingKeys.content.rawValue])
    isUnstyled = value[CodingKeys.unstyled.rawValue] == .bool(true)
    occupant = value[CodingKeys.occupant.rawValue].text
    isPrivate = value[CodingKeys.isPrivate.rawValue] == .bool(true)
    isMention = value[CodingKeys.mention.rawValue] == .bool(true)
    roomPassword = value[KeptKeys.roomPassword.rawValue].text
    isAnswered = value[KeptKeys.isAnswered.rawValue] == .bool(true)
    if isEmpty { return nil }
  }

  /// As much of it as could have come in a message.
  package var bounded: MessagePayload {
    var bounded = self
    bounded.subject = subject?.cut(toBytes: PayloadLimits.textBytes)
    bounded.thread = thread?.cut(toBytes: PayloadLimits.nameBytes)
    bounded.language = language?.cut(toBytes: PayloadLimits.nameBytes)
    bounded.encryption = encryption?.cut(toBytes: PayloadLimits.nameBytes)
    bounded.links = links.prefix(PayloadLimits.items).map { link in
      Link(
        url: link.url.cut(toBytes: PayloadLimits.linkBytes),
        description: link.description?.cut(toBytes: PayloadLimits.textBytes))
    }
    bounded.spoiler = spoiler?.cut(toBytes: PayloadLimits.textBytes)
    bounded.content = content?.bounded
    bounded.occupant = occupant?.cut(toBytes: PayloadLimits.nameBytes)
    // A part of it opens nothing.
    if let password = roomPassword, password.utf8.count > PayloadLimits.nameBytes { bounded.roomPassword = nil }
    return bounded
  }

  /// Bytes of all its texts.
  package var bytes: Int {
    let texts = [subject, thread, language, encryption, spoiler, occupant, roomPassword]
    return texts.reduce(content?.bytes ?? 0) { $0 + ($1?.utf8.count ?? 0) }
      + links.reduce(0) { $0 + $1.url.utf8.count + ($1.description?.utf8.count ?? 0) }
  }

  /// There is nothing beside the text.
  package var isEmpty: Bool { self == MessagePayload() }

  /// There is something to be shown where there is no text: all else says something of the text.
  package var standsAlone: Bool { subject != nil || encryption != nil || !links.isEmpty || content != nil }
}

extension MessagePayload: Encodable {
  /// In the order in which they stand in the JSON of a message.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case subject, thread, language, encryption, links, spoiler, content,
      unstyled, occupant
    case isPrivate = "private"
    case mention
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(subject, forKey: .subject)
    try container.encode(thread, forKey: .thread)
    try container.encode(language, forKey: .language)
    try container.encode(encryption, forKey: .encryption)
    try container.encode(links.isEmpty ? nil : links, forKey: .links)
    try container.encode(spoiler, forKey: .spoiler)
    try container.encode(content, forKey: .content)
    try container.encode(isUnstyled, forKey: .unstyled)
    try container.encode(occupant, forKey: .occupant)
    try container.encode(isPrivate, forKey: .isPrivate)
    try container.encode(isMention, forKey: .mention)
  }
}

extension MessagePayload {
  private enum KeptKeys: String, CodingKey {
    case roomPassword = "room_password"
    case isAnswered = "answered"
  }

  /// A payload as the log keeps it: as JSON, with what nobody is shown.
  package struct Kept: Encodable {
    private let payload: MessagePayload

    package init(_ payload: MessagePayload) { self.payload = payload }

    package func encode(to encoder: any Encoder) throws {
      try payload.encode(to: encoder)
      guard payload.roomPassword != nil || payload.isAnswered else { return }
      var container = encoder.container(keyedBy: KeptKeys.self)
      try container.encode(payload.roomPassword, forKey: .roomPassword)
      try container.encode(payload.isAnswered, forKey: .isAnswered)
    }
  }
}

/// A payload on the heap, so that messages without one stay small.
final class PayloadBox: Sendable {
  let payload: MessagePayload
  init(_ payload: MessagePayload) { self.payload = payload }
}
