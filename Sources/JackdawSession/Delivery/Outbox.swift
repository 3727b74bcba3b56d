// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// Our messages of this run, in their order, and what became of each. Those whose fate is open are all remembered, of the
/// others the last ones, so that an error that comes back late still finds its message.
///
/// Those to one person are written in the order in which they were added; a doubt about one of them holds up what is for that
/// person, and nothing else. The server takes them in the order of writing, which is counted by turns.
struct Outbox {
  private let limit: Int
  /// Bounded by what the user says and the server has not confirmed.
  private var entries: [String: Entry] = [:]
  /// Those whose fate is open, in the order of adding; among them some whose fate has become known out of turn. Bounded by twice as many
  /// as are open, and ``SessionLimits/settledAmongOpen``.
  private var open: [String] = []
  /// Where in `open` the first one stands that counts.
  private var head = 0
  /// Where in `open` the first one stands that has not been written.
  private var cursor = 0
  /// Those on the present stream, in the order of writing, from `writtenHead` on; among them some whose fate is known.
  private var written: [String] = []
  private var writtenHead = 0
  /// How many have ever been written: the turn of the last one.
  private var turns = 0
  /// How many are uncertain, by person.
  /// Bounded by ``entries``.
  private var doubts: [JID: Int] = [:]
  /// The others, oldest first, and some of those already forgotten.
  private var settled: [String] = []

  /// How many have ever been added: the number of the last one.
  private(set) var count = 0

  /// - Parameter limit: how many are remembered at least once their fate is known; never more than a quarter more.
  init(limit: Int) { self.limit = limit }

  subscript(id: String) -> Entry? { entries[id] }

  /// How many are open.
  private(set) var openCount = 0

  /// The number of the first one that is open.
  var firstOpen: Int? { head < open.count ? entries[open[head]]?.number : nil }

  /// How many are open of those up to this number.
  func openCount(through number: Int) -> Int {
    var count = 0
    for id in open[head...] {
      guard let entry = entries[id] else { continue }
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
  var openEntries: [Entry] { open[head...].compactMap { entries[$0] }.filter { $0.state.isOpen && $0.message != nil } }

  /// Something waits to be written, if only for a doubt to end.
  var hasWaiting: Bool { cursor < open.count }

  /// All that are uncertain, in order.
  var uncertain: [Entry] {
    doubts.isEmpty ? [] : open[head...].lazy.compactMap { entries[$0] }.filter(\.isUncertain)
  }

  /// Something of this conversation is uncertain: what is new for it stands behind it.
  func isInDoubt(_ peer: JID) -> Bool { doubts[peer] != nil }

  /// All that are uncertain and that our own archive can tell of, in order: what was said in rooms, theirs do.
  var uncertainToPeople: [Entry] { uncertain.filter { !$0.awaitsReflection } }

  // MARK: Adding and writing

  mutating func add(_ message: OutgoingMessage) { insert(message, state: .waiting, stored: nil, archiveCursor: nil) }

  /// Adds what an earlier run left.
  mutating func add(_ left: LeftMessages.Ours) {
    guard entries[left.message.id] == nil else { return }
    insert(
      left.message, state: left.state, stored: left.number, archiveCursor: left.archiveCursor)
    setUncertain(left.message.id, left.state == .sent)
    entries[left.message.id]?.isRepeated = left.state == .sent
    entries[left.message.id]?.place = left.place
  }

  private mutating func insert(_ message: OutgoingMessage, state: DeliveryState, stored: Int64?, archiveCursor: String?)
  {
    count += 1
    entries[message.id] = Entry(
      id: message.id, to: message.to, addressing: message.addressing, number: count, state: state, message: message,
      stored: stored,
      archiveCursor: archiveCursor)
    open.append(message.id)
    openCount += 1
  }

  /// Those that are to be written next, in order.
  /// - Parameters:
  ///   - held: by whom it is for, a message that is not ready: it and what stands behind it are not written now, as nothing is to those
  ///     with a doubt.
  ///   - mayEnter: whether what is for a room may be written there now.
  func waiting(
    limit: Int, held: [JID: String] = [:], mayEnter: (JID) -> Bool = { _ in true }
  ) -> [Entry] {
    var found: [Entry] = []
    var passed: Set<JID> = []
    let isFree = doubts.isEmpty && held.isEmpty
    for id in open[max(cursor, head)...] where found.count < limit {
      guard let entry = entries[id] else { continue }
      // Also where it was withdrawn: its stages are not done.
      if !isFree, held[entry.peer] == id { passed.insert(entry.peer) }
      guard entry.state == .waiting else { continue }
      guard isFree || !isInDoubt(entry.peer) && !passed.contains(entry.peer) else { continue }
      if entry.addressing == .person || mayEnter(entry.to.bare) { found.append(entry) }
    }
    return found
  }

  /// Those for a room, or for somebody in it, that are open.
  func open(in room: JID) -> [Entry] {
    openEntries.filter { $0.addressing != .person && $0.to.bare == room }
  }

  /// The store has it, under this number.
  mutating func kept(_ id: String, as number: Int64) { entries[id]?.stored = number }

  /// The store began anew: the numbers that it gave are other messages' now.
  mutating func forgetNumbers() {
    for index in entries.indices { entries.values[index].stored = nil }
  }

  /// It is about to be written there; nil: nobody can say.
  mutating func place(_ id: String, at place: StreamPlace?) {
    change(id) { entry in
      entry.place = place
      entry.isPlaced = true
    }
  }

  /// It was not written after all.
  mutating func unplace(_ id: String) {
    change(id) { entry in
      entry.place = nil
      entry.isPlaced = false
    }
  }

  /// Those that stand on a stream whose name was not known when they were written.
  var unnamed: [Entry] {
    openEntries.filter { $0.isWritten && $0.place == nil && $0.position != nil }
  }

  /// It is on the stream, behind all that were written before.
  mutating func wrote(_ id: String, after archiveCursor: String?, position: UInt32? = nil) {
    guard entries[id]?.state == .waiting else { return }
    turns += 1
    written.append(id)
    change(id) { [turns] entry in
      entry.state = .sent
      entry.turn = turns
      entry.position = position
      entry.isPlaced = false
      if entry.archiveCursor == nil { entry.archiveCursor = archiveCursor }
    }
    cursor = max(cursor, head)
    while cursor < open.count, entries[open[cursor]]?.state != .waiting { cursor += 1 }
  }

  // MARK: Fates

  /// The server has all that were written, as far as this turn.
  /// - Returns: those of which that is news.
  mutating func confirm(through turn: Int) -> [Entry] {
    var confirmed: [Entry] = []
    while writtenHead < written.count {
      let entry = entries[written[writtenHead]]
      guard entry?.turn ?? 0 <= turn else { break }
      writtenHead += 1
      guard let entry, entry.isWritten else { continue }
      if entry.awaitsReflection {
        entries[entry.id]?.turn = nil
      } else {
        confirmed.append(settle(entry.id, as: .server))
      }
    }
    tidy()
    return confirmed
  }

  /// The server has this message, and so those that were written before it.
  /// - Returns: those of which that is news.
  mutating func confirm(id: String) -> [Entry] {
    // The server acknowledges each copy, in order: one that was rejected says nothing of what was written before the next.
    if let vain = entries[id]?.vainCopies, vain > 0 {
      entries[id]?.vainCopies = vain - 1
      return []
    }
    guard let entry = entries[id], entry.isWritten, let turn = entry.turn else { return [] }
    return confirm(through: turn)
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
    for id in open[head...] {
      entries[id]?.vainCopies = 0
      guard let entry = entries[id], entry.isWritten else { continue }
      // Our server had it before, whatever became of it at the room.
      let isUnsent = isCertain && entry.turn != nil
      setUncertain(id, !isUnsent)
      change(id) { entry in
        if isUnsent { entry.state = .waiting }
        entry.isRepeated = true
        entry.isPlaced = false
        entry.turn = nil
        entry.position = nil
      }
    }
    (written, writtenHead) = ([], 0)
    cursor = head
  }

  /// The server ended the stream because of what was sent on it, which may be the first one that is open.
  /// - Parameters:
  ///   - reason: why it fails, once it does.
  ///   - isLastStream: no other stream will tell whether it is to blame.
  /// - Returns: it, settled, when that has happened to it too often, or, on the last stream, when no other can be to blame.
  mutating func blameFirst(_ reason: String, isLastStream: Bool = false) -> Entry? {
    guard writtenHead < written.count else { return nil }
    let id = written[writtenHead]
    entries[id]?.refusals += 1
    let isCertain = isLastStream && !written[(writtenHead + 1)...].contains { entries[$0]?.isWritten == true }
    guard isCertain || entries[id]?.refusals ?? 0 >= SessionLimits.refusedStreams else { return nil }
    defer { tidy() }
    return settle(id, as: .failed(reason: reason), StanzaError(kind: .cancel, condition: "policy-violation"))
  }

  /// Nobody can say more of those that are uncertain: they are to be written again. Of those in rooms the rooms can.
  mutating func repeatUncertain() {
    for entry in uncertainToPeople { repeatUncertain(id: entry.id) }
  }

  /// The server is known not to have it.
  mutating func repeatUncertain(id: String) {
    guard entries[id]?.isUncertain == true else { return }
    entries[id]?.state = .waiting
    setUncertain(id, false)
    cursor = head
  }

  /// A room did not take a message, as the user was not in it: it is to be written again.
  /// - Returns: false where it is not on the present stream, or that has happened to it too often.
  mutating func putBack(id: String) -> Bool {
    guard let entry = entries[id], entry.isWritten, entry.rejections < SessionLimits.rejections else { return false }
    // It stands so many before the last one, unless our server has confirmed it.
    if let turn = entry.turn {
      written[written.count - 1 - (turns - turn)] = ""
      entries[id]?.vainCopies += 1
    }
    change(id) { entry in
      entry.rejections += 1
      entry.state = .waiting
      entry.isRepeated = true
      entry.turn = nil
      entry.position = nil
    }
    cursor = head
    tidy()
    return true
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
  mutating func withdraw(id: String) -> Entry? {
    fail(id: id, reason: Withdrawal.reason(mayHaveArrived: entries[id]?.isUncertain == true))
  }

  /// It cannot be sent.
  /// - Returns: nil when its fate is known already.
  mutating func fail(id: String, reason: String, _ error: StanzaError? = nil) -> Entry? {
    guard entries[id]?.state.isOpen == true else { return nil }
    defer { tidy() }
    return settle(id, as: .failed(reason: reason), error)
  }

  private mutating func settle(_ id: String, as state: DeliveryState, _ error: StanzaError? = nil) -> Entry {
    guard let index = entries.index(forKey: id) else { preconditionFailure("only what is known is settled") }
    if entries.values[index].state.isOpen {
      settled.append(id)
      openCount -= 1
    }
    if entries.values[index].isUncertain { setUncertain(id, false) }
    entries.values[index].state = state
    entries.values[index].turn = nil
    entries.values[index].error = error
    entries.values[index].message = nil
    return entries.values[index]
  }

  /// Changes an entry where it stands, which is looked up once.
  private mutating func change(_ id: String, _ body: (inout Entry) -> Void) {
    guard let index = entries.index(forKey: id) else { return }
    body(&entries.values[index])
  }

  private mutating func setUncertain(_ id: String, _ isUncertain: Bool) {
    guard let entry = entries[id], entry.isUncertain != isUncertain else { return }
    entries[id]?.isUncertain = isUncertain
    let count = doubts[entry.peer, default: 0] + (isUncertain ? 1 : -1)
    doubts[entry.peer] = count > 0 ? count : nil
  }

  /// Skips what is settled at the head, and forgets old ones: many at a time, so that it costs no more a message when
  /// there are many; a quarter of them, as the table of all would double its memory for more.
  private mutating func tidy() {
    while head < open.count, entries[open[head]]?.state.isOpen != true { head += 1 }
    while writtenHead < written.count, entries[written[writtenHead]]?.isWritten != true { writtenHead += 1 }
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
    // forgotten, as they are looked up by it.
    if isFull || open.count - head > 2 * openCount + SessionLimits.settledAmongOpen {
      let passed = open[head..<cursor].count { entries[$0]?.state.isOpen == true }
      open = open[head...].filter { entries[$0]?.state.isOpen == true }
      (head, cursor) = (0, passed)
    }
    guard isFull else { return }
    for id in settled.prefix(settled.count - limit) { entries[id] = nil }
    settled.removeFirst(settled.count - limit)
  }
}
