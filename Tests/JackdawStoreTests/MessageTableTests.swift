// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawSession
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

  // MARK: Ours

  @Test func whatWaitsIsLeftForTheNextProgram() throws {
    var first: AccountStore? = shared.program()
    let numbers = try shared.keep(try #require(first), "a", "b", "c")
    #expect(numbers.count == 3 && Set(numbers).count == 3)
    let place = StreamPlace(stream: "s", position: 4_294_967_295)
    _ = try first?.messages.place([(numbers[0], "a", place), (numbers[1], "b", nil)], after: "mark")
    try first?.messages.settle([MessageOutcome(number: numbers[1], id: "b", state: .server)])
    first = nil
    let left = try shared.program().messages.adopt().ours
    #expect(left.map(\.message) == [shared.ours("a"), shared.ours("c")])
    #expect(left.map(\.wasSent) == [true, false])
    #expect(left.map(\.place) == [place, nil])
    #expect(left.map(\.mark) == ["mark", nil])
  }

  @Test func whatIsSettledIsLeftToNobody() throws {
    let store = shared.program()
    let numbers = try shared.keep(store, "a", "b")
    try store.messages.settle([
      MessageOutcome(number: numbers[0], id: "a", state: .server),
      MessageOutcome(number: numbers[1], id: "b", state: .failed, error: "they are gone"),
    ])
    #expect(try store.messages.outbox().isEmpty)
    #expect(try store.messages.adopt().ours.isEmpty)
  }

  @Test func aProgramThatRunsKeepsItsMessages() throws {
    let first = shared.program()
    _ = try shared.keep(first, "a")
    let second = shared.program()
    #expect(try second.messages.adopt().ours.isEmpty)
    #expect(try second.messages.outbox().map(\.message.id) == ["a"], "but everybody sees them")
  }

  @Test func whatACommandLeftIsTakenOver() throws {
    var command: AccountStore? = shared.program(stays: false)
    _ = try shared.keep(try #require(command), "a")
    let staying = shared.program()
    #expect(try staying.messages.adopt().ours.isEmpty)
    command = nil
    #expect(try staying.messages.adopt().ours.map(\.message.id) == ["a"])
    let another = shared.program()
    #expect(try another.messages.adopt().ours.isEmpty, "it has one owner")
  }

  // MARK: Withdrawing

  @Test func whatWaitsCanBeWithdrawnByAnybody() throws {
    let owner = shared.program()
    let number = try shared.keep(owner, "a")[0]
    let other = shared.program(stays: false)
    #expect(try other.messages.withdraw("x") == nil)
    #expect(try other.messages.withdraw("a") == .withdrawn(to: shared.bob))
    #expect(try other.messages.withdraw("a") == nil)
    #expect(try owner.messages.place([(number, "a", nil)], after: nil) == [number], "and its owner learns of it")
  }

  @Test func whatIsOnItsWayIsNotWithdrawn() throws {
    var owner: AccountStore? = shared.program()
    let number = try shared.keep(try #require(owner), "a")[0]
    #expect(try owner?.messages.place([(number, "a", nil)], after: nil) == [])
    let other = shared.program(stays: false)
    #expect(try other.messages.withdraw("a") == .isOnItsWay(to: shared.bob))
    #expect(try other.messages.outbox().map(\.state) == [.sent])
    owner = nil
    #expect(try other.messages.withdraw("a") == .withdrawn(to: shared.bob), "nobody waits for it any more")
  }

  /// A database that was damaged is replaced by an empty one, whose numbers begin anew.
  @Test func whatAReplacedDatabaseHadIsNotWithdrawn() throws {
    let store = shared.program().messages
    let other = try shared.keep(shared.program(), "other")[0]
    #expect(try store.place([(other, "lost", nil)], after: nil) == [])
    try store.settle([MessageOutcome(number: other, id: "lost", state: .server)])
    #expect(try store.outbox().map(\.message.id) == ["other"], "and another message of the same number is left alone")
  }

  // MARK: Theirs

  @Test func whatWasNotShownIsShownByTheNextProgram() throws {
    var first: AccountStore? = shared.program()
    guard case .new(let one)? = try first?.messages.record(theirs("1", "one"), movesMark: false),
      case .new? = try first?.messages.record(theirs("2", "two"), movesMark: false)
    else { return #expect(Bool(false), "they are new") }
    try first?.messages.noteShown([one])
    first = nil
    let left = try shared.program().messages.adopt().theirs
    #expect(left.map(\.event.body) == ["two"])
    #expect(left.first?.event.delayed == Timestamp(milliseconds: 2_000), "it says when it came")
  }

  @Test func aMessageOfTheArchiveIsTakenOnce() throws {
    let store = shared.program()
    #expect(try store.messages.record(theirs("1", archive: "a1"), movesMark: true) == .new(1))
    #expect(try store.messages.record(theirs("1", archive: "a1", mayBeRepeated: true), movesMark: true) == .known)
    #expect(try store.messages.archiveMark() == "a1")
    #expect(try store.messages.record(theirs("2", archive: "a2"), movesMark: false) == .new(2))
    #expect(try store.messages.archiveMark() == "a1")
  }

  /// SECURITY section 7: deduplication never loses a message.
  @Test func anIDThatComesAgainWithAnotherMessageHidesNothing() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("1", "ok", archive: "a1"), movesMark: true) == .new(1))
    #expect(try store.record(theirs("1", "ok", archive: "a2"), movesMark: true) == .new(2), "numbered anew")
    #expect(try store.record(theirs("1", "ok", archive: "a3", mayBeRepeated: true), movesMark: true) == .new(3))
    #expect(try store.record(theirs("1", "other", archive: "a4", isUnique: true), movesMark: true) == .new(4))
    #expect(try store.record(theirs(nil, "ok"), movesMark: true) == .new(5))
    #expect(try store.record(theirs(nil, "ok"), movesMark: true) == .new(6))
  }

  @Test func aMessageThatTheSenderSentTwiceIsTakenOnce() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("long", archive: "a1", isUnique: true), movesMark: true) == .new(1))
    #expect(try store.record(theirs("long", archive: "a2", isUnique: true), movesMark: true) == .known)
  }

  /// It came before anybody knew that ids can be trusted, or over a server's offline storage.
  @Test func whatCameWithoutTheArchivesIDIsKnownWhenItIsReadThere() throws {
    let store = shared.program().messages
    #expect(try store.record(theirs("1"), movesMark: false) == .new(1))
    #expect(try store.record(theirs("1", archive: "a1", mayBeRepeated: true), movesMark: true) == .known)
    #expect(try store.record(theirs("1", archive: "a1"), movesMark: true) == .known)
    #expect(try store.record(theirs("1", archive: "a2", mayBeRepeated: true), movesMark: true) == .new(2))
  }

  @Test func twoProgramsBothShowWhatComesToBoth() throws {
    let first = shared.program()
    let second = shared.program()
    #expect(try first.messages.record(theirs("1", archive: "a1"), movesMark: true) == .new(1))
    #expect(try second.messages.record(theirs("1", archive: "a1"), movesMark: true) == .knownElsewhere)
  }

  @Test func aCopyOfWhatWasSentFromHereIsKeptOnce() throws {
    let prompt = shared.program()
    _ = try shared.keep(shared.program(stays: false), "a")
    #expect(
      try prompt.messages.record(theirs("a", "body of a", archive: "a1", carbon: .sent), movesMark: true)
        == .knownElsewhere)
    #expect(
      try prompt.messages.record(theirs("z", "elsewhere", archive: "a2", carbon: .sent), movesMark: true) == .new(2))
  }

  // MARK: Held

  /// It is safe before it has a place, and the next program gives it one.
  @Test func whatIsHeldIsLeftForTheNextProgramInItsOrder() throws {
    var first: AccountStore? = shared.program()
    let beside = shared.program()
    let one = try theirs("1", "one", archive: "a9", isUnique: true)
    let two = try theirs(nil, "two", mayBeRepeated: true, carbon: .received)
    for message in [one, two] { _ = try first?.messages.hold(message) }
    #expect(try beside.messages.adopt().held.isEmpty, "it runs")
    first = nil
    let next = shared.program()
    let held = try next.messages.adopt().held
    #expect(held.map(\.message.event.body) == ["one", "two"])
    #expect(held.map(\.message.archiveID) == ["a9", nil])
    #expect(held.map(\.message.hasUniqueID) == [true, false])
    #expect(held.map(\.message.mayBeRepeated) == [false, true])
    #expect(held.map(\.message.event.carbon) == [nil, .received])
    #expect(held.map(\.message.peer) == [shared.bob, shared.bob])
    #expect(held.map(\.message.event.delayed) == [one.time, two.time], "it says when it came")
    #expect(try next.messages.adopt().theirs.isEmpty)
    #expect(try shared.program().messages.adopt().held.isEmpty, "it has one owner")
  }

  @Test func whatHasItsPlaceIsHeldNoMore() throws {
    let store = shared.program().messages
    let message = try theirs("1", "one", archive: "a1")
    let number = try store.hold(message)
    _ = try store.hold(theirs("2", "two"))
    #expect(try store.record(message, movesMark: false, held: number) == .new(1))
    #expect(try store.adopt().held.map(\.message.event.body) == ["two"])
    // Read from the archive meanwhile: then it was in its place before.
    let again = try store.hold(message)
    #expect(try store.record(message, movesMark: false, held: again) == .known)
    #expect(try store.adopt().held.map(\.message.event.body) == ["two"])
  }

  /// A database that was damaged is replaced by an empty one, whose numbers begin anew.
  @Test func anotherOneOfItsNumberStaysHeld() throws {
    let store = shared.program().messages
    let number = try store.hold(theirs("2", "two"))
    #expect(try store.record(theirs("1", "one"), movesMark: false, held: number) == .new(1))
    #expect(try store.adopt().held.map(\.message.event.body) == ["two"])
  }

  // MARK: Streams

  @Test func aStreamIsLeftForTheNextProgramInItsPlace() throws {
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

  @Test func aMachineHasOneResourceAndEachFurtherProgramItsOwn() throws {
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
}
