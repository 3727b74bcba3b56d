// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// What single commands leave in the store, and who takes it up.
@Client @Suite struct CommandLeftoverTests {
  private let folder = TemporaryFolder()
  private let account: JID
  private let bob: JID

  init() throws {
    account = try JID("alice@example.org")
    bob = try JID("bob@example.org")
  }

  /// A program that uses the database; it ends with its store.
  private func program(stays: Bool = true) -> AccountStore {
    AccountStore(directory: folder.path, account: account, stays: stays) { Issue.record("\($0)") }
  }

  private func ours(_ id: String) -> OutgoingMessage {
    OutgoingMessage(id: id, to: bob, body: "body of \(id)", time: Timestamp(milliseconds: 1_000))
  }

  private func theirs(_ body: String) throws -> ArrivedMessage {
    ArrivedMessage(
      MessageArrived(id: nil, from: try bob.with(resource: "x"), to: account, kind: .chat, body: body), archiveID: nil,
      hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 2_000))
  }

  private func keep(_ store: AccountStore, _ id: String) throws -> [Int64] {
    try store.messages.keep([OutboxRecord(ours(id))], from: account)
  }

  private func keepStream(_ store: AccountStore, _ id: String, at time: Int64) throws {
    let resumption = StreamResumption(id: id, jid: try account.with(resource: id), handled: 1)
    try store.streams.keepStream(resumption, at: Timestamp(milliseconds: time))
  }

  /// What the prompt left is the prompt's, and what came is for whoever shows it.
  @Test func aCommandTakesOverWhatCommandsLeftAndNothingElse() throws {
    var prompt: AccountStore? = program()
    _ = try keep(try #require(prompt), "p")
    var command: AccountStore? = program(stays: false)
    let looking = program(stays: false)
    #expect(try looking.streams.hasLeftovers() == false)
    _ = try keep(try #require(command), "a")
    _ = try command?.messages.record(theirs("to be shown"), movesMark: false)
    _ = try command?.messages.hold(theirs("to be shown in its place"))
    #expect(try looking.streams.hasLeftovers() == false, "it runs")
    #expect(try looking.messages.adopt().ours.isEmpty)
    (prompt, command) = (nil, nil)
    #expect(try looking.streams.hasLeftovers())
    let left = try looking.messages.adopt()
    #expect(left.ours.map(\.message.id) == ["a"])
    #expect(left.theirs.isEmpty && left.held.isEmpty)
    let next = try program().messages.adopt()
    #expect(next.ours.map(\.message.id) == ["p"])
    #expect(next.theirs.map(\.event.body) == ["to be shown"])
    #expect(next.held.map(\.message.event.body) == ["to be shown in its place"])
  }

  @Test func aCommandGoesOnWithTheNewestStreamThatCommandsLeft() throws {
    let prompt = program()
    try keepStream(prompt, "prompt's", at: 9)
    var commands: [AccountStore] = (0..<3).map { _ in program(stays: false) }
    for (number, command) in commands.enumerated() {
      try keepStream(command, "s\(number)", at: [1, 3, 2][number])
    }
    let looking = program(stays: false)
    #expect(try looking.streams.hasLeftovers() == false)
    #expect(try looking.streams.loadStream() == nil)
    commands = []
    #expect(try looking.streams.hasLeftovers())
    #expect(try looking.streams.loadStream()?.resumption.id == "s1")
    #expect(try program(stays: false).streams.loadStream()?.resumption.id == "s0", "its number's own")
    #expect(try looking.streams.loadStream()?.resumption.id == "s1")
    try looking.streams.forgetStream()
    #expect(try prompt.streams.loadStream()?.resumption.id == "prompt's")
  }

  /// A command does not know the archive, the store does.
  @Test func aMessageIsFoundBehindTheMarkThatTheStoreHad() throws {
    var command: AccountStore? = program(stays: false)
    try command?.messages.keepArchiveMark("a7")
    _ = try command?.messages.keep([OutboxRecord(ours("a"), wasSent: true), OutboxRecord(ours("b"))], from: account)
    let number = try #require(try command.map { try keep($0, "c") }?.first)
    _ = try command?.messages.place([(number, "c", nil)], after: nil)
    try command?.messages.keepArchiveMark("a8")
    _ = try command?.messages.place([(number, "c", nil)], after: nil)
    command = nil
    #expect(try program().messages.adopt().ours.map(\.mark) == ["a7", nil, "a7"])
  }

  /// The stream that says what became of a message is that of the command that wrote it.
  @Test func aMessageGoesToTheCommandThatHasItsStream() throws {
    var commands: [AccountStore] = (0..<2).map { _ in program(stays: false) }
    for (number, command) in commands.enumerated() {
      _ = try keep(command, "m\(number)")
      try keepStream(command, "s\(number)", at: Int64(number))
    }
    let loose = program(stays: false)
    _ = try keep(loose, "loose")
    let first = program(stays: false)
    let second = program(stays: false)
    // Numbers of their own, so that neither stands in the place of one that is gone.
    #expect(try first.streams.hasLeftovers() == false)
    #expect(try second.streams.hasLeftovers() == false)
    commands = []
    #expect(try first.streams.loadStream()?.resumption.id == "s1")
    #expect(try first.messages.adopt().ours.map(\.message.id) == ["m1"])
    #expect(try second.streams.hasLeftovers())
    #expect(try second.streams.loadStream()?.resumption.id == "s0")
    #expect(try second.messages.adopt().ours.map(\.message.id) == ["m0"])
    #expect(try program(stays: false).streams.hasLeftovers() == false, "each of them runs")
  }
}
