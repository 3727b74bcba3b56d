// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// A presence stanza (RFC 6121 4).
package struct Presence: Sendable, Equatable {
  /// The types of RFC 6121 4.7.1; `available` is a presence without one.
  package enum Kind: String, Sendable, CaseIterable {
    case available, unavailable, subscribe, subscribed, unsubscribe, unsubscribed, probe, error
  }
  /// The values of RFC 6121 4.7.2.1; available without one of them is nil.
  package enum Show: String, Sendable, CaseIterable { case chat, away, xa, dnd }
  /// The attribute `type`; `.available` where there is none.
  package var kind: Kind
  package var id: String?
  /// nil in what we send: the server stamps it.
  package var from: JID?
  /// nil: to everybody who has subscribed to us (RFC 6121 4.2.2).
  package var to: JID?
  package var show: Show?
  /// The text; of several in different languages the one without `xml:lang`, else the first.
  package var status: String?
  package var priority: Int8
  /// Every child that is not show, status, priority or error.
  package var payloads: [Element]
  /// Present exactly when `kind` is `.error`.
  package var error: StanzaError?

  package init(
    kind: Kind = .available, id: String? = nil, from: JID? = nil, to: JID? = nil, show: Show? = nil,
    status: String? = nil, priority: Int8 = 0, payloads: [Element] = [], error: StanzaError? = nil
  ) {
    self.kind = kind
    self.id = id
    self.from = from
    self.to = to
    self.show = show
    self.status = status
    self.priority = priority
    self.payloads = payloads
    self.error = error
  }

  /// Reads a `<presence/>`. An unknown show counts as none, a priority that is no number from -128 to 127 as 0
  /// (RFC 6121 4.7.2).
  /// - Throws: when it is none, its type is unknown (RFC 6121 4.7.1), or an address in it is none.
  package init(_ element: Element) throws(StanzaFormatError) {
    guard element.matches("presence", Namespace.client) else { throw .not("presence") }
    kind = try Self.kind(element.attribute("type"))
    id = element.nonEmptyAttribute("id")
    from = try element.jid("from")
    to = try element.jid("to")
    priority = 0
    payloads = []
    var statuses = TextChoice()
    for child in element.children {
      guard child.namespace == Namespace.client else {
        payloads.append(child)
        continue
      }
      switch child.name {
      case "show": show = show ?? Show(rawValue: child.text)
      case "status": statuses.offer(child)
      case "priority": priority = Int8(child.text) ?? 0
      case "error": error = error ?? StanzaError(child)
      default: payloads.append(child)
      }
    }
    status = statuses.text
    error = kind == .error ? error ?? .undefined : nil
  }

  /// The stanza to send. Show and priority are part of available presence only.
  package var element: Element {
    var children: [Element] = []
    if kind == .available, let show { children.append(Element("show", Namespace.client, text: show.rawValue)) }
    if let status { children.append(Element("status", Namespace.client, text: status)) }
    if kind == .available, priority != 0 {
      children.append(Element("priority", Namespace.client, text: String(priority)))
    }
    children += payloads
    if kind == .error { children.append((error ?? .undefined).element) }
    return Element(
      "presence", Namespace.client,
      ["type": kind == .available ? nil : kind.rawValue, "id": id, "to": to?.description, "from": from?.description],
      children)
  }

  /// Available presence is the one without a type; the word itself is no type.
  private static func kind(_ type: String?) throws(StanzaFormatError) -> Kind {
    guard let type else { return .available }
    guard let kind = Kind(rawValue: type), kind != .available else {
      throw StanzaFormatError(description: "A presence has a type that does not exist.")
    }
    return kind
  }
}
