// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// What a server offers by the extensible profile of SASL (XEP-0388): a log-in that does in one exchange what else takes several, without
/// another stream behind it.
struct ExtensibleOffer: Hashable, Sendable {
  static let namespace = Namespace.extensibleSASL
  /// XEP-0386.
  static let bindNamespace = "urn:xmpp:bind:0"
  /// XEP-0484.
  static let tokenNamespace = "urn:xmpp:fast:0"

  /// The ways to log in.
  var offer: SASLOffer
  /// What can be switched on as a resource is bound with the log-in, by namespaces; nil: no resource can be.
  var bind: Set<String>?
  /// A stream that was cut can go on with the log-in (XEP-0198 5).
  var resumes: Bool
  /// Mechanisms of tokens, as they were written, in the server's order.
  var tokenMechanisms: [String]
  /// What the server would like to be given for better mechanisms (XEP-0480): tasks, as they were written.
  var upgrades: [String]

  /// - Returns: nil where there is no such offer, or it names no way to log in.
  init?(_ features: Element) {
    guard let authentication = features.child("authentication", Self.namespace) else { return nil }
    offer = SASLOffer(features)
    offer.mechanisms = Self.mechanisms(in: authentication, Self.namespace)
    guard !offer.mechanisms.isEmpty else { return nil }
    let inline = authentication.child("inline", Self.namespace)
    bind = inline?.child("bind", Self.bindNamespace).map { bind in
      Set(
        bind.child("inline", Self.bindNamespace)?.children.compactMap {
          $0.matches("feature", Self.bindNamespace) ? $0.attribute("var") : nil
        } ?? [])
    }
    resumes = inline?.child("sm", StreamManagement.namespace) != nil
    tokenMechanisms =
      inline?.child("fast", Self.tokenNamespace).map { Self.mechanisms(in: $0, Self.tokenNamespace) } ?? []
    upgrades = authentication.children.compactMap { $0.matches("upgrade", SCRAMUpgrade.namespace) ? $0.text : nil }
  }

  private static func mechanisms(in parent: Element, _ namespace: String) -> [String] {
    parent.children.compactMap { $0.matches("mechanism", namespace) ? $0.text : nil }
  }
}
