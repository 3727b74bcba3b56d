// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// The log, read again.
@Client @Suite struct HistoryTableTests {
  private let shared: SharedDatabase
  private let store: AccountStore
  private var log: any MessageLog { store.log }

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
  }

  /// Keeps what somebody wrote, one a second.
  @discardableResult private func theirs(
    _ bodies: String..., from sender: String = "bob@example.org", at start: Int64 = 0
  ) throws -> [Int64] {
    let records = try store.messages.record(
      try bodies.enumerated().map { number, body in
        ArrivedMessage(
          MessageArrived(id: nil, from: try JID(sender + "/x"), to: shared.account, kind: .chat, body: body),
          archiveID: nil, hasUniqueID: false, mayBeRepeated: false,
          time: Timestamp(milliseconds: (start + Int64(number)) * 1_000))
      }, archiveCursor: nil)
    return records.compactMap { if case .new(let place) = $0 { place.seq } else { nil } }
  }

  @Test("How conversations stand is told without what was said: the newest first, what is unread, and who was answered")
  func activity() throws {
    try theirs("one", "two", from: "bob@example.org")
    try theirs("hi", from: "carol@example.org")
    let (bob, carol) = (try JID("bob@example.org"), try JID("carol@example.org"))
    let all = try log.activity(limit: 10)
    #expect(all.map(\.conversation) == [carol, bob] && all.map(\.unread) == [1, 2])
    #expect(all.allSatisfy { !$0.isAnswered })
    #expect(try log.activity(limit: 1).map(\.conversation) == [carol])
    try log.markRead(bob, through: all[1].last)
    #expect(try log.activity(of: bob) == ConversationActivity(conversation: bob, last: all[1].last))
    #expect(try log.activity(of: carol)?.unread == log.summary(of: carol)?.unread)
    #expect(try log.activity(of: JID("dave@example.org")) == nil)
  }

  @Test("What was said to one person in a room is told from what was said to all who are there")
  func saidInRoom() throws {
    let occupant = try JID("lunch@rooms.example.org/Bob")
    let said = [
      OutgoingMessage(
        id: "1", to: occupant, addressing: .occupant, body: "psst", time: Timestamp(milliseconds: 1_000)),
      OutgoingMessage(
        id: "2", to: occupant.bare, addressing: .room, body: "hi", time: Timestamp(milliseconds: 2_000)),
    ]
    _ = try store.messages.keep(said.map { OutboxRecord($0) }, from: shared.account)
    let messages = try log.page(LogQuery(), after: nil).messages
    #expect(messages.map { $0.event.payload?.isPrivate == true } == [true, false])
    #expect(messages.map(\.event.conversationOfOwn) == messages.map(\.conversation))
  }

  private func all(_ query: LogQuery, before number: Int64? = nil) throws -> [LoggedMessage] {
    var messages: [LoggedMessage] = []
    var next = number
    repeat {
      let page = try log.page(query, before: next)
      messages += page.messages
      next = page.next
    } while next != nil
    return messages
  }

  private func forwards(_ query: LogQuery) throws -> [String] {
    var bodies: [String] = []
    var next: Int64?
    repeat {
      let page = try log.page(query, after: next)
      #expect(page.messages.count <= query.limit)
      bodies += page.messages.map(\.event.body)
      next = page.next
    } while next != nil
    return bodies
  }

  private func index() throws { while try log.extendIndex(isWaitedFor: false) > 0 {} }

  private func found(_ text: String, in conversation: JID? = nil) throws -> [String] {
    let words = try #require(SearchWords(text))
    return try all(LogQuery(conversation: conversation, words: words)).map(\.event.body)
  }

  // MARK: Pages

  @Test("Pages of a conversation follow each other in both directions")
  func pagesOfAConversationFollowEachOtherBothWays() throws {
    try theirs("a", "b")
    try theirs("not here", from: "eve@example.org")
    _ = try shared.keep(store, "ours")
    try theirs("c", "d")
    for limit in 1...6 {
      let query = LogQuery(conversation: shared.bob, limit: limit)
      #expect(try forwards(query) == ["a", "b", "body of ours", "c", "d"])
      #expect(try all(query).map(\.event.body) == ["d", "c", "body of ours", "b", "a"])
    }
    #expect(try forwards(LogQuery(limit: 2)) == ["a", "b", "not here", "body of ours", "c", "d"])
  }

  @Test("A message has its sender and its delivery state") func aMessageTellsWhoWroteItAndHowFarItCame() throws {
    try theirs("a")
    let number = try #require(try shared.keep(store, "ours").first)
    let message = try #require(try log.message(number))
    #expect(message.isOutgoing && message.state == .waiting && message.conversation == shared.bob)
    #expect(message.event.from == shared.account && message.event.delayed == Timestamp(milliseconds: 1_000))
    #expect(try log.message(number + 1) == nil)
  }

  @Test("What was to change an earlier message, and failed or was withdrawn, changes nothing and is a line of its own")
  func failedRemarks() throws {
    let number = try #require(try shared.keep(store, "a").first)
    try store.messages.settle([MessageOutcome(number: number, id: "a", state: .server)])
    let relations: [(id: String, relation: MessageRelation)] = [
      ("c", .replaces("a")), ("d", .retracts("a")), ("e", .reacts(to: "a", with: ["👍"])),
    ]
    let remarks = relations.map { id, relation in
      OutboxRecord(
        OutgoingMessage(
          id: id, to: shared.bob, body: id == "c" ? "other words" : "", time: Timestamp(milliseconds: 2_000),
          relations: [relation]))
    }
    let numbers = try store.messages.keep(remarks, from: shared.account)
    #expect(try forwards(LogQuery()) == ["body of a"])
    #expect(try log.message(number)?.fate.isRetracted == true)
    try store.messages.settle([
      MessageOutcome(number: numbers[0], id: "c", state: .failed(reason: "gone")),
      MessageOutcome(number: numbers[2], id: "e", state: .failed(reason: "gone")),
    ])
    #expect(try store.messages.withdraw("d") == .withdrawn(to: shared.bob))
    #expect(try log.message(number)?.fate == MessageFate())
    let shown = try all(LogQuery()).reversed()
    #expect(shown.map(\.number) == [number] + numbers)
    #expect(shown.dropFirst().map(\.state?.name) == ["failed", "failed", "failed"])
    #expect(shown.dropFirst().map(\.event.relations) == relations.map { [$0.relation] })
    try index()
    #expect(try found("words") == ["other words"])
  }

  @Test("What was to change a message that nobody got is shown where it has words of its own, and not else")
  func remarksOnWithdrawn() throws {
    let number = try #require(try shared.keep(store, "a").first)
    let relations: [MessageRelation] = [.replaces("a"), .reacts(to: "a", with: ["👍"]), .retracts("a")]
    let numbers = try store.messages.keep(
      relations.enumerated().map { index, relation in
        OutboxRecord(
          OutgoingMessage(
            id: "c\(index)", to: shared.bob, body: index == 0 ? "other words" : "",
            time: Timestamp(milliseconds: 2_000),
            relations: [relation]))
      }, from: shared.account)
    for id in ["a", "c0", "c1", "c2"] { #expect(try store.messages.withdraw(id) == .withdrawn(to: shared.bob)) }
    #expect(try all(LogQuery()).reversed().map(\.number) == [number, numbers[0]])
    #expect(try log.summary(of: shared.bob)?.last.number == numbers[0])
    #expect(try log.message(number)?.fate == MessageFate())
  }

  @Test("Postponed messages are not in the history") func whatWaitsForItsPlaceIsNotRead() throws {
    try store.messages.postpone([
      ArrivedMessage(
        MessageArrived(id: nil, from: shared.bob, to: shared.account, kind: .chat, body: "early"), archiveID: nil,
        hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 0))
    ])
    #expect(try forwards(LogQuery()) == [])
    #expect(try log.conversations().isEmpty)
  }

  @Test("Times and senders narrow the history", arguments: [true, false]) func timesAndSendersNarrowIt(isIndexed: Bool)
    throws
  {
    let day: Int64 = 86_400
    try theirs("first day", at: 10)
    try theirs("second day", at: day + 10)
    // A stamp of long ago that came late.
    try theirs("first day, late", at: 20)
    try theirs("third day", from: "eve@example.org", at: 2 * day + 10)
    if isIndexed { try index() }
    let (second, third) = (Timestamp(milliseconds: day * 1_000), Timestamp(milliseconds: 2 * day * 1_000))
    #expect(try forwards(LogQuery(since: second)) == ["second day", "third day"])
    #expect(try forwards(LogQuery(until: second)) == ["first day", "first day, late"])
    #expect(try forwards(LogQuery(since: second, until: third)) == ["second day"])
    #expect(try forwards(LogQuery(conversation: shared.bob, since: second)) == ["second day"])
    #expect(try all(LogQuery(conversation: shared.bob, until: third)).map(\.event.body).count == 3)
    #expect(try forwards(LogQuery(since: Timestamp(milliseconds: 900 * day * 1_000))) == [])
    #expect(try forwards(LogQuery(sender: try JID("eve@example.org"))) == ["third day"])
    #expect(try forwards(LogQuery(sender: shared.account)) == [])
  }

  @Test("Timestamps of the first and the last year harm no query")
  func stampsOfTheFirstAndTheLastYearHarmNobody() throws {
    try theirs("first year", at: -62_135_596_800)
    try theirs("last year", at: 253_402_300_799)
    try theirs("now", at: 1_000)
    try index()
    #expect(try forwards(LogQuery(until: Timestamp(milliseconds: 2_000_000))) == ["first year", "now"])
    #expect(try forwards(LogQuery(since: Timestamp(milliseconds: 2_000_000))) == ["last year"])
  }

  // MARK: Conversations

  @Test("Conversations are listed newest first, with the number of unread messages")
  func conversationsAreListedNewestFirstWithWhatNobodyHasRead() throws {
    let bobs = try theirs("a", "b", "c")
    try theirs("x", from: "eve@example.org")
    _ = try shared.keep(store, "ours")
    try log.markRead(shared.bob, through: bobs[0])
    try log.markRead(shared.bob, through: 0)
    let conversations = try log.conversations()
    #expect(conversations.map(\.conversation.description) == ["bob@example.org", "eve@example.org"])
    #expect(conversations.map(\.unread) == [2, 1], "what we wrote is read")
    #expect(conversations.map(\.last.event.body) == ["body of ours", "x"])
    #expect(try log.summary(of: shared.bob)?.readThrough == bobs[0])
    #expect(try log.unread() == UnreadCount(messages: 3, conversations: 2))
    #expect(try forwards(LogQuery(conversation: shared.bob, isUnread: true)) == ["b", "c"])
    #expect(try forwards(LogQuery(isUnread: true)) == ["b", "c", "x"])
    #expect(try log.summary(of: try JID("nobody@example.org")) == nil)
  }

  // MARK: Search

  @Test("Words are found in any order, case and accent") func wordsAreFoundInAnyOrderCaseAndAccent() throws {
    try theirs("The Café opens at nine", "nine cats", "Straße nach Köln", "foo-bar baz", "ninety")
    try index()
    #expect(try found("nine cafe") == ["The Café opens at nine"])
    #expect(try found("NINE") == ["nine cats", "The Café opens at nine"])
    #expect(try found("nine*") == ["ninety", "nine cats", "The Café opens at nine"])
    #expect(try found("\"at nine\"") == ["The Café opens at nine"])
    #expect(try found("\"nine at\"") == [])
    #expect(try found("\"opens at ni\"*") == ["The Café opens at nine"])
    #expect(try found("nine -cats") == ["The Café opens at nine"])
    #expect(try found("koln") == ["Straße nach Köln"])
    #expect(try found("foo-bar") == ["foo-bar baz"])
    #expect(try found("bar-foo") == [])
    #expect(try found("*raß*") == ["Straße nach Köln"])
    #expect(try found("*RAß* nach") == ["Straße nach Köln"])
    #expect(try found("-cats *ni*") == ["ninety", "The Café opens at nine"])
  }

  @Test("Scripts without spaces and single signs are found") func scriptsWithoutSpacesAndSignsAreFound() throws {
    try theirs("我喜欢喝咖啡", "今天天气很好", "well done 👍🏽", "สวัสดีครับ", "한국어를 배워요")
    try index()
    #expect(try found("咖啡") == ["我喜欢喝咖啡"])
    #expect(try found("天天气") == ["今天天气很好"])
    #expect(try found("👍🏽") == ["well done 👍🏽"])
    #expect(try found("👍 done") == ["well done 👍🏽"])
    #expect(try found("ดีครับ") == ["สวัสดีครับ"])
    #expect(try found("한국") == ["한국어를 배워요"])
  }

  /// What stands in an expression of the index must not be one.
  @Test(
    "No word of a search is taken for query syntax",
    arguments: [
      "NEAR(a b)", "a OR b", "body:a", "\"", "\"\"\"", "^a", "a + b", "(a", "*", "**", "-", "a\u{0}b", "' OR 1=1 --",
      "{a}",
    ]) func noWordIsTakenForSyntax(text: String) throws
  {
    try theirs("a b")
    try index()
    if let words = SearchWords(text) { _ = try all(LogQuery(words: words)) }
  }

  @Test("The places of hits are byte ranges") func placesOfHitsAreToldInBytes() throws {
    try theirs("ä nine Nine", "x 咖啡 咖啡")
    try index()
    let words = try #require(SearchWords("nine"))
    let hits = try #require(try all(LogQuery(words: words)).first?.hits)
    #expect(hits == [3..<7, 8..<12])
    let part = try #require(SearchWords("咖啡"))
    #expect(try all(LogQuery(words: part)).first?.hits == [2..<8, 9..<15])
  }

  @Test("Words are marked in texts of any length, in one pass through each")
  func placesOfHitsInLongTexts() throws {
    try theirs(String(repeating: "The ", count: 40_000) + "end of them")
    try index()
    let words = try #require(SearchWords("the END"))
    let hits = try #require(try all(LogQuery(words: words)).first?.hits)
    #expect(hits.count == 40_001)
    #expect(hits.first == 0..<3 && hits.last == 160_000..<160_003)
  }

  @Test("A search continues where it ended") func aSearchGoesOnWhereItEnded() throws {
    for number in 1...50 { try theirs("word \(number)") }
    try theirs("word of eve", from: "eve@example.org")
    try index()
    let words = try #require(SearchWords("word"))
    let bodies = try all(LogQuery(conversation: shared.bob, words: words, limit: 7)).map(\.event.body)
    #expect(bodies == (1...50).reversed().map { "word \($0)" })
  }

  @Test("New messages are added to the index piece by piece") func whatCameSinceIsAddedToTheIndexPieceByPiece() throws {
    for _ in 0..<3 { try theirs(String(repeating: "long ", count: 40_000)) }
    #expect(try log.extendIndex(isWaitedFor: false) == 2)
    #expect(try found("long").count == 1)
    try index()
    #expect(try found("long").count == 3)
    #expect(try log.extendIndex(isWaitedFor: false) == 0)
  }

  @Test("What is waited for is added in pieces too, between which other programs write")
  func indexedInPieces() throws {
    for number in 0..<2_500 { try theirs("\(number)") }
    #expect(try log.extendIndex(isWaitedFor: true) == 1_500)
  }

  // MARK: Removal

  /// Row, index and file: nothing that was said is left, though other programs have the database open.
  @Test("A deleted message leaves no trace in the files") func whatIsRemovedLeavesNoTrace() throws {
    let other = shared.program()
    try theirs("my secretword is here", "and another secretword")
    try theirs("kept", from: "eve@example.org")
    try index()
    _ = try other.log.conversations()
    let last = try #require(try all(LogQuery()).first?.number)
    var removed = 0
    while case let count = try log.remove(shared.bob, before: nil), count > 0 { removed += count }
    #expect(removed == 2)
    while try log.purge() {}
    #expect(try found("secretword") == [])
    #expect(try forwards(LogQuery()) == ["kept"])
    #expect(try log.conversations().count == 1)
    #expect(try theirs("new").first.map { $0 > last } == true, "a number is given once")
    for name in shared.folder.names {
      #expect(!shared.folder.contents(of: name).contains(Array("secretword".utf8)), "\(name)")
      #expect(!shared.folder.contents(of: name).contains(Array("cretwo".utf8)), "\(name)")
    }
  }

  @Test("The number of the newest message is not used again after its deletion")
  func theNewestMessagesNumberIsNotGivenAgain() throws {
    let number = try #require(try theirs("a").first)
    #expect(try log.remove(nil, before: nil) == 1)
    #expect(try theirs("b").first == number + 1)
  }

  @Test("Unsent messages are not deleted") func whatIsToBeSentStays() throws {
    _ = try shared.keep(store, "waits")
    try theirs("a")
    #expect(try log.remove(nil, before: nil) == 1)
    #expect(try store.messages.outbox().map(\.message.id) == ["waits"])
  }

  @Test("Only messages from before the given time are deleted") func onlyWhatWasWrittenBeforeIsRemoved() throws {
    try theirs("old", "newer", at: 10)
    #expect(try log.remove(nil, before: Timestamp(milliseconds: 11_000)) == 1)
    #expect(try forwards(LogQuery()) == ["newer"])
  }
}
