// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// A mark as an item of a node (XEP-0490 4.1).
extension DisplayedMark {
  /// The node, and the namespace of its payloads.
  static let namespace = "urn:xmpp:mds:displayed:0"

  /// Reads an item of our own account's node; nil when it is none, or speaks of a message by an id that neither our own archive nor, in a
  /// room, the room has given it.
  /// - Parameters:
  ///   - account: our bare address.
  ///   - isRoom: whether a bare address is known to be a room's.
  init?(_ item: PubSubItem, of account: JID, isRoom: (JID) -> Bool) {
    guard let name = item.id, let conversation = try? JID(received: name),
      conversation.isBare || isRoom(conversation.bare),
      item.publisher.map({ $0.bare == account }) ?? true,
      let payload = item.payload, payload.matches("displayed", Self.namespace)
    else { return nil }
    let ids = payload.children.filter { $0.matches("stanza-id", StanzaID.namespace) }
    guard ids.count == 1, let id = StanzaID(ids[0]), id.by == account || id.by == conversation && isRoom(conversation),
      id.id.utf8.count <= FeatureLimits.displayedIDBytes
    else { return nil }
    self.init(
      conversation: conversation,
      archiveID: id.by == account ? id.id : StanzaID.stored(id.id, in: conversation))
  }

  /// The item to publish.
  func item(of account: JID) -> PubSubItem {
    let inRoom = StanzaID.ofRoom(conversation, archiveID)
    return PubSubItem(
      id: conversation.description,
      payload: Element(
        "displayed", Self.namespace,
        [StanzaID(id: inRoom ?? archiveID, by: inRoom == nil ? account : conversation).element]))
  }
}
