// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawXML

/// Roster stanzas to values and back (RFC 6121 2.1).
package enum RosterCodec {
  /// `<query xmlns='jabber:iq:roster'/>`; with the version that is cached where the server can version.
  package static func request(version: String?) -> Element {
    Element("query", Namespace.roster, ["ver": version])
  }

  /// The payload of a roster set that adds or changes an entry: name and groups are ours to say, nothing else is.
  package static func set(_ jid: JID, name: String?, groups: [String]) -> Element {
    let groups = groups.map { Element("group", Namespace.roster, text: $0) }
    let item = Element("item", Namespace.roster, ["jid": jid.description, "name": name], groups)
    return Element("query", Namespace.roster, [item])
  }

  /// The payload of a roster set that removes an entry and with it both subscriptions.
  package static func removal(of jid: JID) -> Element {
    let item = Element("item", Namespace.roster, ["jid": jid.description, "subscription": "remove"])
    return Element("query", Namespace.roster, [item])
  }

  /// Reads the answer to a roster request. Entries that cannot be read are left out and counted.
  package static func snapshot(_ query: Element) -> (snapshot: RosterSnapshot, unreadable: Int) {
    var reading = RosterReading()
    reading.take(query, beside: Roster())
    return (RosterSnapshot(version: reading.version, items: reading.changed), reading.unreadable)
  }

  /// Reads a push: exactly one item with a JID that can be read, else nil (RFC 6121 2.1.6 and 2.3.3).
  package static func push(_ query: Element) -> RosterPush? {
    var items = query.children.lazy.filter { $0.matches("item", Namespace.roster) }.makeIterator()
    guard let item = items.next(), items.next() == nil, let change = change(item, proper) else { return nil }
    return RosterPush(change, version: query.attribute("ver"))
  }

  private static func proper(_ groups: [String]) -> [String] { RosterItem.proper(groups) }

  /// - Parameter groups: makes groups proper.
  static func change(_ item: Element, _ groups: ([String]) -> [String]) -> RosterPush.Change? {
    guard let text = item.attribute("jid"), let jid = try? JID(received: text) else { return nil }
    let subscription = item.attribute("subscription") ?? "none"
    if subscription == "remove" { return .remove(jid) }
    // RFC 6121 2.1.2.5: a value that the schema does not know is to be ignored; the entry counts as "none".
    return .set(
      RosterItem(
        jid: jid, name: item.attribute("name").flatMap { $0.isEmpty ? nil : $0 },
        subscription: RosterItem.Subscription(rawValue: subscription) ?? .none,
        ask: item.attribute("ask") == "subscribe",
        approved: item.attribute("approved").map { $0 == "true" || $0 == "1" } ?? false,
        groups: groups(item.children.lazy.filter { $0.matches("group", Namespace.roster) }.map(\.text))))
  }
}
