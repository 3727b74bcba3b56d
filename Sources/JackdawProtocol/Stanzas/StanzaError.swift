// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// A stanza error (RFC 6120 8.3).
package struct StanzaError: Error, Sendable, Equatable {
  /// The types of RFC 6120 8.3.2: what the sender may do about it.
  package enum Kind: String, Sendable, CaseIterable { case auth, cancel, `continue`, modify, wait }
  /// The attribute `type`.
  package var kind: Kind
  /// The defined condition's element name (RFC 6120 8.3.3), say `item-not-found`; `undefined-condition` when the peer
  /// gave none.
  package var condition: String
  /// The peer's own words. From the network: to be shown through the escaper only.
  package var text: String?
  /// Where else to turn to, with the conditions `gone` and `redirect`: mostly an XMPP URI. From the network.
  package var location: String?
  /// The application-specific condition element, where there is one.
  package var application: Element?

  package init(
    kind: Kind, condition: String, text: String? = nil, location: String? = nil, application: Element? = nil
  ) {
    self.kind = kind
    self.condition = condition
    self.text = text
    self.location = location
    self.application = application
  }

  /// Reads the `<error/>` child; unknown or missing parts become `cancel` and `undefined-condition`. The numeric codes
  /// of times before RFC 3920 are not read.
  package init(_ element: Element) {
    kind = element.attribute("type").flatMap(Kind.init) ?? .cancel
    condition = Self.undefined.condition
    var texts = TextChoice()
    var hasCondition = false
    for child in element.children {
      if child.namespace != Namespace.stanzaErrors {
        application = application ?? child
      } else if child.name == "text" {
        texts.offer(child)
      } else if !hasCondition, Self.sentences[child.name] != nil {
        hasCondition = true
        condition = child.name
        if Self.hasLocation(condition) { location = child.text.isEmpty ? nil : child.text }
      }
    }
    text = texts.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The `<error/>` to send.
  package var element: Element {
    let location = Self.hasLocation(condition) ? location : nil
    var children = [Element(condition, Namespace.stanzaErrors, text: location)]
    if let text { children.append(Element("text", Namespace.stanzaErrors, text: text)) }
    if let application { children.append(application) }
    return Element("error", Namespace.client, ["type": kind.rawValue], children)
  }

  /// What stands for an error that says nothing.
  package static let undefined = StanzaError(kind: .cancel, condition: "undefined-condition")
  /// The answer to what breaks a protocol.
  package static let badRequest = StanzaError(kind: .modify, condition: "bad-request")
  /// The answer to what exceeds a limit (RFC 6120 8.3.3.12).
  package static let policyViolation = StanzaError(kind: .modify, condition: "policy-violation")
  /// The answer to requests of unknown kinds, and to those that strangers are not to know of.
  package static let serviceUnavailable = StanzaError(kind: .cancel, condition: "service-unavailable")

  private static func hasLocation(_ condition: String) -> Bool {
    condition == "gone" || condition == "redirect"
  }
}

extension StanzaError: CustomStringConvertible {
  /// One sentence for people: what the condition means, then the peer's words, if any. From the network then: to be
  /// shown through the escaper only.
  package var description: String {
    let place = location.map { " (\($0))" } ?? ""
    return Sentence.joined(meaning + place, isOfBlocking ? nil : text)
  }

  /// What the condition means, in our words alone.
  package var meaning: String {
    if isOfBlocking { return "You have blocked this address, and have to unblock it first" }
    return Self.sentences[condition] ?? "The request failed, and no reason was given"
  }

  /// Our own server's answer to what goes to somebody whom we have blocked (XEP-0191 3.5). ejabberd says it in words alone.
  private var isOfBlocking: Bool {
    if application?.matches("blocked", "urn:xmpp:blocking:errors") == true { return true }
    return condition == "not-acceptable"
      && text?.hasPrefix("Your active privacy list has denied the routing of this stanza") == true
  }

  /// The defined conditions of RFC 6120 8.3.3.
  private static let sentences = [
    "bad-request": "The request was not understood",
    "conflict": "This name or address is taken",
    "feature-not-implemented": "The other side does not support this",
    "forbidden": "You may not do this",
    "gone": "The address is no longer in use",
    "internal-server-error": "The server has an internal problem",
    "item-not-found": "There is nothing with this name or address",
    "jid-malformed": "The server says that this is not an address",
    "not-acceptable": "The other side does not accept this",
    "not-allowed": "This is not allowed",
    "not-authorized": "This needs a password or a log-in",
    "policy-violation": "This is against the server's policy",
    "recipient-unavailable": "The recipient is not online",
    "redirect": "The recipient has moved to another address",
    "registration-required": "This needs a registration or a membership first",
    "remote-server-not-found": "The recipient's server does not exist or cannot be found",
    "remote-server-timeout": "The recipient's server cannot be reached",
    "resource-constraint": "The server is too busy or has no room left",
    "service-unavailable": "There is no such user, or nobody is there to take it",
    "subscription-required": "You have to be friends first",
    "undefined-condition": "The request failed, and no reason was given",
    "unexpected-request": "The request came at the wrong time",
  ]
}
