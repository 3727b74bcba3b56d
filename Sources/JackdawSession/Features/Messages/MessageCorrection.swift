// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// Corrections (XEP-0308): what somebody says in the place of an earlier message of theirs. Whether it is theirs is judged where it is
/// shown, as the earlier one may come later, from the archive.
@Client package final class MessageCorrection: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0308", "Last Message Correction", version: "1.2.1", discoFeatures: [MessageRelation.Namespace.correction],
    scope: "kept, and shown in the place of what is corrected; sent for the last message of a conversation")

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [MessageRelation.Namespace.correction]) { inbound in
      guard inbound.message.body != nil,
        let correction = MessageRelation.correction(in: inbound.message.payloads)
      else { return .pass }
      inbound.relations.append(correction)
      return .pass
    }
  }
}
