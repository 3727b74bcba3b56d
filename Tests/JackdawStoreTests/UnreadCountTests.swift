// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
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

  @Test("are not calls that another device has answered, wherever they wait, and nobody else's")
  func answeredCalls() throws {
    func call(_ id: String, from person: String = "bob@example.org/x") throws -> ArrivedMessage {
      var content = MessageContent(.call)
      content.id = id
      var payload = MessagePayload()
      payload.content = content
      let event = MessageArrived(
        id: id, from: try JID(person), to: shared.account, kind: .chat, body: "", payload: payload)
      return ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false,
        time: Timestamp(milliseconds: 1_793_534_400_000))
    }
    _ = try store.messages.record(
      [call("c'1"), call("c2"), call("c'1", from: "carol@example.org/x"), arrived("t", "c'1")], archiveCursor: nil)
    #expect(try store.readMarks.callWasAnswered("c'1", of: shared.bob))
    #expect(
      try !store.readMarks.callWasAnswered("c'1", of: shared.bob)
        && !store.readMarks.callWasAnswered("c9", of: shared.bob))
    #expect(try store.log.unread() == UnreadCount(messages: 3, conversations: 2))
    // One that waits for what came before it stays so when it has its place.
    try store.messages.postpone([call("c3")])
    #expect(try store.readMarks.callWasAnswered("c3", of: shared.bob))
    _ = try store.messages.record(store.messages.postponed(limit: 10), archiveCursor: nil)
    #expect(try store.log.unread() == UnreadCount(messages: 3, conversations: 2))
    #expect(try store.log.page(LogQuery(conversation: shared.bob), after: nil).messages.count == 4)
  }

  @Test("are not those that were taken back and have no text any more, in any list") func emptied() throws {
    _ = try store.messages.record(
      [
        arrived("a", "secret"), arrived("b", "wrong", .replaces("a")), arrived("c", "news"),
        arrived("d", "", .retracts("a")),
      ],
      archiveCursor: nil)
    #expect(try store.log.unread().messages == 2)
    let places = try store.messages.unpresented(to: "screen", after: nil, limit: 10).compactMap(\.place)
    try store.messages.present(places, to: "screen")
    while try store.log.expire(RetentionRule(removesRetracted: true)) > 0 {}
    let unread = try store.log.page(LogQuery(conversation: shared.bob, isUnread: true), after: nil).messages
    #expect(unread.map(\.event.id) == ["c"])
    #expect(try store.log.unread() == UnreadCount(messages: 1, conversations: 1))
    #expect(try store.log.summary(of: shared.bob)?.unread == 1)
    #expect(try store.log.activity(of: shared.bob)?.unread == 1)
    // Taken back twice, it is one.
    _ = try store.messages.record([arrived("e", "", .retracts("a"))], archiveCursor: nil)
    #expect(try store.log.unread().messages == 1)
    #expect(try store.log.activity(of: shared.bob)?.unread == 1)
    try store.log.markRead(shared.bob, through: try #require(unread.first).number)
    #expect(try store.log.unread().messages == 0)
  }
}
