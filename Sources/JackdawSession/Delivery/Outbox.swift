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
  /// What is known of each, where it stays until it is forgotten; then there is room for another one.
  /// Bounded by what the user says and the server has not confirmed, and by `limit`.
  private var entries: [Entry] = []
  /// Where in `entries` nobody is remembered. Bounded by those.
  private var vacant: [Int] = []
  /// Where in `entries` the message of an id stands. The lists below say that in place of its id: to look for an id takes longer than
  /// most of what is done with the entry. Bounded by `entries`.
  private var places: [String: Int] = [:]
  /// Those whose fate is open, in the order of adding; among them some whose fate has become known out of turn. Bounded by twice as many
  /// as are open, and ``SessionLimits/settledAmongOpen``.
  private var open: [Int] = []
  /// Where in `open` the first one stands that counts.
  private var head = 0
  /// Where in `open` the first one stands that has not been written.
  private var cursor = 0
  /// Those on the present stream, in the order of writing, from `writtenHead` on; among them some whose fate is known. Nil: it is of no
  /// concern there any more.
  private var written: [Int?] = []
  private var writtenHead = 0
  /// How many have ever been written: the turn of the last one.
  private var turns = 0
  /// How many are uncertain, by person.
  /// Bounded by ``entries``.
  private var doubts: [JID: Int] = [:]
  /// The others, oldest first.
  private var settled: [Int] = []

  /// How many have ever been added: the number of the last one.
  private(set) var count = 0

  /// - Parameter limit: how many are remembered at least once their fate is known; never more than a quarter more.
  init(limit: Int) { self.limit = limit }

  subscript(id: String) -> Entry? { places[id].map { entries[$0] } }

  /// How many are open.
  private(set) var openCount = 0

  /// The number of the first one that is open.
  var firstOpen: Int? { head < open.count ? entries[open[head]].number : nil }

  /// How many are open of those up to this number.
  func openCount(through number: Int) -> Int {
    var count = 0
    for place in open[head...] {
      guard entries[place].number <= number else { break }
      if entries[place].state.isOpen { count += 1 }
    }
    return count
  }

  /// The turn of the last one that was written; nil when none of those is open.
  var lastWritten: Int? { writtenHead < written.count ? turns : nil }

  /// How many stand on the present stream that the server has not confirmed, as far as it does so in order.
  var writtenCount: Int { written.count - writtenHead }

  /// All that are open and may have to be written, in order.
  var openEntries: [Entry] {
    open[head...].lazy.map { entries[$0] }.filter { $0.state.isOpen && $0.message != nil }
  }

  /// Something waits to be written, if only for a doubt to end.
  var hasWaiting: Bool { cursor < open.count }

  /// All that are uncertain, in order.
  var uncertain: [Entry] {
    doubts.isEmpty ? [] : open[head...].lazy.map { entries[$0] }.filter(\.isUncertain)
  }

  /// Something of this conversation is uncertain: what is new for it stands behind it.
  func isInDoubt(_ peer: JID) -> Bool { doubts[peer] != nil }

  /// All that are uncertain and that our own archive can tell of, in order: what was said in rooms, theirs do.
  var uncertainToPeople: [Entry] { uncertain.filter { !$0.awaitsReflection } }

  // MARK: Adding and writing

  mutating func add(_ message: OutgoingMessage) { insert(message, state: .waiting, stored: nil, archiveCursor: nil) }

  /// Adds what an earlier run left.
  mutating func add(_ left: LeftMessages.Ours) {
    guard places[left.message.id] == nil else { return }
    let place = insert(
      left.message, state: left.state, stored: left.number, archiveCursor: left.archiveCursor)
    setUncertain(place, left.state == .sent)
    entries[place].isRepeated = left.state == .sent
    entries[place].place = left.place
  }

  /// - Returns: where it stands in `entries`.
  @discardableResult private mutating func insert(
    _ message: OutgoingMessage, state: DeliveryState, stored: Int64?, archiveCursor: String?
  ) -> Int {
    precondition(places[message.id] == nil, "an id is one message's")
    count += 1
    let entry = Entry(message, number: count, state: state, stored: stored, archiveCursor: archiveCursor)
    let place = vacant.popLast() ?? entries.count
    if place < entries.count { entries[place] = entry } else { entries.append(entry) }
    places[message.id] = place
    open.append(place)
    openCount += 1
    return place
  }

  /// Those that are to be written next, in order.
  /// - Parameters:
  ///   - first: the number of the first one that may not be written yet, as none behind it may; nil: all may.
  ///   - held: by whom it is for, a message that is not ready: it and what stands behind it are not written now, as nothing is to those
  ///     with a doubt.
  ///   - mayEnter: whether what is for a room may be written there now.
  func waiting(
    limit: Int, before first: Int? = nil, held: [JID: String] = [:], mayEnter: (JID) -> Bool = { _ in true }
  ) -> [Entry] {
    var found: [Entry] = []
    var passed: Set<JID> = []
    let isFree = doubts.isEmpty && held.isEmpty
    for place in open[max(cursor, head)...] {
      guard found.count < limit, entries[place].number < first ?? .max else { break }
      // Also where it was withdrawn: its stages are not done.
      if !isFree, held[entries[place].peer] == entries[place].id { passed.insert(entries[place].peer) }
      guard entries[place].isWaiting else { continue }
      guard isFree || !isInDoubt(entries[place].peer) && !passed.contains(entries[place].peer) else { continue }
      if entries[place].addressing == .person || mayEnter(entries[place].to.bare) { found.append(entries[place]) }
    }
    return found
  }

  /// Those for a room, or for somebody in it, that are open.
  func open(in room: JID) -> [Entry] {
    openEntries.filter { $0.addressing != .person && $0.to.bare == room }
  }

  /// The store has it, under this number.
  /// - Returns: what is known of it.
  @discardableResult mutating func kept(_ id: String, as number: Int64) -> DeliveryState? {
    guard let place = places[id] else { return nil }
    entries[place].stored = number
    return entries[place].state
  }

  /// The store began anew: the numbers that it gave are other messages' now.
  mutating func forgetNumbers() {
    for place in entries.indices { entries[place].stored = nil }
  }

  /// It is about to be written there; nil: nobody can say.
  mutating func place(_ id: String, at place: StreamPlace?) {
    guard let own = places[id] else { return }
    entries[own].place = place
    entries[own].isPlaced = true
  }

  /// It was not written after all.
  mutating func unplace(_ id: String) {
    guard let place = places[id] else { return }
    entries[place].place = nil
    entries[place].isPlaced = false
  }

  /// Those that stand on a stream whose name was not known when they were written.
  var unnamed: [Entry] {
    openEntries.filter { $0.isWritten && $0.place == nil && $0.position != nil }
  }

  /// It is on the stream, behind all that were written before.
  mutating func wrote(_ id: String, after archiveCursor: String?, position: UInt32? = nil) {
    guard let place = places[id], entries[place].isWaiting else { return }
    turns += 1
    written.append(place)
    entries[place].state = .sent
    entries[place].turn = turns
    entries[place].position = position
    entries[place].isPlaced = false
    if entries[place].archiveCursor == nil { entries[place].archiveCursor = archiveCursor }
    cursor = max(cursor, head)
    while cursor < open.count, !entries[open[cursor]].isWaiting { cursor += 1 }
  }

  // MARK: Fates

  /// The server has all that were written, as far as this turn.
  /// - Returns: those of which that is news.
  mutating func confirm(through turn: Int) -> [Entry] {
    var confirmed: [Entry] = []
    while writtenHead < written.count {
      let place = written[writtenHead]
      guard place.flatMap({ entries[$0].turn }) ?? 0 <= turn else { break }
      writtenHead += 1
      guard let place, entries[place].isWritten else { continue }
      if entries[place].awaitsReflection {
        entries[place].turn = nil
      } else {
        confirmed.append(settle(place, as: .server))
      }
    }
    tidy()
    return confirmed
  }

  /// The server has this message, and so those that were written before it.
  /// - Returns: those of which that is news.
  mutating func confirm(id: String) -> [Entry] {
    guard let place = places[id] else { return [] }
    // The server acknowledges each copy, in order: one that was rejected says nothing of what was written before the next.
    if entries[place].vainCopies > 0 {
      entries[place].vainCopies -= 1
      return []
    }
    guard entries[place].isWritten, let turn = entries[place].turn else { return [] }
    return confirm(through: turn)
  }

  /// The server has this one message, whatever of the others.
  /// - Returns: nil when that is no news.
  mutating func confirmAlone(id: String) -> Entry? {
    guard let place = places[id], entries[place].state.isOpen else { return nil }
    defer { tidy() }
    return settle(place, as: .server)
  }

  /// The stream is lost: all is to be written anew.
  /// - Parameter isCertain: the server is known to have none of those that are open.
  mutating func lose(isCertain: Bool) {
    for place in open[head...] {
      entries[place].vainCopies = 0
      guard entries[place].isWritten else { continue }
      // Our server had it before, whatever became of it at the room.
      let isUnsent = isCertain && entries[place].turn != nil
      setUncertain(place, !isUnsent)
      if isUnsent { entries[place].state = .waiting }
      entries[place].isPlaced = false
      entries[place].isToRepeat()
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
    guard writtenHead < written.count, let place = written[writtenHead] else { return nil }
    entries[place].refusals += 1
    let others = written[(writtenHead + 1)...].lazy.compactMap(\.self)
    let isCertain = isLastStream && !others.contains { entries[$0].isWritten }
    guard isCertain || entries[place].refusals >= SessionLimits.refusedStreams else { return nil }
    defer { tidy() }
    return settle(place, as: .failed(reason: reason), StanzaError(kind: .cancel, condition: "policy-violation"))
  }

  /// Nobody can say more of those that are uncertain: they are to be written again. Of those in rooms the rooms can.
  mutating func repeatUncertain() {
    for entry in uncertainToPeople { repeatUncertain(id: entry.id) }
  }

  /// The server is known not to have it.
  mutating func repeatUncertain(id: String) {
    guard let place = places[id], entries[place].isUncertain else { return }
    entries[place].state = .waiting
    setUncertain(place, false)
    cursor = head
  }

  /// A room did not take a message, as the user was not in it: it is to be written again.
  /// - Returns: false where it is not on the present stream, or that has happened to it too often.
  mutating func putBack(id: String) -> Bool {
    guard let place = places[id], entries[place].isWritten, entries[place].rejections < SessionLimits.rejections else {
      return false
    }
    // It stands so many before the last one, unless our server has confirmed it.
    if let turn = entries[place].turn {
      written[written.count - 1 - (turns - turn)] = nil
      entries[place].vainCopies += 1
    }
    entries[place].rejections += 1
    entries[place].state = .waiting
    entries[place].isToRepeat()
    cursor = head
    tidy()
    return true
  }

  /// A message came back.
  /// - Returns: it; nil when it is not known, or has come back before.
  mutating func bounce(id: String, _ error: StanzaError) -> Entry? {
    guard let place = places[id] else { return nil }
    switch entries[place].state {
    case .failed, .waiting: return nil
    case .sent, .server, .delivered, .displayed:
      defer { tidy() }
      return settle(place, as: .failed(reason: error.description), error)
    }
  }

  /// It is not to be sent any more.
  mutating func withdraw(id: String) -> Entry? {
    fail(id: id, reason: Withdrawal.reason(mayHaveArrived: self[id]?.isUncertain == true))
  }

  /// It cannot be sent.
  /// - Returns: nil when its fate is known already.
  mutating func fail(id: String, reason: String, _ error: StanzaError? = nil) -> Entry? {
    guard let place = places[id], entries[place].state.isOpen else { return nil }
    defer { tidy() }
    return settle(place, as: .failed(reason: reason), error)
  }

  private mutating func settle(_ place: Int, as state: DeliveryState, _ error: StanzaError? = nil) -> Entry {
    if entries[place].state.isOpen {
      settled.append(place)
      openCount -= 1
    }
    if entries[place].isUncertain { setUncertain(place, false) }
    entries[place].state = state
    entries[place].turn = nil
    entries[place].error = error
    entries[place].message = nil
    return entries[place]
  }

  private mutating func setUncertain(_ place: Int, _ isUncertain: Bool) {
    guard entries[place].isUncertain != isUncertain else { return }
    entries[place].isUncertain = isUncertain
    let peer = entries[place].peer
    let count = doubts[peer, default: 0] + (isUncertain ? 1 : -1)
    doubts[peer] = count > 0 ? count : nil
  }

  /// Skips what is settled at the head, and forgets old ones: many at a time, so that it costs no more a message when
  /// there are many; a quarter of them, as the table of all would double its memory for more.
  private mutating func tidy() {
    while head < open.count, !entries[open[head]].state.isOpen { head += 1 }
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
      let passed = open[head..<cursor].count { entries[$0].state.isOpen }
      open = open[head...].filter { entries[$0].state.isOpen }
      (head, cursor) = (0, passed)
    }
    guard isFull else { return }
    for index in written.indices where !isWritten(written[index]) { written[index] = nil }
    for place in settled.prefix(settled.count - limit) {
      places[entries[place].id] = nil
      entries[place].forget()
      vacant.append(place)
    }
    settled.removeFirst(settled.count - limit)
  }

  /// Whether what stands there among those that were written is still on the present stream.
  private func isWritten(_ place: Int?) -> Bool { place.map { entries[$0].isWritten } ?? false }
}
