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

  private func keepStream(_ store: AccountStore, _ id: String, at time: Int64) throws {
    let resumption = StreamResumption(id: id, jid: try shared.account.with(resource: id), handled: 1)
    try store.streams.keepStream(resumption, at: Timestamp(milliseconds: time))
  }

  /// What the prompt left is the prompt's, and what came is for whoever shows it.
  @Test func aCommandTakesOverWhatCommandsLeftAndNothingElse() throws {
    var prompt: AccountStore? = shared.program()
    _ = try shared.keep(try #require(prompt), "p")
    var command: AccountStore? = shared.program(stays: false)
    let looking = shared.program(stays: false)
    #expect(try looking.streams.hasLeftovers() == false)
    _ = try shared.keep(try #require(command), "a")
    _ = try command?.messages.record(theirs("to be shown"), movesMark: false)
    try command?.messages.postpone([theirs("to be shown in its place")])
    #expect(try looking.streams.hasLeftovers() == false, "it runs")
    #expect(try looking.messages.adopt().ours.isEmpty)
    (prompt, command) = (nil, nil)
    #expect(try looking.streams.hasLeftovers())
    let left = try looking.messages.adopt()
    #expect(left.ours.map(\.message.id) == ["a"])
    #expect(!left.hasPostponed)
    let next = shared.program()
    #expect(try next.messages.adopt().ours.map(\.message.id) == ["p"])
    #expect(try next.messages.unpresented() == ["to be shown"])
    #expect(try next.messages.postponed() == ["to be shown in its place"])
  }

  @Test func aCommandGoesOnWithTheNewestStreamThatCommandsLeft() throws {
    let prompt = shared.program()
    try keepStream(prompt, "prompt's", at: 9)
    var commands: [AccountStore] = (0..<3).map { _ in shared.program(stays: false) }
    for (number, command) in commands.enumerated() {
      try keepStream(command, "s\(number)", at: [1, 3, 2][number])
    }
    let looking = shared.program(stays: false)
    #expect(try looking.streams.hasLeftovers() == false)
    #expect(try looking.streams.loadStream() == nil)
    commands = []
    #expect(try looking.streams.hasLeftovers())
    #expect(try looking.streams.loadStream()?.resumption.id == "s1")
    #expect(try shared.program(stays: false).streams.loadStream()?.resumption.id == "s0", "its number's own")
    #expect(try looking.streams.loadStream()?.resumption.id == "s1")
    try looking.streams.forgetStream()
    #expect(try prompt.streams.loadStream()?.resumption.id == "prompt's")
  }

  /// A command does not know the archive, the store does.
  @Test func aMessageIsFoundBehindTheMarkThatTheStoreHad() throws {
    var command: AccountStore? = shared.program(stays: false)
    try command?.messages.keepArchiveMark("a7")
    _ = try command?.messages.keep(
      [OutboxRecord(shared.ours("a"), wasSent: true), OutboxRecord(shared.ours("b"))], from: shared.account)
    let number = try #require(try command.map { try shared.keep($0, "c") }?.first)
    _ = try command?.messages.place([(number, "c", nil)], after: nil)
    try command?.messages.keepArchiveMark("a8")
    _ = try command?.messages.place([(number, "c", nil)], after: nil)
    command = nil
    #expect(try shared.program().messages.adopt().ours.map(\.mark) == ["a7", nil, "a7"])
  }

  /// The stream that says what became of a message is that of the command that wrote it.
  @Test func aMessageGoesToTheCommandThatHasItsStream() throws {
    var commands: [AccountStore] = (0..<2).map { _ in shared.program(stays: false) }
    for (number, command) in commands.enumerated() {
      _ = try shared.keep(command, "m\(number)")
      try keepStream(command, "s\(number)", at: Int64(number))
    }
    let loose = shared.program(stays: false)
    _ = try shared.keep(loose, "loose")
    let first = shared.program(stays: false)
    let second = shared.program(stays: false)
    // Numbers of their own, so that neither stands in the place of one that is gone.
    #expect(try first.streams.hasLeftovers() == false)
    #expect(try second.streams.hasLeftovers() == false)
    commands = []
    #expect(try first.streams.loadStream()?.resumption.id == "s1")
    #expect(try first.messages.adopt().ours.map(\.message.id) == ["m1"])
    #expect(try second.streams.hasLeftovers())
    #expect(try second.streams.loadStream()?.resumption.id == "s0")
    #expect(try second.messages.adopt().ours.map(\.message.id) == ["m0"])
    #expect(try shared.program(stays: false).streams.hasLeftovers() == false, "each of them runs")
  }
}
