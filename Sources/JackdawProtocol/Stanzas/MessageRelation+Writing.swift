// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// What says it in a message of ours.
extension MessageRelation {
  /// XEP-0334.
  private static let hints = "urn:xmpp:hints"
  /// What somebody reads whose client knows no retractions (XEP-0424 4).
  private static let retractionFallback =
    "/me took back a message, which your client does not know how to remove."

  /// Adds the elements that say it, and the text that stands for it where nobody knows them.
  /// - Parameter message: a chat message; its body is what the relation's text is counted in.
  package func say(in message: inout Message) {
    switch self {
    case .replaces(let id):
      message.payloads.append(Element("replace", Namespace.correction, ["id": id]))
    case .retracts(let id):
      message.payloads.append(Element("retract", Namespace.retraction, ["id": id]))
      message.payloads.append(Fallback.everything.element(for: Namespace.retraction))
      message.payloads.append(Element("store", Self.hints))
      message.body = Self.retractionFallback
    case .reacts(let id, let with):
      message.payloads.append(
        Element(
          "reactions", Namespace.reactions, ["id": id],
          with.map { Element("reaction", Namespace.reactions, text: $0) }))
      // It has no body, by which archives tell what to keep (XEP-0313 5.1.1).
      message.payloads.append(Element("store", Self.hints))
      message.body = nil
    case .replies(let id, let quote):
      message.payloads.append(Element("reply", Namespace.reply, ["id": id]))
      if let quote { message.payloads.append(Fallback.part(quote).element(for: Namespace.reply)) }
    }
  }
}

extension Fallback {
  /// - Parameter namespace: of the element in whose place the text stands.
  func element(for namespace: String) -> Element {
    switch self {
    case .everything:
      return Element("fallback", Self.namespace, ["for": namespace], [Element("body", Self.namespace)])
    case .part(let range):
      let part = Element("body", Self.namespace, ["start": "\(range.lowerBound)", "end": "\(range.upperBound)"])
      return Element("fallback", Self.namespace, ["for": namespace], [part])
    }
  }
}
