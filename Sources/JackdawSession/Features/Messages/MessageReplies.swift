// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// Replies (XEP-0461): which message another one answers.
@Client package final class MessageReplies: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0461", "Message Replies", version: "0.2.1", discoFeatures: [MessageRelation.Namespace.reply],
    scope: "kept; the quote that stands in the text is shown; none is sent", isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret) { inbound in
      guard !inbound.message.payloads.isEmpty, let body = inbound.message.body,
        let reply = MessageRelation.reply(in: inbound.message.payloads, to: body)
      else { return .pass }
      inbound.relations.append(reply)
      return .pass
    }
  }
}
