// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What the log keeps of messages beside their texts.
@Client @Suite("Payloads of messages") struct PayloadTests {
  private static let noon = Timestamp(milliseconds: 1_793_534_400_000)
  private let shared: SharedDatabase
  private let store: AccountStore

  init() throws {
    shared = try SharedDatabase()
    store = shared.program()
  }

  private static var full: MessagePayload {
    var payload = MessagePayload()
    payload.subject = "Lunch \"today\"\u{202E}\n👍"
    payload.thread = "t1"
    payload.language = "de"
    payload.encryption = "OMEMO"
    payload.links = [
      MessagePayload.Link(url: "https://example.org/a"),
      MessagePayload.Link(url: "https://example.org/b", description: "b"),
    ]
    payload.spoiler = ""
    payload.isUnstyled = true
    var content = MessageContent(.file, items: ["one", "two"])
    content.id = "id"
    content.address = "room@rooms.example.org"
    content.person = "bob@example.org"
    content.name = "cat.jpg"
    content.type = "image/jpeg"
    content.text = "a cat"
    content.url = "https://example.org/cat.jpg"
    content.size = 0
    payload.content = content
    return payload
  }

  private func arrived(_ id: String, _ body: String, _ payload: MessagePayload?) throws -> ArrivedMessage {
    let event = MessageArrived(
      id: id, from: try JID("bob@example.org/phone"), to: shared.account, kind: .chat, body: body, payload: payload)
    return ArrivedMessage(event, archiveID: nil, hasUniqueID: true, mayBeRepeated: false, time: Self.noon)
  }

  @Test("come back as they were kept, wherever messages are read")
  func asTheyWere() throws {
    try store.messages.open("screen", from: nil)
    _ = try store.messages.record([arrived("a", "plain", nil), arrived("b", "", Self.full)], archiveCursor: nil)
    let told = try store.messages.unpresented(to: "screen", after: nil, limit: 10)
    #expect(told.map(\.payload) == [nil, Self.full])
    #expect(told.map(\.encrypted) == [false, true])
    let logged = try store.log.page(LogQuery(), after: nil).messages
    #expect(logged.map(\.event.payload) == [nil, Self.full])
    while try store.log.extendIndex(isWaitedFor: false) > 0 {}
    let found = try store.log.page(LogQuery(words: SearchWords("plain")), before: nil).messages
    #expect(found.map(\.event.body) == ["plain"] && found[0].hits == [0..<5])
  }

  @Test("have of an invitation what lets into the room, and that it was answered, which nothing else can be")
  func invitations() throws {
    var invitation = MessagePayload()
    invitation.content = MessageContent(.invitation)
    invitation.roomPassword = "geheim \"1\""
    _ = try store.messages.record(
      [arrived("a", "", invitation), arrived("b", "", Self.full), arrived("c", "plain", nil)], archiveCursor: nil)
    let logged = try store.log.page(LogQuery(), after: nil).messages
    #expect(logged.map(\.event.payload) == [invitation, Self.full, nil])
    for message in logged { try store.log.answerInvitation(message.number) }
    invitation.isAnswered = true
    #expect(try store.log.page(LogQuery(), after: nil).messages.map(\.event.payload) == [invitation, Self.full, nil])
  }

  @Test("have subjects that are found, by words and by parts, with words of the text too")
  func subjects() throws {
    var lunch = MessagePayload()
    lunch.subject = "Lunch é la carte"
    _ = try store.messages.record(
      [arrived("a", "at one?", lunch), arrived("b", "lunch", nil), arrived("c", "", lunch)], archiveCursor: nil)
    let waiting = OutgoingMessage(
      id: "d", to: shared.bob, body: "when?", time: Timestamp(milliseconds: 1_793_534_400_000), subject: "Dinner")
    _ = try store.messages.keep([OutboxRecord(waiting)], from: shared.account)
    while try store.log.extendIndex(isWaitedFor: false) > 0 {}
    func found(_ words: String) throws -> [String?] {
      try store.log.page(LogQuery(words: SearchWords(words)), before: nil).messages.map(\.event.id)
    }
    #expect(try found("lunch") == ["c", "b", "a"] && found("carte one") == ["a"] && found("dinner") == ["d"])
    #expect(
      try found("*unc*") == found("lunch") && found("*un*") == found("lunch") && found("lunch -carte") == ["b"]
        && found("one -carte") == [])
    let hits = try store.log.page(LogQuery(words: SearchWords("one lunch")), before: nil).messages.map(\.hits)
    #expect(hits == [[3..<6]])
    // The index has what it gives up when they go.
    _ = try store.log.remove(shared.bob, before: nil)
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    #expect(try database.first("SELECT count(*) FROM indexed_subject") { $0.integer(0) } == 1)
    #expect(try found("lunch") == [] && found("carte") == [] && found("dinner") == ["d"])
  }

  @Test("were indexed without their subjects before, and leave the index as they came into it")
  func subjectsBefore() throws {
    var lunch = MessagePayload()
    lunch.subject = "Lunch"
    _ = try store.messages.record([arrived("a", "at one?", lunch)], archiveCursor: nil)
    while try store.log.extendIndex(isWaitedFor: false) > 0 {}
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    try database.execute(
      """
      INSERT INTO message_words (message_words, rowid, body) SELECT 'delete', seq, text FROM indexed_text;
      INSERT INTO message_parts (message_parts, rowid, body) SELECT 'delete', seq, text FROM indexed_text;
      DELETE FROM indexed_subject;
      INSERT INTO message_words (rowid, body) SELECT seq, body FROM message;
      INSERT INTO message_parts (rowid, body) SELECT seq, body FROM message;
      """)
    #expect(try store.log.remove(shared.bob, before: nil) == 1)
    try database.execute(
      """
      INSERT INTO message_words (message_words) VALUES ('integrity-check');
      INSERT INTO message_parts (message_parts) VALUES ('integrity-check');
      """)
  }

  /// Of ours that a single command sent, before anybody looked at the archive.
  @Test("have subjects that are found once, where the message gets its place among what was said before")
  func subjectOfOneThatMoves() throws {
    let said = OutgoingMessage(id: "d", to: shared.bob, body: "when?", time: Self.noon, subject: "Dinner")
    let number = try #require(try store.messages.keep([OutboxRecord(said)], from: shared.account).first)
    try store.messages.settle([MessageOutcome(number: number, id: "d", state: .server)])
    while try store.log.extendIndex(isWaitedFor: false) > 0 {}
    var ours = try arrived("d", "when?", nil)
    ours.event = MessageArrived(
      id: "d", from: shared.account, to: shared.bob, kind: .chat, body: "when?", carbon: .sent)
    let page = [ours, try arrived("e", "at eight", nil)]
    _ = try store.earlier.keep(page, of: nil, store.earlier.walk(of: nil), before: "a1", isComplete: false)
    #expect(try store.log.page(LogQuery(), after: nil).messages.allSatisfy { $0.number < 1 })
    while try store.log.extendIndex(isWaitedFor: false) > 0 {}
    let database = try Database(path: shared.folder.path + "/alice@example.org.sqlite3")
    let found = try database.all("SELECT rowid FROM message_words WHERE message_words MATCH 'dinner'") { $0.integer(0) }
    #expect(try found == store.log.page(LogQuery(words: SearchWords("dinner")), before: nil).messages.map(\.number))
    #expect(found.count == 1)
    #expect(try database.first("SELECT count(*) FROM indexed_subject") { $0.integer(0) } == 1)
  }

  @Test("wait for their place with the message")
  func postponed() throws {
    try store.messages.postpone([arrived("a", "text", Self.full)])
    let waiting = try store.messages.postponed(limit: 10)
    #expect(waiting.map(\.event.payload) == [Self.full])
    _ = try store.messages.record(waiting, archiveCursor: nil)
    #expect(try store.log.message(1)?.event.payload == Self.full)
  }

  @Test("are staged with messages that are imported")
  func staged() throws {
    let stage = try MessageStageTable()
    try stage.add([StagedMessage(arrived("a", "text", Self.full), place: Self.noon)])
    #expect(try stage.takeNewest(10).map(\.event.payload) == [Self.full])
  }

  @Test("are nothing where the column holds what is no payload", arguments: ["", "{", "[]", "{\"subject\":7}", "null"])
  func damaged(text: String) {
    #expect(Payloads.payload(text) == nil)
  }

  @Test("are no text in the database for a plain message")
  func plain() {
    #expect(Payloads.text(nil) == nil)
    #expect(Payloads.payload(Payloads.text(Self.full)) == Self.full)
  }
}
