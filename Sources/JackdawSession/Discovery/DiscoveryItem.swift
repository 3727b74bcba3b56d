// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawXML

/// Something that belongs to an entity: a room of a service, a node of an account (XEP-0030 4).
package struct DiscoveryItem: Sendable, Hashable {
  /// The namespace of lists of them (XEP-0030 section 4).
  package static let namespace = "http://jabber.org/protocol/disco#items"

  /// Who holds the item.
  package var jid: JID
  /// Which of that JID's nodes; nil: the JID itself.
  package var node: String?
  /// From the network: to be shown through the escaper only.
  package var name: String?

  package init(jid: JID, node: String? = nil, name: String? = nil) {
    self.jid = jid
    self.node = node
    self.name = name
  }

  /// Reads an `<item/>`; nil when it is none or its address is none.
  package init?(_ element: Element) {
    guard element.matches("item", DiscoveryItem.namespace), let text = element.attribute("jid"),
      let jid = try? JID(received: text)
    else { return nil }
    self.init(jid: jid, node: element.attribute("node"), name: element.attribute("name"))
  }

  /// The `<item/>` to send.
  package var element: Element {
    Element("item", DiscoveryItem.namespace, ["jid": jid.description, "node": node, "name": name])
  }
}
