// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// What `<stream:features/>` say to the negotiation (RFC 6120 4.3.2). Everything else in them is ignored, compression
/// above all.
enum StreamFeatures {
  static func offersTLS(_ features: Element) -> Bool { features.child("starttls", Namespace.tls) != nil }

  static func offersBind(_ features: Element) -> Bool { features.child("bind", Namespace.bind) != nil }

  /// True when the server insists on a session after bind, which RFC 3921 3 had and RFC 6121 has not.
  static func demandsSession(_ features: Element) -> Bool {
    guard let session = features.child("session", Namespace.session) else { return false }
    return session.child("optional", Namespace.session) == nil
  }
}

/// The ways to log in that a server offers.
struct SASLOffer: Hashable, Sendable {
  /// `urn:xmpp:sasl-cb:0`, XEP-0440.
  private static let channelBindingNamespace = "urn:xmpp:sasl-cb:0"

  /// As they were written, in the server's order.
  var mechanisms: [String]
  /// XEP-0440; nil when the server does not say.
  var channelBindingTypes: [String]?

  func offers(_ mechanism: Mechanism) -> Bool { mechanisms.contains(mechanism.name) }

  /// Of any kind, those that this client does not know too.
  var offersSCRAM: Bool { mechanisms.contains { $0.hasPrefix("SCRAM-") } }
}

extension SASLOffer {
  init(_ features: Element) {
    mechanisms =
      features.child("mechanisms", Namespace.sasl)?.children.compactMap {
        $0.matches("mechanism", Namespace.sasl) ? $0.text : nil
      } ?? []
    guard let types = features.child("sasl-channel-binding", Self.channelBindingNamespace) else { return }
    channelBindingTypes = types.children.compactMap {
      $0.matches("channel-binding", Self.channelBindingNamespace) ? $0.attribute("type") : nil
    }
  }
}
