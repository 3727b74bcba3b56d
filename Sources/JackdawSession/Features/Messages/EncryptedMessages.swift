// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Messages that are encrypted from end to end, and cannot be read here: what with (XEP-0380), whoever names it or not. Their texts
/// stand for what cannot be read.
@Client package final class EncryptedMessages: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0380", "Explicit Message Encryption", version: "0.4.0", discoFeatures: [EncryptionScheme.explicit],
    namespaces: EncryptionScheme.elements.map(\.namespace),
    scope: "that a message is encrypted is said, and with what; none is read yet, none is sent", isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    let namespaces = EncryptionScheme.elements.map(\.namespace) + [EncryptionScheme.explicit]
    routes.onMessage(.interpret, holding: namespaces) { inbound in
      guard let scheme = EncryptionScheme.name(in: inbound.message.payloads) else { return .pass }
      inbound.carry { $0.encryption = scheme }
      inbound.message.body = inbound.message.body ?? ""
      return .pass
    }
    routes.onMessage(.interpret) { inbound in
      guard let body = inbound.message.body, EncryptionScheme.isOTR(body), inbound.payload?.encryption == nil else {
        return .pass
      }
      inbound.carry { $0.encryption = "OTR" }
      return .pass
    }
  }
}

/// What a message is encrypted with.
enum EncryptionScheme {
  static let explicit = "urn:xmpp:eme:0"
  /// Elements that hold what is encrypted, and what people call that.
  static let elements = [
    (element: "encrypted", namespace: "eu.siacs.conversations.axolotl", name: "OMEMO"),
    (element: "encrypted", namespace: "urn:xmpp:omemo:1", name: "OMEMO"),
    (element: "encrypted", namespace: "urn:xmpp:omemo:2", name: "OMEMO"),
    (element: "x", namespace: "jabber:x:encrypted", name: "OpenPGP"),
    (element: "openpgp", namespace: "urn:xmpp:openpgp:0", name: "OpenPGP"),
  ]
  private static let named = ["urn:xmpp:otr:0": "OTR"]

  /// - Returns: nil: it is not, or it holds keys alone and nothing for people (XEP-0384 4.7).
  static func name(in payloads: [Element]) -> String? {
    var announced: String?
    for payload in payloads {
      for scheme in elements where payload.matches(scheme.element, scheme.namespace) {
        if scheme.name == "OMEMO", payload.child("payload", scheme.namespace) == nil { return nil }
        return scheme.name
      }
      if announced == nil, payload.matches("encryption", explicit) { announced = name(of: payload) }
    }
    return announced
  }

  /// XEP-0380 3.
  private static func name(of element: Element) -> String? {
    guard let namespace = element.attribute("namespace"), !namespace.isEmpty else { return nil }
    let known = elements.first { $0.namespace == namespace }?.name ?? named[namespace]
    let name = element.attribute("name").flatMap { $0.isEmpty ? nil : $0 }
    return known ?? (name ?? namespace).cut(toBytes: PayloadLimits.nameBytes)
  }

  /// A message of OTR (its version 3, "OTR messages"): data, a part of it, or a question whether it is spoken.
  static func isOTR(_ body: String) -> Bool {
    // Few begin with that sign.
    guard body.utf8.first == UInt8(ascii: "?"), body.utf8.starts(with: "?OTR".utf8) else { return false }
    return body.utf8.dropFirst(4).first.map { ":,|?v".utf8.contains($0) } ?? false
  }
}

extension MessagePayload {
  /// Whether a text is the question with which OTR begins (its version 3, "Establishing initial contact"), which hides nothing.
  package static func asksForOTR(_ body: String) -> Bool { body.hasPrefix("?OTR?") || body.hasPrefix("?OTRv") }
}
