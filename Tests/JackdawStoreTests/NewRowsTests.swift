// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// Messages that are kept several at once.
@Client @Suite("Messages that come together") struct NewRowsTests {
  /// What is kept of strangers is not old.
  private let now = Int64(Glibc.time(nil)) * 1_000

  /// One of few people, ids and texts, so that many are alike in one thing or the other.
  private func message(_ random: inout SplitMix, number: Int, in shared: SharedDatabase) throws -> ArrivedMessage {
    let people = ["bob@example.org/x", "bob@example.org/y", "mallory@example.org/x", "carol@example.org"]
    let own = try shared.account.with(resource: "here")
    let isOurs = Int.random(in: 0..<8, using: &random) == 0
    // Who is a stranger is asked once for all that come together.
    let other = try JID(isOurs ? "carol@example.org" : people.randomElement(using: &random) ?? "")
    let isRooms = Int.random(in: 0..<8, using: &random) == 0
    let id: String? = Int.random(in: 0..<4, using: &random) == 0 ? nil : "m\(Int.random(in: 0..<30, using: &random))"
    let archive: String? = Bool.random(using: &random) ? nil : "a\(Int.random(in: 0..<60, using: &random))"
    var relations: [MessageRelation] = []
    switch Int.random(in: 0..<12, using: &random) {
    case 0: relations = [.replaces("m\(Int.random(in: 0..<30, using: &random))")]
    case 1: relations = [.retracts("m\(Int.random(in: 0..<30, using: &random))")]
    case 2: relations = [.replies(to: "m\(Int.random(in: 0..<30, using: &random))", quote: "what")]
    default: break
    }
    var payload: MessagePayload?
    if Int.random(in: 0..<6, using: &random) == 0 {
      var some = MessagePayload()
      some.subject = "on \(number)"
      payload = some
    }
    let body = String(repeating: "text ", count: Int.random(in: 0..<4, using: &random))
    let event = MessageArrived(
      id: id, from: isOurs ? own : other, to: isOurs ? other : own, kind: isRooms ? .groupchat : .chat, body: body,
      carbon: isOurs ? .sent : nil, relations: relations, payload: payload)
    var message = ArrivedMessage(
      event, archiveID: archive, hasUniqueID: id != nil && Bool.random(using: &random),
      mayBeRepeated: Bool.random(using: &random), time: Timestamp(milliseconds: now + Int64(number / 3) * 1_000),
      received: Timestamp(milliseconds: now + Int64(number) * 1_000))
    message.isFromArchive = archive != nil && Int.random(in: 0..<4, using: &random) == 0
    return message
  }

  private func rows(_ shared: SharedDatabase, _ columns: Int32 = 29) throws -> [[String?]] {
    let database = try Database(path: shared.folder.path + "/" + DatabaseFile.name(for: shared.account))
    return try database.all("SELECT * FROM message ORDER BY seq") { row in
      (0..<columns).map { row.optionalText($0) }
    }
  }

  @Test("stand in the log as if each had come alone", arguments: 0..<12 as Range<UInt64>)
  func asEachAlone(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let (together, alone) = (try SharedDatabase(), try SharedDatabase())
    let (one, other) = (together.program(), alone.program())
    for store in [one, other] {
      let list = [RosterItem(jid: try JID("carol@example.org"))]
      try store.roster.replaceRoster(RosterSnapshot(version: "1", items: list))
    }
    for round in 0..<6 {
      let count = Int.random(in: 1..<60, using: &random)
      let messages = try (0..<count).map { try message(&random, number: round * 60 + $0, in: together) }
      let records = try one.messages.record(messages, archiveCursor: nil)
      let single = try messages.map { try other.messages.record([$0], archiveCursor: nil)[0] }
      #expect(records == single)
    }
    let kept = try rows(together)
    #expect(kept.count > 30)
    #expect(try kept == rows(alone))
  }

  @Test("stand there so, too, where none comes between them that has to be written by itself")
  func asEachAloneWithoutBreak() throws {
    var random = SplitMix(seed: 5)
    let (together, alone) = (try SharedDatabase(), try SharedDatabase())
    var messages = try (0..<400).map { try message(&random, number: $0, in: together) }.filter(NewRows.takes)
    for index in messages.indices {
      if messages[index].event.id != nil { messages[index].event.id = "p\(index)" }
      if messages[index].archiveID != nil { messages[index].archiveID = "q\(index)" }
    }
    let records = try together.program().messages.record(messages, archiveCursor: nil)
    let store = alone.program().messages
    #expect(try records == messages.map { try store.record([$0], archiveCursor: nil)[0] })
    let kept = try rows(together)
    #expect(kept.count == messages.count && kept.count > 100)
    #expect(try kept == rows(alone))
  }

  @Test("wait for their place as if each had come alone")
  func waiting() throws {
    var random = SplitMix(seed: 7)
    let (together, alone) = (try SharedDatabase(), try SharedDatabase())
    let (one, other) = (together.program(), alone.program())
    let messages = try (0..<45).map { try message(&random, number: $0, in: together) }
    try one.messages.postpone(messages)
    for message in messages { try other.messages.postpone([message]) }
    #expect(try rows(together).count == 45)
    #expect(try rows(together) == rows(alone))
    #expect(try one.messages.postponed(limit: 100) == other.messages.postponed(limit: 100))
    // And get it so: which of them are the same is asked once more.
    let waiting = try one.messages.postponed(limit: 100)
    let records = try one.messages.record(waiting, archiveCursor: nil)
    #expect(try records == waiting.map { try other.messages.record([$0], archiveCursor: nil)[0] })
    #expect(try one.messages.postponed(limit: 100).isEmpty && rows(together) == rows(alone))
  }

  @Test("are read in the order of their places, however many at once")
  func waitingInParts() throws {
    var random = SplitMix(seed: 11)
    let shared = try SharedDatabase()
    let store = shared.program().messages
    let messages = try (0..<45).map { try message(&random, number: $0, in: shared) }
    try store.postpone(Array(messages[..<15]))
    let start = try store.postpone(Array(messages[15...]))
    let all = try store.postponed(heldFrom: start, limit: 100)
    let saidNow = all.filter { $0.postponed.map { $0 >= start ?? $0 } == true && !$0.mayBeRepeated }
    #expect(!saidNow.isEmpty && saidNow.count < 30 && all.suffix(saidNow.count).elementsEqual(saidNow))
    for limit in [1, 7, 45 - saidNow.count, 46 - saidNow.count, 44, 45] {
      #expect(try store.postponed(heldFrom: start, limit: limit) == Array(all.prefix(limit)))
    }
  }

  @Test("of which one cannot be kept are kept not at all")
  func allOrNothing() throws {
    let shared = try SharedDatabase()
    let store = AccountStore(directory: shared.folder.path, account: shared.account, isOneShot: false) { _ in }
    _ = try shared.keep(store, "a")
    let database = try Database(path: shared.folder.path + "/" + DatabaseFile.name(for: shared.account))
    try database.run(
      """
      CREATE TRIGGER refused BEFORE INSERT ON message WHEN new.body = 'refused'
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    let messages = (0..<20).map { number in
      ArrivedMessage(
        MessageArrived(
          id: nil, from: shared.bob, to: shared.account, kind: .chat, body: number == 13 ? "refused" : "hi"),
        archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
    }
    #expect(throws: (any Error).self) { try store.messages.record(messages, archiveCursor: nil) }
    #expect(try rows(shared).count == 1)
  }
}
