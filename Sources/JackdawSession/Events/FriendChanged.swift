// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// The roster changed, or one line of a list of it. JSON: `friend`.
package struct FriendChanged: ClientEvent, Equatable {
  /// What happened to the entry of the roster.
  package enum Change: String, Encodable, Sendable, CaseIterable { case added, updated, removed }
  package static let name = "friend"
  /// The entry as it is now; as it was last, when it was removed.
  package var item: RosterItem
  /// Nil in a list.
  package var change: Change?
  /// The entry as it was before the change, where there was one. For lines that say what happened; not in JSON.
  package var before: RosterItem?
  /// It came while a command of this program was changing this friendship, and that command says what it did. Not in JSON.
  package var isOurs: Bool
  package var topic: JID? { item.jid }

  package init(item: RosterItem, change: Change?, before: RosterItem? = nil, isOurs: Bool = false) {
    self.item = item
    self.change = change
    self.before = before
    self.isOurs = isOurs
  }

  private enum CodingKeys: String, CodingKey { case jid, name, subscription, ask, groups, change }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(item.jid.description, forKey: .jid)
    try container.encode(item.name, forKey: .name)
    try container.encode(item.subscription.rawValue, forKey: .subscription)
    try container.encode(item.ask, forKey: .ask)
    try container.encode(item.groups, forKey: .groups)
    try container.encode(change, forKey: .change)
  }
}
