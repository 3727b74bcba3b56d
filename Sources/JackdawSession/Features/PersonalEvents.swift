// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Personal eventing: what our own account and our contacts publish comes by itself, node by node, to the features that
/// asked for it in ``NodeRoutes``.
@Client package final class PersonalEvents: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0163", "Personal Eventing Protocol", version: "1.2.2", namespaces: [PubSubEvent.namespace],
    scope: "events of our own account and of contacts, for the nodes that features ask for")

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.deliver, holding: [PubSubEvent.namespace]) { [unowned self] in take($0) }
  }

  private func take(_ inbound: InboundMessage) -> StageVerdict {
    // What another device sent or got says nothing about whose node it is.
    guard inbound.carbon == nil, let from = inbound.message.from else { return .pass }
    for payload in inbound.message.payloads where payload.namespace == PubSubEvent.namespace {
      guard let event = PubSubEvent(payload, from: from), let route = context.links.nodes.route(for: event.node)
      else { continue }
      if mayPublish(from, for: route.publishers) {
        route.handler(event)
      } else {
        context.remark("Ignored an event of the node \(event.node), which \(from) has no say in.")
      }
    }
    return .pass
  }

  /// A node is an account's: its events come from the bare JID (XEP-0163 4.3.1), never from a resource.
  private func mayPublish(_ jid: JID, for publishers: NodeRoutes.Publishers) -> Bool {
    switch publishers {
    case .ownAccount: context.identity.isOwnAccount(jid)
    case .contacts: jid.isBare && context.links.showsPresence(jid)
    }
  }
}
