// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

/// What of the log was presented to whom.
@Client @Suite struct LogCursorTests {
  private let shared: SharedDatabase

  init() throws { shared = try SharedDatabase() }

  /// - Returns: where new messages from somebody stand.
  private func record(_ store: AccountStore?, from sender: JID? = nil, _ bodies: String...) throws -> [LogPlace] {
    try bodies.map { body in
      let event = MessageArrived(
        id: body, from: sender ?? shared.bob, to: shared.account, kind: .chat, body: body, delayed: nil, carbon: nil)
      let message = ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
      return try #require(try store?.messages.record(message).place)
    }
  }

  @Test("a message that one program displayed is not displayed again by any")
  func whatWasPresentedIsNotPresentedAgainByAnyProgram() throws {
    var first: AccountStore? = shared.program()
    let places = try record(first, "one", "two", "three")
    try first?.messages.present(Array(places[...1]), to: "screen")
    first = nil
    let second = shared.program()
    #expect(try second.messages.unpresented() == ["three"])
    let event = try second.messages.unpresented(to: "screen", after: nil, limit: 1).first
    #expect(event?.place == places[2])
    #expect(event?.delayed == Timestamp(milliseconds: 1_000), "it says when it came")
  }

  @Test("messages before a displayed one that were not displayed themselves stay unread")
  func whatStandsBelowAndWasNotPresentedStays() throws {
    let store = shared.program().messages
    let carol = try JID("carol@example.org")
    let places =
      try record(shared.program(), "one") + record(shared.program(), from: carol, "of carol")
      + record(shared.program(), "two", "three")
    try store.present([places[0], places[2]], to: "screen")
    #expect(try store.unpresented() == ["of carol", "three"])
    #expect(try store.unpresented(to: "screen", after: places[1], limit: 9).map(\.body) == ["three"])
    #expect(try store.unpresented(to: "screen", after: nil, limit: 1).map(\.body) == ["of carol"])
    try store.present([places[3]], to: "screen")
    #expect(try store.unpresented() == ["of carol"])
    try store.present([places[1], places[3]], to: "screen")
    #expect(try store.unpresented() == [])
  }

  @Test("messages are read in pages of a bounded number of bytes, and none between two pages is left out")
  func messagesAreReadInPagesOfABoundedNumberOfBytes()
    throws
  {
    let store = shared.program().messages
    let long = String(repeating: "x", count: StoreLimits.pageBytes / 3)
    let places = try record(shared.program(), "0" + long, "1" + long, "2" + long, "3" + long, "4" + long)
    // Some stand below the cursor.
    try store.present([places[1]], to: "screen")
    var seen: [LogPlace] = []
    while let page = try? store.unpresented(to: "screen", after: seen.last, limit: 500), !page.isEmpty {
      #expect(page.reduce(0) { $0 + $1.body.utf8.count } < 2 * StoreLimits.pageBytes)
      seen += page.compactMap(\.place)
    }
    #expect(seen == [places[0], places[2], places[3], places[4]])
    #expect(try store.unpresented(to: "screen", after: nil, limit: 500).count == 3)
  }

  @Test("displaying the last message does not mark those before it as displayed")
  func ofSeveralTheLastAloneMayBePresented() throws {
    let store = shared.program().messages
    let places = try record(shared.program(), "one", "two", "three")
    try store.present([places[2]], to: "screen")
    #expect(try store.unpresented() == ["one", "two"])
    try store.present([places[1], places[2]], to: "screen")
    #expect(try store.unpresented() == ["one"])
  }

  @Test("what another program sent, and was shown here, takes nothing with it that was not presented")
  func ours() throws {
    let program = shared.program()
    let store = program.messages
    _ = try record(program, "one")
    let first = LogPlace(seq: try #require(try shared.keep(program, "ours").first), beginning: 0)
    try store.present([first], to: "screen")
    #expect(try store.unpresented() == ["one"])
    _ = try record(program, "two")
    let second = LogPlace(seq: try #require(try shared.keep(program, "ours, too").first), beginning: 0)
    try store.present([second] + record(program, "three"), to: "screen")
    #expect(try store.unpresented() == ["one", "two"])
  }

  @Test("each consumer has its own cursor and begins after its first start")
  func eachConsumerHasItsOwnAndBeginsWithWhatComesAfterItsFirstStart() throws {
    let store = shared.program()
    let before = try record(store, "before")
    try store.messages.open("bot a", from: nil)
    let after = try record(store, "after")
    try store.messages.present(before + after, to: "screen")
    #expect(try store.messages.unpresented() == [])
    #expect(try store.messages.unpresented(to: "bot a") == ["after"])
    try store.messages.open("bot a", from: nil)
    #expect(try store.messages.unpresented(to: "bot a") == ["after"], "the second start changes nothing")
  }

  @Test("postponed and outgoing messages are displayed to no consumer")
  func whatWaitsForItsPlaceAndWhatWeSaidIsPresentedToNobody() throws {
    let store = shared.program()
    _ = try shared.keep(store, "ours")
    let event = MessageArrived(id: nil, from: shared.bob, to: shared.account, kind: .chat, body: "early")
    let early = ArrivedMessage(
      event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
    try store.messages.postpone([early])
    #expect(try store.messages.unpresented() == [])
  }

  /// A database that is lost is replaced by an empty one, whose numbers begin anew.
  @Test("a place in the log is valid for one database") func aPlaceIsOfOneDatabase() throws {
    let first = AccountStore(directory: shared.folder.path, account: shared.account, isOneShot: false) { _ in }
    let places = try record(first, "one", "two")
    #expect(unlink("\(shared.folder.path)/alice@example.org.sqlite3") == 0)
    _ = try record(first, "three")
    try first.messages.present(places, to: "screen")
    #expect(try first.messages.unpresented() == ["three"])
  }

  /// Both are numbered by their locks: in a folder that is made anew there is another file with these.
  @Test("two programs are told apart though the folder was made anew between their starts")
  func twoProgramsOfAFolderThatWasMadeAnewAreTwo() throws {
    let first = AccountStore(directory: shared.folder.path, account: shared.account, isOneShot: false) { _ in }
    _ = try record(first, "old")
    for suffix in ["", "-wal", "-shm", "-lock"] { unlink("\(shared.folder.path)/alice@example.org.sqlite3\(suffix)") }
    let second = shared.program()
    _ = try record(second, "new")
    let event = MessageArrived(id: "a", from: shared.bob, to: shared.account, kind: .chat, body: "both")
    let both = ArrivedMessage(
      event, archiveID: "a1", hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
    #expect(try first.messages.record(both) == .new(LogPlace(seq: 2, beginning: 1)))
    #expect(try second.messages.record(both) == .knownElsewhere(2))
  }

  @Test("from where on the archive is read once more is kept with the cursor, until it stands elsewhere")
  func overlap() throws {
    let store = shared.program().messages
    #expect(try store.place(before: "r9") == nil)
    try store.keepArchiveCursor("r9", overlap: "a3")
    #expect(try store.place(before: "r9") == "a3")
    try store.keepArchiveCursor("r9")
    #expect(try store.place(before: "r9") == "a3", "it stands where it stood")
    #expect(try store.place(before: "r8") == nil)
    _ = try store.record([], archiveCursor: "a10")
    #expect(try store.place(before: "a10") == nil)
    _ = try store.record([], archiveCursor: "r11", overlap: "")
    #expect(try store.place(before: "r11") == "")
  }
}
