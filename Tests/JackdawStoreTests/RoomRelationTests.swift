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
  private func said(
    _ id: String, by nick: String, _ body: String = "", _ relations: MessageRelation..., isOwn: Bool = false,
    isPrivate: Bool = false
  ) throws -> ArrivedMessage {
    var event = MessageArrived(
      id: id, from: try room.with(resource: nick), to: isOwn ? room : shared.account,
      kind: isPrivate ? .chat : .groupchat, body: body, carbon: isOwn ? .sent : nil, relations: relations)
    if isPrivate {
      event.payload = MessagePayload()
      event.payload?.isPrivate = true
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
}
