// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Our messages of this session and what became of each. Those whose fate is not known yet are all remembered, of the
/// others the last ones, so that an error that comes back late still finds its message.
struct SentMessages {
  enum State: Equatable {
    /// Written; the server may or may not have it.
    case sent
    /// The server has it.
    case server
    /// It came back.
    case bounced(StanzaError)
    /// The connection ended before anybody could tell.
    case lost
  }

  struct Entry: Equatable {
    let id: String
    let to: JID
    var state = State.sent
  }

  private let limit: Int
  private var entries: [String: Entry] = [:]
  /// Those whose fate is open, in the order of sending; bounced ones may stand among them.
  private var open: [String] = []
  /// How many have ever left `open`.
  private var closedCount = 0
  /// The others, oldest first, and some of those already forgotten.
  private var settled: [String] = []

  /// - Parameter limit: how many are remembered at least once their fate is known; never more than twice as many.
  init(limit: Int) { self.limit = limit }

  var hasUnconfirmed: Bool { !open.isEmpty }

  /// How many have been sent: what ``confirm(upTo:)`` is given later.
  var count: Int { closedCount + open.count }

  subscript(id: String) -> Entry? { entries[id] }

  mutating func add(id: String, to: JID) {
    entries[id] = Entry(id: id, to: to)
    open.append(id)
  }

  /// The server has the first `count` messages.
  /// - Returns: those of which that is news.
  mutating func confirm(upTo count: Int) -> [Entry] { close(count - closedCount, as: .server) }

  /// The server has this message, and so those before it.
  /// - Returns: those of which that is news.
  mutating func confirm(id: String) -> [Entry] {
    // They are acknowledged in the order of sending: it is the first one, or near it.
    guard let index = open.firstIndex(of: id) else { return [] }
    return close(index + 1, as: .server)
  }

  /// Nothing will be heard of those that are not confirmed.
  /// - Returns: them.
  mutating func lose() -> [Entry] { close(open.count, as: .lost) }

  /// A message came back.
  /// - Returns: false when it is not known, or has come back before.
  mutating func bounce(id: String, _ error: StanzaError) -> Bool {
    switch entries[id]?.state {
    case nil, .bounced: return false
    case .sent, .server, .lost:
      entries[id]?.state = .bounced(error)
      return true
    }
  }

  private mutating func close(_ count: Int, as state: State) -> [Entry] {
    guard count > 0 else { return [] }
    let closed = open.prefix(count)
    var changed: [Entry] = []
    for id in closed where entries[id]?.state == .sent {
      entries[id]?.state = state
      if let entry = entries[id] { changed.append(entry) }
    }
    settled += closed
    closedCount += closed.count
    open.removeFirst(closed.count)
    forget()
    return changed
  }

  /// Many at a time, so that it costs no more a message when there are many.
  private mutating func forget() {
    guard settled.count > 2 * limit else { return }
    let old = settled.count - limit
    for id in settled.prefix(old) { entries[id] = nil }
    settled.removeFirst(old)
  }
}
