// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// A mark as an item of a node (XEP-0490 4.1).
extension DisplayedMark {
  /// The node, and the namespace of its payloads.
  static let namespace = "urn:xmpp:mds:displayed:0"

  /// Reads an item of our own account's node; nil when it is none, says nothing of a conversation with one person, or speaks of a
  /// message by an id that is not our own archive's.
  /// - Parameter account: our bare address.
  init?(_ item: PubSubItem, of account: JID) {
    guard let name = item.id, let conversation = try? JID(name), conversation.isBare,
      item.publisher.map({ $0.bare == account }) ?? true,
      let payload = item.payload, payload.matches("displayed", Self.namespace)
    else { return nil }
    let ids = payload.children.filter { $0.matches("stanza-id", StanzaID.namespace) }
    guard ids.count == 1, let id = StanzaID(ids[0]), id.by == account,
      id.id.utf8.count <= FeatureLimits.displayedIDBytes
    else { return nil }
    self.init(conversation: conversation, archiveID: id.id)
  }

  /// The item to publish.
  func item(of account: JID) -> PubSubItem {
    PubSubItem(
      id: conversation.description,
      payload: Element("displayed", Self.namespace, [StanzaID(id: archiveID, by: account).element]))
  }
}
