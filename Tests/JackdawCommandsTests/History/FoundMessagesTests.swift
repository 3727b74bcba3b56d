// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("What a search finds") struct FoundMessagesTests {
  /// - Parameters:
  ///   - found: the text of the correction by which it was found.
  ///   - now: what it says since it was corrected.
  private func message(_ number: Int64, by found: String? = nil, now: String? = nil) throws -> LoggedMessage {
    let bob = try JID("bob@example.org")
    var message = LoggedMessage(
      number: number, conversation: bob,
      event: MessageArrived(id: nil, from: bob, to: try JID("alice@example.org"), kind: .chat, body: "first"),
      isOutgoing: false)
    message.foundText = found
    message.fate.correction = now
    return message
  }

  /// What is shown of what is found, in order: the number, and the text in which it was found.
  private func shown(_ messages: LoggedMessage...) -> [String] {
    var found = FoundMessages()
    let shown = messages.flatMap { found.take($0) } + found.rest()
    return shown.map { "\($0.number) \($0.foundText ?? $0.event.body)" }
  }

  @Test("is shown as it is found where nothing was corrected")
  func plain() throws {
    #expect(try shown(message(9), message(7), message(1)) == ["9 first", "7 first", "1 first"])
  }

  @Test("is shown once, in its place, as it reads now, however many of its texts are found")
  func once() throws {
    #expect(
      try shown(
        message(3, by: "now", now: "now"), message(9), message(3, by: "then", now: "now"), message(5),
        message(3, now: "now"), message(1))
        == ["9 first", "5 first", "3 now", "1 first"])
    #expect(try shown(message(3, by: "then", now: "now"), message(3, by: "now", now: "now")) == ["3 now"])
  }

  @Test("is shown by what it said before where only that is found")
  func before() throws {
    #expect(try shown(message(3, by: "then", now: "now")) == ["3 then"])
    #expect(try shown(message(3, now: "now")) == ["3 first"])
  }

  @Test("is shown once, too, where a correction stands before the message")
  func wrongOrder() throws {
    #expect(try shown(message(9, now: "now"), message(9, by: "now", now: "now")) == ["9 first"])
  }

  @Test("is shown as soon as the log was looked through down to it")
  func passed() throws {
    var found = FoundMessages()
    #expect(try found.take(message(3, by: "now", now: "now")).isEmpty)
    #expect(found.passed(4).isEmpty && found.passed(3).map(\.number) == [3] && found.rest().isEmpty)
  }
}
