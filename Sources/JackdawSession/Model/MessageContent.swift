// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What a message is where it is no text, or more than one.
package struct MessageContent: Sendable, Hashable, Encodable {
  /// What it is.
  package enum Kind: String, Sendable, CaseIterable, Encodable {
    /// Into a room (XEP-0249, XEP-0045 7.8.2).
    case invitation
    /// XEP-0224.
    case attention
    /// Somebody wants to call (XEP-0353).
    case call
    /// Entries for the contact list (XEP-0144).
    case contacts
    /// Where somebody or something is (XEP-0080).
    case place
    /// XEP-0447, XEP-0385.
    case file
    /// XEP-0449.
    case sticker
    /// XEP-0004.
    case form
    /// What Jackdaw does not know.
    case unknown
  }

  /// Which of them.
  package var kind: Kind
  /// Of a call.
  package var id: String?
  /// Of a room.
  package var address: String?
  /// Who invites, where somebody else says it: nothing proves it.
  package var person: String?
  /// Of a file, of a form.
  package var name: String?
  /// The media of a call or a file; what is to be done with contacts: `add`, `delete`, `modify`.
  package var type: String?
  /// A reason, a description.
  package var text: String?
  /// Where a file is; a place (RFC 5870).
  package var url: String?
  /// Bytes of a file.
  package var size: Int?
  /// Addresses of contacts, questions of a form, namespaces of what is not known.
  package var items: [String]

  /// A content of which nothing but the kind is known.
  package init(_ kind: Kind, items: [String] = []) {
    self.kind = kind
    self.items = items
  }

  /// What JSON has; nil where it is none.
  init?(json value: JSONValue) {
    guard let kind = value["kind"].text.flatMap(Kind.init) else { return nil }
    self.init(kind, items: value["items"].elements.compactMap(\.text))
    id = value["id"].text
    address = value["address"].text
    person = value["person"].text
    name = value["name"].text
    type = value["type"].text
    text = value["text"].text
    url = value["url"].text
    if case .number(let digits) = value["size"] { size = Int(digits).flatMap { $0 >= 0 ? $0 : nil } }
  }

  private enum CodingKeys: String, CodingKey { case kind, id, address, person, name, type, text, url, size, items }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(id, forKey: .id)
    try container.encode(address, forKey: .address)
    try container.encode(person, forKey: .person)
    try container.encode(name, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encode(text, forKey: .text)
    try container.encode(url, forKey: .url)
    try container.encode(size, forKey: .size)
    try container.encode(items, forKey: .items)
  }

  /// As much of it as is kept.
  var bounded: MessageContent {
    var bounded = self
    bounded.id = id?.cut(toBytes: PayloadLimits.nameBytes)
    bounded.address = address?.cut(toBytes: PayloadLimits.addressBytes)
    bounded.person = person?.cut(toBytes: PayloadLimits.addressBytes)
    bounded.name = name?.cut(toBytes: PayloadLimits.nameBytes)
    bounded.type = type?.cut(toBytes: PayloadLimits.nameBytes)
    bounded.text = text?.cut(toBytes: PayloadLimits.textBytes)
    bounded.url = url?.cut(toBytes: PayloadLimits.linkBytes)
    bounded.items = items.prefix(PayloadLimits.items).map { $0.cut(toBytes: PayloadLimits.nameBytes) }
    return bounded
  }

  /// Bytes of all its texts.
  var bytes: Int {
    [id, address, person, name, type, text, url].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      + items.reduce(0) { $0 + $1.utf8.count }
  }
}
