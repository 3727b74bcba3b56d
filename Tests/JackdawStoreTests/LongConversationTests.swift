// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// Conversations that go on for years.
@Client @Suite("A conversation of thousands of messages") struct LongConversationTests {
  private static let length = 4_000
  private let shared: SharedDatabase
  private let store: AccountStore

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
    try record(0..<Self.length)
  }

  private func record(_ numbers: Range<Int>) throws {
    let bob = try shared.bob.with(resource: "phone")
    _ = try store.messages.record(
      numbers.map { number in
        arrived(MessageArrived(id: "m\(number)", from: bob, to: shared.account, kind: .chat, body: "text"), at: number)
      }, archiveCursor: nil)
  }

  private func arrived(_ event: MessageArrived, at second: Int) -> ArrivedMessage {
    ArrivedMessage(
      event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false,
      time: Timestamp(milliseconds: Int64(second) * 1_000))
  }

  private func page(_ limit: Int = 200) throws -> [LoggedMessage] {
    try store.log.page(LogQuery(conversation: shared.bob, limit: limit), before: nil).messages
  }

  @Test(
    "is read as fast where somebody has reacted in it: what is said of each message is not looked for in all of them")
  func reactions() throws {
    let plain = try ProcessorTime.least { _ = try page() }
    let reaction = MessageArrived(
      id: "r", from: try shared.bob.with(resource: "phone"), to: shared.account, kind: .chat, body: "",
      relations: [.reacts(to: "m3999", with: ["👍"])])
    _ = try store.messages.record([arrived(reaction, at: Self.length)], archiveCursor: nil)
    #expect(try page().first?.fate.reactions.map(\.with) == [["👍"]])
    // It was some hundred times as much.
    let annotated = try ProcessorTime.least { _ = try page() }
    #expect(annotated < plain * 10, "\(annotated) ms, without a reaction \(plain) ms")
  }

  @Test("is counted, and has texts removed, as fast where many messages have one id, which is taken back as often")
  func oneID() throws {
    let plain = try ProcessorTime.least { _ = try page() }
    let (bob, count) = (try shared.bob.with(resource: "phone"), 1_500)
    func many(_ id: String?, _ body: String, _ relations: [MessageRelation]) throws -> [ArrivedMessage] {
      try (0..<count).map { number in
        // Any resource may take back what another one of the same person wrote.
        let from = try id == nil ? bob.with(resource: "r\(number)") : bob
        return arrived(
          MessageArrived(
            id: id ?? "r\(number)", from: from, to: shared.account, kind: .chat, body: body, relations: relations),
          at: Self.length + number)
      }
    }
    let (said, takenBack) = (try many("x", "text", []), try many(nil, "", [.retracts("x")]))
    _ = try store.messages.record(said + takenBack, archiveCursor: nil)
    var counts: [Int?] = []
    let counting = try ProcessorTime.least {
      counts = [try store.log.unread().messages, try store.log.activity(of: shared.bob)?.unread]
    }
    #expect(counts == [Self.length + count, Self.length + count])
    // It was some hundred times as much.
    #expect(counting < plain * 10, "\(counting) ms, a page \(plain) ms")
    #expect(try page(1).first?.fate.isRetracted == true)
    // Nothing is removed that nobody was shown.
    let places = try store.messages.unpresented(to: "screen", after: nil, limit: 2 * Self.length).compactMap(\.place)
    try store.messages.present(places, to: "screen")
    let rule = RetentionRule(removesRetracted: true)
    while try store.log.expire(rule) > 0 {}
    let removing = try ProcessorTime.least { _ = try store.log.expire(rule) }
    #expect(removing < plain * 10, "\(removing) ms, a page \(plain) ms")
    #expect(try store.log.unread().messages == Self.length)
  }

  @Test("is not gone through for what is not to be kept, while all conversations are")
  func keptConversations() throws {
    try record(Self.length..<4 * Self.length)
    let empty = try SharedDatabase()
    let other = empty.program()
    let least = try ProcessorTime.least { _ = try other.log.expire(RetentionRule()) }
    let long = try ProcessorTime.least { _ = try store.log.expire(RetentionRule()) }
    // It was some twenty times as much.
    #expect(long < least * 8, "\(long) ms, with an empty log \(least) ms")
  }

  @Test("is read whole by whoever asks for the largest number of messages that there is")
  func largestNumber() throws {
    #expect(try page(.max).count == Self.length)
  }
}
