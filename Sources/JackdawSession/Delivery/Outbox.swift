// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Our messages of this run, in their order, and what became of each. Those whose fate is open are all remembered, of the
/// others the last ones, so that an error that comes back late still finds its message.
///
/// Those to one recipient are written in the order in which they were added; an uncertain one holds up later ones to that recipient, and
/// no others. The server takes them in the order of writing, which is counted by turns.
struct Outbox {
  let limit: Int
  /// What is known of each, by its id. Bounded by what the user says and the server has not confirmed, and by `limit`.
  var entries: [String: Entry] = [:]
  /// Those whose fate is open, in the order of adding; among them some whose fate has become known out of turn. Bounded by twice as many
  /// as are open, and ``SessionLimits/settledAmongOpen``.
  var open: [Entry] = []
  /// Where in `open` the first one stands that counts.
  var head = 0
  /// Where in `open` the first one stands that has not been written.
  var cursor = 0
  /// The messages on the present stream, in the order of writing, from `writtenHead` on; among them some whose fate is known. Nil: one that
  /// does not matter there any more.
  var written: [Entry?] = []
  var writtenHead = 0
  /// How many have ever been written: the turn of the last one.
  var turns = 0
  /// How many are uncertain, by person.
  /// Bounded by ``entries``.
  var doubts: [JID: Int] = [:]
  /// The others, oldest first.
  var settled: [Entry] = []

  /// The first that an earlier run had written and this one wrote again; nil: there was none yet.
  private(set) var firstRepeated: Entry?

  /// How many have ever been added: the number of the last one.
  private(set) var count = 0

  /// - Parameter limit: how many are remembered at least once their fate is known; never more than a quarter more.
  init(limit: Int) { self.limit = limit }

  subscript(id: String) -> Entry? { entries[id] }

  /// How many are open.
  var openCount = 0

  /// The number of the first one that is open.
  var firstOpen: Int? { head < open.count ? open[head].number : nil }

  /// How many are open of those up to this number.
  func openCount(through number: Int) -> Int {
    var count = 0
    for entry in open[head...] {
      guard entry.number <= number else { break }
      if entry.state.isOpen { count += 1 }
    }
    return count
  }

  /// The turn of the last one that was written; nil when none of those is open.
  var lastWritten: Int? { writtenHead < written.count ? turns : nil }

  /// How many stand on the present stream that the server has not confirmed, as far as it does so in order.
  var writtenCount: Int { written.count - writtenHead }

  /// All that are open and may have to be written, in order.
  var openEntries: [Entry] {
    open[head...].filter { $0.state.isOpen && $0.message != nil }
  }

  /// Whether a message waits to be written, perhaps only for an uncertain one before it.
  var hasWaiting: Bool { cursor < open.count }

  /// All that are uncertain, in order.
  var uncertain: [Entry] {
    doubts.isEmpty ? [] : open[head...].filter(\.isUncertain)
  }

  /// Whether a message of this conversation is uncertain: new ones wait behind it.
  func isInDoubt(_ peer: JID) -> Bool { doubts[peer] != nil }

  /// The uncertain messages that our own archive can decide, in order: for groupchat messages the rooms' archives do.
  var uncertainToPeople: [Entry] { uncertain.filter { !$0.awaitsReflection } }

  // MARK: Adding and writing

  /// - Returns: what is known of it from now on.
  @discardableResult mutating func add(_ message: OutgoingMessage) -> Entry {
    insert(message, state: .waiting, stored: nil, archiveCursor: nil)
  }

  /// Adds what an earlier run left.
  mutating func add(_ left: LeftMessages.Ours) {
    guard entries[left.message.id] == nil else { return }
    let entry = insert(
      left.message, state: left.state, stored: left.number, archiveCursor: left.archiveCursor)
    setUncertain(entry, left.state == .sent)
    entry.isRepeated = left.state == .sent
    entry.place = left.place
  }

  private mutating func insert(
    _ message: OutgoingMessage, state: DeliveryState, stored: Int64?, archiveCursor: String?
  ) -> Entry {
    count += 1
    let entry = Entry(message, number: count, state: state, stored: stored, archiveCursor: archiveCursor)
    let other = entries.updateValue(entry, forKey: message.id)
    precondition(other == nil, "an id is one message's")
    open.append(entry)
    openCount += 1
    return entry
  }

  /// Those that are to be written next, in order.
  /// - Parameters:
  ///   - first: the number of the first one that may not be written yet, as none behind it may; nil: all may.
  ///   - held: per recipient, the id of a message that is still being prepared. It and later ones to that recipient are skipped, as are
  ///     recipients with an uncertain message.
  ///   - mayEnter: whether what is for a room may be written there now.
  func waiting(
    limit: Int, before first: Int? = nil, held: [JID: String] = [:], mayEnter: (JID) -> Bool = { _ in true }
  ) -> [Entry] {
    var found: [Entry] = []
    var passed: Set<JID> = []
    let isFree = doubts.isEmpty && held.isEmpty
    for entry in open[max(cursor, head)...] {
      guard found.count < limit, entry.number < first ?? .max else { break }
      // Also where it was withdrawn: its stages are not done.
      if !isFree, held[entry.peer] == entry.id { passed.insert(entry.peer) }
      guard entry.isWaiting else { continue }
      guard isFree || !isInDoubt(entry.peer) && !passed.contains(entry.peer) else { continue }
      if entry.addressing == .person || mayEnter(entry.to.bare) { found.append(entry) }
    }
    return found
  }

  /// What a single command, which has one stream only, writes of the messages that may be written next: the first one that an earlier run
  /// had written goes alone, until the server has it. If the server ends the stream over it, as it may have ended the earlier one, it is
  /// known which message is to blame (``blameFirst(_:isLastStream:)``); else no later command would get past it.
  func oneRepeatedFirst(_ next: [Entry]) -> [Entry] {
    if let firstRepeated { return firstRepeated.isWritten && firstRepeated.turn != nil ? [] : next }
    guard let place = next.firstIndex(where: \.isRepeated) else { return next }
    return Array(next.prefix(max(place, 1)))
  }

  /// Those for a room, or for somebody in it, that are open.
  func open(in room: JID) -> [Entry] {
    openEntries.filter { $0.addressing != .person && $0.to.bare == room }
  }

  /// The store began anew: the numbers that it gave are other messages' now.
  func forgetNumbers() {
    for entry in entries.values { entry.stored = nil }
  }

  /// The messages on a stream whose id was not known when they were written.
  var unnamed: [Entry] {
    openEntries.filter { $0.isWritten && $0.place == nil && $0.position != nil }
  }

  /// It is on the stream, behind all that were written before.
  mutating func wrote(_ entry: Entry, after archiveCursor: String?, position: UInt32? = nil) {
    guard entry.isWaiting else { return }
    if entry.isRepeated, firstRepeated == nil { firstRepeated = entry }
    turns += 1
    written.append(entry)
    entry.state = .sent
    entry.turn = turns
    entry.position = position
    entry.isPlaced = false
    entry.prepared = nil
    if entry.archiveCursor == nil { entry.archiveCursor = archiveCursor }
    cursor = max(cursor, head)
    while cursor < open.count, !open[cursor].isWaiting { cursor += 1 }
  }
}
