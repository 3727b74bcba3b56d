// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import JackdawXML

/// A room as others are told of it. All but the address are its own words, from the network.
package struct FoundRoom: Sendable, Equatable {
  /// Its bare address.
  package var jid: JID
  package var name: String?
  /// What it is there for.
  package var description: String?
  /// What is being talked about (XEP-0045 15.5.4).
  package var topic: String?
  /// How many are in it; nil: it does not say.
  package var occupants: Int?
  /// It wants a password.
  package var isProtected = false
  /// It lets only members in.
  package var isMembersOnly = false

  package init(jid: JID, name: String? = nil) {
    self.jid = jid
    self.name = name
  }

  /// Reads an item of a list of rooms (XEP-0045 6.3); nil when it is none.
  package init?(_ item: DiscoveryItem) {
    guard item.jid.isBare, item.jid.localpart != nil, item.node == nil else { return nil }
    self.init(jid: item.jid, name: item.name.nonEmpty)
    // Services write `tea (3)` where a room has no name.
    if let name, let localpart = jid.localpart, name.hasPrefix(localpart + " ("), name.hasSuffix(")") {
      self.name = nil
      occupants = Self.count(String(name.dropFirst(localpart.count + 2).dropLast()))
    }
  }

  /// Reads an `<item/>` of a search (XEP-0433 5.2); nil when it is none.
  init?(found item: Element) {
    guard item.matches("item", RoomSearch.namespace), let jid = (try? item.jid("address")) ?? nil, jid.isBare,
      jid.localpart != nil
    else { return nil }
    self.init(jid: jid, name: item.text(of: "name", RoomSearch.namespace).nonEmpty)
    description = item.text(of: "description", RoomSearch.namespace).nonEmpty
    occupants = item.text(of: "nusers", RoomSearch.namespace).flatMap(Self.count)
  }

  /// Takes in what the room says of itself (XEP-0045 6.4). What it does not say stays.
  package mutating func take(_ information: DiscoveryInformation) {
    let form = information.forms.first { $0.formType == "http://jabber.org/protocol/muc#roominfo" }
    let identity = information.identities.first { $0.category == "conference" }
    name = form?.value(of: "muc#roomconfig_roomname").nonEmpty ?? identity?.name.nonEmpty ?? name
    description = form?.value(of: "muc#roominfo_description").nonEmpty ?? description
    topic = form?.value(of: "muc#roominfo_subject").nonEmpty ?? topic
    occupants = form?.value(of: "muc#roominfo_occupants").flatMap(Self.count) ?? occupants
    isProtected = information.supports("muc_passwordprotected")
    isMembersOnly = information.supports("muc_membersonly")
  }

  /// Whether each of these words, in any case, is in its address, its name or what it says of itself.
  package func matches(_ words: [String]) -> Bool {
    let text = [jid.description, name, description, topic].compactMap(\.self).joined(separator: "\n").lowercased()
    return words.allSatisfy { text.contains($0.lowercased()) }
  }

  private static func count(_ text: String) -> Int? { Int(text).flatMap { $0 < 0 ? nil : $0 } }
}
