// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// What a program that was killed had shown, and had no time to note.
@Client @Suite struct ShownMarkTests {
  private let shared: SharedDatabase

  init() throws { shared = try SharedDatabase() }

  /// - Returns: the numbers of new messages from bob.
  private func record(_ store: AccountStore?, _ bodies: String...) throws -> [Int64] {
    try bodies.map { body in
      let event = MessageArrived(
        id: body, from: shared.bob, to: shared.account, kind: .chat, body: body, delayed: nil, carbon: nil)
      let message = ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
      return try #require(try store?.messages.record(message, movesMark: false).number)
    }
  }

  private func unshown(_ store: AccountStore?) throws -> [String] {
    try store?.messages.adopt().theirs.map(\.event.body) ?? []
  }

  @Test func whatIsMarkedIsNotShownAgain() throws {
    var first: AccountStore? = shared.program()
    let numbers = try record(first, "one", "two", "three")
    first?.messages.markShown(numbers[1])
    first = nil
    var second: AccountStore? = shared.program()
    #expect(try unshown(second) == ["three"])
    second = nil
    // The mark counted once; what was not shown stays so.
    #expect(try unshown(shared.program()) == ["three"])
  }

  @Test func theMarkOfAnotherIsThatOfItsOwnMessages() throws {
    var first: AccountStore? = shared.program()
    var second: AccountStore? = shared.program()
    _ = try unshown(first)
    _ = try unshown(second)
    _ = try record(first, "one of the first")
    let marked = try record(second, "one of the second")
    _ = try record(first, "two of the first")
    _ = try record(second, "two of the second")
    second?.messages.markShown(try #require(marked.first))
    (first, second) = (nil, nil)
    #expect(try unshown(shared.program()) == ["one of the first", "two of the first", "two of the second"])
  }

  /// A program's mark is behind messages that it takes over from another, which it has not shown.
  @Test func aMarkSaysNothingOfWhatIsTakenOverLater() throws {
    var first: AccountStore? = shared.program()
    var second: AccountStore? = shared.program()
    _ = try unshown(first)
    _ = try record(second, "of the second")
    let last = try record(first, "of the first")
    first?.messages.markShown(try #require(last.first))
    (first, second) = (nil, nil)
    #expect(try unshown(shared.program()) == ["of the second"])
    // It was killed before it showed that.
    #expect(try unshown(shared.program()) == ["of the second"])
  }

  /// A database that is lost is replaced by an empty one, whose numbers begin anew.
  @Test func aMarkIsOfOneDatabase() throws {
    var first: AccountStore? = AccountStore(directory: shared.folder.path, account: shared.account, stays: true) { _ in
    }
    let numbers = try record(first, "one", "two")
    first?.messages.markShown(try #require(numbers.last))
    #expect(unlink("\(shared.folder.path)/alice@example.org.sqlite3") == 0)
    _ = try record(first, "three")
    first = nil
    #expect(try unshown(shared.program()) == ["three"])
  }
}
