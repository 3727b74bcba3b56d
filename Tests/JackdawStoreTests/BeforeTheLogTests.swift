// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What the last program before the message log left of alice, found by what the commands use.
@Client @Suite("A database written before the message log") struct BeforeTheLogTests {
  private let earlier: EarlierDatabase
  private let store: AccountStore

  init() throws {
    earlier = try EarlierDatabase("before-the-log")
    store = earlier.program()
  }

  /// Number, with whom, from them or to them, and what was said; how far ours came, and whether nobody has read theirs.
  private static let log = [
    "1 bob < hello",
    "2 bob < Grüße aus Ærøskøbing 😀 日本語",
    "3 bob < first line\n\n  third, 'quoted'",
    "4 bob < it's O'Neill's; DROP TABLE message; --",
    "5 carol < twice",
    "6 carol < twice",
    "7 dave < from a stranger",
    "8 carol <  ",
    "9 carol < ",
    "10 carol < a normal one",
    "11 bob > sent by the tablet [server]",
    "12 carol > der Tablet’s zweite [server]",
    "13 bob < for the tablet alone",
    "14 bob < while you were away",
    "15 bob > ours, there [server]",
    "16 carol > ours\nof two lines, naïve [server]",
    "17 nobody > to nobody [failed]",
    "18 bob > waits for a server [waiting]",
    "19 bob > wartet auch: ½ Straße, \"quoted\" [waiting]",
    "20 bob > to be withdrawn [failed]",
    "21 carol > waits for carol [waiting]",
    "22 bob < not shown: 1 [unread]",
    "23 bob < not shown: zwei [unread]",
    "24 carol < not shown\nof two lines [unread]",
    "25 bob > not shown, by the tablet [server]",
    "26 bob > by lines: zwei, grün [server]",
    "27 carol > by lines: one [server]",
    "28 carol > in the server's buffer [sent]",
    "29 bob > never there [sent]",
    "30 bob > never there, as well [sent]",
  ]

  /// What came while the archive was read.
  private static let postponed = (1...5).map { "meanwhile \($0)" }

  private func lines(_ query: LogQuery = LogQuery(limit: 1_000)) throws -> [String] {
    try store.log.page(query, after: nil).messages.map { message in
      let way = message.isOutgoing ? ">" : "<"
      let state = message.isUnread ? " [unread]" : message.state.map { " [\($0.name)]" } ?? ""
      return
        "\(message.number) \(message.conversation.description.prefix { $0 != "@" }) \(way) \(message.event.body)\(state)"
    }
  }

  @Test("is brought to the present schema as a whole, and stays so")
  func schema() throws {
    #expect(try Database(path: earlier.path).schemaVersion() == 8)
    for _ in 1...2 {
      #expect(try earlier.program().log.page(LogQuery(limit: 1_000), after: nil).messages.count == Self.log.count)
      let database = try Database(path: earlier.path)
      #expect(try database.schemaVersion() == Migrations.all.count)
      #expect(try database.all("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
      #expect(try database.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
    }
  }

  @Test("has every message in its order, with how far it came and whether it was read")
  func log() throws {
    #expect(try lines() == Self.log)
    for name in ["bob", "carol", "dave", "nobody"] {
      let conversation = try JID(name + "@jackdaw.test")
      #expect(
        try lines(LogQuery(conversation: conversation, limit: 1_000)) == Self.log.filter { $0.contains(" \(name) ") })
    }
    #expect(try lines(LogQuery(isUnread: true, limit: 1_000)) == Self.log.filter { $0.hasSuffix("[unread]") })
    #expect(try store.log.unread() == UnreadCount(messages: 3, conversations: 2))
    #expect(
      try Set(store.log.conversations().map(\.conversation.description)) == [
        "bob@jackdaw.test", "carol@jackdaw.test", "dave@jackdaw.test", "nobody@jackdaw.test",
      ])
  }

  @Test("has of each message who sent it, by which device, when, and why it failed")
  func details() throws {
    let messages = try store.log.page(LogQuery(limit: 1_000), after: nil).messages
    try #require(messages.count == Self.log.count)
    #expect(messages.filter { $0.event.carbon == .sent }.map(\.number) == [11, 12, 25])
    #expect(messages.filter { $0.event.carbon == .received }.map(\.number) == [13])
    #expect(messages.filter { $0.event.kind == .normal }.map(\.number) == [10])
    #expect(messages[12].event.to.description == "alice@jackdaw.test/tablet")
    #expect(messages[13].event.from.description == "bob@jackdaw.test/8947220995885915923690")
    #expect(messages[13].event.delayed == Timestamp(milliseconds: 1_796_062_825_254))
    #expect(messages.map { $0.event.delayed?.milliseconds ?? 0 }.allSatisfy { $0 > 1_796_062_800_000 })
    #expect(messages[16].state == .failed(reason: "the recipient or service cannot be reached, or does not offer this"))
    #expect(messages[19].state == .failed(reason: "it was withdrawn"))
    #expect(try store.log.number(ofID: "blank", in: JID("carol@jackdaw.test")) == 8)
  }

  @Test("is searched as what is said today")
  func search() throws {
    while try store.log.extendIndex(isWaitedFor: true) > 0 {}
    func found(_ words: String) throws -> [Int64] {
      try store.log.page(LogQuery(words: SearchWords(words)), before: nil).messages.map(\.number)
    }
    #expect(try found("grüße") == [2])
    #expect(try found("twice") == [6, 5])
    #expect(try found("\"of two lines\"") == [24, 16])
    #expect(try found("日本語") == [2])
  }

  @Test("presents what was not shown, once")
  func presenting() throws {
    let events = try store.messages.unpresented(to: "screen", after: nil, limit: 1_000)
    #expect(
      events.map(\.body) == [
        "not shown: 1", "not shown: zwei", "not shown\nof two lines", "not shown, by the tablet",
      ])
    try store.messages.present(events.compactMap(\.place), to: "screen")
    #expect(try store.messages.unpresented() == [])
    #expect(try earlier.program().messages.unpresented() == [])
  }

  @Test("has all that the server may lack in the outbox, in the order of writing")
  func outbox() throws {
    let items = try store.messages.outbox()
    #expect(
      items.map(\.message.body) == [
        "waits for a server", "wartet auch: ½ Straße, \"quoted\"", "waits for carol", "in the server's buffer",
        "never there", "never there, as well",
      ])
    #expect(items.map(\.state) == [.waiting, .waiting, .waiting, .sent, .sent, .sent])
    #expect(items.map { "\($0.message.to)".prefix { $0 != "@" } } == ["bob", "bob", "carol", "carol", "bob", "bob"])
    let left = try store.messages.adopt().ours
    #expect(left.map(\.message) == items.map(\.message) && left.map(\.state) == items.map(\.state))
    #expect(left.map(\.number) == [18, 19, 21, 28, 29, 30])
    #expect(left.map { $0.place?.position } == [nil, nil, nil, 2, 2, 3])
    #expect(left[4].place?.stream == left[5].place?.stream && left[3].place?.stream != left[4].place?.stream)
    #expect(left.map { $0.archiveCursor != nil } == [false, false, false, true, true, true])
    #expect(try store.messages.archiveCursor() == left[3].archiveCursor)
    try store.messages.settle(left.map { MessageOutcome(number: $0.number, id: $0.message.id, state: .server) })
    #expect(try store.messages.outbox() == [] && earlier.program().messages.adopt().ours == [])
    #expect(try lines().allSatisfy { !$0.hasSuffix("[waiting]") && !$0.hasSuffix("[sent]") })
  }

  @Test("leaves to a single command all that is to be sent to people, and to nobody else meanwhile")
  func commands() throws {
    let command = earlier.program(isOneShot: true)
    #expect(try command.streams.hasLeftovers())
    #expect(try command.messages.adopt().ours.map(\.number) == [18, 19, 21, 28, 29, 30])
    #expect(try store.messages.adopt().ours.isEmpty)
    #expect(try command.messages.outbox().count == 6)
  }

  @Test("has what waits for its place, which it gets once, whether or not the archive has it, too")
  func waiting() throws {
    #expect(try store.messages.adopt().hasPostponed)
    let postponed = try store.messages.postponed(limit: 1_000)
    #expect(postponed.map(\.event.body) == Self.postponed && postponed.allSatisfy { $0.archiveID != nil })
    #expect(postponed.allSatisfy { $0.hasUniqueID && $0.mayBeRepeated && $0.event.from.bare == $0.conversation })
    let archived = postponed.prefix(2).map { message in
      var message = message
      message.postponed = nil
      message.isFromArchive = true
      return message
    }
    #expect(try store.messages.record(archived, archiveCursor: nil) == [.new(31), .new(32)])
    #expect(
      try store.messages.record(postponed, archiveCursor: nil) == [.known, .known, .new(33), .new(34), .new(35)])
    #expect(try store.messages.postponed() == [])
    #expect(try lines().dropFirst(30) == zip(31..., Self.postponed).map { "\($0) carol < \($1) [unread]" }[...])
    #expect(try store.messages.unpresented().suffix(5) == Self.postponed[...])
  }

  @Test("has the contacts, the requests of friendship, and how the server is logged in to")
  func beside() throws {
    let roster = try #require(try store.roster.loadRoster())
    #expect(roster.version == "5f02e6448d0bc71a176eb6d4d1a2e75884b273f5")
    #expect(
      roster.items == [
        RosterItem(jid: try JID("bob@jackdaw.test"), name: "Bob O'Brien", subscription: .both),
        RosterItem(jid: try JID("carol@jackdaw.test"), subscription: .both, groups: ["Chœur", "Söndag"]),
        RosterItem(jid: try JID("frank@jackdaw.test"), ask: true),
      ])
    #expect(
      try store.friendRequests.loadRequests() == [
        FriendRequest(jid: try JID("dave@jackdaw.test"), message: "C'est moi, Dåve", hasCard: true),
        FriendRequest(jid: try JID("erin@jackdaw.test"), hasCard: true),
      ])
    #expect(try store.login.loadMechanism() == "SCRAM-SHA-512")
    #expect(try store.streams.resource(nil) == "jackdaw.dc5xgz")
    // The second of the programs that ran side by side left its stream.
    #expect(try store.streams.loadStream() == nil)
    let second = earlier.program()
    #expect(try second.streams.resource(nil) == "jackdaw.dc5xgz-2")
    let left = try #require(try second.streams.loadStream())
    #expect(left.resumption.jid.description == "alice@jackdaw.test/jackdaw.dc5xgz-2" && left.resumption.handled == 6)
  }
}
