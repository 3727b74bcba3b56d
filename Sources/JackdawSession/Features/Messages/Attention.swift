// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Attention (XEP-0224): somebody wants to be noticed. Whether a bell rings for it is for the configuration to say.
@Client package final class Attention: Feature {
  private nonisolated static let namespace = "urn:xmpp:attention:0"

  package nonisolated static let about = FeatureDescription(
    "XEP-0224", "Attention", version: "1.1", namespaces: [namespace],
    scope: "shown; the bell rings for it only where the configuration says so; none is sent", isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Self.namespace]) { inbound in
      guard inbound.message.payloads.contains(where: { $0.matches("attention", Self.namespace) }) else { return .pass }
      inbound.carry(MessageContent(.attention))
      return .pass
    }
  }
}
