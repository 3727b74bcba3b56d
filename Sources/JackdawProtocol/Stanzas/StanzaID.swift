// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// The id that an archive, an account or a room gave to a stanza (XEP-0359).
///
/// Anyone can add one: it counts only when ``by`` is the own account or the room, and that one announces
/// ``namespace`` among its features.
package struct StanzaID: Sendable, Hashable {
  /// The namespace of XEP-0359, of both its elements.
  package static let namespace = "urn:xmpp:sid:0"

  package var id: String
  /// Who says that it gave the id.
  package var by: JID

  package init(id: String, by: JID) {
    self.id = id
    self.by = by
  }

  /// nil when the element is none, or lacks the id, within ``StanzaLimits/relatedIDBytes``, or a valid address.
  package init?(_ element: Element) {
    guard element.matches("stanza-id", Self.namespace), let id = MessageRelation.id(of: element),
      let by = try? element.jid("by")
    else { return nil }
    self.id = id
    self.by = by
  }

  /// The element `stanza-id` of ``namespace`` (XEP-0359 3).
  package var element: Element {
    Element("stanza-id", Self.namespace, ["id": id, "by": by.description])
  }

  /// The id that `assigner` gave, among a stanza's payloads; nil when there are several, of which only one can be true.
  package static func assigned(by assigner: JID, in payloads: [Element]) -> String? {
    var found: String?
    for payload in payloads {
      guard let id = StanzaID(payload), id.by == assigner else { continue }
      guard found == nil else { return nil }
      found = id.id
    }
    return found
  }
}

/// The id that the sending client gave to its message, which rooms and servers do not change (XEP-0359). It proves
/// nothing.
package struct OriginID: Sendable, Hashable {
  package var id: String

  package init(id: String) {
    self.id = id
  }

  /// nil when the element is none, or without an id within ``StanzaLimits/relatedIDBytes``.
  package init?(_ element: Element) {
    guard element.matches("origin-id", StanzaID.namespace), let id = MessageRelation.id(of: element) else { return nil }
    self.id = id
  }

  /// The element `origin-id` of ``StanzaID/namespace`` (XEP-0359 3).
  package var element: Element {
    Element("origin-id", StanzaID.namespace, ["id": id])
  }

  /// Puts that element into a stanza.
  func append(to builder: inout ElementBuilder) {
    builder.begin("origin-id", StanzaID.namespace)
    builder.attribute("id", id)
    builder.end()
  }
}
