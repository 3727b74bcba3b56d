// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What a program of schema 36 left of alice, found by what the commands use.
@Client @Suite("A database of schema 36") struct SchemaThirtySixTests {
  private let earlier: EarlierDatabase
  private let store: AccountStore

  init() throws {
    earlier = try EarlierDatabase("schema-36", inTablesOf: 36)
    store = earlier.program()
  }

  /// Number, with whom, from them or to them, and what was said; then what became of it.
  private static let log = [
    "1 bob < at nein | corrected: at nine",
    "3 carol < Grüße aus Ærøskøbing 😀 | alice reacted 👍",
    "4 carol < to be taken back | retracted",
    "6 dave < from a stranger",
    "7 bob > ours\nof two lines | displayed | corrected: ours, of one line",
    "8 nobody > to nobody | failed",
    "9 bob > it suits me | displayed | bob reacted 🎉",
    "13 bob < ",
    "14 tea < hello, alice: tea?",
    "15 tea < all",
    "16 tea > yes, please | server",
    "17 carol > waits for a server | waiting",
    "18 carol > to be withdrawn | failed",
    "19 carol > wartet auch: ½ Straße | waiting",
    "20 carol < not shown | unread",
    "21 bob > never there | sent",
  ]

  private func messages() throws -> [LoggedMessage] { try store.log.page(LogQuery(limit: 1_000), after: nil).messages }

  private func line(_ message: LoggedMessage) -> String {
    func name(_ jid: JID) -> String { String(jid.description.prefix { $0 != "@" }) }
    let fate = message.fate
    var parts = [
      "\(message.number) \(name(message.conversation)) \(message.isOutgoing ? ">" : "<") \(message.event.body)"
    ]
    if let state = message.state { parts.append(state.name) }
    if message.isUnread { parts.append("unread") }
    if let correction = fate.correction { parts.append("corrected: \(correction)") }
    if fate.isRetracted { parts.append("retracted") }
    parts += fate.reactions.map { "\(name($0.from)) reacted \($0.with.joined())" }
    return parts.joined(separator: " | ")
  }

  @Test("is brought to the present schema as a whole")
  func schema() throws {
    #expect(try messages().count == Self.log.count)
    let database = try Database(path: earlier.path)
    #expect(try database.schemaVersion() == Migrations.all.count)
    #expect(try database.all("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    #expect(try database.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
  }

  @Test("has every message in its order, with what was said of it later, how far it came and whether it was read")
  func log() throws {
    let messages = try messages()
    #expect(messages.map(line) == Self.log)
    try #require(messages.count == Self.log.count)
    #expect(messages[0].event.payload?.subject == "Søndag")
    #expect(messages.filter(\.event.isInvitation).map(\.number) == [13])
    #expect(messages.filter(\.isInRoom).map(\.number) == [14, 15, 16])
    #expect(messages[12].state == .failed(reason: "It was withdrawn."))
    #expect(try store.log.unread() == UnreadCount(messages: 1, conversations: 1))
    #expect(try store.messages.unpresented() == ["not shown"])
  }

  @Test("is searched by the index that it has, and by what was not in it yet")
  func search() throws {
    while try store.log.extendIndex(isWaitedFor: true) > 0 {}
    func found(_ words: String) throws -> [Int64] {
      try store.log.page(LogQuery(words: SearchWords(words)), before: nil).messages.map(\.number)
    }
    #expect(try found("grüße") == [3])
    #expect(try found("søndag") == [1])
    #expect(try found("never") == [21])
  }

  @Test("has all that the server may lack in the outbox, in the order of writing")
  func outbox() throws {
    let items = try store.messages.outbox()
    #expect(items.map(\.message.body) == ["waits for a server", "wartet auch: ½ Straße", "never there"])
    #expect(items.map(\.state) == [.waiting, .waiting, .sent])
    #expect(try earlier.program(isOneShot: true).messages.adopt().ours.map(\.message) == items.map(\.message))
    #expect(try store.messages.adopt().ours.map(\.message) == items.map(\.message))
  }

  @Test("has the contacts, the requests of friendship, the room, and who is blocked")
  func beside() throws {
    #expect(
      try store.roster.loadRoster()?.items == [
        RosterItem(jid: try JID("bob@jackdaw.test"), name: "Bob O'Brien", subscription: .both),
        RosterItem(jid: try JID("carol@jackdaw.test"), subscription: .both, groups: ["Chœur", "Söndag"]),
        RosterItem(jid: try JID("frank@jackdaw.test"), ask: true),
      ])
    #expect(
      try store.friendRequests.loadRequests() == [
        FriendRequest(jid: try JID("dave@jackdaw.test"), message: "C'est moi, Dåve")
      ])
    #expect(try store.friendRequests.isInvited(JID("frank@jackdaw.test")))
    #expect(try store.login.loadMechanism() == "SCRAM-SHA-512")
    #expect(try store.blocked.loadBlocked()?.jids == [JID("mallory@jackdaw.test")])
    let rooms = try store.rooms.rooms()
    #expect(rooms.map(\.jid.description) == ["tea@rooms.jackdaw.test"] && rooms[0].isBookmarked && rooms[0].autojoin)
  }
}
