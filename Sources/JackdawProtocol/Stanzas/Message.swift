// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// A message stanza (RFC 6121 5): its envelope as values, its payloads as elements.
package struct Message: Sendable, Equatable {
  /// The types of RFC 6121 5.2.2; a message without one is `normal`.
  package enum Kind: String, Sendable, CaseIterable { case normal, chat, groupchat, headline, error }
  /// Every child that is not body, subject, thread, error or the first origin id.
  package var payloads: [Element]
  /// The attribute `type`.
  package var kind: Kind
  /// Of one that came, within ``StanzaLimits/relatedIDBytes``.
  package var id: String?
  /// nil in what we send: the server stamps it.
  package var from: JID?
  /// nil: our own account (RFC 6120 10.3.1).
  package var to: JID?
  /// The text; of several in different languages the one without `xml:lang`, else the first.
  package var body: String?
  /// The text in all languages that it has, where these are several. Not sent.
  package var translations: [Translation]
  /// Chosen as the body is.
  package var subject: String?
  package var thread: String?
  /// What the sender's client calls it (XEP-0359), which no room or server changes. It proves nothing.
  package var originID: String?
  /// Present exactly when `kind` is `.error`.
  package var error: StanzaError?

  /// The addresses of a message.
  package struct Addresses: Sendable {
    fileprivate var from: JID?
    fileprivate var to: JID?
    package init() {}
  }

  /// The same of one of many: most that come close behind each other have the same addresses, which are not read anew. It is no `init`,
  /// which would copy the whole when it is done.
  /// - Parameters:
  ///   - last: the addresses of the one before; this one's from then on.
  ///   - sender: whose it is where it names nobody.
  package static func read(
    _ element: Element, last: inout Addresses, sender: JID? = nil
  ) throws(StanzaFormatError) -> Message {
    guard element.matches("message", Namespace.client) else { throw .not("message") }
    // Nearly all are.
    let isChat = element.attribute("type", equals: Kind.chat.rawValue)
    let kind = isChat ? .chat : element.attribute("type").flatMap(Kind.init) ?? .normal
    last.from = try element.jid("from", known: last.from)
    last.to = try element.jid("to", known: last.to)
    var (bodies, subjects) = (TextChoice(), TextChoice())
    var (thread, originID): (String?, String?)
    var payloads: [Element] = []
    var error: StanzaError?
    for child in element.children {
      guard child.namespace == Namespace.client else {
        if originID == nil, let origin = OriginID(child) {
          originID = origin.id
        } else {
          // As many as most have, at once.
          if payloads.isEmpty { payloads.reserveCapacity(4) }
          payloads.append(child)
        }
        continue
      }
      switch child.name {
      case "body": bodies.offer(child)
      case "subject": subjects.offer(child)
      case "thread": thread = thread ?? child.text
      case "error": error = error ?? StanzaError(child)
      default: payloads.append(child)
      }
    }
    return Message(
      kind: kind, id: MessageRelation.id(of: element), from: last.from ?? sender, to: last.to, body: bodies.text,
      subject: subjects.text, thread: thread, originID: originID, payloads: payloads,
      error: kind == .error ? error ?? .undefined : nil, translations: bodies.translations)
  }
}

extension Message {
  /// One to send, for whoever sends many: a function, as an `init` of this type copies the whole value when it is done.
  package static func outgoing(
    kind: Kind, id: String, to: JID, body: String, subject: String?, originID: String, payloads: [Element]
  ) -> Message {
    Message(
      payloads: payloads, kind: kind, id: id, from: nil, to: to, body: body, translations: [], subject: subject,
      thread: nil, originID: originID, error: nil)
  }

  /// A message to send, or as it came.
  package init(
    kind: Kind = .chat, id: String?, from: JID? = nil, to: JID?, body: String?, subject: String? = nil,
    thread: String? = nil, originID: String? = nil, payloads: [Element] = [], error: StanzaError? = nil,
    translations: [Translation] = []
  ) {
    // By the one that Swift makes, which has another order: what is written within the type itself copies the whole when it is done.
    self.init(
      payloads: payloads, kind: kind, id: id, from: from, to: to, body: body, translations: translations,
      subject: subject, thread: thread, originID: originID, error: error)
  }

  /// Reads a `<message/>`; an unknown type counts as normal (RFC 6121 5.2.2).
  /// - Throws: when it is none, or an address in it is none.
  package init(_ element: Element) throws(StanzaFormatError) {
    var none = Addresses()
    self = try Self.read(element, last: &none)
  }

  /// The stanza to send.
  package var element: Element {
    var names = ElementNames()
    return element(keeping: &names)
  }

  /// The stanza to send, by whoever sends many.
  /// - Parameter names: those of the one before; this one's from then on.
  package func element(keeping names: inout ElementNames) -> Element {
    // As most messages have: their own tag, a text, an id, and what goes with them.
    var builder = ElementBuilder(
      "message", Namespace.client, nodes: 12 + 2 * payloads.count, bytes: 128 + (body?.utf8.count ?? 0),
      names: names)
    builder.attribute("type", kind == .normal ? nil : kind.rawValue)
    builder.attribute("id", id)
    builder.attribute("to", to?.description)
    builder.attribute("from", from?.description)
    if let subject { builder.child("subject", Namespace.client, text: subject) }
    if let body { builder.child("body", Namespace.client, text: body) }
    if let thread { builder.child("thread", Namespace.client, text: thread) }
    if let originID { OriginID(id: originID).append(to: &builder) }
    for payload in payloads { builder.append(payload) }
    if kind == .error { builder.append((error ?? .undefined).element) }
    return builder.build(keeping: &names)
  }
}
