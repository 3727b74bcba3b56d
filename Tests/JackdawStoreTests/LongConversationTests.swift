// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
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
    let bob = try shared.bob.with(resource: "phone")
    _ = try store.messages.record(
      (0..<Self.length).map { number in
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

  /// The processor's time that a page takes, in milliseconds.
  private func cost() throws -> Double {
    var least = Double.infinity
    for _ in 0..<3 {
      let start = Self.clock()
      _ = try page()
      least = min(least, Self.clock() - start)
    }
    return least
  }

  private static func clock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  @Test(
    "is read as fast where somebody has reacted in it: what is said of each message is not looked for in all of them")
  func reactions() throws {
    let plain = try cost()
    let reaction = MessageArrived(
      id: "r", from: try shared.bob.with(resource: "phone"), to: shared.account, kind: .chat, body: "",
      relations: [.reacts(to: "m3999", with: ["👍"])])
    _ = try store.messages.record([arrived(reaction, at: Self.length)], archiveCursor: nil)
    #expect(try page().first?.fate.reactions.map(\.with) == [["👍"]])
    // It was some hundred times as much.
    let annotated = try cost()
    #expect(annotated < plain * 10, "\(annotated) ms, without a reaction \(plain) ms")
  }

  @Test("is read whole by whoever asks for the largest number of messages that there is")
  func largestNumber() throws {
    #expect(try page(.max).count == Self.length)
  }
}
