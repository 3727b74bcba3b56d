// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// What becomes of our messages.
extension Outbox {
  /// The server has acknowledged every message up to this turn.
  /// - Returns: those of which that is news.
  mutating func confirm(through turn: Int) -> [Entry] {
    var confirmed: [Entry] = []
    confirm(through: turn, adding: &confirmed)
    tidy()
    return confirmed
  }

  private mutating func confirm(through turn: Int, adding confirmed: inout [Entry]) {
    while writtenHead < written.count {
      let entry = written[writtenHead]
      guard entry?.turn ?? 0 <= turn else { break }
      writtenHead += 1
      guard let entry, entry.isWritten else { continue }
      if entry.awaitsReflection {
        entry.turn = nil
      } else {
        confirmed.append(settle(entry, as: .server))
      }
    }
  }

  /// The server has these messages, and so those that were written before them.
  /// - Returns: those of which that is news.
  mutating func confirm(ids: some Sequence<String>) -> [Entry] {
    var confirmed: [Entry] = []
    for id in ids {
      // Mostly they come in the order of writing, and need not be looked up.
      let next = writtenHead < written.count ? written[writtenHead] : nil
      guard let entry = next?.id == id ? next : entries[id] else { continue }
      // The server acknowledges each copy, in order: that of a rejected copy says nothing of messages between it and the next copy.
      if entry.vainCopies > 0 {
        entry.vainCopies -= 1
      } else if entry.isWritten, let turn = entry.turn {
        confirm(through: turn, adding: &confirmed)
      }
    }
    tidy()
    return confirmed
  }

  /// The server has this one message, whatever of the others.
  /// - Returns: nil when that is no news.
  mutating func confirmAlone(id: String) -> Entry? {
    guard let entry = entries[id], entry.state.isOpen else { return nil }
    defer { tidy() }
    return settle(entry, as: .server)
  }

  /// The stream is lost: all is to be written anew.
  /// - Parameter isCertain: the server is known to have none of those that are open.
  mutating func lose(isCertain: Bool) {
    for entry in open[head...] {
      entry.vainCopies = 0
      guard entry.isWritten else { continue }
      // Our server had it before, whatever became of it at the room.
      let isUnsent = isCertain && entry.turn != nil
      setUncertain(entry, !isUnsent)
      if isUnsent { entry.state = .waiting }
      entry.isPlaced = false
      entry.isToRepeat()
    }
    (written, writtenHead) = ([], 0)
    cursor = head
  }

  /// The server ended the stream over something that was sent on it, perhaps the first open message.
  /// - Parameters:
  ///   - reason: why it fails, once it does.
  ///   - isLastStream: no other stream will tell whether it is to blame.
  /// - Returns: it, settled, when that has happened to it too often, or, on the last stream, when no other can be to blame.
  mutating func blameFirst(_ reason: String, isLastStream: Bool = false) -> Entry? {
    guard writtenHead < written.count, let entry = written[writtenHead] else { return nil }
    entry.refusals += 1
    let others = written[(writtenHead + 1)...].lazy.compactMap(\.self)
    let isCertain = isLastStream && !others.contains(where: \.isWritten)
    guard isCertain || entry.refusals >= SessionLimits.refusedStreams else { return nil }
    defer { tidy() }
    return settle(entry, as: .failed(reason: reason), StanzaError(kind: .cancel, condition: "policy-violation"))
  }

  /// Nothing more can be learnt about the uncertain messages: they are written again, but for those to rooms, whose history tells.
  mutating func repeatUncertain() {
    for entry in uncertainToPeople { repeatUncertain(id: entry.id) }
  }

  /// The server is known not to have it.
  mutating func repeatUncertain(id: String) {
    guard let entry = entries[id], entry.isUncertain else { return }
    entry.state = .waiting
    setUncertain(entry, false)
    cursor = head
  }

  /// A room did not take a message, as the user was not in it: it is to be written again.
  /// - Returns: false where it is not on the present stream, or that has happened to it too often.
  mutating func putBack(id: String) -> Bool {
    guard let entry = entries[id], entry.isWritten, entry.rejections < SessionLimits.rejections else {
      return false
    }
    // It stands so many before the last one, unless our server has confirmed it.
    if let turn = entry.turn {
      written[written.count - 1 - (turns - turn)] = nil
      entry.vainCopies += 1
    }
    entry.rejections += 1
    entry.state = .waiting
    entry.isToRepeat()
    cursor = head
    tidy()
    return true
  }

  /// A message came back.
  /// - Returns: it; nil when it is not known, or has come back before.
  mutating func bounce(id: String, _ error: StanzaError) -> Entry? {
    guard let entry = entries[id] else { return nil }
    switch entry.state {
    case .failed, .waiting: return nil
    case .sent, .server, .delivered, .displayed:
      defer { tidy() }
      return settle(entry, as: .failed(reason: error.description), error)
    }
  }

  /// It is not to be sent any more.
  mutating func withdraw(id: String) -> Entry? {
    fail(id: id, reason: Withdrawal.reason(mayHaveArrived: self[id]?.isUncertain == true))
  }

  /// It cannot be sent.
  /// - Returns: nil when its fate is known already.
  mutating func fail(id: String, reason: String, _ error: StanzaError? = nil) -> Entry? {
    guard let entry = entries[id], entry.state.isOpen else { return nil }
    defer { tidy() }
    return settle(entry, as: .failed(reason: reason), error)
  }

  private mutating func settle(_ entry: Entry, as state: DeliveryState, _ error: StanzaError? = nil) -> Entry {
    if entry.state.isOpen {
      settled.append(entry)
      openCount -= 1
    }
    if entry.isUncertain { setUncertain(entry, false) }
    entry.state = state
    entry.turn = nil
    entry.error = error
    (entry.message, entry.prepared) = (nil, nil)
    return entry
  }

  mutating func setUncertain(_ entry: Entry, _ isUncertain: Bool) {
    guard entry.isUncertain != isUncertain else { return }
    entry.isUncertain = isUncertain
    let peer = entry.peer
    let count = doubts[peer, default: 0] + (isUncertain ? 1 : -1)
    doubts[peer] = count > 0 ? count : nil
  }

  /// Skips what is settled at the head, and forgets old ones: many at a time, so that it costs no more a message when
  /// there are many; a quarter of them, as the table of all would double its memory for more.
  private mutating func tidy() {
    while head < open.count, !open[head].state.isOpen { head += 1 }
    while writtenHead < written.count, !isWritten(written[writtenHead]) { writtenHead += 1 }
    if writtenHead * 2 > written.count {
      written.removeFirst(writtenHead)
      writtenHead = 0
    }
    cursor = max(cursor, head)
    if head * 2 > open.count {
      open.removeFirst(head)
      cursor -= head
      head = 0
    }
    let isFull = settled.count > limit + limit / 4
    // One may wait for long, for a room say: those behind it that are settled leave the order all the same, and before they are
    // forgotten, as the order says where they stand.
    if isFull || open.count - head > 2 * openCount + SessionLimits.settledAmongOpen {
      let passed = open[head..<cursor].count(where: \.state.isOpen)
      open = open[head...].filter(\.state.isOpen)
      (head, cursor) = (0, passed)
    }
    guard isFull else { return }
    for index in written.indices where !isWritten(written[index]) { written[index] = nil }
    for entry in settled.prefix(settled.count - limit) { entries[entry.id] = nil }
    settled.removeFirst(settled.count - limit)
  }

  /// Whether an entry of ``written`` is still on the present stream.
  private func isWritten(_ entry: Entry?) -> Bool { entry?.isWritten ?? false }
}
