// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Addresses outside of XMPP (XEP-0066), as of files that were uploaded (XEP-0363).
@Client package final class OutOfBandData: Feature {
  nonisolated static let namespace = "jabber:x:oob"

  package nonisolated static let about = FeatureDescription(
    "XEP-0066", "Out of Band Data", version: "1.5", discoFeatures: [namespace],
    scope: "addresses in messages are shown; none is sent, and nothing is fetched", isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Self.namespace]) { inbound in
      let links = Self.links(in: inbound.message.payloads)
      guard !links.isEmpty else { return .pass }
      inbound.carry { $0.links = links }
      inbound.message.body = inbound.message.body ?? ""
      return .pass
    }
  }

  /// No more than ``PayloadLimits/items``; one that is too long is none.
  static func links(in payloads: [Element]) -> [MessagePayload.Link] {
    var links: [MessagePayload.Link] = []
    for payload in payloads where links.count < PayloadLimits.items {
      guard payload.matches("x", namespace), let url = payload.text(of: "url", namespace), !url.isEmpty,
        url.utf8.count <= PayloadLimits.linkBytes
      else { continue }
      let words = payload.text(of: "desc", namespace).flatMap { $0.isEmpty ? nil : $0 }
      let link = MessagePayload.Link(url: url, description: words?.cut(toBytes: PayloadLimits.textBytes))
      if !links.contains(link) { links.append(link) }
    }
    return links
  }
}
