// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Our messages of this run, in their order, and what became of each. Those whose fate is open are all remembered, of the
/// others the last ones, so that an error that comes back late still finds its message.
///
/// They are written in the order in which they were added, and the server takes them in that order: whatever was written stands
/// before whatever was not.
struct Outbox {
  struct Entry {
    let id: String
    let to: JID
    /// Counts the messages of this run from 1.
    let number: Int
    var state: DeliveryState
    /// It is `sent`, on a stream that was lost before anybody could tell whether the server has it.
    var isUncertain = false
    /// What came back in its place.
    var error: StanzaError?
    /// The message itself, as long as it may have to be written.
    var message: OutgoingMessage?
    /// The store's number, once it is kept there.
    var stored: Int64?
    /// The archive's last id that was known when it was first written.
    var archiveCursor: String?
    /// Where it stands on the stream to which it was last written; nil: nobody can say.
    var place: StreamPlace?
    /// The store knows that it is about to be written, and where.
    var isPlaced = false
    /// How many of our stanzas the stream had when it had been written; nil: nobody counts.
    var position: UInt32?
    /// It was written before.
    var isRepeated = false
    /// Streams that the server ended while this was the first one open.
    var refusals = 0

    /// It is written on the present stream, and the server may or may not have it.
    var isWritten: Bool { state == .sent && !isUncertain }
  }

  private let limit: Int
  private var entries: [String: Entry] = [:]
  /// Those whose fate is open, in the order of adding; among them some whose fate has become known out of turn.
  private var open: [String] = []
  /// Where in `open` the first one stands that counts.
  private var head = 0
  /// Where in `open` the first one stands that has not been written.
  private var cursor = 0
  /// The others, oldest first, and some of those already forgotten.
  private var settled: [String] = []

  /// How many have ever been added: the number of the last one.
  private(set) var count = 0

  /// - Parameter limit: how many are remembered at least once their fate is known; never more than twice as many.
  init(limit: Int) { self.limit = limit }

  subscript(id: String) -> Entry? { entries[id] }

  /// How many are open, about: those that were settled out of turn count as long as something before them is open.
  var openCount: Int { open.count - head }

  /// The number of the first one that is open.
  var firstOpen: Int? { head < open.count ? entries[open[head]]?.number : nil }

  /// The number of the last one that was written; nil when none of those is open.
  var lastWritten: Int? { cursor > head ? entries[open[cursor - 1]]?.number : nil }

  /// All that are open and may have to be written, in order.
  var openEntries: [Entry] { open[head...].compactMap { entries[$0] }.filter { $0.state.isOpen && $0.message != nil } }

  /// Something waits to be written.
  var hasWaiting: Bool { cursor < open.count }

  /// All that are uncertain, in order.
  var uncertain: [Entry] { open[head...].lazy.compactMap { entries[$0] }.filter(\.isUncertain) }

  // MARK: Adding and writing

  mutating func add(_ message: OutgoingMessage) { insert(message, state: .waiting, stored: nil, archiveCursor: nil) }

  /// Adds what an earlier run left.
  mutating func add(_ left: LeftMessages.Ours) {
    guard entries[left.message.id] == nil else { return }
    insert(
      left.message, state: left.state, stored: left.number, archiveCursor: left.archiveCursor)
    entries[left.message.id]?.isUncertain = left.state == .sent
    entries[left.message.id]?.isRepeated = left.state == .sent
    entries[left.message.id]?.place = left.place
  }

  private mutating func insert(_ message: OutgoingMessage, state: DeliveryState, stored: Int64?, archiveCursor: String?)
  {
    count += 1
    entries[message.id] = Entry(
      id: message.id, to: message.to, number: count, state: state, message: message, stored: stored,
      archiveCursor: archiveCursor)
    open.append(message.id)
  }

  /// Those that are to be written next, in order.
  func waiting(limit: Int) -> [Entry] {
    var found: [Entry] = []
    for id in open[max(cursor, head)...] where found.count < limit {
      if let entry = entries[id], entry.state == .waiting { found.append(entry) }
    }
    return found
  }

  /// The store has it, under this number.
  mutating func kept(_ id: String, as number: Int64) { entries[id]?.stored = number }

  /// It is about to be written there; nil: nobody can say.
  mutating func place(_ id: String, at place: StreamPlace?) {
    entries[id]?.place = place
    entries[id]?.isPlaced = true
  }

  /// It was not written after all.
  mutating func unplace(_ id: String) {
    entries[id]?.place = nil
    entries[id]?.isPlaced = false
  }

  /// Those that stand on a stream whose name was not known when they were written.
  var unnamed: [Entry] {
    openEntries.filter { $0.isWritten && $0.place == nil && $0.position != nil }
  }

  /// It is on the stream; all before it are, or are settled.
  mutating func wrote(_ id: String, after archiveCursor: String?, position: UInt32? = nil) {
    guard entries[id]?.state == .waiting else { return }
    entries[id]?.state = .sent
    entries[id]?.position = position
    entries[id]?.isPlaced = false
    if entries[id]?.archiveCursor == nil { entries[id]?.archiveCursor = archiveCursor }
    cursor = max(cursor, head)
    while cursor < open.count, entries[open[cursor]]?.state != .waiting { cursor += 1 }
  }

  // MARK: Fates

  /// The server has all that were written, as far as this number.
  /// - Returns: those of which that is news.
  mutating func confirm(through number: Int) -> [Entry] {
    var confirmed: [Entry] = []
    for id in open[head..<max(head, cursor)] {
      guard let entry = entries[id], entry.number <= number else { break }
      if entry.isWritten { confirmed.append(settle(id, as: .server)) }
    }
    tidy()
    return confirmed
  }

  /// The server has this message, and so those that were written before it.
  /// - Returns: those of which that is news.
  mutating func confirm(id: String) -> [Entry] {
    guard let entry = entries[id], entry.isWritten else { return [] }
    return confirm(through: entry.number)
  }

  /// The server has this one message, whatever of the others.
  /// - Returns: nil when that is no news.
  mutating func confirmAlone(id: String) -> Entry? {
    guard let entry = entries[id], entry.state.isOpen else { return nil }
    defer { tidy() }
    return settle(id, as: .server)
  }

  /// The stream is lost: all is to be written anew.
  /// - Parameter isCertain: the server is known to have none of those that are open.
  mutating func lose(isCertain: Bool) {
    for id in open[head...] where entries[id]?.isWritten == true {
      if isCertain { entries[id]?.state = .waiting }
      entries[id]?.isUncertain = !isCertain
      entries[id]?.isRepeated = true
      entries[id]?.isPlaced = false
      entries[id]?.position = nil
    }
    cursor = head
  }

  /// The server ended the stream because of what was sent on it, which may be the first one that is open.
  /// - Parameter reason: why it fails, once it does.
  /// - Returns: it, settled, when that has happened to it too often.
  mutating func blameFirst(_ reason: String) -> Entry? {
    guard head < cursor, entries[open[head]]?.isWritten == true else { return nil }
    let id = open[head]
    entries[id]?.refusals += 1
    guard let refusals = entries[id]?.refusals, refusals >= SessionLimits.refusedStreams else { return nil }
    defer { tidy() }
    return settle(id, as: .failed(reason: reason), StanzaError(kind: .cancel, condition: "policy-violation"))
  }

  /// Nobody can say more of those that are uncertain: they are to be written again.
  mutating func repeatUncertain() {
    for id in open[head...] { repeatUncertain(id: id) }
  }

  /// The server is known not to have it.
  mutating func repeatUncertain(id: String) {
    guard entries[id]?.isUncertain == true else { return }
    entries[id]?.state = .waiting
    entries[id]?.isUncertain = false
  }

  /// A message came back.
  /// - Returns: it; nil when it is not known, or has come back before.
  mutating func bounce(id: String, _ error: StanzaError) -> Entry? {
    switch entries[id]?.state {
    case nil, .failed, .waiting: return nil
    case .sent, .server, .delivered, .displayed:
      defer { tidy() }
      return settle(id, as: .failed(reason: error.description), error)
    }
  }

  /// It is not to be sent any more.
  mutating func withdraw(id: String) -> Entry? { fail(id: id, reason: "it was withdrawn") }

  /// It cannot be sent.
  /// - Returns: nil when its fate is known already.
  mutating func fail(id: String, reason: String) -> Entry? {
    guard entries[id]?.state.isOpen == true else { return nil }
    defer { tidy() }
    return settle(id, as: .failed(reason: reason))
  }

  private mutating func settle(_ id: String, as state: DeliveryState, _ error: StanzaError? = nil) -> Entry {
    if entries[id]?.state.isOpen == true { settled.append(id) }
    entries[id]?.state = state
    entries[id]?.isUncertain = false
    entries[id]?.error = error
    entries[id]?.message = nil
    guard let entry = entries[id] else { preconditionFailure("only what is known is settled") }
    return entry
  }

  /// Skips what is settled at the head, and forgets old ones: many at a time, so that it costs no more a message when
  /// there are many.
  private mutating func tidy() {
    while head < open.count, entries[open[head]]?.state.isOpen != true { head += 1 }
    cursor = max(cursor, head)
    if head * 2 > open.count {
      open.removeFirst(head)
      cursor -= head
      head = 0
    }
    // What has left the order only: the others are still looked up by it.
    guard settled.count > 2 * limit, head == 0 else { return }
    let standing = Set(open)
    let old = settled.prefix(settled.count - limit).filter { !standing.contains($0) }
    for id in old { entries[id] = nil }
    settled = Array(settled.suffix(limit)) + settled.prefix(settled.count - limit).filter { standing.contains($0) }
  }
}
