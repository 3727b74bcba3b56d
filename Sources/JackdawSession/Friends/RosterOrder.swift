// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol

/// The order in which people see a contact list: by name, where there is none by address, then by address; capitals and small
/// letters alike.
///
/// What is sorted are places of four bytes, by keys that lie one after the other in one array: sorting 50,000 entries
/// themselves, each with a key of its own, takes ten times the memory of it.
struct RosterOrder {
  /// Where in the array of entries each one is, the first of the order first.
  let places: [Int32]

  /// - Parameter isWanted: whom the order has at all; asked once for each.
  init(_ items: [RosterItem], where isWanted: (RosterItem) -> Bool) {
    var keys: [UInt8] = []
    /// Where in `keys` that of a wanted entry begins; one more, where the last one ends.
    var starts: [Int32] = []
    var wanted: [Int32] = []
    // What is not used of it costs no memory, and growing would for a moment take twice as much.
    keys.reserveCapacity(items.reduce(0) { $0 + ($1.name ?? $1.jid.description).utf8.count })
    starts.reserveCapacity(items.count + 1)
    wanted.reserveCapacity(items.count)
    for (place, item) in items.enumerated() where isWanted(item) {
      starts.append(Int32(clamping: keys.count))
      wanted.append(Int32(clamping: place))
      keys.append(contentsOf: (item.name ?? item.jid.description).lowercased().utf8)
    }
    starts.append(Int32(clamping: keys.count))
    let order = wanted.indices.map { Int32(clamping: $0) }
    places = keys.withUnsafeBufferPointer { keys in
      func key(_ number: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: keys[Int(starts[Int(number)])..<Int(starts[Int(number) + 1])])
      }
      return order.sorted { left, right in
        let (first, second) = (key(left), key(right))
        if let one = first.baseAddress, let other = second.baseAddress {
          let difference = memcmp(one, other, min(first.count, second.count))
          if difference != 0 { return difference < 0 }
        }
        if first.count != second.count { return first.count < second.count }
        return items[Int(wanted[Int(left)])].jid.description < items[Int(wanted[Int(right)])].jid.description
      }
    }
    .map { wanted[Int($0)] }
  }
}
