// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Texts that the reader may not want to see at once (XEP-0382).
@Client package final class Spoilers: Feature {
  private nonisolated static let namespace = "urn:xmpp:spoiler:0"

  package nonisolated static let about = FeatureDescription(
    "XEP-0382", "Spoiler messages", version: "0.2.0", discoFeatures: [namespace],
    scope: "folded at the prompt, with the hint; none is sent", isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Self.namespace]) { inbound in
      guard inbound.message.body != nil,
        let spoiler = inbound.message.payloads.first(where: { $0.matches("spoiler", Self.namespace) })
      else { return .pass }
      inbound.carry { $0.spoiler = spoiler.text.cut(toBytes: PayloadLimits.textBytes) }
      return .pass
    }
  }
}
