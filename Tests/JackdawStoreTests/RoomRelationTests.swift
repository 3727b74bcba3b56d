// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// Whose is what the log has of rooms, and of those who are talked to privately there.
@Client @Suite("What was said in rooms, read again") struct RoomRelationTests {
  private let shared: SharedDatabase
  private let store: AccountStore
  private let room: JID

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
    room = try JID("tea@rooms.example.org")
  }

  /// - Parameters:
  ///   - isOwn: another device of ours said it.
  ///   - isPrivate: to us alone.
  ///   - occupant: who that is by the room's word.
  private func said(
    _ id: String, by nick: String, _ body: String = "", _ relations: MessageRelation..., isOwn: Bool = false,
    isPrivate: Bool = false, occupant: String? = nil
  ) throws -> ArrivedMessage {
    var event = MessageArrived(
      id: id, from: try room.with(resource: nick), to: isOwn ? room : shared.account,
      kind: isPrivate ? .chat : .groupchat, body: body, carbon: isOwn ? .sent : nil, relations: relations)
    if isPrivate || occupant != nil {
      event.payload = MessagePayload()
      event.payload?.isPrivate = isPrivate
      event.payload?.occupant = occupant
    }
    return ArrivedMessage(
      event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
  }

  private func ours(
    _ id: String, to nick: String? = nil, _ body: String = "", _ relations: MessageRelation...
  ) throws {
    let to = try nick.map { try room.with(resource: $0) } ?? room
    let message = OutgoingMessage(
      id: id, to: to, addressing: nick == nil ? .room : .occupant, body: body, time: Timestamp(milliseconds: 2_000),
      relations: relations)
    _ = try store.messages.keep([OutboxRecord(message)], from: shared.account)
  }

  private func record(_ messages: ArrivedMessage...) throws {
    _ = try store.messages.record(messages, archiveCursor: nil)
  }

  @Test("the user's last reaction counts, whichever of their devices it comes from")
  func ownReactions() throws {
    try record(
      said("a", by: "bob", "hi"), said("b", by: "al", "", .reacts(to: "a", with: ["🎉"]), isOwn: true),
      said("c", by: "bob", "", .reacts(to: "a", with: ["❤"])))
    func reactions() throws -> [MessageFate.Reactions]? {
      try store.log.message(ofID: "a", in: room, isOutgoing: nil)?.fate.reactions
    }
    let (al, bob) = (try room.with(resource: "al"), try room.with(resource: "bob"))
    #expect(try reactions() == [.init(from: al, with: ["🎉"], isOwn: true), .init(from: bob, with: ["❤"])])
    try ours("d", "", .reacts(to: "a", with: ["👍"]))
    #expect(try reactions() == [.init(from: bob, with: ["❤"]), .init(from: shared.account, with: ["👍"], isOwn: true)])
  }

  @Test("a reaction in private is the occupant's, and not the room's")
  func privateReactions() throws {
    try record(
      said("a", by: "bob", "hi", isPrivate: true),
      said("b", by: "bob", "", .reacts(to: "a", with: ["👍"]), isPrivate: true))
    let bob = try room.with(resource: "bob")
    #expect(
      try store.log.message(ofID: "a", in: bob, isOutgoing: nil)?.fate.reactions == [.init(from: bob, with: ["👍"])])
  }

  @Test("what was written here to one occupant alone is private, as what comes from them is")
  func ownPrivate() throws {
    try ours("a", to: "bob", "a secret")
    try ours("b", "for all")
    let log = try store.log.page(LogQuery(), after: nil).messages
    #expect(log.map(\.event.payload?.isPrivate) == [true, nil])
    #expect(try log[0].event.conversationOfOwn == room.with(resource: "bob"))
  }

  @Test("what the user said is found whichever of their devices it comes from")
  func fromTheUser() throws {
    try record(said("a", by: "al", "from there", isOwn: true), said("b", by: "bob", "hi"))
    try ours("c", "from here")
    var query = LogQuery(sender: shared.account)
    query.isSenderUser = true
    #expect(try store.log.page(query, after: nil).messages.map(\.event.body) == ["from there", "from here"])
  }

  @Test("what somebody else said before under the same nick is neither corrected nor taken back, nor removed")
  func sameNick() throws {
    try record(
      said("a", by: "bob", "pay to 111", occupant: "bob's"), said("b", by: "bob", "second", occupant: "bob's"),
      said("c", by: "bob", "third", occupant: "bob's"))
    try record(
      said("d", by: "bob", "pay to 666", .replaces("a"), occupant: "mallory's"),
      said("e", by: "bob", "", .retracts("b"), occupant: "mallory's"),
      // One who gives the same id to something of their own corrects and takes back that alone.
      said("c", by: "bob", "mine", occupant: "mallory's"),
      said("f", by: "bob", "mine too", .replaces("c"), occupant: "mallory's"),
      said("g", by: "bob", "", .retracts("c"), occupant: "mallory's"))
    func log() throws -> [LoggedMessage] { try store.log.page(LogQuery(), after: nil).messages }
    #expect(try log().map(\.event.body) == ["pay to 111", "second", "third", "pay to 666", "mine"])
    #expect(try log().map(\.fate.correction) == [nil, nil, nil, nil, "mine too"])
    #expect(try log().map(\.fate.isRetracted) == [false, false, false, false, true])
    #expect(try store.log.activity(of: room)?.unread == 5)
    let end = try store.messages.end()
    try store.messages.present((1...end.seq).map { LogPlace(seq: $0, beginning: 0) }, to: "screen")
    while try store.log.expire(RetentionRule(removesRetracted: true)) > 0 {}
    #expect(try log().map(\.event.body) == ["pay to 111", "second", "third", "pay to 666", ""])
    try record(said("h", by: "bob", "pay to 112", .replaces("a"), occupant: "bob's"))
    #expect(try log().first?.fate.correction == "pay to 112")
  }

  @Test("Who takes another one's nick replaces no reaction of theirs, and who is renamed replaces their own")
  func reactionsOfOccupants() throws {
    _ = try store.messages.record(
      [
        said("m1", by: "eve", "one", occupant: "e"),
        said("r1", by: "bob", "", .reacts(to: "m1", with: ["👍"]), occupant: "b"),
        said("r2", by: "bob", "", .reacts(to: "m1", with: ["🎉"]), occupant: "c"),
      ], archiveCursor: nil)
    func reactions() throws -> [[String]] {
      try #require(try store.log.page(LogQuery(conversation: room), after: nil).messages.first).fate.reactions
        .map { [$0.from.resource ?? ""] + $0.with }
    }
    #expect(try reactions() == [["bob", "👍"], ["bob", "🎉"]])
    _ = try store.messages.record(
      [said("r3", by: "robert", "", .reacts(to: "m1", with: ["😂"]), occupant: "b")], archiveCursor: nil)
    #expect(try reactions() == [["bob", "🎉"], ["robert", "😂"]])
    // Where the room does not say who somebody is, they are whoever is called so.
    _ = try store.messages.record([said("r4", by: "robert", "", .reacts(to: "m1", with: []))], archiveCursor: nil)
    #expect(try reactions() == [["bob", "🎉"]])
  }
}
