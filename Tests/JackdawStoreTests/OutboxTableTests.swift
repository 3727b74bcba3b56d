// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// Ours on their way, many at once.
@Client @Suite struct OutboxTableTests {
  private let shared: SharedDatabase

  init() throws { shared = try SharedDatabase() }

  @Test("messages that are kept at once stand each in its place, also where the count or a stream begins")
  func places() throws {
    var first: AccountStore? = shared.program()
    let places: [StreamPlace?] = [
      StreamPlace(stream: "s", position: .max - 1), StreamPlace(stream: "s", position: .max),
      StreamPlace(stream: "s", position: 0), StreamPlace(stream: "t", position: 1), nil, nil,
      StreamPlace(stream: "t", position: 7),
    ]
    let records = places.enumerated().map { number, place in
      OutboxRecord(
        shared.ours("m\(number)"), state: number < 4 ? .sent : .waiting, place: place,
        archiveCursor: number == 1 ? nil : "cursor")
    }
    try first?.messages.keepArchiveCursor("stored", overlap: nil)
    let numbers = try #require(try first?.messages.keep(records, from: shared.account))
    #expect(numbers == numbers.indices.map { numbers[0] + Int64($0) })
    first = nil
    let left = try shared.program().messages.adopt().ours
    #expect(left.map(\.message.id) == ["m0", "m1", "m2", "m3", "m4", "m5", "m6"])
    #expect(left.map(\.place) == places)
    #expect(left.map(\.archiveCursor) == ["cursor", "stored", "cursor", "cursor", nil, nil, nil])
  }

  @Test("the fates of many messages are noted at once, each its own, and of no other")
  func fates() throws {
    let store = shared.program().messages
    let numbers = try shared.keep(shared.program(), "a", "b", "c", "d", "e", "f")
    func outcome(_ index: Int, _ id: String, _ state: DeliveryState) -> MessageOutcome {
      MessageOutcome(number: numbers[index], id: id, state: state)
    }
    try store.settle([
      outcome(0, "lost with another store", .server), outcome(1, "b", .server), outcome(2, "c", .server),
      outcome(3, "d", .failed(reason: "no")), outcome(4, "e", .server), outcome(5, "lost too", .server),
    ])
    #expect(try store.outbox().map(\.message.id) == ["a", "f"])
    #expect(try store.advance("b", with: shared.bob, to: .delivered)?.isNoted == true)
    try store.settle([outcome(1, "b", .server), outcome(2, "c", .server)])
    let table = try #require(store as? MessageTable)
    #expect(try states(table) == ["a waiting", "b delivered", "c server", "d failed no", "e server", "f waiting"])
  }

  @Test("how far a message is says the outbox, and its row in the log is not written anew when the server has it")
  func writtenOnce() throws {
    let store = shared.program().messages
    let table = try #require(store as? MessageTable)
    let numbers = try store.keep(
      [OutboxRecord(shared.ours("a")), OutboxRecord(shared.ours("b"), state: .sent)], from: shared.account)
    let kept = try rows(shared).map { $0.prefix(29) }
    #expect(try states(table) == ["a waiting", "b sent"])
    #expect(try store.advance("b", with: shared.bob, to: .delivered)?.isNoted == false)
    _ = try store.place([(numbers[0], "a", nil)], after: nil)
    #expect(try states(table) == ["a sent", "b sent"])
    try store.settle(zip(numbers, ["a", "b"]).map { MessageOutcome(number: $0, id: $1, state: .server) })
    #expect(try states(table) == ["a server", "b server"])
    #expect(try store.outbox().isEmpty)
    #expect(try rows(shared).map { $0.prefix(29) } == kept)
  }

  @Test("an earlier program that still runs removes nothing that waits: it asks the log whether it is open")
  func earlierProgram() throws {
    let store = shared.program().messages
    let numbers = try store.keep(
      [OutboxRecord(shared.ours("a"))] + (1...20).map { OutboxRecord(shared.ours("b\($0)")) }, from: shared.account)
    let table = try #require(store as? MessageTable)
    let settled = try table.database.perform { database throws(DatabaseError) in
      try database.all("SELECT stanza FROM message WHERE is_open = 0") { $0.text(0) }
    }
    #expect(numbers.count == 21 && settled.isEmpty)
  }

  @Test("what another program withdrew has arrived where the server says so")
  func withdrawnInVain() throws {
    let store = shared.program().messages
    let table = try #require(store as? MessageTable)
    let numbers = try shared.keep(shared.program(), "a")
    _ = try store.withdraw("a")
    #expect(try states(table).first?.hasPrefix("a failed") == true)
    #expect(try store.place([(numbers[0], "a", nil)], after: nil) == [numbers[0]])
    try store.settle([MessageOutcome(number: numbers[0], id: "a", state: .server)])
    #expect(try states(table) == ["a server"])
  }

  /// What the history says of each message.
  private func states(_ table: MessageTable) throws -> [String] {
    try table.database.perform { database throws(DatabaseError) in
      try database.all("SELECT stanza || ' ' || state || ifnull(' ' || error, '') FROM logged ORDER BY seq") {
        $0.text(0)
      }
    }
  }

  @Test(
    "messages that are kept together stand in the log as if each had been kept alone", arguments: [1, 15, 16, 17, 70])
  func together(count: Int) throws {
    let room = try JID("tea@rooms.example.org")
    let records = (0..<count).map { number in
      let isRooms = number % 5 == 3
      return OutboxRecord(
        OutgoingMessage(
          id: "m\(number)", to: isRooms ? room : shared.bob, addressing: isRooms ? .room : .person,
          body: number % 11 == 7 ? "" : "text \(number)", time: Timestamp(milliseconds: Int64(number) * 1_000),
          relations: number % 23 == 20 ? [.replaces("m\(number - 1)")] : [],
          subject: number % 29 == 25 ? "on \(number)" : nil),
        state: number < 50 ? .sent : .waiting, place: StreamPlace(stream: "s", position: UInt32(number)))
    }
    let alone = try SharedDatabase()
    let numbers = try shared.program().messages.keep(records, from: shared.account)
    let single = alone.program()
    let others = try records.flatMap { try single.messages.keep([$0], from: alone.account) }
    #expect(numbers == others && numbers.count == count)
    #expect(try rows(shared) == rows(alone))
  }

  @Test("messages of which one cannot be kept are kept not at all", arguments: [0, 13, 17])
  func allOrNothing(refused: Int) throws {
    let store = AccountStore(directory: shared.folder.path, account: shared.account, isOneShot: false) { _ in }
    _ = try store.messages.keep([OutboxRecord(shared.ours("first"))], from: shared.account)
    let database = try Database(path: shared.folder.path + "/" + DatabaseFile.name(for: shared.account))
    try database.run(
      """
      CREATE TRIGGER refused BEFORE INSERT ON message WHEN new.stanza = 'refused'
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    let records = (0..<20).map { OutboxRecord(shared.ours($0 == refused ? "refused" : "m\($0)")) }
    #expect(throws: (any Error).self) { try store.messages.keep(records, from: shared.account) }
    #expect(try rows(shared).count == 1)
  }

  /// All that the log and the outbox have of messages.
  private func rows(_ shared: SharedDatabase) throws -> [[String?]] {
    let database = try Database(path: shared.folder.path + "/" + DatabaseFile.name(for: shared.account))
    return try database.all("SELECT * FROM message LEFT JOIN outbox ON message = seq ORDER BY seq") { row in
      (0..<34).map { row.optionalText($0) }
    }
  }
}
