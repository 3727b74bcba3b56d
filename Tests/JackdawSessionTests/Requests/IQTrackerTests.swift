// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

@Client @Suite("The IQ tracker", .onLoop) struct IQTrackerTests {
  let rig: TrackerRig
  let log = Log()
  var tracker: IQTracker { rig.tracker }

  init() throws { rig = try TrackerRig() }

  private func track(_ id: String, to: String? = nil, timeout: Timeout = .seconds(10)) throws {
    try tracker.track(rig.get(id, to: to), timeout: timeout) { log.note("\($1.id) \($0.word)") }
  }

  @Test("a timed-out entry does not stay, and a late answer does not fire again")
  func aTimedOutEntryDoesNotStay() throws {
    try track("1")
    rig.clock.advance(by: .milliseconds(9_999))
    #expect(log.lines == [] && tracker.count == 1)
    rig.clock.advance(by: .milliseconds(1))
    #expect(log.lines == ["1 timed out"] && tracker.count == 0 && rig.clock.pendingTimers == 0)
    #expect(!tracker.resolve(rig.answer("1")))
    #expect(log.lines == ["1 timed out"])
    #expect(tracker.dropped == DroppedReplies(late: 1, foreign: 0))
  }

  @Test("duplicates: the second answer to a request is dropped")
  func theSecondAnswerIsDropped() throws {
    try track("1")
    #expect(tracker.resolve(rig.answer("1")))
    #expect(!tracker.resolve(rig.answer("1")))
    rig.clock.advance(by: .seconds(100))
    #expect(log.lines == ["1 reply"])
    #expect(tracker.dropped.late == 1)
  }

  @Test("a handler may track its own id, resolve it, or remove all, and none is called twice", arguments: 0..<4)
  func theEntryIsGoneBeforeItsHandlerRuns(way: Int) throws {
    try track("2")
    try tracker.track(id: "1", timeout: .seconds(5)) { outcome, _ in
      log.note("1 \(outcome.word)")
      #expect(tracker.count == 1)
      #expect(!tracker.resolve(id: "1", with: .cancelled))
      #expect(!tracker.resolve(rig.answer("1")))
      tracker.removeAll(reason: Reason("all"))
      tracker.removeAll(reason: Reason("again"))
      #expect(throws: Never.self) { try track("1") }
    }
    switch way {
    case 0: tracker.resolve(rig.answer("1"))
    case 1: rig.clock.advance(by: .seconds(5))
    case 2: tracker.remove(id: "1")
    default: tracker.resolve(id: "1", with: .timedOut)
    }
    let word = ["reply", "timed out", "cancelled", "timed out"][way]
    #expect(log.lines == ["1 \(word)", "2 gone: all"])
    #expect(tracker.count == 1)
    rig.clock.advance(by: .seconds(10))
    #expect(log.lines.last == "1 timed out")
  }

  @Test("a handler that ends all ends those that are due at the same moment only once")
  func endingAllAmongDeadlines() throws {
    for id in ["1", "2", "3"] {
      try tracker.track(id: id, timeout: .seconds(1)) { outcome, _ in
        log.note("\(id) \(outcome.word)")
        tracker.removeAll(reason: Reason("all"))
      }
    }
    rig.clock.advance(by: .seconds(1))
    #expect(log.lines == ["1 timed out", "2 gone: all", "3 gone: all"])
    #expect(tracker.count == 0 && rig.clock.pendingTimers == 0)
  }

  @Test("tracking an id again is refused and leaves the first alone; once it has ended the id is free")
  func trackingAnIDAgainIsRefused() throws {
    try track("1")
    let error = #expect(throws: RequestError.self) { try track("1") }
    #expect(error?.code == .alreadyTracked)
    #expect(tracker.count == 1)
    tracker.resolve(rig.answer("1"))
    #expect(log.lines == ["1 reply"])
    try track("1")
    #expect(tracker.count == 1)
  }

  @Test("an empty or missing id is an error, and so is one that is not the element's or no address")
  func anEmptyOrMissingIDIsAnError() throws {
    let noID = Element("iq", Namespace.client, ["type": "get"])
    let ping = rig.get("1")
    let astray = rig.get("1", to: "@@/")
    let cases: [(RequestError.Code, () throws -> Void)] = [
      (.missingID, { try tracker.track(id: "", timeout: .never) { _, _ in log.note("called") } }),
      (.missingID, { try tracker.track(noID, timeout: .never) { _, _ in log.note("called") } }),
      (.missingID, { try tracker.track(noID, info: 1, timeout: .never) { _, _ in log.note("called") } }),
      (.missingID, { try tracker.track(rig.get(""), timeout: .never) { _, _ in log.note("called") } }),
      (.differentID, { try tracker.track(id: "2", of: ping, timeout: .never) { _, _ in log.note("called") } }),
      (.notARequest, { try tracker.track(astray, timeout: .never) { _, _ in log.note("called") } }),
    ]
    for (code, attempt) in cases {
      let error = #expect(throws: RequestError.self) { try attempt() }
      #expect(error?.code == code)
    }
    #expect(tracker.count == 0)
    tracker.removeAll(reason: Reason("end"))
    #expect(log.lines == [])
  }

  @Test("disconnecting ends every request with its reason, in order; what handlers track then stays")
  func disconnectingEndsEveryRequest() throws {
    for number in 0..<100 {
      try tracker.track(id: "\(number)", timeout: number.isMultiple(of: 2) ? .never : .seconds(5)) { outcome, info in
        log.note("\(info.id) \(outcome.word)")
        if info.id == "50" { #expect(throws: Never.self) { try track("new") } }
      }
    }
    tracker.removeAll(reason: Reason("reset by peer"))
    #expect(log.lines == (0..<100).map { "\($0) gone: reset by peer" })
    #expect(tracker.count == 1)
    tracker.removeAll(reason: Reason("quit"))
    #expect(log.lines.last == "new gone: quit")
    #expect(rig.clock.pendingTimers == 0)
  }

  @Test("answers may come in any order")
  func answersInAnyOrder() throws {
    let ids = (0..<1000).map { "\($0)" }
    for id in ids { try track(id) }
    let order = ids.shuffled()
    for id in order { #expect(tracker.resolve(rig.answer(id))) }
    #expect(log.lines == order.map { "\($0) reply" })
    #expect(tracker.count == 0 && rig.clock.pendingTimers == 0)
  }

  @Test("a caller's own info comes back with the outcome")
  func ownInfoComesBack() throws {
    final class Ping {
      let sentAt: MonotonicTime
      init(sentAt: MonotonicTime) { self.sentAt = sentAt }
    }
    var roundTrip: Duration?
    try tracker.track(rig.get("1"), info: Ping(sentAt: rig.clock.now), timeout: .never) { _, ping in
      roundTrip = rig.clock.now - ping.sentAt
    }
    rig.clock.advance(by: .milliseconds(42))
    tracker.resolve(rig.answer("1"))
    #expect(roundTrip == .milliseconds(42))

    var info: TrackingInfo?
    try tracker.track(id: "2", of: rig.get("2"), timeout: .seconds(3)) { info = $1 }
    tracker.resolve(id: "2", with: .cancelled)
    #expect(info?.id == "2" && info?.element == rig.get("2") && info?.timeout == .seconds(3))
  }

  @Test("without a timeout nothing but an answer or an end ends it")
  func neverTimesOut() throws {
    try track("1", timeout: .never)
    #expect(rig.clock.pendingTimers == 0)
    rig.clock.advance(by: .seconds(1_000_000_000))
    #expect(tracker.count == 1)
    #expect(tracker.resolve(rig.answer("1")))
  }

  @Test("timeouts out of all measure are held to their limits")
  func timeoutsOutOfAllMeasure() throws {
    try track("1", timeout: .after(.seconds(Int64.max)))
    try track("2", timeout: .after(.seconds(-5)))
    try track("3", timeout: .after(.zero))
    #expect(log.lines == [])
    rig.clock.advance(by: .milliseconds(1))
    #expect(log.lines == ["2 timed out", "3 timed out"])
    rig.clock.advance(by: RequestLimits.longestTimeout)
    #expect(log.lines.last == "1 timed out")
  }

  @Test("a handler that asks again at once, without leaving time, does not keep the loop")
  func askingAgainAtOnceDoesNotKeepTheLoop() throws {
    func again() {
      log.note("asked")
      #expect(throws: Never.self) { try tracker.track(id: "1", timeout: .after(.zero)) { _, _ in again() } }
    }
    again()
    rig.clock.advance(by: .milliseconds(10))
    #expect(log.lines.count == 11)
  }

  @Test("one timer serves all deadlines, and 100,000 in flight end at theirs in order")
  func oneHundredThousandInFlight() throws {
    let count = 100_000
    var fired: [Int] = []
    fired.reserveCapacity(count)
    // A permutation: every millisecond is the deadline of one request.
    let deadlines = (0..<count).map { ($0 * 7919) % count + 1 }
    for (number, milliseconds) in deadlines.enumerated() {
      try tracker.track(id: "r\(number)", timeout: .milliseconds(Int64(milliseconds))) { _, _ in
        fired.append(milliseconds)
      }
    }
    #expect(tracker.count == count && rig.clock.pendingTimers == 1)
    rig.clock.advance(by: .milliseconds(count / 2))
    #expect(fired == Array(1...count / 2))
    for number in 0..<count where deadlines[number] > count / 2 && deadlines[number].isMultiple(of: 2) {
      #expect(tracker.resolve(IQ(kind: .result, id: "r\(number)")))
    }
    #expect(rig.clock.pendingTimers == 1)
    rig.clock.advance(by: .milliseconds(count))
    #expect(fired.count == count && Set(fired).count == count)
    #expect(fired.suffix(count / 4) == Array(stride(from: count / 2 + 1, to: count, by: 2))[...])
    #expect(tracker.count == 0 && rig.clock.pendingTimers == 0)
  }

  @Test("releasing the tracker ends what waits")
  func releasingTheTrackerEndsWhatWaits() throws {
    var tracker: IQTracker? = IQTracker(clock: rig.clock)
    try tracker?.track(id: "1", timeout: .seconds(1)) { outcome, _ in log.note(outcome.word) }
    weak let gone = tracker
    tracker = nil
    #expect(gone == nil)
    #expect(log.lines == ["cancelled"] && rig.clock.pendingTimers == 0)
  }

  @Test("ids cannot be guessed: 15 characters that carry every one of 89 random bits")
  func idsCannotBeGuessed() {
    var draws: [UInt64] = []
    let base = StanzaIDSource { 0 }.next()
    #expect(base == String(repeating: "A", count: 15))
    // The first letter has five bits.
    for bit in 0..<90 where bit != 5 {
      let words: [UInt64] = bit < 48 ? [1 << UInt64(bit), 0] : [0, 1 << UInt64(bit - 48)]
      draws = words
      #expect(StanzaIDSource { draws.removeFirst() }.next() != base)
    }
    let ids = StanzaIDSource()
    let many = Set((0..<10_000).map { _ in ids.next() })
    #expect(many.count == 10_000)
    #expect(many.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") } })
  }

  @Test("ids of messages sort by the time, begin with a letter, and carry every one of 78 random bits")
  func idsOfMessages() {
    let time = Timestamp(milliseconds: 1_795_000_000_000)
    var draws: [UInt64] = []
    let base = StanzaIDSource { 0 }.next(at: time)
    #expect(base.count == 20 && base.hasSuffix(String(repeating: "A", count: 13)))
    for bit in 0..<78 {
      draws = bit < 42 ? [1 << UInt64(bit), 0] : [0, 1 << UInt64(bit - 42)]
      let id = StanzaIDSource { draws.removeFirst() }.next(at: time)
      #expect(id != base && id.prefix(7) == base.prefix(7))
    }
    // The first letters are used up in 2083.
    let times: [Int64] = [0, 1, 63, 64, 4_095, 4_096, 1_795_000_000_000, 1_795_000_000_001, 3_573_000_000_000]
    let ids = times.map { StanzaIDSource { .max }.next(at: Timestamp(milliseconds: $0)) }
    #expect(ids == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } && Set(ids).count == ids.count)
    // Clocks may be set to any time.
    for milliseconds in times + [-1, .min, .max] {
      #expect(StanzaIDSource { 0 }.next(at: Timestamp(milliseconds: milliseconds)).first?.isLetter == true)
    }
  }

  @Test("ids begin with a letter, so that a command takes none of them for an option")
  func idsAreWords() {
    for word in UInt64(0)..<64 {
      #expect(StanzaIDSource { word }.next().first?.isLetter == true)
    }
  }
}
