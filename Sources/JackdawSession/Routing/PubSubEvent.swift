// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import JackdawXML

/// What a service tells of a node (XEP-0060 7.1.2 and 12).
package struct PubSubEvent: Sendable, Equatable {
  /// XEP-0060 section 7.1.2.
  package static let namespace = "http://jabber.org/protocol/pubsub#event"

  /// What happened to the node.
  package enum Change: Sendable, Equatable {
    /// Items are there, new or changed; those with these ids are gone.
    case items([PubSubItem], retracted: [String])
    /// All items are gone.
    case purged
    /// The node is gone.
    case deleted
  }

  /// Whose node it is: a person's bare JID (XEP-0163).
  package var publisher: JID
  package var node: String
  package var change: Change

  package init(publisher: JID, node: String, change: Change) {
    self.publisher = publisher
    self.node = node
    self.change = change
  }

  /// Reads an `<event/>`; nil when it is none, or tells of nothing that matters here: subscriptions, configurations.
  init?(_ event: Element, from publisher: JID) {
    guard event.namespace == Self.namespace, event.name == "event",
      let told = event.children.first(where: { $0.namespace == Self.namespace }),
      let node = told.attribute("node"), !node.isEmpty
    else { return nil }
    switch told.name {
    case "items": self.init(publisher: publisher, node: node, change: Self.items(told))
    case "purge": self.init(publisher: publisher, node: node, change: .purged)
    case "delete": self.init(publisher: publisher, node: node, change: .deleted)
    default: return nil
    }
  }

  /// Items of one event that are handed on: nodes that tell of more at once are no personal events.
  private static let eventItems = 1_000

  private static func items(_ list: Element) -> Change {
    var items: [PubSubItem] = []
    var retracted: [String] = []
    for child in list.children.prefix(eventItems) where child.namespace == namespace {
      switch child.name {
      case "item": items.append(PubSubItem(child))
      case "retract": if let id = child.attribute("id"), !id.isEmpty { retracted.append(id) }
      default: break
      }
    }
    return .items(items, retracted: retracted)
  }
}
