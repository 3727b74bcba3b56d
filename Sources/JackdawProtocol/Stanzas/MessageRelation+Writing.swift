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
  /// - Parameter message: a chat message; the quote of a reply is put before its body.
  package func say(in message: inout Message) {
    switch self {
    case .replaces(let id):
      message.payloads.append(Element("replace", Namespace.correction, ["id": id]))
    case .retracts(let id):
      message.payloads.append(Element("retract", Namespace.retraction, ["id": id]))
      message.payloads.append(Fallback.element(for: Namespace.retraction))
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
      guard let quote, !quote.isEmpty else { return }
      message.payloads.append(Fallback.element(for: Namespace.reply, start: 0, end: quote.unicodeScalars.count))
      message.body = quote + (message.body ?? "")
    }
  }
}

extension Fallback {
  /// The element that says that the whole body is one.
  /// - Parameter namespace: of the element in whose place the text stands.
  static func element(for namespace: String) -> Element {
    Element("fallback", Self.namespace, ["for": namespace], [Element("body", Self.namespace)])
  }

  /// The element that says that a part of the body is one.
  static func element(for namespace: String, start: Int, end: Int) -> Element {
    let part = Element("body", Self.namespace, ["start": "\(start)", "end": "\(end)"])
    return Element("fallback", Self.namespace, ["for": namespace], [part])
  }
}
