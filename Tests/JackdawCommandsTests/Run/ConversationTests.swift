// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawCommands

@Suite("The conversation")
struct ConversationTests {
  private static let bob = try? JID("bob@example.org")

  private func withBob() throws -> Conversation { .with(try #require(Self.bob)) }

  @Test(
    "is ended by a `/to`, `/r`, `/goto` or `/close` that fails, whatever is wrong with it, and says which one it was",
    arguments: [
      (["to"], "to"), (["to", "nobody"], "to"), (["to", "--bogus", "bob"], "to"), (["to", "\"bo"], "to"),
      (["close", "bob"], "close"), (["--timeout=5", "to", "x"], "to"), (["r"], "r"), (["goto", "999"], "goto"),
      // By an alias, and by the beginning of a name.
      (["query", "nobody"], "query"), (["que", "nobody"], "query"), (["t", "nobody"], "to"), (["clo", "bob"], "close"),
      (["got", "x"], "goto"),
    ])
  func failed(_ words: [String], _ name: String) throws {
    var conversation = try withBob()
    conversation.commandFailed(words, of: .standard, isAtPrompt: false)
    #expect(conversation == .failed(command: name) && conversation.shown == nil)
    // That the user sees the failure picks nobody.
    conversation.failureWasShown()
    conversation.lineWasUnreadable()
    #expect(conversation == .failed(command: name))
    let text = "Not sent, as the '/\(name)' before it failed. Pick somebody first: /to carol"
    #expect(throws: CommandFailure(.usage, "no-conversation", text)) { try conversation.recipient(example: "carol") }
    // A command of somebody whom it was to pick sends nothing.
    let undone = text.replacing("Not sent", with: "Not done")
    #expect(throws: CommandFailure(.usage, "no-conversation", undone)) {
      try conversation.recipient(example: "carol", isOfCommand: true)
    }
  }

  @Test(
    "takes no message after a line that may have meant another one, until the user has seen that it was not understood",
    arguments: [
      ["tp", "carol"], ["TO", "carol"], ["chat", "carol"], ["c", "carol"], ["\"to", "carol"], [], ["--", "--"],
    ])
  func unclear(_ words: [String]) throws {
    let bob = try #require(Self.bob)
    var conversation = try withBob()
    conversation.commandFailed(words, of: .standard, isAtPrompt: false)
    #expect(conversation == .unclear(bob) && conversation.shown == bob)
    #expect(throws: CommandFailure.self) { try conversation.recipient(example: "carol") }
    conversation.failureWasShown()
    #expect(try conversation.recipient(example: "carol") == bob)
    conversation.lineWasUnreadable()
    #expect(conversation == .unclear(bob))
  }

  @Test(
    "goes on after another command that fails",
    arguments: [["ping", "--bogus"], ["friends", "ad", "to"], ["send"], ["msg"], ["sen"], ["help", "to", "x", "y"]])
  func goesOn(_ words: [String]) throws {
    var conversation = try withBob()
    conversation.commandFailed(words, of: .standard, isAtPrompt: false)
    #expect(try conversation == withBob())
  }

  @Test("that is with nobody stays so", arguments: [["tp", "bob"], ["ping", "x"]])
  func nobody(_ words: [String]) {
    var conversation = Conversation.none
    conversation.commandFailed(words, of: .standard, isAtPrompt: false)
    conversation.lineWasUnreadable()
    conversation.failureWasShown()
    #expect(conversation == .none)
    #expect(throws: CommandFailure(.usage, "no-conversation", "Pick somebody first: /to carol")) {
      try conversation.recipient(example: "carol")
    }
  }
}
