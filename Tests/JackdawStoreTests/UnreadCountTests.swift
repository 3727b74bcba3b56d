// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// Which messages are unread until somebody has read them.
@Client @Suite("Unread messages") struct UnreadCountTests {
  private let shared: SharedDatabase
  private let store: AccountStore

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
  }

  private func arrived(
    _ id: String, _ body: String = "", _ relations: MessageRelation..., content kind: MessageContent.Kind? = nil
  ) -> ArrivedMessage {
    var payload: MessagePayload?
    if let kind {
      payload = MessagePayload()
      payload?.content = MessageContent(kind, items: ["urn:example:foo"])
    }
    let event = MessageArrived(
      id: id, from: shared.bob, to: shared.account, kind: .chat, body: body, relations: relations, payload: payload)
    return ArrivedMessage(
      event, archiveID: "archive-" + id, hasUniqueID: false, mayBeRepeated: false,
      time: Timestamp(milliseconds: 1_793_534_400_000))
  }

  @Test("are those that say something, calls, wishes for attention and invitations too")
  func counted() throws {
    let kinds: [MessageContent.Kind] = [
      .call, .attention, .invitation, .contacts, .place, .file, .sticker, .form,
    ]
    _ = try store.messages.record(
      [arrived("t", "text")] + kinds.map { arrived($0.rawValue, content: $0) }, archiveCursor: nil)
    #expect(try store.log.unread() == UnreadCount(messages: kinds.count + 1, conversations: 1))
    #expect(try store.log.activity(of: shared.bob)?.unread == kinds.count + 1)
  }

  @Test("are not those that say something of another one, nor what is not known, which is in the log all the same")
  func uncounted() throws {
    _ = try store.messages.record(
      [
        arrived("a", "text"), arrived("b", content: .unknown), arrived("c", "", .reacts(to: "a", with: ["👍"])),
        arrived("d", "other", .replaces("a")), arrived("e", "", .retracts("a")),
      ], archiveCursor: nil)
    let one = UnreadCount(messages: 1, conversations: 1)
    #expect(try store.log.unread() == one)
    #expect(try store.log.activity(of: shared.bob)?.unread == 1)
    #expect(try store.log.summary(of: shared.bob)?.unread == 1)
    let log = try store.log.page(LogQuery(), after: nil).messages
    #expect(log.map(\.event.id) == ["a", "b"] && log.map(\.isUnread) == [true, false])
    #expect(log[1].event.payload?.content?.items == ["urn:example:foo"] && log[1].event.relations == [])
    #expect(try store.log.page(LogQuery(isUnread: true), after: nil).messages.map(\.event.id) == ["a"])
    // With words of its own it is a message.
    _ = try store.messages.record([arrived("f", "words", content: .unknown)], archiveCursor: nil)
    #expect(try store.log.unread().messages == 2)
  }

  @Test("that wait for their place count, or do not, when they have it")
  func postponed() throws {
    try store.messages.postpone([arrived("a", content: .unknown), arrived("b", content: .call)])
    _ = try store.messages.record(try store.messages.postponed(limit: 10), archiveCursor: nil)
    #expect(try store.log.unread().messages == 1)
  }
}
