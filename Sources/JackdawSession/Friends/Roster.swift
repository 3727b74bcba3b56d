// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// The contact list as a value: looked up by JID, listed by name.
///
/// The entries are one array, found through an index of their addresses: half the memory of a dictionary that holds them.
package struct Roster: Sendable {
  private var items: [RosterItem] = []
  /// Where the entry of an address is. The address is a text that the entry has anyway.
  private var places: [String: Int32] = [:]
  /// The server's name for this state of the list (RFC 6121 2.6), nil when it gives none.
  package private(set) var version: String?

  /// The list as it was kept or sent; of two entries for one JID the later counts.
  package init(_ snapshot: RosterSnapshot? = nil) {
    guard let snapshot else { return }
    version = snapshot.version
    places.reserveCapacity(snapshot.items.count)
    items = snapshot.items
    var hasDoubles = false
    for (index, item) in items.enumerated() {
      hasDoubles = places.updateValue(Int32(clamping: index), forKey: item.jid.description) != nil || hasDoubles
    }
    if hasDoubles { removeDoubles() }
  }

  private mutating func removeDoubles() {
    let all = items
    items = all.enumerated().filter { places[$0.element.jid.description] == Int32(clamping: $0.offset) }.map(\.element)
    for (index, item) in items.enumerated() { places[item.jid.description] = Int32(clamping: index) }
  }

  /// How many entries there are.
  package var count: Int { items.count }
  /// The entry of exactly this JID.
  package subscript(_ jid: JID) -> RosterItem? { places[jid.description].map { items[Int($0)] } }
  /// What a store keeps.
  package var snapshot: RosterSnapshot { RosterSnapshot(version: version, items: items) }

  /// Everyone, by the name that people see, then by JID.
  package func sorted() -> [RosterItem] {
    items
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
      guard let place = places[item.jid.description] else {
        places[item.jid.description] = Int32(clamping: items.count)
        items.append(item)
        return .added
      }
      guard items[Int(place)] != item else { return nil }
      items[Int(place)] = item
      return .updated
    case .remove(let jid):
      guard let place = places.removeValue(forKey: jid.description) else { return nil }
      // The last takes its place.
      let last = items.removeLast()
      if Int(place) < items.count {
        items[Int(place)] = last
        places[last.jid.description] = place
      }
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
