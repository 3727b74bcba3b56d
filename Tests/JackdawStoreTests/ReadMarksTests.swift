// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// Up to where the account's devices have read, as the database has it.
@Client @Suite("Read marks") struct ReadMarksTests {
  private let shared: SharedDatabase
  private let store: AccountStore
  private let eve: JID
  private var marks: any ReadMarkStore { store.readMarks }

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
    eve = try JID("eve@example.org")
  }

  /// Keeps messages, a second apart; the body of each is its id in the archive.
  /// - Returns: their numbers.
  @discardableResult private func keep(
    _ ids: String..., with peer: JID? = nil, isOutgoing: Bool = false, kind: Message.Kind = .chat, hasID: Bool = true
  ) throws -> [Int64] {
    let peer = peer ?? shared.bob
    let records = try store.messages.record(
      ids.map { id in
        ArrivedMessage(
          MessageArrived(
            id: id, from: isOutgoing ? shared.account : peer, to: isOutgoing ? peer : shared.account, kind: kind,
            body: id, carbon: isOutgoing ? .sent : nil),
          archiveID: hasID ? id : nil, hasUniqueID: true, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
      }, archiveCursor: nil)
    return records.compactMap { if case .new(let place) = $0 { place.seq } else { nil } }
  }

  private func mark(_ id: String, in conversation: JID? = nil) -> DisplayedMark {
    DisplayedMark(conversation: conversation ?? shared.bob, archiveID: id)
  }

  private func unread() throws -> Int { try store.log.unread().messages }
  private func unpublished() throws -> [String] { try marks.unpublished(limit: 100).map(\.mark.archiveID) }

  @Test("of another device are read up to, forwards only, and not published again")
  func applying() throws {
    try keep("a", "b", "c")
    #expect(try marks.apply([mark("b")], isUpToDate: true) == [])
    #expect(try unread() == 1)
    #expect(try marks.apply([mark("a")], isUpToDate: true) == [])
    #expect(try unread() == 1)
    #expect(try unpublished() == [])
    #expect(try marks.apply([mark("b"), mark("c")], isUpToDate: true) == [])
    #expect(try unread() == 0)
    #expect(try unpublished() == [])
  }

  @Test("count in the conversation of their message alone")
  func otherConversation() throws {
    try keep("a")
    try keep("x", with: eve)
    #expect(try marks.apply([mark("x"), mark("a", in: eve)], isUpToDate: true) == [shared.bob, eve])
    #expect(try unread() == 2)
  }

  @Test("whose message is not here wait for it, in the next program too")
  func pending() throws {
    try keep("a")
    #expect(try marks.apply([mark("b")], isUpToDate: false) == [shared.bob])
    #expect(try unread() == 1)
    let next = shared.program()
    try keep("b", "c")
    #expect(try next.readMarks.applyPending(isUpToDate: true) == [])
    #expect(try unread() == 1, "c came after it")
    #expect(try unpublished() == [])
  }

  @Test("that wait are bounded, and the oldest go first")
  func bounded() throws {
    let many = try (0..<StoreLimits.pendingMarks + 10).map {
      DisplayedMark(conversation: try JID("user\($0)@example.org"), archiveID: "\($0)")
    }
    let left = try marks.apply(many, isUpToDate: false)
    #expect(left.count == StoreLimits.pendingMarks)
    #expect(try !left.contains(JID("user9@example.org")) && left.contains(JID("user10@example.org")))
  }

  @Test("of this device are to be published once: the last of theirs with an id, as far as it was read")
  func publishing() throws {
    let numbers = try keep("a", "b", "c")
    try keep("ours", isOutgoing: true)
    let unnamed = try keep("unnamed", hasID: false)
    try keep("x", with: eve, kind: .headline)
    #expect(try unpublished() == [])
    try store.log.markRead(shared.bob, through: numbers[1])
    #expect(try unpublished() == ["b"])
    try store.log.markRead(shared.bob, through: unnamed[0])
    try store.log.markRead(eve, through: unnamed[0] + 1)
    let all = try marks.unpublished(limit: 100)
    #expect(all == [UnpublishedMark(mark("c"), number: unnamed[0])])
    #expect(try marks.unpublished(limit: 0) == [])
    try marks.wasPublished(all[0])
    #expect(try shared.program().readMarks.unpublished(limit: 100) == [])
    try store.log.markRead(shared.bob, through: numbers[0])
    #expect(try unpublished() == [])
  }

  @Test("are not published before what another device has read that is not here")
  func neverBackwards() throws {
    let first = try keep("a")
    try store.log.markRead(shared.bob, through: first[0])
    #expect(try unpublished() == ["a"])
    #expect(try marks.apply([mark("z")], isUpToDate: false) == [shared.bob])
    #expect(try unpublished() == [])
    // All is here that came before it, and it is not among that: it has no text, or was deleted.
    #expect(try marks.applyPending(isUpToDate: true) == [shared.bob])
    #expect(try unpublished() == [])
    let later = try keep("b")
    try store.log.markRead(shared.bob, through: later[0])
    #expect(try unpublished() == ["b"])
  }

  @Test("of messages before the log's beginning change nothing")
  func beforeTheBeginning() throws {
    try keep("a")
    let old = ArrivedMessage(
      MessageArrived(id: "o", from: shared.bob, to: shared.account, kind: .chat, body: "old"), archiveID: "o",
      hasUniqueID: true, mayBeRepeated: false, time: Timestamp(milliseconds: 1))
    _ = try store.earlier.keep([old], of: nil, ArchiveWalk(), before: "o", isComplete: true)
    #expect(try marks.apply([mark("o")], isUpToDate: true) == [])
    #expect(try unread() == 1)
  }

  @Test("are told to whoever publishes them, where something changed by this program's user")
  func telling() throws {
    var count = 0
    marks.whenMarked { count += 1 }
    let numbers = try keep("a", "b")
    try store.log.markRead(shared.bob, through: numbers[0])
    try store.log.markRead(shared.bob, through: numbers[0])
    _ = try marks.apply([mark("b")], isUpToDate: true)
    #expect(count == 1)
  }

  @Test("that wait leave no trace of a conversation that is deleted")
  func deleting() throws {
    _ = try marks.apply([mark("b"), mark("x", in: eve)], isUpToDate: true)
    _ = try store.log.remove(shared.bob, before: nil)
    #expect(try marks.applyPending(isUpToDate: true) == [eve])
    _ = try store.log.remove(nil, before: nil)
    #expect(try marks.applyPending(isUpToDate: true) == [])
  }

  @Test("of a room wait until the log has what was said there, whatever it has of people")
  func rooms() throws {
    let room = try JID("tea@rooms.example.org")
    func id(_ name: String) -> String { StanzaID.stored(name, in: room) }
    try keep(id("a"), with: room, kind: .groupchat)
    #expect(try marks.apply([mark(id("b"), in: room)], isUpToDate: true) == [room])
    let number = try #require(try store.log.summary(of: room)?.last.number)
    try store.log.markRead(room, through: number)
    #expect(try unpublished() == [], "it may stand before what another device has read")
    try keep(id("b"), id("c"), with: room, kind: .groupchat)
    #expect(try marks.applyPending(isUpToDate: true) == [])
    #expect(try unread() == 1)
    try store.log.markRead(room, through: 100)
    #expect(try unpublished() == [id("c")])
  }

  @Test("of a room whose message never comes keep nothing back once all was read there")
  func roomsWithGaps() throws {
    let room = try JID("tea@rooms.example.org")
    #expect(try marks.apply([mark(StanzaID.stored("lost", in: room), in: room)], isUpToDate: true) == [room])
    try keep(StanzaID.stored("a", in: room), with: room, kind: .groupchat)
    #expect(try marks.applyPending(upToDate: room) == [room])
    try keep(StanzaID.stored("b", in: room), with: room, kind: .groupchat)
    try store.log.markRead(room, through: 100)
    #expect(try unpublished() == [StanzaID.stored("b", in: room)])
  }

  /// What was imported, or read backwards from the archive, stands before all numbers that they may have seen.
  @Test(
    "of what stands before the log's beginning they have seen nothing that nobody said they had",
    arguments: [false, true])
  func seenBeforeTheBeginning(haveSeenLater: Bool) throws {
    let states: [DeliveryState] = [.server, .delivered, .displayed]
    let messages = states.enumerated().map { number, state in
      var message = ArrivedMessage(
        MessageArrived(
          id: "i\(number)", from: shared.account, to: shared.bob, kind: .chat, body: state.name, carbon: .sent),
        archiveID: nil, hasUniqueID: false, mayBeRepeated: true, time: Timestamp(milliseconds: Int64(number)))
      message.exportedState = state
      return message
    }
    _ = try store.earlier.keepImported(messages, before: nil)
    if haveSeenLater {
      let numbers = try shared.keep(store, "later")
      try store.messages.settle([MessageOutcome(number: numbers[0], id: "later", state: .server)])
      #expect(try store.messages.advance("later", with: shared.bob, to: .displayed)?.to == shared.bob)
    }
    let wanted: [DeliveryState?] = haveSeenLater ? Array(repeating: .displayed, count: 4) : states
    let page = try store.log.page(LogQuery(), after: nil).messages
    #expect(page.map(\.state) == wanted)
    #expect(try page.map { try store.log.message($0.number)?.state } == wanted)
    #expect(try store.log.summary(of: shared.bob)?.last.state == wanted.last)
  }
}
