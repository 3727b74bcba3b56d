// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Entries for the contact list that somebody suggests (XEP-0144): shown, and never applied.
@Client package final class RosterExchange: Feature {
  private nonisolated static let namespace = "http://jabber.org/protocol/rosterx"

  package nonisolated static let about = FeatureDescription(
    "XEP-0144", "Roster Item Exchange", version: "1.1.1", discoFeatures: [namespace],
    scope:
      "suggestions in messages are shown with the command that takes them, and never applied; requests are not answered, "
      + "none is sent",
    isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Self.namespace]) { inbound in
      guard let contacts = Self.contacts(in: inbound.message.payloads) else { return .pass }
      inbound.carry(contacts)
      return .pass
    }
  }

  /// Those of the first action that is named; what is no address is passed over.
  static func contacts(in payloads: [Element]) -> MessageContent? {
    guard let exchange = payloads.first(where: { $0.matches("x", namespace) }) else { return nil }
    var contacts = MessageContent(.contacts)
    for item in exchange.children where contacts.items.count < PayloadLimits.items {
      guard item.matches("item", namespace), let jid = try? item.jid("jid") else { continue }
      let action = item.attribute("action") ?? "add"
      guard ["add", "delete", "modify"].contains(action), contacts.type ?? action == action else { continue }
      contacts.type = action
      let address = jid.bare.description
      if !contacts.items.contains(address) { contacts.items.append(address) }
    }
    return contacts.items.isEmpty ? nil : contacts
  }
}
