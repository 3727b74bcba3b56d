// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// The contact list as a value: looked up by JID, listed by name.
///
/// The entries are one array, found through a ``RosterIndex``: a third of the memory of a dictionary that holds them.
package struct Roster: Sendable {
  private var items: [RosterItem] = []
  private var index = RosterIndex()
  /// The server's name for this state of the list (RFC 6121 2.6), nil when it gives none.
  package private(set) var version: String?

  /// The list as it was kept or sent; of two entries for one JID the later counts.
  package init(_ snapshot: RosterSnapshot? = nil) {
    guard let snapshot else { return }
    version = snapshot.version
    items = snapshot.items
    index = RosterIndex(items)
    let isDouble = { [index, items] (place: Int) in index.place(of: items[place].jid, in: items) != place }
    guard items.indices.contains(where: isDouble) else { return }
    items = items.indices.filter { !isDouble($0) }.map { items[$0] }
    index = RosterIndex(items)
  }

  /// How many entries there are.
  package var count: Int { items.count }
  /// The entry of exactly this JID.
  package subscript(_ jid: JID) -> RosterItem? { index.place(of: jid, in: items).map { items[$0] } }
  /// What a store keeps.
  package var snapshot: RosterSnapshot { RosterSnapshot(version: version, items: items) }

  /// Everyone of whom `isWanted` holds, by the name that people see, then by JID.
  package func sorted(where isWanted: (RosterItem) -> Bool = { _ in true }) -> [RosterItem] {
    items.lazy.filter(isWanted)
      .map { (key: ($0.name ?? $0.jid.description).lowercased(), item: $0) }
      .sorted { ($0.key, $0.item.jid.description) < ($1.key, $1.item.jid.description) }
      .map(\.item)
  }

  /// Everyone in no order.
  package var all: some Collection<RosterItem> { items }

  /// Takes a push in.
  /// - Returns: what it changed, or nil when it said nothing new.
  package mutating func apply(_ push: RosterPush) -> FriendChanged.Change? {
    if let version = push.version { self.version = version }
    switch push.change {
    case .set(let item):
      guard let place = index.place(of: item.jid, in: items) else {
        items.append(item)
        index.set(items.count - 1, of: item.jid, in: items)
        return .added
      }
      guard items[place] != item else { return nil }
      items[place] = item
      return .updated
    case .remove(let jid):
      guard let place = index.place(of: jid, in: items), let last = items.last else { return nil }
      index.remove(jid, in: items)
      if place < items.count - 1 {
        // The last takes its place.
        index.set(place, of: last.jid, in: items)
        items[place] = last
      }
      items.removeLast()
      return .removed
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
