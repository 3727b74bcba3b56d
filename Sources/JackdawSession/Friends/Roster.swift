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
    dropDoubles()
  }

  private mutating func dropDoubles() {
    let isDouble = { [index, items] (place: Int) in index.place(of: items[place].jid, in: items) != place }
    guard items.indices.contains(where: isDouble) else { return }
    items = items.indices.filter { !isDouble($0) }.map { items[$0] }
    index = RosterIndex(items)
  }

  /// How many entries there are.
  package var count: Int { items.count }
  /// The entry of exactly this JID.
  package subscript(_ jid: JID) -> RosterItem? { index.place(of: jid, in: items).map { items[$0] } }
  /// Whether there is an entry of exactly this JID, and the name in it.
  func naming(of jid: JID) -> (isFriend: Bool, name: String?) {
    guard let place = place(of: jid) else { return (false, nil) }
    return (true, items[place].name)
  }

  /// What a store keeps.
  package var snapshot: RosterSnapshot { RosterSnapshot(version: version, items: items) }

  /// Everyone of whom `isWanted` holds, which is asked once for each entry, by the name that people see, then by JID.
  package func sorted(where isWanted: (RosterItem) -> Bool = { _ in true }) -> some RandomAccessCollection<RosterItem> {
    let order = RosterOrder(items, where: isWanted)
    return order.places.lazy.map { [items] in items[Int($0)] }
  }

  /// Everyone in no order.
  package var all: some Collection<RosterItem> { items }

  /// The place of the entry of exactly this JID, below ``count``; holds until the list changes.
  func place(of jid: JID) -> Int? { index.place(of: jid, in: items) }

  /// The entry at a place.
  func item(at place: Int) -> RosterItem { items[place] }

  /// Makes the list what the server says that it is, in place: never are two whole lists in memory that are alike.
  /// - Parameters:
  ///   - stays: for each place, whether its entry is on the server's list too.
  ///   - changed: what is new or otherwise than here; of two entries for one JID the later counts.
  /// - Returns: whose entries are gone.
  mutating func update(keeping stays: [Bool], changed: [RosterItem], version: String?) -> [JID] {
    self.version = version
    if items.isEmpty {
      items = changed
      index = RosterIndex(items)
      dropDoubles()
      return []
    }
    for item in changed {
      if let place = index.place(of: item.jid, in: items) {
        items[place] = item
      } else {
        items.append(item)
        index.set(items.count - 1, of: item.jid, in: items)
      }
    }
    let gone = stays.indices.filter { !stays[$0] }.map { items[$0].jid }
    guard !gone.isEmpty else { return [] }
    var left = 0
    for place in items.indices where place >= stays.count || stays[place] {
      items[left] = items[place]
      left += 1
    }
    items.removeLast(items.count - left)
    index = RosterIndex(items)
    return gone
  }

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
