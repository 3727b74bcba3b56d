// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Where in an array of entries the one of an address is: a hash table that holds nothing but places, four bytes each, for the
/// addresses are in the entries. A dictionary of 50,000 takes five times as much.
struct RosterIndex: Sendable {
  private enum Slot {
    static let empty: Int32 = -1
    /// Was taken: what is looked for may be behind it.
    static let left: Int32 = -2
  }

  /// A power of two of them, never all taken.
  private var slots: [Int32] = []
  /// Those that are not empty.
  private var used = 0

  /// - Parameter items: of several with one address the last is found.
  init(_ items: [RosterItem] = []) { build(items) }

  /// The place of the entry of `jid`.
  func place(of jid: JID, in items: [RosterItem]) -> Int? { slot(of: jid, in: items).map { Int(slots[$0]) } }

  /// The entry of `jid`, which is in `items` already, is at `place`.
  mutating func set(_ place: Int, of jid: JID, in items: [RosterItem]) {
    if let slot = slot(of: jid, in: items) {
      slots[slot] = Int32(clamping: place)
      return
    }
    // At most three quarters full, so that a search soon comes to an empty one.
    if (used + 1) * 4 > slots.count * 3 { return build(items) }
    insert(place, of: jid)
  }

  /// The entry of `jid` is about to go.
  mutating func remove(_ jid: JID, in items: [RosterItem]) {
    if let slot = slot(of: jid, in: items) { slots[slot] = Slot.left }
  }

  private mutating func build(_ items: [RosterItem]) {
    var capacity = 8
    while capacity * 3 < (items.count + 1) * 4 { capacity *= 2 }
    slots = Array(repeating: Slot.empty, count: capacity)
    used = 0
    for (place, item) in items.enumerated() {
      if let slot = slot(of: item.jid, in: items) {
        slots[slot] = Int32(clamping: place)
      } else {
        insert(place, of: item.jid)
      }
    }
  }

  private mutating func insert(_ place: Int, of jid: JID) {
    var slot = start(jid)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    if slots[slot] == Slot.empty { used += 1 }
    slots[slot] = Int32(clamping: place)
  }

  private func slot(of jid: JID, in items: [RosterItem]) -> Int? {
    var slot = start(jid)
    while slots[slot] != Slot.empty {
      if slots[slot] >= 0, items[Int(slots[slot])].jid == jid { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func start(_ jid: JID) -> Int { jid.hashValue & (slots.count - 1) }
}
