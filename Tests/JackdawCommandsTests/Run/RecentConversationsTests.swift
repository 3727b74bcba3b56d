// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("The recent conversations")
struct RecentConversationsTests {
  private func jid(_ name: String) throws -> JID { try JID(name + "@example.org") }

  private func activity(
    _ name: String, _ last: Int64, unread: Int = 0, isAnswered: Bool = true
  ) throws -> ConversationActivity {
    ConversationActivity(conversation: try jid(name), last: last, unread: unread, isAnswered: isAnswered)
  }

  private func names(_ jids: [JID]) -> [String] { jids.compactMap { $0.localpart.map { "\($0)" } } }

  private func numbered(_ recent: RecentConversations) -> [String] {
    (1...9).map { recent[$0].flatMap { $0.localpart.map { "\($0)" } } ?? "-" }
  }

  private func load(_ activities: [ConversationActivity]) -> RecentConversations {
    var recent = RecentConversations()
    recent.load(activities) { _ in false }
    return recent
  }

  @Test("are numbered newest first, and keep their numbers while others write")
  func numbers() throws {
    var recent = load([try activity("a", 1), try activity("b", 3), try activity("c", 2)])
    #expect(numbered(recent) == ["b", "c", "a"] + Array(repeating: "-", count: 6))
    recent.update([try activity("a", 9)]) { _ in false }
    #expect(numbered(recent).prefix(3) == ["b", "c", "a"])
    #expect(names(recent.order) == ["a", "b", "c"])
    recent.update([try activity("d", 10)]) { _ in false }
    #expect(numbered(recent).prefix(4) == ["b", "c", "a", "d"])
    #expect(recent[0] == nil && recent[10] == nil)
  }

  @Test("beyond nine take the number of the one that is no longer among the nine")
  func tenth() throws {
    let all = try (1...9).map { try activity("p\($0)", Int64(100 - $0)) }
    var recent = load(all)
    recent.opened(try jid("new")) { _ in false }
    #expect(numbered(recent) == ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "new"])
    // The one without a number is back, and the one that is oldest by now goes.
    recent.update([try activity("p9", 200)]) { _ in false }
    #expect(numbered(recent) == ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p9", "new"])
  }

  @Test("with strangers have no number until they are answered or opened, so that nobody takes a key away by writing")
  func strangers() throws {
    var recent = load([try activity("eve", 9, unread: 1, isAnswered: false), try activity("bob", 1)])
    #expect(numbered(recent).prefix(2) == ["bob", "-"])
    #expect(try !recent.isWellKnown(jid("eve")) && recent.isWellKnown(jid("bob")))
    #expect(names(recent.unread(besides: nil).map(\.conversation)) == ["eve"])
    recent.update([try activity("carol", 10, isAnswered: false)]) { $0.localpart.map { "\($0)" } == "carol" }
    #expect(numbered(recent).prefix(3) == ["bob", "carol", "-"])
    recent.opened(try jid("eve")) { $0.localpart.map { "\($0)" } == "carol" }
    #expect(numbered(recent).prefix(3) == ["bob", "carol", "eve"])
    #expect(names(recent.order) == ["eve", "carol", "bob"])
  }

  @Test("with unread messages come newest first, without the open one, and are counted")
  func unread() throws {
    var recent = load([
      try activity("a", 1, unread: 5), try activity("b", 3, unread: 1), try activity("c", 2),
      try activity("d", 7, unread: 2),
    ])
    #expect(try recent.unread == 8 && recent.unread(in: jid("a")) == 5)
    #expect(names(recent.unread(besides: try jid("b")).map(\.conversation)) == ["d", "a"])
    recent.update([try activity("d", 7)]) { _ in false }
    #expect(recent.unread == 6 && names(recent.unread(besides: nil).map(\.conversation)) == ["b", "a"])
    // That it was opened changes nothing of the order in which they came.
    recent.opened(try jid("a")) { _ in false }
    #expect(names(recent.unread(besides: nil).map(\.conversation)) == ["b", "a"])
  }

  @Test("that were deleted are gone, but for those that were opened")
  func deleted() throws {
    var recent = load([try activity("a", 1, unread: 5), try activity("b", 3, unread: 1)])
    recent.opened(try jid("a")) { _ in false }
    recent.load([]) { _ in false }
    #expect(recent.unread == 0 && names(recent.order) == ["a"])
  }

  @Test("are listed by their numbers, then the others")
  func list() throws {
    let recent = load([
      try activity("a", 1), try activity("b", 3), try activity("s", 9, unread: 1, isAnswered: false),
    ])
    #expect(names(recent.list.map(\.conversation)) == ["b", "a", "s"])
    #expect(recent.list.map(\.number) == [1, 2, nil])
  }
}
