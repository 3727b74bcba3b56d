// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// Reactions (XEP-0444): emoji that somebody puts beside a message.
@Client package final class MessageReactions: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0444", "Message Reactions", version: "0.2.1", discoFeatures: [MessageRelation.Namespace.reactions],
    scope: "sent, kept, and shown at what they are for; no limits that a chat sets", isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [MessageRelation.Namespace.reactions]) { inbound in
      guard let reactions = MessageRelation.reactions(in: inbound.message.payloads) else { return .pass }
      // With words of its own, that are no fallback, it is a message like any other.
      guard inbound.message.body?.allSatisfy(\.isWhitespace) ?? true else { return .pass }
      inbound.message.body = ""
      inbound.relations = [reactions]
      return .pass
    }
  }
}
