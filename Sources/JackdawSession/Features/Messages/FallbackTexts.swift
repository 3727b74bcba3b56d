// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Fallback texts (XEP-0428): what of a body stands for an element that is known is no part of what is said.
@Client package final class FallbackTexts: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0428", "Fallback Indication", version: "0.2.0", discoFeatures: [Fallback.namespace],
    scope: "left out of the text where what it stands for is known: replies, reactions, retractions, files and links")

  /// Offsets count the text as it came, and others change it.
  package nonisolated static var before: [any Feature.Type] {
    [OutOfBandData.self, MessageReplies.self, MessageReactions.self, MessageRetraction.self, FormattedTexts.self]
  }

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Fallback.namespace]) { inbound in
      let payloads = inbound.message.payloads
      guard let body = inbound.message.body,
        payloads.contains(where: { $0.matches("fallback", Fallback.namespace) })
      else { return .pass }
      let isReply = MessageRelation.reply(in: payloads) != nil
      let reply: Set<String> = isReply ? [MessageRelation.Namespace.reply] : []
      let others = Self.known(in: payloads)
      let (rest, fallback) = Fallback(for: reply.union(others), in: payloads, of: body).split(body)
      guard !fallback.isEmpty else { return .pass }
      // A reply that is nothing but a quote would be nothing at all.
      guard !others.isEmpty || !rest.allSatisfy(\.isWhitespace) else { return .pass }
      inbound.message.body = rest
      if isReply { inbound.quotedText = Fallback(for: reply, in: payloads, of: body).split(body).fallback }
      return .pass
    }
  }

  /// The namespaces of what a message holds that is shown in the place of its text.
  private static func known(in payloads: [Element]) -> Set<String> {
    var known: Set<String> = []
    if MessageRelation.reactions(in: payloads) != nil { known.insert(MessageRelation.Namespace.reactions) }
    if MessageRelation.retraction(in: payloads) != nil { known.insert(MessageRelation.Namespace.retraction) }
    if !OutOfBandData.links(in: payloads).isEmpty { known.insert(OutOfBandData.namespace) }
    if SharedFiles.file(in: payloads)?.url != nil { known.insert(SharedFiles.sharing) }
    return known
  }
}
