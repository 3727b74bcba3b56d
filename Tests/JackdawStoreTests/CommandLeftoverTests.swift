// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What single commands leave in the store, and who takes it up.
@Client @Suite struct CommandLeftoverTests {
  private let shared: SharedDatabase

  init() throws { shared = try SharedDatabase() }

  private func theirs(_ body: String) throws -> ArrivedMessage {
    ArrivedMessage(
      MessageArrived(id: nil, from: try shared.bob.with(resource: "x"), to: shared.account, kind: .chat, body: body),
      archiveID: nil,
      hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 2_000))
  }

  @Test("A command adopts what commands left to be sent, and nothing that came or of programs that run")
  func aCommandTakesOverWhatCommandsLeftAndNothingElse() throws {
    let prompt = shared.program()
    _ = try shared.keep(prompt, "p")
    var command: AccountStore? = shared.program(isOneShot: true)
    let looking = shared.program(isOneShot: true)
    #expect(try looking.streams.hasLeftovers() == false)
    _ = try shared.keep(try #require(command), "a")
    _ = try command?.messages.record(theirs("to be shown"), movesCursor: false)
    try command?.messages.postpone([theirs("to be shown in its place")])
    #expect(try looking.streams.hasLeftovers() == false, "it runs")
    #expect(try looking.messages.adopt().ours.isEmpty)
    command = nil
    #expect(try looking.streams.hasLeftovers())
    let left = try looking.messages.adopt()
    #expect(left.ours.map(\.message.id) == ["a"])
    #expect(!left.hasPostponed)
    let next = shared.program()
    #expect(try next.messages.adopt().ours.isEmpty)
    #expect(try next.messages.unpresented() == ["to be shown"])
    #expect(try next.messages.postponed() == ["to be shown in its place"])
  }

  @Test(
    "A command adopts of a prompt what no stream can say more of: behind a message that was sent nothing, if a stream is left"
  )
  func ofAPrompt() throws {
    for hasStream in [false, true] {
      let shared = try SharedDatabase()
      let carol = try JID("carol@example.org")
      let room = try JID("room@rooms.example.org")
      func ours(_ id: String, to: JID, _ addressing: Addressing = .person) -> OutgoingMessage {
        OutgoingMessage(id: id, to: to, addressing: addressing, body: id, time: Timestamp(milliseconds: 1_000))
      }
      var prompt: AccountStore? = shared.program()
      if hasStream {
        let resumption = StreamResumption(id: "s", jid: try shared.account.with(resource: "x"), handled: 0)
        try prompt?.streams.keepStream(resumption, at: Timestamp(milliseconds: 5))
      }
      let records = [
        OutboxRecord(ours("to bob, sent", to: shared.bob), state: .sent), OutboxRecord(ours("to bob", to: shared.bob)),
        OutboxRecord(ours("to carol", to: carol)), OutboxRecord(ours("to a room", to: room, .room)),
        OutboxRecord(ours("to an occupant", to: try room.with(resource: "nick"), .occupant)),
      ]
      _ = try prompt?.messages.keep(records, from: shared.account)
      prompt = nil
      var command: AccountStore? = shared.program(isOneShot: true)
      #expect(try command?.streams.hasLeftovers() == true)
      let adopted = try command?.messages.adopt().ours.map(\.message.id)
      #expect(adopted == (hasStream ? ["to carol"] : ["to bob, sent", "to bob", "to carol"]))
      command = nil
      let next = try shared.program().messages.adopt().ours.map(\.message.id)
      #expect(next == ["to bob, sent", "to bob", "to carol", "to a room", "to an occupant"])
    }
  }

  @Test("where one of several was withdrawn, none of the others is noted to stand where it does not")
  func withdrawnOfSeveral() throws {
    let store = shared.program()
    let numbers = try ["a", "b"].flatMap { try shared.keep(store, $0) }
    _ = try store.messages.withdraw("a")
    let places = numbers.indices.map { StreamPlace(stream: "s", position: UInt32(5 + $0)) }
    let placed = try store.messages.place([(numbers[0], "a", places[0]), (numbers[1], "b", places[1])], after: nil)
    #expect(placed == [numbers[0]])
    #expect(try store.messages.outbox().map(\.state) == [.waiting])
    #expect(try store.messages.place([(numbers[1], "b", places[0])], after: nil) == [])
    #expect(try store.messages.outbox().map(\.state) == [.sent])
  }

  /// A command does not know the archive, the store does.
  @Test("An adopted message has the archive cursor from before it was sent")
  func aMessageIsFoundBehindTheMarkThatTheStoreHad() throws {
    var command: AccountStore? = shared.program(isOneShot: true)
    try command?.messages.keepArchiveCursor("a7")
    _ = try command?.messages.keep(
      [OutboxRecord(shared.ours("a"), state: .sent), OutboxRecord(shared.ours("b"))], from: shared.account)
    let number = try #require(try command.map { try shared.keep($0, "c") }?.first)
    _ = try command?.messages.place([(number, "c", nil)], after: nil)
    try command?.messages.keepArchiveCursor("a8")
    _ = try command?.messages.place([(number, "c", nil)], after: nil)
    command = nil
    #expect(try shared.program().messages.adopt().ours.map(\.archiveCursor) == ["a7", nil, "a7"])
  }
}
