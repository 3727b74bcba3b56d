// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// Messages kept: ours until the server has them, theirs until they are shown.
@Client @Suite struct MessageTableTests {
  private let shared: SharedDatabase

  init() throws { shared = try SharedDatabase() }

  private func theirs(
    _ id: String?, _ body: String = "hi", archive: String? = nil, isUnique: Bool = false, mayBeRepeated: Bool = false,
    carbon: MessageArrived.Carbon? = nil
  ) throws -> ArrivedMessage {
    let device = try shared.bob.with(resource: "x")
    let event =
      carbon == .sent
      ? MessageArrived(
        id: id, from: try shared.account.with(resource: "y"), to: shared.bob, kind: .chat, body: body, carbon: .sent)
      : MessageArrived(id: id, from: device, to: shared.account, kind: .chat, body: body, carbon: carbon)
    return ArrivedMessage(
      event, archiveID: archive, hasUniqueID: isUnique, mayBeRepeated: mayBeRepeated,
      time: Timestamp(milliseconds: 2_000))
  }

  @Test("what came of somebody whose nick or device breaks the rules of addresses is read back")
  func namesThatBreakTheRules() throws {
    let store = shared.program()
    let device = try JID(received: "\(shared.bob)/kat\u{30FB}")
    let occupant = try JID(received: "lunch@rooms.example.org/Bob \u{B7} he/him")
    var privately = MessagePayload()
    privately.isPrivate = true
    let events = [
      MessageArrived(id: "m1", from: device, to: shared.account, kind: .chat, body: "hi"),
      MessageArrived(id: "m2", from: occupant, to: shared.account, kind: .chat, body: "psst", payload: privately),
    ]
    _ = try store.messages.record(
      events.map {
        ArrivedMessage(
          $0, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 2_000))
      }, archiveCursor: nil)
    #expect(try store.log.page(LogQuery(), after: nil).messages.map(\.event.from) == [device, occupant])
    #expect(try Set(store.log.conversations().map(\.conversation)) == [shared.bob, occupant])
    let answer = OutgoingMessage(id: "a", to: occupant, body: "yes", time: Timestamp(milliseconds: 3_000))
    _ = try store.messages.keep([OutboxRecord(answer)], from: shared.account)
    #expect(try store.messages.outbox().map(\.message.to) == [occupant])
  }

  // MARK: Ours

  @Test("waiting messages are left for the next program") func whatWaitsIsLeftForTheNextProgram() throws {
    var first: AccountStore? = shared.program()
    let numbers = try shared.keep(try #require(first), "a", "b", "c")
    #expect(numbers.count == 3 && Set(numbers).count == 3)
    let place = StreamPlace(stream: "s", position: 4_294_967_295)
    _ = try first?.messages.place([(numbers[0], "a", place), (numbers[1], "b", nil)], after: "mark")
    try first?.messages.settle([MessageOutcome(number: numbers[1], id: "b", state: .server)])
    first = nil
    let left = try shared.program().messages.adopt().ours
    #expect(left.map(\.message) == [shared.ours("a"), shared.ours("c")])
    #expect(left.map(\.state) == [.sent, .waiting])
    #expect(left.map(\.place) == [place, nil])
    #expect(left.map(\.archiveCursor) == ["mark", nil])
  }

  @Test("settled messages are left to no program") func whatIsSettledIsLeftToNobody() throws {
    let store = shared.program()
    let numbers = try shared.keep(store, "a", "b")
    try store.messages.settle([
      MessageOutcome(number: numbers[0], id: "a", state: .server),
      MessageOutcome(number: numbers[1], id: "b", state: .failed(reason: "they are gone")),
    ])
    #expect(try store.messages.outbox().isEmpty)
    #expect(try store.messages.adopt().ours.isEmpty)
  }

  @Test("a program that runs keeps its messages") func aProgramThatRunsKeepsItsMessages() throws {
    let first = shared.program()
    _ = try shared.keep(first, "a")
    let second = shared.program()
    #expect(try second.messages.adopt().ours.isEmpty)
    #expect(try second.messages.outbox().map(\.message.id) == ["a"], "but everybody sees them")
  }

  @Test("messages that a command left are adopted by one program") func whatACommandLeftIsTakenOver() throws {
    var command: AccountStore? = shared.program(isOneShot: true)
    _ = try shared.keep(try #require(command), "a")
    let staying = shared.program()
    #expect(try staying.messages.adopt().ours.isEmpty)
    command = nil
    #expect(try staying.messages.adopt().ours.map(\.message.id) == ["a"])
    let another = shared.program()
    #expect(try another.messages.adopt().ours.isEmpty, "it has one owner")
  }

  // MARK: Withdrawing

  @Test("a waiting message can be withdrawn by any program") func whatWaitsCanBeWithdrawnByAnybody() throws {
    let owner = shared.program()
    let number = try shared.keep(owner, "a")[0]
    let other = shared.program(isOneShot: true)
    #expect(try other.messages.withdraw("x") == nil)
    #expect(try other.messages.withdraw("a") == .withdrawn(to: shared.bob))
    #expect(try other.messages.withdraw("a") == nil)
    #expect(try owner.messages.place([(number, "a", nil)], after: nil) == [number], "and its owner learns of it")
  }

  @Test("a message that is on its way is not withdrawn") func whatIsOnItsWayIsNotWithdrawn() throws {
    var owner: AccountStore? = shared.program()
    let number = try shared.keep(try #require(owner), "a")[0]
    #expect(try owner?.messages.place([(number, "a", nil)], after: nil) == [])
    let other = shared.program(isOneShot: true)
    #expect(try other.messages.withdraw("a") == .isOnItsWay(to: shared.bob))
    #expect(try other.messages.outbox().map(\.state) == [.sent])
    owner = nil
    let withdrawal = try other.messages.withdraw("a")
    #expect(withdrawal == .withdrawn(to: shared.bob, mayHaveArrived: true), "nobody waits for it any more")
  }

  /// A database that was damaged is replaced by an empty one, whose numbers begin anew.
  @Test("a message with the number of one in a replaced database is left alone") func ofReplacedDatabase() throws {
    let store = shared.program().messages
    let other = try shared.keep(shared.program(), "other")[0]
    #expect(try store.place([(other, "lost", nil)], after: nil) == [])
    try store.settle([MessageOutcome(number: other, id: "lost", state: .server)])
    #expect(try store.outbox().map(\.message.id) == ["other"], "and another message of the same number is left alone")
  }

  // MARK: Theirs

  @Test("a message from the archive is stored once") func aMessageOfTheArchiveIsTakenOnce() throws {
    let store = shared.program()
    #expect(try store.messages.record(theirs("1", archive: "a1"), movesCursor: true) == .new(1))
    #expect(try store.messages.record(theirs("1", archive: "a1", mayBeRepeated: true), movesCursor: true) == .known)
    #expect(try store.messages.archiveCursor() == "a1")
    #expect(try store.messages.record(theirs("2", archive: "a2"), movesCursor: false) == .new(2))
    #expect(try store.messages.archiveCursor() == "a1")
  }

  /// Deduplication never loses a message.
  @Test("an ID that is used again by another message hides neither") func usedIDs() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("1", "ok", archive: "a1"), movesCursor: true) == .new(1))
    #expect(try store.record(theirs("1", "ok", archive: "a2"), movesCursor: true) == .new(2), "numbered anew")
    #expect(try store.record(theirs("1", "ok", archive: "a3", mayBeRepeated: true), movesCursor: true) == .new(3))
    #expect(try store.record(theirs("1", "other", archive: "a4", isUnique: true), movesCursor: true) == .new(4))
    #expect(try store.record(theirs(nil, "ok"), movesCursor: true) == .new(5))
    #expect(try store.record(theirs(nil, "ok"), movesCursor: true) == .new(6))
  }

  @Test("a message that the sender sent twice is stored once") func aMessageThatTheSenderSentTwiceIsTakenOnce() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("long", isUnique: true), movesCursor: true) == .new(1))
    #expect(try store.record(theirs("long", archive: "a1", isUnique: true), movesCursor: true) == .known)
    #expect(try store.record(theirs("long", archive: "a1", isUnique: true), movesCursor: true) == .known)
  }

  /// Whatever the sender calls them.
  @Test("two messages with different archive IDs are two") func twoThatTheArchiveTellsApartAreTwo() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("long", archive: "a1", isUnique: true), movesCursor: true) == .new(1))
    #expect(try store.record(theirs("long", archive: "a2", isUnique: true), movesCursor: true) == .new(2))
  }

  /// The server archives it as sent and as received.
  @Test("a note to oneself that the archive has twice is taken once, and another device's of the same id is another")
  func noteToOneself() throws {
    let store = shared.program().messages
    func note(_ archive: String, from resource: String, isUnique: Bool = true) throws -> ArrivedMessage {
      ArrivedMessage(
        MessageArrived(
          id: "n", from: try shared.account.with(resource: resource), to: shared.account, kind: .chat, body: "milk"),
        archiveID: archive, hasUniqueID: isUnique, mayBeRepeated: false, time: Timestamp(milliseconds: 2_000))
    }
    #expect(try store.record(note("a1", from: "desk")) == .new(1))
    #expect(try store.record(note("a2", from: "desk")) == .known)
    #expect(try store.record(note("a1", from: "desk")) == .known)
    #expect(try store.record(note("a3", from: "phone")) == .new(2))
    #expect(try store.record(note("a4", from: "desk", isUnique: false)) == .new(3))
  }

  /// It was written on Monday, and sent on Friday: once, and again since nobody could tell whether it had arrived.
  @Test("a message that its sender marks as sent before is stored once") func markedAsSentBefore() throws {
    let store = shared.program().messages
    func sent(_ archive: String, at time: Int64, before: Int64?) throws -> ArrivedMessage {
      var message = try theirs("long", archive: archive, isUnique: true, mayBeRepeated: true)
      message.time = Timestamp(milliseconds: time)
      message.firstSent = before.map { Timestamp(milliseconds: $0) }
      return message
    }
    let friday: Int64 = 4 * 86_400_000
    #expect(try store.record(sent("a1", at: friday, before: 1_000)) == .new(1))
    #expect(try store.record(sent("a2", at: friday + 60_000, before: 1_000)) == .known)
    #expect(try store.record(sent("a3", at: friday + 120_000, before: nil)) == .new(2))
    #expect(try store.record(sent("a4", at: 9 * friday, before: friday)) == .known)
  }

  /// ejabberd handles what is sent again on a resumed stream beside what it has still to read from the old connection.
  @Test("a message that was sent again and overtakes the first is taken once")
  func sentAgainOvertakes() throws {
    let store = shared.program().messages
    func sent(_ archive: String, at time: Int64, before: Int64?) throws -> ArrivedMessage {
      var message = try theirs("long", archive: archive, isUnique: true)
      message.time = Timestamp(milliseconds: time)
      message.firstSent = before.map { Timestamp(milliseconds: $0) }
      return message
    }
    #expect(try store.record(sent("a2", at: 2_000, before: 1_000)) == .new(1))
    #expect(try store.record(sent("a1", at: 2_100, before: nil)) == .known)
    #expect(try store.record(sent("a3", at: 2_200, before: 1_000)) == .known)
  }

  @Test("what waits for its place is still said to have been sent before")
  func postponedSentAgain() throws {
    let store = shared.program().messages
    var message = try theirs("long", archive: "a2", isUnique: true)
    message.firstSent = Timestamp(milliseconds: 1_000)
    try store.postpone([message])
    #expect(try store.postponed(limit: 1).map(\.firstSent) == [Timestamp(milliseconds: 1_000)])
  }

  /// Some clients number their messages anew at each start.
  @Test("two messages stored by the server are two though their IDs and texts are the same") func alike() throws {
    let store = shared.program().messages
    func kept(at time: Int64) throws -> ArrivedMessage {
      var message = try theirs("1", "ok", mayBeRepeated: true)
      message.time = Timestamp(milliseconds: time)
      return message
    }
    #expect(try store.record(kept(at: 60_000)) == .new(1))
    #expect(try store.record(kept(at: 180_000)) == .new(2), "said two minutes later")
    #expect(try store.record(kept(at: 60_000)) == .known, "given again")
    // On one stream the server gives nothing twice.
    var again = try kept(at: 300_000)
    #expect(try store.record(again) == .new(3))
    again.streamStart = 3
    #expect(try store.record(again) == .new(4))
    // One turn may bring two, where servers stamp what they kept with the second.
    var pair = try kept(at: 400_000)
    pair.beginsStream = true
    #expect(try store.record([pair, pair], archiveCursor: nil) == [.new(5), .new(6)])
    #expect(try store.record([pair, pair], archiveCursor: nil) == [.known, .known], "on another stream")
  }

  /// It came over a stream that was cut before that was acknowledged, and again out of what the server keeps.
  @Test("a message that comes again with a delay is stored once") func againWithDelay() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("1", "ok")) == .new(1))
    var late = try theirs("1", "ok", mayBeRepeated: true)
    late.time = Timestamp(milliseconds: 9_000)
    #expect(try store.record(late) == .known)
    late.time = Timestamp(milliseconds: 2_000 + StoreLimits.repetitionWindow + 1)
    #expect(try store.record(late) == .new(2))
  }

  /// It came before anybody knew that ids can be trusted, or over a server's offline storage.
  @Test("a message that came without an archive ID is recognized when it is read from the archive") func late() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("1"), movesCursor: false) == .new(1))
    #expect(try store.record(theirs("1", archive: "a1", mayBeRepeated: true), movesCursor: true) == .known)
    #expect(try store.record(theirs("1", archive: "a1"), movesCursor: true) == .known)
    #expect(try store.record(theirs("1", archive: "a2", mayBeRepeated: true), movesCursor: true) == .new(2))
  }

  @Test("two running programs both display a message that comes to both") func twoPrograms() throws {
    let first = shared.program()
    let second = shared.program()
    #expect(try first.messages.record(theirs("1", archive: "a1"), movesCursor: true) == .new(1))
    #expect(try second.messages.record(theirs("1", archive: "a1"), movesCursor: true) == .knownElsewhere(1))
  }

  @Test("a carbon of a message that was sent from here is stored once") func carbonOfOwn() throws {
    let prompt = shared.program()
    _ = try shared.keep(shared.program(isOneShot: true), "a")
    #expect(
      try prompt.messages.record(theirs("a", "body of a", archive: "a1", carbon: .sent), movesCursor: true)
        == .knownElsewhere(1))
    #expect(
      try prompt.messages.record(theirs("z", "elsewhere", archive: "a2", carbon: .sent), movesCursor: true) == .new(2))
  }

  // MARK: Postponed

  /// It is safe before it has a place, and the next program gives it one.
  @Test("postponed messages are left for the next program, in order") func postponedOrder() throws {
    var first: AccountStore? = shared.program()
    let beside = shared.program()
    let one = try theirs("1", "one", archive: "a9", isUnique: true)
    let two = try theirs(nil, "two", mayBeRepeated: true, carbon: .received)
    for message in [one, two] { try first?.messages.postpone([message]) }
    #expect(try !beside.messages.adopt().hasPostponed, "it runs")
    #expect(try beside.messages.unpresented() == [])
    first = nil
    let next = shared.program()
    #expect(try next.messages.adopt().hasPostponed)
    let postponed = try next.messages.postponed(limit: 10)
    #expect(postponed.map(\.event.body) == ["one", "two"])
    #expect(postponed.map(\.archiveID) == ["a9", nil])
    #expect(postponed.map(\.hasUniqueID) == [true, false])
    #expect(postponed.map(\.mayBeRepeated) == [false, true])
    #expect(postponed.map(\.event.carbon) == [nil, .received])
    #expect(postponed.map(\.conversation) == [shared.bob, shared.bob])
    #expect(postponed.map(\.event.delayed) == [one.time, two.time], "it says when it came")
    #expect(try next.messages.postponed(limit: 1).count == 1)
    #expect(try !shared.program().messages.adopt().hasPostponed, "it has one owner")
  }

  @Test("of the messages postponed on one stream those that the server stored come first") func storedFirst() throws {
    let store = shared.program().messages
    try store.postpone([theirs("1", "left")])
    let start = try store.postpone([theirs("2", "live")])
    try store.postpone([theirs("3", "stored", mayBeRepeated: true)])
    #expect(try store.postponed(heldFrom: start, limit: 3).map(\.event.body) == ["left", "stored", "live"])
  }

  @Test("a message that got its place is no longer postponed") func whatHasItsPlaceIsPostponedNoMore() throws {
    let store = shared.program().messages
    try store.postpone([theirs("1", "one", archive: "a1"), theirs("2", "two")])
    let first = try #require(try store.postponed(limit: 1).first)
    #expect(try store.record(first) == .new(1))
    #expect(try store.postponed() == ["two"])
    #expect(try store.unpresented() == ["one"])
    // Read from the archive meanwhile: then it was in its place before.
    try store.postpone([theirs("1", "one", archive: "a1")])
    let again = try #require(try store.postponed(limit: 2).last)
    #expect(try store.record(again) == .known)
    #expect(try store.postponed() == ["two"])
  }

  /// Anybody can write an id of the archive into a message: it must not take it from the message whose it is.
  @Test("a claimed archive ID does not hide the archive's own message") func claimedIDs() throws {
    let store = shared.program().messages
    try store.postpone([theirs("x", "forged", archive: "a1")])
    #expect(try store.record(theirs("1", "true", archive: "a1"), movesCursor: true) == .new(1))
  }

  /// A database that was damaged is replaced by an empty one, whose numbers begin anew.
  @Test("a postponed message with the number of one in a replaced database stays postponed") func other() throws {
    let store = shared.program().messages
    try store.postpone([theirs("2", "two")])
    var other = try theirs("1", "one")
    other.postponed = LogPlace(seq: MessageTable.firstPostponed, beginning: -1)
    #expect(try store.record(other) == .new(1))
    #expect(try store.postponed() == ["two"])
  }

  // MARK: Streams

  @Test("a stream is left for the next program, and for no program beside it") func streamLeft() throws {
    let resumption = StreamResumption(
      id: "s1", jid: try shared.account.with(resource: "r"), handled: 4_294_967_295,
      location: HostPort(host: "other.example.org", port: nil), lifetime: .seconds(300))
    var first: AccountStore? = shared.program()
    let beside = shared.program()
    #expect(try first?.streams.loadStream() == nil)
    try first?.streams.keepStream(resumption, at: Timestamp(milliseconds: 5))
    #expect(try beside.streams.loadStream() == nil, "another one's is not ours")
    first = nil
    let next = shared.program()
    let found = try #require(try next.streams.loadStream())
    #expect(found.resumption == resumption)
    #expect(found.time == Timestamp(milliseconds: 5))
    try next.streams.forgetStream()
    #expect(try next.streams.loadStream() == nil)
  }

  @Test("a machine has one resource, and each further program its own") func resources() throws {
    let first = shared.program()
    let own = try first.streams.resource(nil)
    #expect(own.hasPrefix("jackdaw."))
    var second: AccountStore? = shared.program()
    #expect(try second?.streams.resource(nil) == own + "-2")
    #expect(try shared.program().streams.resource(nil) == own + "-3")
    #expect(try second?.streams.resource("desk") == "desk", "nobody else here has it")
    #expect(try shared.program().streams.resource("desk") == "desk-2")
    second = nil
    #expect(try shared.program().streams.resource("desk") == "desk")
    #expect(try first.streams.resource(nil) == own)
  }

  @Test("a resource that another machine uses is replaced") func replacedResource() throws {
    let (first, second) = (shared.program(), shared.program())
    let own = try first.streams.resource(nil)
    try second.streams.forgetResource("desk")
    #expect(try second.streams.resource(nil) == own + "-2")
    try second.streams.forgetResource(own + "-2")
    let new = try second.streams.resource(nil)
    #expect(new.hasPrefix("jackdaw.") && new.prefix(14) != own)
    try first.streams.forgetResource(own)
    #expect(try first.streams.resource(nil) == new + "-2", "the other program saw to it")
  }
}
