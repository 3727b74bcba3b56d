// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// The log before its beginning: what the archive has of earlier times, and what is imported.
@Client @Suite struct EarlierTableTests {
  /// 2026-11-01 12:00 UTC.
  private static let noon: Int64 = 1_793_534_400_000
  private let shared: SharedDatabase
  private let store: AccountStore

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
  }

  /// A message of the archive: its body is its id there.
  private func archived(
    _ id: String, at seconds: Int64, from sender: String = "bob@example.org", stanza: String? = nil,
    body: String? = nil,
    hasArchiveID: Bool = true
  ) throws -> ArrivedMessage {
    let from = try JID(sender)
    let isOurs = from == shared.account
    let event = MessageArrived(
      id: stanza, from: from, to: isOurs ? shared.bob : shared.account, kind: .chat, body: body ?? id,
      carbon: isOurs ? .sent : nil)
    return ArrivedMessage(
      event, archiveID: hasArchiveID ? id : nil, hasUniqueID: false, mayBeRepeated: true,
      time: Timestamp(milliseconds: Self.noon + seconds * 1_000), received: Timestamp(milliseconds: Self.noon))
  }

  @discardableResult private func record(_ messages: ArrivedMessage...) throws -> [MessageRecord] {
    try store.messages.record(messages, archiveCursor: nil)
  }

  @discardableResult private func keep(
    _ messages: [ArrivedMessage], of conversation: JID? = nil, isComplete: Bool = false
  ) throws -> Int {
    let walk = try store.earlier.walk(of: conversation)
    return try store.earlier.keep(
      messages, of: conversation, walk, before: messages.first?.archiveID, isComplete: isComplete)
  }

  private func log(_ query: LogQuery = LogQuery()) throws -> [LoggedMessage] {
    var messages: [LoggedMessage] = []
    var next: Int64?
    repeat {
      let page = try store.log.page(query, after: next)
      messages += page.messages
      next = page.next
    } while next != nil
    return messages
  }

  private var bodies: [String] { get throws { try log().map(\.event.body) } }

  private func index() throws { while try store.log.extendIndex(isWaitedFor: false) > 0 {} }

  // MARK: The archive

  @Test("Pages that are read backwards stand before the log, in order") func backwards() throws {
    try record(archived("live", at: 0))
    #expect(try keep([archived("c", at: -300), archived("d", at: -299), archived("e", at: -299)]) == 3)
    #expect(try keep([archived("a", at: -86_400), archived("b", at: -301)]) == 2)
    #expect(try bodies == ["a", "b", "c", "d", "e", "live"])
    #expect(try store.log.unread() == UnreadCount(messages: 1, conversations: 1))
    #expect(try store.messages.end().seq == 1)
    _ = try shared.keep(store, "next")
    #expect(try log().last?.number == 2)
  }

  @Test("A conversation that is read ahead of the others is sorted among them by time") func readAhead() throws {
    try record(archived("live", at: 0))
    try keep([archived("bob 1", at: -9_000), archived("bob 2", at: -1_000)], of: shared.bob)
    try keep([
      archived("eve 2", at: -5_000, from: "eve@example.org"), archived("bob 2", at: -1_000),
      archived("eve 3", at: -500, from: "eve@example.org"),
    ])
    try keep([archived("eve 1", at: -20_000, from: "eve@example.org"), archived("bob 1", at: -9_000)])
    #expect(try bodies == ["eve 1", "bob 1", "eve 2", "bob 2", "eve 3", "live"])
  }

  @Test("Many messages of one moment keep their order") func manyOfOneMomentKeepTheirOrder() throws {
    try record(archived("live", at: 0))
    let burst = try (0..<500).map { try archived("m\($0)", at: -60) }
    for start in stride(from: 400, through: 0, by: -100) { try keep(Array(burst[start..<start + 100])) }
    try keep([archived("before", at: -60)])
    #expect(try bodies == ["before"] + burst.map(\.event.body) + ["live"])
  }

  @Test(
    "A message with an impossible time does not change the order of the others",
    arguments: [Int64.min / 4, -62_135_596_800_000, 0, 253_402_300_799_000, Int64.max / 4])
  func aTimeThatCannotBeChangesNoPlace(milliseconds: Int64) throws {
    try record(archived("live", at: 0))
    var odd = try archived("odd", at: 0)
    odd.time = Timestamp(milliseconds: milliseconds)
    try keep([archived("a", at: -500), odd, archived("b", at: -400)])
    try keep([archived("first", at: -501)])
    #expect(try bodies == ["first", "a", "odd", "b", "live"])
  }

  @Test("A message that a command sent is sorted by time among those from the archive") func ofCommand() throws {
    let numbers = try shared.keep(store, "ours", "waiting")
    try store.messages.settle([MessageOutcome(number: numbers[0], id: "ours", state: .server)])
    try index()
    let ours = try archived("a2", at: 0, from: shared.account.description, stanza: "ours", body: "body of ours")
    #expect(try keep([archived("a1", at: -60), ours, archived("a3", at: 60)]) == 2)
    #expect(try bodies == ["a1", "body of ours", "a3", "body of waiting"])
    try index()
    let found = try store.log.page(LogQuery(words: SearchWords("ours")), before: nil).messages
    #expect(found.map(\.event.body) == ["body of ours"])
    // Its number is nobody else's.
    try record(archived("a4", at: 120))
    #expect(try log().map(\.number).max() == 3)
    #expect(try keep([archived("a1", at: -60), ours]) == 0)
  }

  @Test("A message that is in the log already is stored once") func whatIsThereIsKeptOnce() throws {
    try record(archived("x1", at: -50), archived("known", at: 0, stanza: "s1", hasArchiveID: false))
    let numbers = try shared.keep(store, "mine")
    let mine = try archived("x3", at: -40, from: "alice@example.org", stanza: "mine", body: "body of mine")
    let page = try [
      archived("x0", at: -60), archived("x1", at: -50), archived("x2", at: 0, stanza: "s1", body: "known"), mine,
    ]
    #expect(try keep(page) == 1)
    #expect(try keep(page) == 0)
    #expect(try bodies == ["x0", "x1", "known", "body of mine"])
    #expect(try store.log.message(try #require(numbers.first)) != nil)
  }

  @Test("A walk through the archive goes on where it was") func aWalkGoesOnWhereItWas() throws {
    #expect(try store.earlier.walk(of: nil) == ArchiveWalk())
    try keep([archived("b", at: -2), archived("c", at: -1)])
    let walk = try store.earlier.walk(of: nil)
    #expect(walk.archiveID == "b" && !walk.isComplete)
    // Another program, which began at the same place, comes second.
    #expect(
      try store.earlier.keep([archived("c", at: -1)], of: nil, ArchiveWalk(), before: "c", isComplete: false) == 0)
    #expect(try store.earlier.walk(of: nil) == walk)
    try keep([], isComplete: true)
    #expect(try store.earlier.walk(of: nil).isComplete)
    #expect(try store.earlier.walk(of: shared.bob).isComplete)
  }

  @Test("A conversation is read back from the oldest message in the log") func readBack() throws {
    try record(archived("eve", at: 0, from: "eve@example.org"), archived("b1", at: 0), archived("b2", at: 0))
    #expect(try store.earlier.walk(of: shared.bob).archiveID == "b1")
    try keep([archived("b0", at: -10)], of: shared.bob)
    #expect(try store.earlier.walk(of: shared.bob).archiveID == "b0")
  }

  @Test("A message that the user deleted does not come back from the archive") func deleted() throws {
    try record(archived("b9", at: 0), archived("e9", at: 0, from: "eve@example.org"))
    while try store.log.remove(shared.bob, before: nil) > 0 {}
    while try store.log.remove(nil, before: Timestamp(milliseconds: Self.noon - 100_000)) > 0 {}
    try keep([
      archived("e7", at: -200, from: "eve@example.org"), archived("e8", at: -50, from: "eve@example.org"),
      archived("b8", at: -10),
    ])
    #expect(try bodies == ["e8", "e9"])
  }

  /// A message of the archive that says something of earlier ones.
  private func archived(
    _ id: String, _ body: String, _ relations: MessageRelation..., from sender: String = "bob@example.org",
    at seconds: Int64
  ) throws -> ArrivedMessage {
    var message = try archived("\(id) \(seconds)", at: seconds, from: sender, stanza: id, body: body)
    message.event.relations = relations
    if sender.contains("/") { message.event.kind = .groupchat }
    return message
  }

  @Test("What corrects or retracts a correction by its own id is about the message, though it is read backwards")
  func ofCorrections() throws {
    try keep([
      archived("k9", "seven at last", .replaces("k8"), at: -50), archived("k10", "ten", at: -49),
      archived("k11", "ten again", .replaces("k10"), at: -48), archived("k12", "", .retracts("k11"), at: -47),
    ])
    try keep([archived("k7", "seven", at: -52), archived("k8", "seven again", .replaces("k7"), at: -51)])
    #expect(try bodies == ["seven", "ten"])
    #expect(try log().map(\.fate.correction) == ["seven at last", "ten again"])
    #expect(try log().map(\.fate.isRetracted) == [false, true])
    #expect(try store.log.expire(RetentionRule(removesRetracted: true)) == 2)
    #expect(try bodies == ["seven", ""])
  }

  @Test(
    "In a room a correction with the id of what somebody else said takes nothing of theirs with it",
    arguments: [true, false])
  func correctionsInRooms(isReadBackwards: Bool) throws {
    let (carol, mallory) = ("tea@rooms.example.org/carol", "tea@rooms.example.org/mallory")
    let messages = try [
      archived("m", "mallory's", from: mallory, at: -9), archived("a", "carol's", from: carol, at: -8),
      archived("a", "forged", .replaces("m"), from: mallory, at: -7),
      archived("r", "", .retracts("a"), from: carol, at: -6),
    ]
    if isReadBackwards {
      try keep(messages)
    } else {
      for message in messages { try record(message) }
    }
    #expect(try bodies == ["mallory's", "carol's"])
    #expect(try log().map(\.fate.isRetracted) == [false, true])
  }

  @Test("Earlier messages of strangers have no more room than new ones") func strangers() throws {
    let store = AccountStore(
      database: AccountDatabase(
        file: DatabaseFile(directory: shared.folder.path, account: shared.account),
        busyTimeout: StoreLimits.busyTimeout, warn: { _ in }), quota: StrangersQuota(messages: 10))
    try store.roster.replaceRoster(RosterSnapshot(version: "1", items: [RosterItem(jid: shared.bob)]))
    let spam = try (0..<100).map { try archived("spam\($0)", at: Int64($0) - 1_000, from: "eve@example.org") }
    let friends = try (0..<100).map { try archived("bob\($0)", at: Int64($0) - 500) }
    _ = try store.earlier.keep(spam + friends, of: nil, ArchiveWalk(), before: nil, isComplete: false)
    var query = LogQuery(limit: 1_000)
    #expect(try store.log.page(query, after: nil).messages.count <= 110)
    query.conversation = shared.bob
    #expect(try store.log.page(query, after: nil).messages.count == 100)
  }

  // MARK: Found again

  @Test("Earlier messages are found by words and by date") func whatIsEarlierIsFoundByWordsAndByDay() throws {
    try record(archived("live", at: 0))
    try index()
    try keep([archived("a", at: -86_400, body: "needle one"), archived("b", at: -300, body: "hay")])
    let words = try #require(SearchWords("needle"))
    let until = Timestamp(milliseconds: Self.noon - 3_600_000)
    // What is not in the index yet may be of any day.
    #expect(try log(LogQuery(until: until)).map(\.event.body) == ["needle one"])
    try index()
    try keep([archived("0", at: -90_000, body: "needle two")])
    try index()
    #expect(
      try store.log.page(LogQuery(words: words), before: nil).messages.map(\.event.body) == [
        "needle one", "needle two",
      ])
    #expect(try log(LogQuery(until: until)).map(\.event.body) == ["needle two", "needle one"])
    #expect(try log(LogQuery(since: until)).map(\.event.body) == ["hay", "live"])
  }

  @Test("An earlier message is deleted with its index") func whatIsEarlierIsDeletedWithItsIndex() throws {
    try record(archived("live", at: 0))
    try index()
    try keep([archived("a", at: -86_400, body: "needle one")])
    try index()
    try keep([archived("b", at: -90_000, body: "needle two")])
    while try store.log.remove(shared.bob, before: Timestamp(milliseconds: Self.noon - 1)) > 0 {}
    try index()
    #expect(try bodies == ["live"])
    let words = try #require(SearchWords("needle"))
    #expect(try store.log.page(LogQuery(words: words), before: nil).messages.isEmpty)
  }

  @Test("Earlier messages are neither displayed as new nor unread") func neverUnread() throws {
    try store.messages.open("screen", from: nil)
    try record(archived("live", at: 0))
    try keep([archived("a", at: -86_400)])
    #expect(try store.messages.unpresented(to: "screen", after: nil, limit: 10).map(\.body) == ["live"])
    #expect(try store.log.summary(of: shared.bob)?.unread == 1)
    try store.log.markRead(shared.bob, through: -5)
    #expect(try store.log.summary(of: shared.bob)?.unread == 1)
  }

  // MARK: Imports

  @Test("Messages that are imported twice are stored once") func whatIsImportedTwiceIsThereOnce() throws {
    try record(archived("live", at: 0, stanza: "s0"))
    try index()
    let messages = try [
      archived("", at: -200, body: "ok", hasArchiveID: false), archived("", at: -200, body: "ok", hasArchiveID: false),
      archived("", at: -100, stanza: "s1", body: "with an id", hasArchiveID: false),
      archived("", at: 1, body: "live", hasArchiveID: false),
    ]
    #expect(try store.earlier.keepImported(messages, before: nil).count == 3)
    try index()
    #expect(try store.earlier.keepImported(messages, before: nil).count == 0)
    #expect(try bodies == ["ok", "ok", "with an id", "live"])
  }

  @Test("An imported message is recognized when the archive gives it") func importedFirst() throws {
    try record(archived("live", at: 0))
    try index()
    _ = try store.earlier.keepImported([try archived("", at: -200, body: "text", hasArchiveID: false)], before: nil)
    try index()
    let page = try [
      archived("a1", at: -203, stanza: "s1", body: "text"), archived("a2", at: -150, stanza: "s2", body: "text"),
    ]
    #expect(try keep(page) == 1)
    #expect(try keep(page) == 0)
    #expect(try log().map(\.event.id) == ["s1", "s2", nil])
  }

  @Test("what was imported is no news when the archive gives it after the next log-in; what is only alike is")
  func importedBeforeItIsCaughtUpWith() throws {
    try record(archived("live", at: 0))
    let mine = try archived("", at: 300, from: "alice@example.org", stanza: "s3", body: "mine", hasArchiveID: false)
    let theirs = try archived("", at: 100, stanza: "s1", body: "with an id", hasArchiveID: false)
    _ = try store.earlier.keepImported(
      [theirs, archived("", at: 200, body: "ok", hasArchiveID: false), mine], before: nil)
    try index()
    var page = try [
      archived("a1", at: 103, stanza: "s1", body: "with an id"), archived("a2", at: 202, body: "ok"),
      archived("a3", at: 203, body: "ok"),
      archived("a4", at: 299, from: "alice@example.org", stanza: "s3", body: "mine"),
      archived("a5", at: 100, stanza: "s5", body: "with an id"),
    ]
    for index in page.indices { page[index].isFromArchive = true }
    #expect(try store.messages.record(page, archiveCursor: nil) == [.known, .known, .new(2), .known, .new(3)])
    #expect(try store.messages.record(page, archiveCursor: nil) == Array(repeating: .known, count: 5))
  }

  @Test("Imported messages newer than the log stand at its beginning, in order") func importedNewer() throws {
    try record(archived("live", at: 0))
    let messages = try (1...20).map {
      try archived("", at: Int64($0), stanza: "i\($0)", body: "\($0)", hasArchiveID: false)
    }
    let second = try store.earlier.keepImported(Array(messages[10...]), before: nil)
    #expect(second.count == 10)
    #expect(try store.earlier.keepImported(Array(messages[..<10]), before: second.first).count == 10)
    #expect(try bodies == (1...20).map(String.init) + ["live"])
  }

  @Test("Equal messages of one conversation are stored as often as they were sent") func equalMessages() throws {
    let messages = try (0..<60).map {
      try archived(
        "", at: Int64($0), from: $0 % 2 == 0 ? "bob@example.org" : "eve@example.org", body: "ok", hasArchiveID: false)
    }
    try index()
    let batch = try store.earlier.keepImported(messages, before: nil)
    #expect(batch.count == 60 && batch.conversations.count == 2)
    try index()
    #expect(try store.earlier.keepImported(messages, before: nil).count == 0)
    #expect(try log().count == 60)
  }

  @Test("Messages with the same ID and nearly the same time are one") func sameID() throws {
    _ = try store.earlier.keepImported(
      [try archived("", at: -200, stanza: "s1", body: "text", hasArchiveID: false)], before: nil)
    try index()
    let others = try [
      archived("", at: -201, stanza: "s1", body: "text", hasArchiveID: false),
      archived("", at: -199, stanza: "s2", body: "text", hasArchiveID: false),
    ]
    #expect(try store.earlier.keepImported(others, before: nil).count == 1)
    #expect(try Set(log().map(\.event.id)) == ["s1", "s2"])
  }

  @Test("A trial import leaves nothing") func anImportThatIsTriedLeavesNothing() throws {
    try record(archived("live", at: 0, stanza: "s0"))
    try index()
    let messages = try [
      archived("", at: -20, body: "a", hasArchiveID: false), archived("", at: 1, body: "live", hasArchiveID: false),
    ]
    let tried = try store.earlier.tryImport(messages)
    #expect(tried.count == 1 && tried.conversations == [shared.bob])
    #expect(try bodies == ["live"])
    #expect(try store.earlier.keepImported(messages, before: nil).count == 1)
  }

  @Test("Imported conversations with strangers are stored") func strangersThatAreImportedAreKept() throws {
    let store = AccountStore(
      database: AccountDatabase(
        file: DatabaseFile(directory: shared.folder.path, account: shared.account),
        busyTimeout: StoreLimits.busyTimeout, warn: { _ in }), quota: StrangersQuota(messages: 10))
    try store.roster.replaceRoster(RosterSnapshot(version: "1", items: [RosterItem(jid: shared.bob)]))
    let old = try (0..<50).map {
      try archived("", at: Int64($0) - 90_000_000, from: "eve@example.org", body: "old \($0)", hasArchiveID: false)
    }
    _ = try store.earlier.keepImported(old, before: nil)
    let spam = try (0..<20).map { try archived("spam\($0)", at: Int64($0) - 1_000, from: "mallory@example.org") }
    _ = try store.earlier.keep(spam, of: nil, ArchiveWalk(), before: nil, isComplete: false)
    let bodies = try store.log.page(LogQuery(limit: 1_000), after: nil).messages.map(\.event.body)
    #expect(bodies.filter { $0.hasPrefix("old") }.count == 50)
  }

  @Test("The delivery state of an imported message is stored, and nothing is sent again") func states() throws {
    var mine = try archived("", at: -10, from: "alice@example.org", stanza: "m1", body: "hi", hasArchiveID: false)
    mine.exportedState = .displayed
    _ = try store.earlier.keepImported([mine], before: nil)
    let kept = try #require(try log().first)
    #expect(kept.isOutgoing && kept.state == .displayed && kept.event.carbon == nil)
    #expect(try store.messages.outbox().isEmpty && store.messages.adopt().ours.isEmpty)
  }

  @Test("The first number in the SQL statements is the one in the program") func firstNumber() {
    #expect(MessageTable.firstPlace == -1_099_511_627_776)
  }
}
