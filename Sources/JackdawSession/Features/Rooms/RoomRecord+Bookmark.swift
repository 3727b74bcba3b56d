// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// A room as a bookmark: an item of our own account's node (XEP-0402 2).
extension RoomRecord {
  /// The node, and the namespace of its payloads.
  static let bookmarks = "urn:xmpp:bookmarks:1"

  /// Reads an item; nil when it is none, does not stand for a room, was published by somebody else, or exceeds a limit.
  /// - Parameter account: our bare address.
  init?(_ item: PubSubItem, of account: JID) {
    guard let id = item.id, let jid = try? JID(id), let payload = item.payload,
      item.publisher.map({ $0.bare == account }) ?? true,
      payload.description.utf8.count <= FeatureLimits.bookmarkBytes
    else { return nil }
    self.init(conference: payload, Self.bookmarks, of: jid)
    extensions = payload.child("extensions", Self.bookmarks)?.description
  }

  /// Reads a `<conference/>` of either format; nil when it is none or no room's.
  init?(conference: Element, _ namespace: String, of jid: JID) {
    guard conference.matches("conference", namespace), jid.isBare, jid.localpart != nil else { return nil }
    self.init(jid, nick: conference.text(of: "nick", namespace).nonEmpty)
    name = conference.attribute("name").nonEmpty
    password = conference.text(of: "password", namespace)
    autojoin = ["true", "1"].contains(conference.attribute("autojoin"))
    isBookmarked = true
  }

  /// The item to publish.
  var bookmark: PubSubItem {
    var children: [Element] = []
    if let nick { children.append(Element("nick", Self.bookmarks, text: nick)) }
    if let password { children.append(Element("password", Self.bookmarks, text: password)) }
    if let extensions = extensions.flatMap({ try? Element(parsing: $0) }) { children.append(extensions) }
    return PubSubItem(
      id: jid.description,
      payload: Element("conference", Self.bookmarks, ["name": name, "autojoin": autojoin ? "true" : "false"], children))
  }
}
