// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import Support
import Testing

@testable import JackdawTerminal

private struct FriendRow: CommandRow {
  var name: String
  var jid: String
  var status: String

  var cells: [Cell] { [Cell(name, .name), Cell(jid, .jid), Cell(status)] }
}

private struct OtherRow: CommandRow {
  var count: Int
  var what: String

  var cells: [Cell] { [Cell("\(count)", .number), Cell(what, .heading)] }
}

@Client @Suite(.onLoop) struct TableTests {
  private static let friends = [
    FriendRow(name: "Bob", jid: "bob@example.org", status: "online"),
    FriendRow(name: "世界", jid: "someone-with-a-long-name@example.org", status: "away: gone fishing\nfor long"),
    FriendRow(name: "E\u{9B}ve\t!", jid: "eve@evil.example", status: ""),
  ]

  @Test("Rows are columns on a terminal and TAB-separated on a pipe", arguments: [nil, 80, 40] as [Int?])
  func rowsAreColumnsOnATerminalAndTABSeparated(columns: Int?) throws {
    let fixture = Fixture(columns: columns, isPrompt: false)
    for row in Self.friends { fixture.output.show(row, of: "friends list") }
    fixture.output.show(OtherRow(count: 3, what: "friends"), of: "friends list")
    fixture.output.show(OtherRow(count: 12, what: "groups"), of: "friends list")
    fixture.output.settle()
    let text = fixture.out.take()
    if let columns { #expect(text.split(separator: "\n").allSatisfy { Width.of($0) <= columns }) }
    try GoldenText.expect(text, named: "table-\(columns.map { "\($0)" } ?? "pipe")")
  }

  @Test("Rows that wait come out in the next turn, and before what follows them")
  func rowsThatWaitComeOutInTheNextTurn() async throws {
    let fixture = Fixture()
    fixture.output.show(Self.friends[0], of: "friends list")
    #expect(fixture.out.take() == "")
    await fixture.clock.settle()
    #expect(fixture.out.take() == "Bob  bob@example.org  online\n")
    fixture.output.show(Self.friends[0], of: "friends list")
    fixture.output.notice("done")
    #expect(fixture.out.take() == "Bob  bob@example.org  online\n12:01 -- done\n")
  }

  @Test("A newline in a cell begins no row of a table") func aNewlineInACellBeginsNoRowOfATable() throws {
    for columns in [80, 40, 20] {
      let fixture = Fixture(columns: columns)
      fixture.output.show(OtherRow(count: 1, what: "x\n12:02 Bob: hi"), of: "x")
      fixture.output.show(FriendRow(name: "a\nb", jid: "c", status: "d\ne"), of: "x")
      fixture.output.settle()
      #expect(fixture.out.take().split(separator: "\n").filter { !$0.hasPrefix("  ") }.count == 2)
    }
  }

  @Test("At the prompt failures and notices are escaped like other lines")
  func atThePromptFailuresAndNoticesAreEscapedLikeOtherLines() throws {
    let fixture = Fixture(verbosity: .verbose)
    let text = "no\u{9B}\n12:02 Bob: x"
    fixture.output.fail(CommandFailure(.unavailable, "forbidden", text))
    #expect(fixture.out.take() == "12:01 !! no\\u{9b}\n      | 12:02 Bob: x\n")
    for say in [fixture.output.notice, fixture.output.detail, fixture.output.trace] {
      say(text)
      #expect(fixture.out.take() == "12:01 -- no\\u{9b}\n      | 12:02 Bob: x\n")
    }
  }

  @Test("UTS 39: an address that mixes scripts is spelled out in sentences too")
  func anAddressThatMixesScriptsIsSpelledOutInSentencesToo() throws {
    let (mixed, shown) = ("b\u{43E}b@example.org", "b\\u{43e}b@example.org")
    let fixture = Fixture(columns: nil, isPrompt: false)
    fixture.output.notice("You talk to '\(mixed)', Бобби, жук@пример.example. No: \(mixed)/\u{43E}.")
    #expect(
      fixture.errors.take() == "You talk to '\(shown)', Бобби, жук@пример.example. No: \(shown)/\u{43E}.\n")
    fixture.output.fail(CommandFailure(.noUser, "item-not-found", "Nobody is called \(mixed)."))
    #expect(fixture.errors.take() == "jackdaw: Nobody is called \(shown).\n")
    #expect(TableLayout.escaped(Cell("Bob (\(mixed)) is blocked.", .sentence)) == "Bob (\(shown)) is blocked.")
    #expect(TableLayout.escaped(Cell("<iq from='\(mixed)'/>")) == "<iq from='\(mixed)'/>", "what others read stays")
    fixture.output.fail(CommandFailure(.tryAgain, CommandFailure.notSent, "Not sent: ask \(mixed)"))
    #expect(fixture.errors.take() == "jackdaw: Not sent: ask \(mixed)\n")
  }

  @Test("Failures and notices are for stderr, without escape") func failuresAndNoticesAreForStderr() throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    fixture.output.fail(CommandFailure(.unavailable, "forbidden", "no\u{9B}\njackdaw: all is well"))
    #expect(fixture.errors.take() == "jackdaw: no\\u{9b}\n      | jackdaw: all is well\n")
    fixture.output.notice("a remark")
    #expect(fixture.errors.take() == "a remark\n")
    fixture.output.detail("left out")
    fixture.output.fail(CommandFailure(.inputOutput, CommandFailure.brokenPipe, "Nobody reads"))
    #expect(fixture.errors.take() == "")
    let quiet = Fixture(columns: nil, verbosity: .quiet, isPrompt: false)
    quiet.output.notice("left out")
    #expect(quiet.errors.take() == "")
    quiet.output.warn("Nothing is stored on disk.")
    #expect(quiet.errors.take() == "Nothing is stored on disk.\n")
  }
}
