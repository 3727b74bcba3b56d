// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What befell people in rooms within a moment, gathered: who comes and goes in it is worth no line.
struct OccupantDigest {
  /// One of the things that are told of a room.
  enum Change: Equatable {
    case came(String)
    case went(String)
    /// What else befell somebody: what they are called after it, and the words for it.
    case other(nick: String, words: String)

    var nick: String {
      switch self {
      case .came(let nick), .went(let nick), .other(let nick, _): nick
      }
    }

    func isLike(_ other: Change) -> Bool {
      switch (self, other) {
      case (.came, .came), (.went, .went), (.other, .other): true
      case (.came, _), (.went, _), (.other, _): false
      }
    }
  }

  /// What is told of one room.
  struct Changes: Equatable {
    /// In the order in which they happened. Bounded by ``OccupantDigest/limit`` of each kind.
    var all: [Change] = []
    /// Who of them is a contact, by nick. Bounded by the others.
    var contacts: [String: RosterItem] = [:]

    /// Adds one, unless it undoes the last that is told of whoever it is about: then neither is told.
    mutating func add(_ change: Change, undoing opposite: Change? = nil) {
      if let opposite, let last = all.lastIndex(where: { $0.nick == change.nick }), all[last] == opposite {
        all.remove(at: last)
      } else if all.count(where: { $0.isLike(change) }) < OccupantDigest.limit {
        all.append(change)
      }
    }
  }

  /// Bounded by ``TerminalLimits/rememberedAddresses`` rooms, and each by ``limit``.
  private var rooms: [JID: Changes] = [:]
  private var order: [JID] = []

  /// People of one room within a moment; more are a flood.
  fileprivate static let limit = 50

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
    case .joined: changes.add(.came(event.nick), undoing: .went(event.nick))
    case .left: changes.add(.went(event.nick), undoing: .came(event.nick))
    case .renamed, .kicked, .banned, .role:
      if let words = TextLines.words(event) { changes.add(.other(nick: event.newNick ?? event.nick, words: words)) }
    }
    rooms[event.room] = changes
  }

  /// What happened since the last call, room by room.
  mutating func drain() -> [(room: JID, changes: Changes)] {
    defer { (rooms, order) = ([:], []) }
    return order.compactMap { room in
      guard let changes = rooms[room], !changes.all.isEmpty else { return nil }
      return (room, changes)
    }
  }
}
