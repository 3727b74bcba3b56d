// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Message styling (XEP-0393): whether a text is to be shown as it is. How it is styled is read where it is shown.
@Client package final class MessageStyling: Feature {
  private nonisolated static let namespace = "urn:xmpp:styling:0"

  package nonisolated static let about = FeatureDescription(
    "XEP-0393", "Message Styling", version: "1.1.1", discoFeatures: [namespace],
    scope: "shown in terminals with colours, spans within spans and quotes too; no blocks within a quote",
    isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Self.namespace]) { inbound in
      guard inbound.message.body != nil,
        inbound.message.payloads.contains(where: { $0.matches("unstyled", Self.namespace) })
      else { return .pass }
      inbound.carry { $0.isUnstyled = true }
      return .pass
    }
  }
}
