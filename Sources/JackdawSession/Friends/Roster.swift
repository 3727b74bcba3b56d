// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// The contact list as a value: looked up by JID, listed by name.
package struct Roster: Sendable {
  private var items: [JID: RosterItem] = [:]
  /// The server's name for this state of the list (RFC 6121 2.6), nil when it gives none.
  package private(set) var version: String?

  /// The list as it was kept or sent; of two entries for one JID the later counts.
  package init(_ snapshot: RosterSnapshot? = nil) {
    guard let snapshot else { return }
    version = snapshot.version
    items.reserveCapacity(snapshot.items.count)
    for item in snapshot.items { items[item.jid] = item }
  }

  /// How many entries there are.
  package var count: Int { items.count }
  /// The entry of exactly this JID.
  package subscript(_ jid: JID) -> RosterItem? { items[jid] }
  /// What a store keeps.
  package var snapshot: RosterSnapshot { RosterSnapshot(version: version, items: Array(items.values)) }

  /// Everyone, by the name that people see, then by JID.
  package func sorted() -> [RosterItem] {
    items.values
      .map { (key: ($0.name ?? $0.jid.description).lowercased(), item: $0) }
      .sorted { ($0.key, $0.item.jid.description) < ($1.key, $1.item.jid.description) }
      .map(\.item)
  }

  /// Everyone in no order.
  package var all: some Collection<RosterItem> { items.values }

  /// Takes a push in.
  /// - Returns: what it changed, or nil when it said nothing new.
  package mutating func apply(_ push: RosterPush) -> FriendChanged.Change? {
    if let version = push.version { self.version = version }
    switch push.change {
    case .set(let item):
      let old = items.updateValue(item, forKey: item.jid)
      return old == nil ? .added : old == item ? nil : .updated
    case .remove(let jid):
      return items.removeValue(forKey: jid) == nil ? nil : .removed
    }
  }
}

/// One roster push (RFC 6121 2.1.6).
package struct RosterPush: Sendable, Equatable {
  /// What became of an entry.
  package enum Change: Sendable, Equatable {
    case set(RosterItem)
    case remove(JID)
  }
  /// What it says.
  package var change: Change
  /// The list's version after it; nil from a server that gives none.
  package var version: String?

  /// Whom it is about.
  package var jid: JID {
    switch change {
    case .set(let item): item.jid
    case .remove(let jid): jid
    }
  }

  package init(_ change: Change, version: String?) {
    self.change = change
    self.version = version
  }
}
