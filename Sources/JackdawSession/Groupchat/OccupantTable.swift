// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Who is in a room. As there may be tens of thousands, each takes little: addresses are kept as texts, and the rest in a few bytes.
struct OccupantTable: Sendable {
  private struct Entry {
    var jid: String?
    var id: String?
    var role: RoomRole
    var affiliation: RoomAffiliation
    var show: Presence.Show?
  }

  private var entries: [String: Entry] = [:]

  var count: Int { entries.count }

  subscript(nick: String) -> Occupant? { entries[nick].map { Self.occupant(nick, $0) } }

  var nicks: some Sequence<String> { entries.keys }

  func contains(_ nick: String) -> Bool { entries[nick] != nil }

  /// Everybody, by nick.
  var sorted: [Occupant] {
    entries.map { Self.occupant($0.key, $0.value) }.sorted {
      ($0.nick.lowercased(), $0.nick) < ($1.nick.lowercased(), $1.nick)
    }
  }

  mutating func set(_ occupant: Occupant) {
    entries[occupant.nick] = Entry(
      jid: occupant.jid?.description, id: occupant.id, role: occupant.role, affiliation: occupant.affiliation,
      show: occupant.show)
  }

  mutating func remove(_ nick: String) -> Occupant? {
    entries.removeValue(forKey: nick).map { Self.occupant(nick, $0) }
  }

  mutating func removeAll() { entries = [:] }

  /// Who has this id (XEP-0421); nil: nobody who is there.
  func nick(ofID id: String) -> String? { entries.first { $0.value.id == id }?.key }

  private static func occupant(_ nick: String, _ entry: Entry) -> Occupant {
    var occupant = Occupant(nick: nick, role: entry.role, affiliation: entry.affiliation)
    // It was an address when it came.
    occupant.jid = entry.jid.flatMap { try? JID(received: $0) }
    occupant.id = entry.id
    occupant.show = entry.show
    return occupant
  }
}
