// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What comes several times where there is no archive, and what only looks so.
@Client @Suite struct RepetitionTests {
  private let shared: SharedDatabase

  init() throws { shared = try SharedDatabase() }

  private func theirs(
    _ id: String?, _ body: String = "hi", to resource: String? = nil, at time: Int64 = 2_000, isLate: Bool = false
  ) throws -> ArrivedMessage {
    ArrivedMessage(
      MessageArrived(
        id: id, from: try shared.bob.with(resource: "x"), to: try shared.account.with(resource: resource), kind: .chat,
        body: body), archiveID: nil, hasUniqueID: false, mayBeRepeated: isLate, time: Timestamp(milliseconds: time))
  }

  // MARK: Two programs

  @Test("what comes to two programs without an id of its own is logged once, and two alike are two")
  func twoPrograms() throws {
    let first = shared.program().messages
    var second: AccountStore? = shared.program()
    #expect(try first.record(theirs("m1")) == .new(1))
    #expect(try second?.messages.record(theirs("m1")) == .knownElsewhere(1))
    #expect(try first.record(theirs(nil, "no id")) == .new(2))
    #expect(try second?.messages.record(theirs(nil, "no id")) == .knownElsewhere(2))
    for place in [3, 4] as [LogPlace] { #expect(try first.record(theirs("m1", "again")) == .new(place)) }
    for place in [3, 4] as [LogPlace] {
      #expect(try second?.messages.record(theirs("m1", "again")) == .knownElsewhere(place))
    }
    #expect(try second?.messages.record(theirs("m1", "again")) == .new(5), "it comes there first")
    #expect(try first.record(theirs("m1", "again")) == .knownElsewhere(5))
    #expect(try second?.messages.record(theirs("m1", "slow")) == .new(6))
    #expect(try first.record(theirs("m1", "slow", at: 2_001 + StoreLimits.besideWindow)) == .new(7))
    #expect(try second?.messages.record(theirs("m1", "last")) == .new(8))
    second = nil
    #expect(try first.record(theirs("m1", "last")) == .new(9), "the other one has ended")
  }

  @Test("what is sent to each of two devices is two messages")
  func twoDevices() throws {
    let first = shared.program().messages
    let second = shared.program().messages
    #expect(try first.record(theirs(nil, "ok", to: "a")) == .new(1))
    #expect(try second.record(theirs(nil, "ok", to: "b")) == .new(2))
    #expect(try second.record(theirs(nil, "ok", to: "a")) == .knownElsewhere(1), "a copy")
    #expect(try first.record(theirs(nil, "ok")) == .knownElsewhere(2), "some servers change whom it is to")
  }

  // MARK: The archive

  /// ejabberd's ids are times, and an archive that was begun anew may count from its beginning again.
  @Test("an id of the archive that comes again with another message hides nothing")
  func anArchivesIDThatComesAgain() throws {
    func called(_ archiveID: String, _ message: ArrivedMessage) -> ArrivedMessage {
      var message = message
      message.archiveID = archiveID
      return message
    }
    let store = shared.program().messages
    var ours = try theirs("m3", "said there")
    ours.event = MessageArrived(
      id: "m3", from: try shared.account.with(resource: "y"), to: shared.bob, kind: .chat, body: "said there",
      carbon: .sent)
    #expect(try store.record(called("a1", theirs("m1", "one"))) == .new(1))
    #expect(try store.record(called("a1", theirs("m1", "one"))) == .known)
    #expect(try store.record(called("a1", theirs("m2", "two"))) == .new(2), "another id and text")
    #expect(try store.record(called("a2", theirs(nil, "one"))) == .new(3))
    #expect(try store.record(called("a2", ours)) == .new(4), "another sender")
    // The archive gives both, under the one id.
    for (id, body) in [("m1", "one"), ("m2", "two"), ("m1", "one")] {
      #expect(try store.record(called("a1", theirs(id, body, isLate: true))) == .known)
    }
    #expect(try store.unpresented() == ["one", "two", "one", "said there"])
  }

  // MARK: Acknowledged

  /// A script that says the same under the same id each time.
  @Test("what the server was told of at the end of a run does not come again: one that is alike is new")
  func acknowledged() throws {
    var first: AccountStore? = shared.program()
    #expect(try first?.messages.record(theirs("1", "backup failed")) == .new(1))
    first?.streams.noteAcknowledged(through: first?.streams.lastLogged() ?? 0)
    #expect(try first?.messages.record(theirs("1", "disk full")) == .new(2), "behind the last word on the stream")
    first = nil
    let next = shared.program().messages
    #expect(try next.record(theirs("1", "backup failed", at: 9_000, isLate: true)) == .new(3))
    #expect(try next.record(theirs("1", "backup failed", at: 9_000, isLate: true)) == .known, "given twice")
    #expect(try next.record(theirs("1", "disk full", at: 9_000, isLate: true)) == .known, "it comes again")
    var archived = try theirs("1", "backup failed", at: 2_000, isLate: true)
    archived.archiveID = "a1"
    #expect(try next.record(archived) == .known, "an archive has everything")
  }

  @Test("what came between our last word on a stream and the server's may come again")
  func acknowledgedBefore() throws {
    var first: AccountStore? = shared.program()
    #expect(try first?.messages.record(theirs("1", "backup failed")) == .new(1))
    let last = first?.streams.lastLogged() ?? 0
    #expect(try first?.messages.record(theirs("1", "disk full")) == .new(2))
    first?.streams.noteAcknowledged(through: last)
    first = nil
    let next = shared.program().messages
    #expect(try next.record(theirs("1", "disk full", at: 9_000, isLate: true)) == .known)
    #expect(try next.record(theirs("1", "backup failed", at: 9_000, isLate: true)) == .new(3))
  }

  /// A script that says the same under the same id each time, and goes on while the program leaves.
  @Test("one that came live is one of those that the server kept: all others alike are new, and known on later streams")
  func onceEach() throws {
    var first: AccountStore? = shared.program()
    #expect(try first?.messages.record(theirs("1", "ok")) == .new(1))
    let last = first?.streams.lastLogged() ?? 0
    #expect(try first?.messages.record(theirs("1", "ok")) == .new(2), "behind the last word on the stream")
    first?.streams.noteAcknowledged(through: last)
    first = nil
    // Servers keep no more than the second at which a message came.
    func give(_ store: AccountStore, at time: Int64 = 3_000, on streamStart: LogPlace) throws -> MessageRecord {
      var kept = try theirs("1", "ok", at: time, isLate: true)
      kept.streamStart = streamStart
      return try store.messages.record(kept)
    }
    var next: AccountStore? = shared.program()
    if let store = next {
      let given = [try give(store, on: 3), try give(store, on: 3), try give(store, on: 3)]
      #expect(given == [.known, .new(3), .new(4)])
      // That stream was cut, and nothing of it acknowledged.
      store.messages.streamBegins()
      for _ in 0..<3 { #expect(try give(store, on: 5) == .known) }
      #expect(try give(store, on: 5) == .new(5))
    }
    // It is killed.
    next = nil
    let later = shared.program()
    #expect(try give(later, at: 9_000, on: 6) == .new(6), "each of the others has had its copy")
  }

  @Test("a room without archive sends the last of what was said again: it is known by about the same time")
  func acknowledgedInARoom() throws {
    let room = try JID("tea@rooms.example.org")
    func said(_ body: String, at time: Int64, isLate: Bool = false) throws -> ArrivedMessage {
      ArrivedMessage(
        MessageArrived(
          id: "1", from: try room.with(resource: "bob"), to: shared.account, kind: .groupchat, body: body),
        archiveID: nil, hasUniqueID: false, mayBeRepeated: isLate, time: Timestamp(milliseconds: time))
    }
    var first: AccountStore? = shared.program()
    #expect(try first?.messages.record(said("hi", at: 2_000)) == .new(1))
    first?.streams.noteAcknowledged(through: first?.streams.lastLogged() ?? 0)
    first = nil
    let next = shared.program().messages
    // The room's clock is ahead.
    #expect(try next.record(said("hi", at: 22_000, isLate: true)) == .known)
    let later = 2_001 + StoreLimits.roomRepetitionWindow
    #expect(try next.record(said("hi", at: later, isLate: true)) == .new(2), "it was said once more")
  }

  @Test("what one program was told of says nothing of another's")
  func acknowledgedByAnother() throws {
    let first = shared.program()
    let second = shared.program()
    #expect(try first.messages.record(theirs("1", "backup failed")) == .new(1))
    #expect(try second.messages.record(theirs("2", "disk full")) == .new(2))
    first.streams.noteAcknowledged(through: first.streams.lastLogged() ?? 0)
    #expect(try second.messages.record(theirs("2", "disk full", at: 9_000, isLate: true)) == .known)
  }

  // MARK: One id

  private func named(_ body: String, isOurs: Bool = false) throws -> ArrivedMessage {
    let (bob, account) = (try shared.bob.with(resource: "x"), try shared.account.with(resource: "phone"))
    return ArrivedMessage(
      MessageArrived(
        id: "x", from: isOurs ? account : bob, to: isOurs ? bob : account, kind: .chat, body: body,
        carbon: isOurs ? .sent : nil), archiveID: nil, hasUniqueID: true, mayBeRepeated: false,
      time: Timestamp(milliseconds: 2_000))
  }

  @Test(
    "of thousands of one id the newest are looked at: what comes again far behind is shown again, and ours is known all the same"
  )
  func manyOfOneID() throws {
    let messages = shared.program().messages
    let ours = try named("ours", isOurs: true)
    #expect(try messages.record(ours) == .new(1))
    let many = try (0..<2 * StoreLimits.alikeLookedAt).map { try named("number \($0)") }
    #expect(try messages.record(many, archiveCursor: nil).allSatisfy { if case .new = $0 { true } else { false } })
    #expect(try messages.record(many.suffix(StoreLimits.alikeLookedAt)[many.count / 2]) == .known)
    #expect(
      try messages.record(named("another")) == .new(LogPlace(seq: Int64(many.count) + 2, beginning: 0)),
      "it is lost to nobody")
    #expect(try messages.record(many[0]) == .new(LogPlace(seq: Int64(many.count) + 3, beginning: 0)))
    #expect(try messages.record(ours) == .known)
  }
}
