// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What the log makes of corrections, retractions, replies and reactions.
@Client @Suite("Relations of messages") struct RelationTests {
  private static let noon: Int64 = 1_793_534_400_000
  private let shared: SharedDatabase
  private let store: AccountStore

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
  }

  private func said(
    _ id: String, _ body: String, _ relations: MessageRelation..., from sender: String = "bob@example.org/phone",
    after seconds: Int64 = 0
  ) throws -> ArrivedMessage {
    let from = try JID(sender)
    let isOurs = from.bare == shared.account
    let event = MessageArrived(
      id: id, from: from, to: isOurs ? shared.bob : shared.account, kind: .chat, body: body,
      carbon: isOurs ? .sent : nil, relations: relations)
    return ArrivedMessage(
      event, archiveID: "archive-" + id, hasUniqueID: false, mayBeRepeated: false,
      time: Timestamp(milliseconds: Self.noon + seconds * 1_000))
  }

  private func record(_ messages: ArrivedMessage...) throws {
    _ = try store.messages.record(messages, archiveCursor: nil)
  }

  /// All that was kept has been shown.
  private func present() throws {
    let end = try store.messages.end()
    try store.messages.present((1...end.seq).map { LogPlace(seq: $0, beginning: 0) }, to: "screen")
  }

  private var log: [LoggedMessage] {
    get throws { try store.log.page(LogQuery(), after: nil).messages }
  }

  private func search(_ words: String) throws -> [LoggedMessage] {
    while try store.log.extendIndex(isWaitedFor: false) > 0 {}
    return try store.log.page(LogQuery(words: SearchWords(words)), before: nil).messages
  }

  @Test("find a message by each of its texts, as the message and not as the correction, where that counts")
  func found() throws {
    try record(
      said("a", "see you at nein"), said("b", "see you at ten", .replaces("a"), after: 1),
      said("c", "see you at nine", .replaces("b"), after: 2), said("d", "unasked ten", .replaces("zz"), after: 3),
      said("e", "ten days later", .replaces("a"), after: 864_000))
    func hits(_ words: String) throws -> [String] {
      try search(words).map { message in
        let text = message.foundText ?? message.event.body
        let hits = message.hits.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
        return "\(message.number) \(text): \(hits.joined(separator: ","))"
      }
    }
    #expect(try hits("nine") == ["1 see you at nine: nine"])
    #expect(try hits("nein") == ["1 see you at nein: nein"])
    // What counts for nothing is a message like any other.
    #expect(try hits("ten") == ["5 ten days later: ten", "4 unasked ten: ten", "1 see you at ten: ten"])
    #expect(try hits("you") == ["1 see you at nine: you", "1 see you at ten: you", "1 see you at nein: you"])
    #expect(try store.log.message(1)?.fate.correction == "see you at nine")
    #expect(
      try search("you").allSatisfy {
        $0.event.body == "see you at nein" && $0.fate.correction == "see you at nine"
      })
    // Parts of words, and what has no words, are found otherwise.
    #expect(try hits("*nin*") == ["1 see you at nine: nin"])
    #expect(try hits("*ni* -days") == ["1 see you at nine: ni"])
  }

  @Test("find a message in the time when it was written, and by corrections alone where those are asked for")
  func foundWithin() throws {
    try record(said("a", "at nein"), said("x", "nine lives", after: 1), said("b", "at nine", .replaces("a"), after: 50))
    while try store.log.extendIndex(isWaitedFor: false) > 0 {}
    var query = LogQuery(words: SearchWords("nine"))
    query.since = Timestamp(milliseconds: Self.noon + 1_000)
    #expect(try store.log.page(query, before: nil).messages.map(\.number) == [2])
    query.since = nil
    for (from, found) in [(1, [1]), (3, [1]), (4, [])] as [(Int64, [Int64])] {
      query.correctionsFrom = from
      #expect(try store.log.page(query, before: nil).messages.map(\.number) == found)
    }
  }

  @Test("come back as they were kept")
  func asTheyWere() throws {
    try store.messages.open("screen", from: nil)
    try record(
      said("a", "hello", .replies(to: "x", quote: "> hi\n")),
      said("b", "hallo", .replaces("a"), .replies(to: "x", quote: nil)),
      said("c", "", .retracts("a")), said("d", "", .reacts(to: "a", with: ["👍", "+1"])),
      said("e", "", .reacts(to: "a", with: [])))
    let told = try store.messages.unpresented(to: "screen", after: nil, limit: 10)
    #expect(
      told.map(\.relations) == [
        [.replies(to: "x", quote: "> hi\n")], [.replaces("a"), .replies(to: "x", quote: nil)], [.retracts("a")],
        [.reacts(to: "a", with: ["👍", "+1"])], [.reacts(to: "a", with: [])],
      ])
  }

  @Test("with long quotes are read in pieces, as long texts are")
  func longQuotes() throws {
    try store.messages.open("screen", from: nil)
    let quote = String(repeating: "> 0123456789\n", count: 20_000)
    for number in 0..<40 { try record(said("r\(number)", "yes", .replies(to: "x", quote: quote))) }
    let page = try store.log.page(LogQuery(limit: 100), after: nil)
    #expect((1..<40).contains(page.messages.count) && page.next != nil)
    #expect(try (1..<40).contains(store.messages.unpresented(to: "screen", after: nil, limit: 100).count))
  }

  @Test("of a reply that was kept with its quote are read without it, and it goes out as it was")
  func keptWithQuote() throws {
    let time = Timestamp(milliseconds: Self.noon)
    let ours = OutgoingMessage(
      id: "o1", to: shared.bob, body: "> hi\nyes", time: time, relations: [.replies(to: "a", quote: nil)])
    _ = try store.messages.keep([OutboxRecord(ours)], from: shared.account)
    try record(said("a", "> 👍\nhello", .replies(to: "x", quote: nil)), said("b", "hi", .replies(to: "x", quote: nil)))
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    try database.execute(
      """
      UPDATE message SET quote = '0-5' WHERE stanza = 'o1';
      UPDATE message SET quote = '0-4' WHERE stanza = 'a';
      UPDATE message SET quote = '0-9' WHERE stanza = 'b';
      """)
    #expect(try log.map(\.event.body) == ["yes", "hello", "hi"])
    #expect(try log.map(\.event.quotedText) == ["> hi\n", "> 👍\n", ""])
    var stanza = Message(id: "o1", to: shared.bob, body: try #require(try store.messages.outbox().first?.message.body))
    for relation in try store.messages.outbox()[0].message.relations { relation.say(in: &stanza) }
    #expect(stanza.body == "> hi\nyes")
  }

  @Test("are found by an id: not those that only say something of another one, and of one side where that counts")
  func byID() throws {
    try record(
      said("a", "at nein"),
      said("b", "at nine", .replaces("a"), after: 2), said("c", "", .retracts("a"), after: 3),
      said("d", "", .reacts(to: "a", with: ["👍"]), after: 4))
    let time = Timestamp(milliseconds: Self.noon)
    _ = try store.messages.keep(
      [OutboxRecord(OutgoingMessage(id: "a", to: shared.bob, body: "mine", time: time))], from: shared.account)
    func found(_ id: String, _ isOutgoing: Bool?) throws -> LoggedMessage? {
      try store.log.message(ofID: id, in: shared.bob, isOutgoing: isOutgoing)
    }
    let theirs = try found("a", false)
    #expect(theirs?.event.body == "at nein" && theirs?.fate.correction == "at nine" && theirs?.fate.isRetracted == true)
    #expect(try found("a", true)?.event.body == "mine" && found("a", nil)?.event.body == "mine")
    #expect(try found("b", false)?.event.body == "at nine")
    #expect(try found("c", nil) == nil && found("d", nil) == nil && found("e", nil) == nil)
    #expect(try store.log.message(ofID: "a", in: shared.account, isOutgoing: nil) == nil)
  }

  @Test("of ours that wait go out as what they are, with their subject")
  func ours() throws {
    let time = Timestamp(milliseconds: Self.noon)
    let reply = OutgoingMessage(
      id: "o1", to: shared.bob, body: "yes", time: time, relations: [.replies(to: "a", quote: "> hi\n")],
      subject: "Lunch")
    let retraction = OutgoingMessage(id: "o2", to: shared.bob, body: "", time: time, relations: [.retracts("o1")])
    _ = try store.messages.keep([OutboxRecord(reply), OutboxRecord(retraction)], from: shared.account)
    #expect(try store.messages.outbox().map(\.message) == [reply, retraction])
    #expect(try log.first?.event.payload?.subject == "Lunch")
  }

  @Test("wait for their place with it")
  func postponed() throws {
    try store.messages.postpone([said("a", "", .reacts(to: "x", with: ["👍"])), said("b", "plain")])
    let waiting = try store.messages.postponed(limit: 10)
    #expect(waiting.map(\.event.relations) == [[.reacts(to: "x", with: ["👍"])], []])
    #expect(waiting.map(\.archiveID) == ["archive-a", "archive-b"])
    _ = try store.messages.record(waiting, archiveCursor: nil)
    #expect(try store.log.message(1)?.event.relations == [.reacts(to: "x", with: ["👍"])])
  }

  @Test("of one's own earlier messages are shown there, and are no messages of their own")
  func shownAtTheOriginal() throws {
    try record(
      said("a", "at nein"), said("b", "second"), said("c", "at nine", .replaces("a"), after: 5),
      said("d", "", .retracts("b"), after: 6),
      said("e", "", .reacts(to: "a", with: ["👍"]), from: "alice@example.org/phone", after: 7))
    let shown = try log
    #expect(shown.map(\.event.body) == ["at nein", "second"])
    #expect(shown[0].fate.correction == "at nine" && !shown[0].fate.isRetracted)
    #expect(shown[0].fate.reactions == [MessageFate.Reactions(from: shared.account, with: ["👍"], isOwn: true)])
    #expect(shown[1].fate.isRetracted && shown[1].fate.correction == nil)
    #expect(try store.log.unread() == UnreadCount(messages: 2, conversations: 1))
    #expect(try store.log.summary(of: shared.bob)?.last.event.body == "second")
    #expect(try store.log.summary(of: shared.bob)?.unread == 2)
    #expect(
      try store.log.page(LogQuery(conversation: shared.bob, limit: 1), before: nil).messages.map(\.event.body) == [
        "second"
      ])
  }

  @Test("the last word counts, and a correction may name an earlier correction")
  func theLastCounts() throws {
    try record(
      said("a", "one"), said("b", "two", .replaces("a"), after: 1), said("c", "three", .replaces("b"), after: 2),
      said("d", "", .reacts(to: "a", with: ["👍"]), after: 3), said("e", "", .reacts(to: "a", with: ["❤"]), after: 4),
      said("f", "", .reacts(to: "a", with: ["👎"]), from: "alice@example.org/x", after: 4),
      said("g", "", .reacts(to: "a", with: []), from: "alice@example.org/y", after: 5))
    let shown = try log
    #expect(shown.map(\.event.body) == ["one"])
    #expect(shown[0].fate.correction == "three")
    #expect(shown[0].fate.reactions == [MessageFate.Reactions(from: shared.bob, with: ["❤"])])
  }

  @Test("that name a correction by its own id are about the message, whoever reacts, and though they wait for a place")
  func ofCorrections() throws {
    try record(
      said("a", "one", from: "alice@example.org/x"),
      said("b", "two", .replaces("a"), from: "alice@example.org/x", after: 1),
      said("r", "", .reacts(to: "b", with: ["👍"]), after: 2))
    #expect(try log.map(\.fate.correction) == ["two"])
    #expect(try log[0].fate.reactions == [MessageFate.Reactions(from: shared.bob, with: ["👍"])])
    try store.messages.postpone([
      said("c", "three"), said("d", "four", .replaces("c"), after: 3), said("e", "five", .replaces("d"), after: 4),
    ])
    _ = try store.messages.record(store.messages.postponed(limit: 10), archiveCursor: nil)
    #expect(try log.map(\.fate.correction) == ["two", "five"])
  }

  @Test("by somebody else, of what is not there, or long after, change nothing: a correction is a message then")
  func notTheirs() throws {
    try record(
      said("a", "mine", from: "alice@example.org/x"), said("b", "forged", .replaces("a"), after: 1),
      said("c", "", .retracts("a"), after: 2), said("d", "of nothing", .replaces("none"), after: 3),
      said("e", "", .retracts("none"), after: 3),
      said("f", "theirs", after: 4), said("g", "a day later", .replaces("f"), after: 90_000),
      said("h", "", .retracts("f"), from: "carol@example.org", after: 5),
      said("i", "carol's", .replaces("f"), from: "carol@example.org", after: 6))
    let shown = try log
    #expect(shown.map(\.event.body) == ["mine", "forged", "of nothing", "theirs", "a day later", "carol's"])
    #expect(shown.allSatisfy { $0.fate == MessageFate() })
  }

  @Test("of a message of a year ago are messages of their own, and take nothing back but what is theirs")
  func aYearLater() throws {
    let year: Int64 = 31_536_000
    try record(
      said("a", "at nein"), said("b", "at nine", .replaces("a"), after: year), said("c", "mine", after: 1),
      said("d", "", .retracts("c"), after: year))
    let shown = try log
    #expect(shown.map(\.event.body) == ["at nein", "at nine", "mine"])
    // Who wrote a message may take it back whenever they want to.
    #expect(shown.map(\.fate.isRetracted) == [false, false, true] && shown[0].fate.correction == nil)
  }

  @Test("of one message may be a thousand, of which the last counts, and is one message still")
  func thousand() throws {
    try record(said("a", "first"))
    let many = try (0..<1_000).map { number in
      try said(
        "c\(number)", "text \(number)", .replaces(number % 2 == 0 ? "a" : "c\(number - 1)"), after: Int64(number))
    }
    _ = try store.messages.record(many, archiveCursor: nil)
    let reactions = try (0..<1_000).map { try said("r\($0)", "", .reacts(to: "a", with: ["\($0)"]), after: Int64($0)) }
    _ = try store.messages.record(reactions, archiveCursor: nil)
    let shown = try log
    #expect(shown.map(\.event.body) == ["first"] && shown[0].fate.correction == "text 999")
    #expect(shown[0].fate.reactions.map(\.with) == [["999"]])
    #expect(try store.log.unread() == UnreadCount(messages: 1, conversations: 1))
    #expect(try store.log.message(ofID: "a", in: shared.bob, isOutgoing: nil)?.fate.correction == "text 999")
  }

  @Test("that come before what they are about, as the archive is read backwards, count when it is there")
  func readBackwards() throws {
    try record(said("z", "live", after: 100))
    let walk = try store.earlier.walk(of: nil)
    _ = try store.earlier.keep(
      [said("b", "at nine", .replaces("a"), after: 2), said("c", "", .reacts(to: "a", with: ["👍"]), after: 3)], of: nil,
      walk,
      before: "m", isComplete: false)
    #expect(try log.map(\.event.body) == ["at nine", "live"])
    _ = try store.earlier.keep(
      [said("a", "at nein", after: 1)], of: nil, try store.earlier.walk(of: nil), before: nil, isComplete: true)
    #expect(try log.map(\.event.body) == ["at nein", "live"])
    #expect(try log[0].fate.correction == "at nine")
    #expect(try log[0].fate.reactions.map(\.with) == [["👍"]])
  }

  @Test("that are encrypted put no fallback text in the place of what was said; one that can be read is what was said")
  func encrypted() throws {
    func encrypted(_ message: ArrivedMessage) -> ArrivedMessage {
      var message = message
      message.event.payload = MessagePayload()
      message.event.payload?.encryption = "OMEMO"
      return message
    }
    try record(
      said("a", "at nein"), encrypted(said("b", "fallback", .replaces("a"), after: 1)),
      encrypted(said("c", "fallback", after: 2)), said("d", "at ten", .replaces("c"), after: 3))
    let fates = try log.map(\.fate)
    #expect(fates.map(\.correction) == ["", "at ten"])
    #expect(fates.map(\.correctionEncryption) == ["OMEMO", nil])
    #expect(try search("fallback").isEmpty)
    #expect(try search("ten").map(\.foundText) == ["at ten"])
  }

  @Test("have what is retracted removed for good where that is wanted, with its corrections, once it was shown")
  func removed() throws {
    try store.messages.open("screen", from: nil)
    try record(
      said("a", "secretword"), said("b", "secrettoo", .replaces("a"), after: 1), said("c", "kept"),
      said("d", "", .retracts("a"), after: 2))
    #expect(try search("secretword").count == 1)
    let rule = RetentionRule(removesRetracted: true)
    #expect(try store.log.expire(rule) == 0)
    try present()
    #expect(try store.log.expire(RetentionRule()) == 0)
    #expect(try store.log.expire(rule) == 2)
    #expect(try store.log.expire(rule) == 0)
    #expect(try search("secretword").isEmpty && search("secrettoo").isEmpty && search("kept").count == 1)
    let shown = try log
    #expect(shown.map(\.event.body) == ["", "kept"])
    #expect(shown[0].fate.isRetracted && shown[0].fate.isEmptied && shown[0].fate.correction ?? "" == "")
    // The index is what it would be if it were made anew.
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    try database.execute(
      """
      INSERT INTO message_words (message_words) VALUES ('integrity-check');
      INSERT INTO message_parts (message_parts) VALUES ('integrity-check');
      """)
    try #require(try store.log.remove(shared.bob, before: nil) == 4)
    try database.execute(
      """
      INSERT INTO message_words (message_words) VALUES ('integrity-check');
      INSERT INTO message_parts (message_parts) VALUES ('integrity-check');
      """)
  }

  @Test("of what is removed, as it was retracted, leave no quote of it: neither in answers before it nor in later ones")
  func quotesOfRemoved() throws {
    try record(
      said("a", "secretword"), said("b", "secrettoo", .replaces("a"), after: 1),
      said("r1", "yes", .replies(to: "a", quote: "> secretword\n"), after: 2),
      said("r2", "no", .replies(to: "b", quote: "> secrettoo\n"), from: "alice@example.org/phone", after: 3),
      said("r3", "other", .replies(to: "x", quote: "> kept\n"), after: 4),
      said("r4", "> secretword\nold", .replies(to: "a", quote: nil), after: 5))
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    // As it was kept before quotes were kept apart.
    try database.execute("UPDATE message SET quote = '0-13' WHERE stanza = 'r4'")
    #expect(try search("secretword").count == 2)
    #expect(try log.map(\.event.quotedText) == ["", "> secretword\n", "> secrettoo\n", "> kept\n", "> secretword\n"])
    try record(said("d", "", .retracts("a"), after: 6))
    try present()
    let rule = RetentionRule(removesRetracted: true)
    while try store.log.expire(rule) > 0 {}
    #expect(try log.map(\.event.body) == ["", "yes", "no", "other", "old"])
    #expect(try log.map(\.event.quotedText) == ["", "", "", "> kept\n", ""])
    #expect(try search("secretword").isEmpty)
    try record(
      said("r5", "late", .replies(to: "a", quote: "> secretword\n"), after: 7),
      said("r6", "later", .replies(to: "b", quote: "> secrettoo\n"), after: 8),
      said("r7", "last", .replies(to: "r3", quote: "> other\n"), after: 9))
    #expect(try log.suffix(3).map(\.event.quotedText) == ["", "", "> other\n"])
    #expect(try log.suffix(3).map(\.event.answeredID) == ["a", "b", "r3"])
    try database.execute("INSERT INTO message_words (message_words) VALUES ('integrity-check')")
    try database.execute("INSERT INTO message_parts (message_parts) VALUES ('integrity-check')")
  }

  @Test("in a room remove what their senders said, or what the room takes back, and nothing of anybody else")
  func removedInRoom() throws {
    let room = try JID("tea@rooms.example.org")
    func said(_ id: String, by nick: String?, _ body: String, _ relations: MessageRelation...) throws -> ArrivedMessage
    {
      let event = MessageArrived(
        id: id, from: try nick.map { try room.with(resource: $0) } ?? room, to: shared.account, kind: .groupchat,
        body: body, relations: relations)
      return ArrivedMessage(
        event, archiveID: "\(room) \(id)", hasUniqueID: false, mayBeRepeated: false,
        time: Timestamp(milliseconds: Self.noon))
    }
    try record(
      said("a", by: "bob", "bob's"), said("b", by: "carol", "carol's"), said("c", by: "bob", "rude"),
      said("r1", by: "mallory", "", .retracts("a")), said("r2", by: "carol", "", .retracts("b")),
      said("r3", by: nil, "", .retracts("c")))
    try present()
    while try store.log.expire(RetentionRule(removesRetracted: true)) > 0 {}
    #expect(try log.map(\.event.body) == ["bob's", "", ""])
    #expect(try log.map(\.fate.isRetracted) == [false, true, true])
  }
}
