// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// What is kept for how long.
@Client @Suite struct RetentionTests {
  private static let day: Int64 = 86_400_000
  private let shared: SharedDatabase
  private let store: AccountStore

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
    try store.messages.open("screen", from: nil)
  }

  /// Keeps what somebody wrote on a day, and shows it.
  @discardableResult private func theirs(
    _ body: String, day: Int64, from sender: String = "bob@example.org", isShown: Bool = true
  ) throws -> LogPlace {
    let message = ArrivedMessage(
      MessageArrived(id: nil, from: try JID(sender), to: shared.account, kind: .chat, body: body),
      archiveID: "a-\(body.prefix(8))",
      hasUniqueID: false, mayBeRepeated: true, time: Timestamp(milliseconds: day * Self.day + 1))
    guard case .new(let place) = try store.messages.record([message], archiveCursor: nil).first else {
      throw CancellationError()
    }
    if isShown { try store.messages.present([place], to: "screen") }
    return place
  }

  private func expire(_ rule: RetentionRule) throws { while try store.log.expire(rule) > 0 {} }

  private var bodies: [String] {
    get throws { try store.log.page(LogQuery(limit: 10_000), after: nil).messages.map(\.event.body) }
  }

  @Test("Old messages are deleted, and not stored again from an archive", arguments: [true, false])
  func whatIsOldGoesAndComesBackFromNoArchive(isIndexed: Bool) throws {
    for day in 100..<110 { try theirs("\(day)", day: Int64(day)) }
    if isIndexed { while try store.log.extendIndex(isWaitedFor: true) > 0 {} }
    let rule = RetentionRule(start: Timestamp(milliseconds: 107 * Self.day))
    try expire(rule)
    #expect(try bodies == ["107", "108", "109"])
    try theirs("110", day: 110)
    try expire(rule)
    #expect(try bodies == ["107", "108", "109", "110"])
    #expect(throws: CancellationError.self) { try theirs("100", day: 100) }
  }

  @Test("Undisplayed and unsent messages are not deleted") func whatNobodyWasShownAndWhatIsToBeSentStays() throws {
    try theirs("old", day: 1)
    try theirs("unseen", day: 1, isShown: false)
    _ = try shared.keep(store, "unsent")
    try expire(RetentionRule(start: Timestamp(milliseconds: 100 * Self.day), number: 0))
    #expect(try bodies == ["unseen", "body of unsent"])
    #expect(try store.messages.unpresented(to: "screen", after: nil, limit: 10).map(\.body) == ["unseen"])
  }

  @Test("A message is deleted only when a consumer of its own has displayed it too")
  func aReaderOfItsOwnHasSeenItToo() throws {
    try store.messages.open("bot", from: nil)
    let place = try theirs("for both", day: 1)
    let rule = RetentionRule(start: Timestamp(milliseconds: 100 * Self.day))
    try expire(rule)
    #expect(try bodies == ["for both"])
    try store.messages.present([place], to: "bot")
    try expire(rule)
    #expect(try bodies == [])
  }

  /// Makes a reader one that was last there so many days ago; nil: never.
  private func age(_ consumer: String, days: Int64?) throws {
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    try database.run(
      "UPDATE cursor SET used = CASE WHEN ?1 IS NULL THEN 0 ELSE used - ?1 END WHERE consumer = ?2",
      days.map { $0 * Self.day }, consumer)
  }

  @Test("A reader that never comes again keeps nothing: after a month, or two days of what is not to be kept")
  func aReaderThatNeverComesAgain() throws {
    try store.messages.open("bot once", from: nil)
    try theirs("private", day: 1)
    let other = try theirs("eve", day: 1, from: "eve@example.org")
    // It left out the one before.
    try store.messages.present([other], to: "bot once")
    try theirs("secret", day: 1)
    try theirs("eve again", day: 1, from: "eve@example.org")
    try store.log.keep(shared.bob, false)
    try age("bot once", days: 1)
    try expire(RetentionRule())
    #expect(try bodies == ["private", "eve", "secret", "eve again"], "it comes every day")
    try age("bot once", days: 2)
    try expire(RetentionRule())
    #expect(try bodies == ["eve", "eve again"])
    let rule = RetentionRule(start: Timestamp(milliseconds: 100 * Self.day))
    try expire(rule)
    #expect(try bodies == ["eve again"])
    try age("bot once", days: 28)
    try expire(rule)
    #expect(try bodies == [])
  }

  @Test("A reader that asks what is new is there, and what it was not presented stays")
  func aReaderThatAsks() throws {
    try store.messages.open("bot", from: nil)
    try theirs("for the bot", day: 1)
    try age("bot", days: 31)
    #expect(try store.messages.unpresented(to: "bot", after: nil, limit: 9).map(\.body) == ["for the bot"])
    try expire(RetentionRule(start: Timestamp(milliseconds: 100 * Self.day)))
    #expect(try bodies == ["for the bot"])
  }

  @Test("Where only programs read, a screen that nobody ever looked at keeps nothing")
  func onlyProgramsRead() throws {
    let rule = RetentionRule(start: Timestamp(milliseconds: 100 * Self.day))
    try store.messages.open("bot", from: nil)
    try age("screen", days: nil)
    let place = try theirs("for the bot", day: 1, isShown: false)
    try expire(rule)
    #expect(try bodies == ["for the bot"])
    try store.messages.present([place], to: "bot")
    try expire(rule)
    #expect(try bodies == [])
  }

  @Test("A conversation that is not kept has no message left once it was displayed")
  func ofAConversationThatIsNotKeptNothingStaysOnceItWasShown() throws {
    try theirs("bob before", day: 1)
    try theirs("eve", day: 1, from: "eve@example.org")
    try store.log.keep(shared.bob, false)
    #expect(try store.log.unkept() == [shared.bob])
    try expire(RetentionRule())
    #expect(try bodies == ["eve"])
    let place = try theirs("bob after", day: 2, isShown: false)
    try expire(RetentionRule())
    #expect(try bodies == ["eve", "bob after"])
    try store.messages.present([place], to: "screen")
    let numbers = try shared.keep(store, "mine")
    try store.messages.settle([MessageOutcome(number: numbers[0], id: "mine", state: .server)])
    try expire(RetentionRule())
    #expect(try bodies == ["eve"])
    try store.log.keep(shared.bob, true)
    try theirs("kept again", day: 3)
    try expire(RetentionRule())
    #expect(try bodies == ["eve", "kept again"])
  }

  @Test("A run that keeps nothing does not delete what others kept")
  func aRunThatKeepsNothingLeavesWhatOthersKept() throws {
    try theirs("before", day: 1)
    let other = shared.program()
    let start = try store.messages.end().seq
    try theirs("this run's", day: 2)
    _ = try other.messages.record(
      [
        ArrivedMessage(
          MessageArrived(id: nil, from: shared.bob, to: shared.account, kind: .chat, body: "another's"), archiveID: nil,
          hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1))
      ], archiveCursor: nil)
    try store.messages.present(
      [LogPlace(seq: try store.messages.end().seq, beginning: 0)], to: "screen")
    try expire(RetentionRule(number: start))
    #expect(try bodies == ["before", "another's"])
  }

  @Test("What one takes back oneself is removed when the server has the retraction, and not where that failed")
  func ownRetractions() throws {
    func settle(_ number: Int64, _ id: String, _ state: DeliveryState) throws {
      try store.messages.settle([MessageOutcome(number: number, id: id, state: state)])
    }
    func retract(_ id: String) throws -> Int64 {
      let retraction = OutgoingMessage(
        id: id, to: shared.bob, body: "", time: Timestamp(milliseconds: 2_000), relations: [.retracts("a")])
      return try #require(try store.messages.keep([OutboxRecord(retraction)], from: shared.account).first)
    }
    try settle(try #require(try shared.keep(store, "a").first), "a", .server)
    let rule = RetentionRule(removesRetracted: true)
    let failing = try retract("r1")
    try expire(rule)
    #expect(try bodies == ["body of a"])
    try settle(failing, "r1", .failed(reason: "gone"))
    try expire(rule)
    #expect(try bodies == ["body of a", ""])
    try settle(try retract("r2"), "r2", .server)
    try expire(rule)
    #expect(try bodies == ["", ""])
  }

  @Test("What several took back goes at once, with its corrections and what answers repeat of it")
  func severalRetractions() throws {
    func theirs(_ id: String, _ body: String, from sender: String, _ relations: [MessageRelation] = []) throws {
      let message = ArrivedMessage(
        MessageArrived(
          id: id, from: try JID(sender), to: shared.account, kind: .chat, body: body, relations: relations),
        archiveID: "\(sender)-\(id)", hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
      _ = try store.messages.record([message], archiveCursor: nil)
    }
    for sender in ["bob@example.org", "eve@example.org"] {
      try theirs("s1", "secret", from: sender)
      try theirs("s2", "corrected", from: sender, [.replaces("s1")])
      try theirs("s3", "other", from: sender)
      try theirs("s4", "answer", from: sender, [.replies(to: "s1", quote: "> secret")])
      try theirs("s5", "answer", from: sender, [.replies(to: "s3", quote: "> other")])
      try theirs("s6", "", from: sender, [.retracts("s2")])
    }
    let places = try store.messages.unpresented(to: "screen", after: nil, limit: 100).compactMap(\.place)
    try store.messages.present(places, to: "screen")
    #expect(try store.log.expire(RetentionRule(removesRetracted: true)) == 4)
    #expect(try store.log.expire(RetentionRule(removesRetracted: true)) == 0)
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    let left = try database.all("SELECT body || ' ' || ifnull(quote, '') FROM message WHERE body <> '' ORDER BY seq") {
      $0.text(0)
    }
    #expect(left == ["other ", "answer ", "answer => other", "other ", "answer ", "answer => other"])
  }

  @Test("The index is written anew for what was in it alone", arguments: [true, false])
  func whatWasNeverInTheIndex(isIndexed: Bool) throws {
    try theirs("kept", day: 1, from: "eve@example.org")
    while try store.log.extendIndex(isWaitedFor: true) > 0 {}
    while try store.log.purge() {}
    try store.log.keep(shared.bob, false)
    try theirs("secret", day: 2)
    if isIndexed { while try store.log.extendIndex(isWaitedFor: true) > 0 {} }
    #expect(try store.log.expire(RetentionRule()) == 1)
    #expect(try store.log.purge() == isIndexed)
  }

  @Test("Where the database is too large the oldest messages are deleted")
  func theOldestGoWhereTheDatabaseIsTooLarge() throws {
    for number in 0..<3_000 { try theirs("\(number) " + String(repeating: "x", count: 500), day: 1) }
    var removed = 0
    while case let count = try store.log.expire(RetentionRule(bytes: 1_500_000)), count > 0 {
      removed += count
      while try store.log.purge() {}
    }
    let left = try bodies
    #expect(removed > 500 && left.count == 3_000 - removed && !left.isEmpty)
    #expect(left.last?.hasPrefix("2999 ") == true)
    // It is enough then.
    #expect(try store.log.expire(RetentionRule(bytes: 1_500_000)) == 0)
  }
}
