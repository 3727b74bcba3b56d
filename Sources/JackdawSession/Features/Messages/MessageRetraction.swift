// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// Retractions (XEP-0424). The text of such a message is for those who do not know what it is.
@Client package final class MessageRetraction: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0424", "Message Retraction", version: "0.4.2", discoFeatures: [MessageRelation.Namespace.retraction],
    scope: "sent, kept, and shown at what is retracted, which the configuration can have removed")

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: MessageRelation.Namespace.retractions) { inbound in
      guard let retraction = MessageRelation.retraction(in: inbound.message.payloads) else { return .pass }
      inbound.message.body = ""
      inbound.relations = [retraction]
      return .pass
    }
  }
}
