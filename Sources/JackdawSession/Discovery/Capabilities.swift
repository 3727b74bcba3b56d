// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
package import JackdawXML

/// What a client announces of itself in its presence, `<c/>` (XEP-0115 4).
package struct Capabilities: Sendable, Hashable {
  /// XEP-0115 section 4.
  package static let namespace = "http://jabber.org/protocol/caps"

  /// Which software we are, as an address that nobody else uses.
  package static let ownNode = "urn:uuid:7d0f5f3a-0f6c-4b0e-9a57-3f1c6a2b9d84"

  /// Which software it is.
  package var node: String
  package var hash: CapabilityHash

  package init(node: String, hash: CapabilityHash) {
    self.node = node
    self.hash = hash
  }

  /// Reads a `<c/>`; nil when it is none, of the form before hashes, or of a hash that cannot be verified: nothing can
  /// be said of others by it (XEP-0115 5.4).
  package init?(_ element: Element) {
    guard element.matches("c", Self.namespace),
      let algorithm = element.attribute("hash").flatMap(CapabilityHash.Algorithm.init),
      let hash = element.attribute("ver").flatMap({ CapabilityHash(algorithm, ver: $0) }),
      let node = element.attribute("node"), !node.isEmpty, node.utf8.count <= DiscoveryLimits.capabilityNode
    else { return nil }
    self.init(node: node, hash: hash)
  }

  /// What is asked for at the client (XEP-0115 6.2): `node#ver`.
  package var discoveryNode: String { node + "#" + hash.ver }

  /// The `<c/>` to send.
  package var element: Element {
    Element("c", Self.namespace, ["hash": hash.algorithm.rawValue, "node": node, "ver": hash.ver])
  }
}
