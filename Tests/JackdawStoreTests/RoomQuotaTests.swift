// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// How much of the log what others say in rooms may take.
@Client @Suite struct RoomQuotaTests {
  private let store: AccountStore
  private let tea: JID
  private let me: JID

  init() throws {
    store = AccountStore(
      database: AccountDatabase(file: nil, busyTimeout: StoreLimits.busyTimeout) { _ in }, roomQuota: 8_000)
    (tea, me) = (try JID("tea@rooms.example.org"), try JID("alice@example.org"))
    try store.messages.open("screen", from: nil)
  }

  /// A hundred bytes that somebody said, of whatever kind.
  private func say(
    _ number: Int, by sender: String? = nil, kind: Message.Kind = .groupchat, isOurs: Bool = false
  ) throws {
    let from = try sender.map { try JID($0) } ?? tea.with(resource: "bob")
    let body = "\(number) ".padding(to: 100)
    _ = try store.messages.record(
      [
        ArrivedMessage(
          MessageArrived(
            id: "m\(number)", from: isOurs ? me : from, to: isOurs ? tea : me, kind: kind, body: body,
            carbon: isOurs ? .sent : nil), archiveID: "a\(number)", hasUniqueID: true, mayBeRepeated: false,
          time: Timestamp(milliseconds: Int64(number) * 1_000))
      ], archiveCursor: nil)
  }

  private func expire() throws -> Int {
    var count = 0
    while case let removed = try store.log.expire(RetentionRule()), removed > 0 { count += removed }
    return count
  }

  private var numbers: [Int] {
    get throws {
      try store.log.page(LogQuery(limit: 10_000), after: nil).messages.compactMap {
        $0.event.body.split(separator: " ").first.flatMap { Int($0) }
      }
    }
  }

  @Test("A room beyond its quota loses the oldest messages, displayed or not")
  func theOldestGoWhenThereIsNoRoomShownOrNot() throws {
    for number in 0..<80 { try say(number) }
    #expect(try expire() == 0)
    try say(80)
    #expect(try expire() == 11)
    #expect(try numbers == Array(11...80))
    for number in 81...90 { try say(number) }
    #expect(try expire() == 0)
    try say(91)
    #expect(try expire() == 11)
  }

  @Test("The user's messages and those of people do not count against the quota of rooms")
  func whatTheUserSaidAndWhatPeopleSayTakesNoRoomOfIt() throws {
    for number in 0..<100 { try say(number, by: "bob@example.org/x", kind: .chat) }
    for number in 100..<200 { try say(number, isOurs: true) }
    for number in 200..<282 { try say(number) }
    #expect(try expire() == 12)
    #expect(try numbers == Array(0..<200) + Array(212..<282))
  }

  @Test("Messages that the user deleted do not count") func whatTheUserRemovedIsNotCounted() throws {
    for number in 0..<80 { try say(number) }
    #expect(try expire() == 0)
    #expect(try store.log.remove(tea, before: Timestamp(milliseconds: 40_000)) > 0)
    for number in 80..<110 { try say(number) }
    #expect(try expire() == 0)
    #expect(try numbers.count == 70)
  }

  /// Else a room of few words and long ids could fill the disk.
  @Test("Payloads count beside the text") func whatIsLongBesideTheTextIsCounted() throws {
    for number in 0..<10 {
      let event = MessageArrived(
        id: "\(number)" + String(repeating: "i", count: 999), from: try tea.with(resource: "bob"), to: me,
        kind: .groupchat, body: "\(number) ")
      let message = ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 0))
      _ = try store.messages.record([message], archiveCursor: nil)
    }
    // Some 1,540 bytes each: four have room in seven eighths of 8,000.
    #expect(try expire() == 6)
  }

  @Test("Messages without a text count too") func whatHasNoTextIsCountedToo() throws {
    for number in 0..<200 {
      let event = MessageArrived(
        id: "r\(number)", from: try tea.with(resource: "bob\(number)"), to: me, kind: .groupchat, body: "",
        relations: [.reacts(to: "m1", with: ["👍"])])
      let message = ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 0))
      _ = try store.messages.record([message], archiveCursor: nil)
    }
    #expect(try expire() == 91)
  }

  @Test("Messages from before the quota count") func whatIsThereAlreadyIsCounted() throws {
    for number in 0..<200 { try say(number) }
    #expect(try expire() == 130)
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String { self + String(repeating: "x", count: count - self.count) }
}
