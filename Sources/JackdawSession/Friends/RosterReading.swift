// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// The answer to a roster request while it is read, whole or in parts: by how it differs from the list that is known, so that
/// what has not changed is not in memory twice.
struct RosterReading {
  /// The version of the whole list.
  private(set) var version: String?
  /// Entries that are new or otherwise than known, in the answer's order; of two for one JID the later counts.
  /// Bounded by one answer of our own server.
  private(set) var changed: [RosterItem] = []
  /// For each place of the known list, whether its entry is in the answer; empty before any was.
  /// Bounded by the known list.
  private(set) var stays: [Bool] = []
  /// Entries that cannot be read.
  private(set) var unreadable = 0
  /// Lists of groups that were met: thousands of friends are in a few groups, and share them so.
  private var groups: [[String]: [String]] = [:]

  /// Takes in the `<query/>`, or a part of it.
  /// - Parameter known: the list as it is known, which must be the same for all parts.
  mutating func take(_ query: Element, beside known: Roster) {
    version = query.attribute("ver")
    if stays.isEmpty { stays = Array(repeating: false, count: known.count) }
    for child in query.children where child.matches("item", Namespace.roster) {
      guard case .set(let item)? = RosterCodec.change(child, { shared($0) }) else {
        unreadable += 1
        continue
      }
      if let place = known.count > 0 ? known.place(of: item.jid) : nil {
        // The second one for a JID counts, whatever the first one said.
        let isFirst = !stays[place]
        stays[place] = true
        if isFirst, known.item(at: place) == item { continue }
      }
      changed.append(item)
    }
  }

  private mutating func shared(_ list: [String]) -> [String] {
    if list.isEmpty { return [] }
    if let known = groups[list] { return known }
    let proper = RosterItem.proper(list)
    if groups.count < SessionLimits.sharedGroups { groups[list] = proper }
    return proper
  }
}
