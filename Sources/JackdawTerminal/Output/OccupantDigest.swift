// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Who came into rooms and went within a moment, gathered: who does both is worth no line.
struct OccupantDigest {
  /// What is told of one room.
  struct Changes: Equatable {
    var came: [String] = []
    var went: [String] = []
    /// In words, what else befell somebody.
    var others: [String] = []
    /// Who of them is a contact, by nick. Bounded by the others.
    var contacts: [String: RosterItem] = [:]

    var isEmpty: Bool { came.isEmpty && went.isEmpty && others.isEmpty }
  }

  /// Bounded by ``TerminalLimits/rememberedAddresses`` rooms, and each by ``limit``.
  private var rooms: [JID: Changes] = [:]
  private var order: [JID] = []

  /// People of one room within a moment; more are a flood.
  private static let limit = 50

  var hasNews: Bool { !order.isEmpty }

  /// - Parameter contact: who it is, where the room shows that.
  mutating func take(_ event: OccupantChanged, contact: RosterItem?) {
    if rooms[event.room] == nil {
      guard order.count < TerminalLimits.rememberedAddresses else { return }
      order.append(event.room)
    }
    var changes = rooms[event.room] ?? Changes()
    if changes.contacts.count < 2 * Self.limit { changes.contacts[event.nick] = contact }
    switch event.change {
    case .joined:
      if let place = changes.went.firstIndex(of: event.nick) {
        changes.went.remove(at: place)
      } else if changes.came.count < Self.limit {
        changes.came.append(event.nick)
      }
    case .left:
      if let place = changes.came.firstIndex(of: event.nick) {
        changes.came.remove(at: place)
      } else if changes.went.count < Self.limit {
        changes.went.append(event.nick)
      }
    case .renamed, .kicked, .banned, .role:
      if let words = TextLines.words(event), changes.others.count < Self.limit { changes.others.append(words) }
    }
    rooms[event.room] = changes
  }

  /// What happened since the last call, room by room.
  mutating func drain() -> [(room: JID, changes: Changes)] {
    defer { (rooms, order) = ([:], []) }
    return order.compactMap { room in
      guard let changes = rooms[room], !changes.isEmpty else { return nil }
      return (room, changes)
    }
  }
}
