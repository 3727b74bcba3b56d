// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Proposals of calls (XEP-0353): that somebody calls is said, once a call. What becomes of it afterwards is silent.
@Client package final class CallProposals: Feature {
  private nonisolated static let namespace = "urn:xmpp:jingle-message:0"
  private nonisolated static let media = "urn:xmpp:jingle:apps:rtp:1"

  package nonisolated static let about = FeatureDescription(
    "XEP-0353", "Jingle Message Initiation", version: "0.8.0", namespaces: [namespace, media],
    scope: "that somebody calls is said, once a call; there are no calls, and none is proposed", isPartial: true)

  private struct Call: Hashable {
    var person: JID
    var id: String
  }

  /// Bounded by ``FeatureLimits/calls``.
  private var known: Set<Call> = []

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret) { [unowned self] inbound in
      guard !inbound.message.payloads.isEmpty, inbound.carbon != .sent, let person = inbound.message.from?.bare,
        let call = Self.call(in: inbound.message.payloads)
      else { return .pass }
      if known.count >= FeatureLimits.calls { known = [] }
      guard known.insert(Call(person: person, id: call.id ?? "")).inserted else { return .pass }
      inbound.carry(call)
      return .pass
    }
  }

  static func call(in payloads: [Element]) -> MessageContent? {
    for payload in payloads where payload.matches("propose", namespace) {
      guard let id = payload.attribute("id").nonEmpty else { continue }
      var call = MessageContent(.call)
      call.id = id.cut(toBytes: PayloadLimits.nameBytes)
      var kinds: [String] = []
      for child in payload.children where child.matches("description", media) && kinds.count < PayloadLimits.items {
        if let kind = child.attribute("media").nonEmpty, !kinds.contains(kind) { kinds.append(kind) }
      }
      call.type = kinds.isEmpty ? nil : kinds.joined(separator: ", ")
      return call
    }
    return nil
  }
}
