// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

@Client @Suite("A text that fills the screen", .onLoop)
struct FoldingTests {
  private func numbers(_ count: Int) -> String { (1...count).map(String.init).joined(separator: "\n") }

  @Test("is folded at the prompt after 50 rows")
  func fold() throws {
    let rows = try Fixture().message(numbers(60)).split(separator: "\n")
    #expect(rows.count == 51 && rows[0] == "12:01 Bob: 1" && rows[49] == "      | 50")
    #expect(rows[50] == "      … 10 more lines: /show 1")
  }

  @Test("of 50 rows is whole, and one of 51 is not")
  func limit() throws {
    #expect(try Fixture().message(numbers(50)).split(separator: "\n").count == 50)
    #expect(try Fixture().message(numbers(51)).hasSuffix("      … 1 more line: /show 1\n"))
  }

  @Test("is whole where there is no prompt, and where nobody looks", arguments: [nil, 80])
  func whole(columns: Int?) throws {
    #expect(try Fixture(columns: columns, isPrompt: false).message(numbers(600)).split(separator: "\n").count == 600)
    #expect(try Fixture(columns: nil).message(numbers(600)).split(separator: "\n").count == 600)
  }

  @Test(
    "of a megabyte is not looked at as a whole",
    arguments: ["x", "\n", "ab\n", "http://", "\t", "e\u{301}", "世", "\u{202E}"])
  func megabyte(piece: String) throws {
    let shown = try Fixture().message(String(repeating: piece, count: (1 << 20) / piece.utf8.count))
    #expect(shown.utf8.count < 64 << 10)
    let last = try #require(shown.split(separator: "\n").last)
    #expect(last.hasPrefix("      … about ") && last.hasSuffix(" more lines: /show 1"))
  }

  @Test("has as many more lines as it says, about")
  func estimate() throws {
    let shown = try Fixture().message(String(repeating: "0123456789\n", count: 100_000))
    #expect(shown.hasSuffix("      … about 99,000 more lines: /show 1\n"))
  }

  @Test("is printed whole by its number, and what it says of itself cannot pass for our line")
  func show() throws {
    let fixture = Fixture()
    let body = numbers(70) + "\n      … 9 more lines: /show 2"
    _ = try fixture.message(body)
    _ = try fixture.message(numbers(99))
    #expect(fixture.output.foldedNumbers == [1, 2])
    let text = try #require(fixture.output.unfolding(1))
    #expect(!text.printNext())
    let rows = fixture.out.take().split(separator: "\n")
    #expect(rows.count == 71 && rows[0] == "12:01 Bob: 1" && rows[70] == "      |       … 9 more lines: /show 2")
    _ = fixture.output.unfolding(nil)?.printNext()
    #expect(fixture.out.take().split(separator: "\n").count == 99)
    #expect(fixture.output.unfolding(3) == nil)
  }

  @Test("is printed in pieces, each headed by who said it, without a line lost or parted")
  func pieces() throws {
    let fixture = Fixture()
    let body = numbers(40_000)
    _ = try fixture.message(body)
    let text = try #require(fixture.output.unfolding(nil))
    var lines: [Substring] = []
    var pieces = 0
    var isMore = true
    while isMore {
      isMore = text.printNext()
      let rows = fixture.out.take().split(separator: "\n")
      #expect(rows.first?.hasPrefix("12:01 Bob: ") == true)
      lines += rows.map { $0.hasPrefix("      | ") ? $0.dropFirst(8) : $0.dropFirst("12:01 Bob: ".count) }
      pieces += 1
    }
    #expect(pieces == body.utf8.count / TerminalLimits.unfoldedPiece + 1)
    #expect(lines.map(String.init).joined(separator: "\n") == body)
  }

  @Test("makes older ones go when there are too many bytes of them")
  func budget() throws {
    let fixture = Fixture()
    let text = String(repeating: "x", count: 1 << 20)
    for _ in 0..<10 { _ = try fixture.message(text) }
    #expect(fixture.output.foldedNumbers == Array(4...10))
    #expect(fixture.output.unfolding(3) == nil && fixture.output.unfolding(4) != nil)
  }

  @Test("is folded as a command's row too")
  func row() throws {
    let fixture = Fixture()
    fixture.output.show(LongRow(cells: [Cell("note"), Cell(numbers(80))]), of: "vcard")
    fixture.output.settle()
    #expect(fixture.out.take().hasSuffix("      … 30 more lines: /show 1\n"))
    _ = fixture.output.unfolding(1)?.printNext()
    #expect(fixture.out.take().split(separator: "\n").count == 80)
  }

  private struct LongRow: CommandRow {
    var cells: [Cell]
    func encode(to encoder: any Encoder) throws {}
  }
}

@Client @Suite("What stands beside a message", .onLoop)
struct ClippingTests {
  private let long = String(repeating: "é", count: 100_000)

  @Test("is cut where it is long: a status, a reason, a failure, a name, a group, the words of a request")
  func cut() throws {
    let fixture = Fixture(columns: nil)
    let bob = try JID("bob@example.org")
    let events: [any ClientEvent] = [
      PresenceChanged(from: bob, show: "away", status: long, priority: 0),
      MessageStateChanged(id: "1", to: bob, state: .failed(reason: long)),
      ConnectionChanged(state: .offline, reason: long),
      FriendChanged(item: RosterItem(jid: bob, name: long, groups: [long, long]), change: nil),
      FriendRequested(jid: bob, displayName: long, message: long),
    ]
    for event in events {
      fixture.output.show(event)
      fixture.output.settle()
      let text = fixture.out.take()
      #expect(text.contains("…") && text.unicodeScalars.count < 1000, "\(type(of: event).name)")
    }
    fixture.output.fail(CommandFailure(.unavailable, "internal-server-error", long))
    #expect(fixture.out.take().unicodeScalars.count < 2100)
    fixture.output.notice(long)
    #expect(fixture.out.take().unicodeScalars.count < 2100)
  }

  @Test("is not cut where it is what the user wrote and nobody got")
  func unsent() {
    let fixture = Fixture(columns: nil)
    fixture.output.fail(CommandFailure(.tryAgain, CommandFailure.notSent, long))
    #expect(fixture.out.take().unicodeScalars.count > 100_000)
  }

  @Test("has a few lines in a request")
  func request() throws {
    let fixture = Fixture()
    fixture.output.show(
      FriendRequested(jid: try JID("eve@example.org"), message: String(repeating: "x\n", count: 200)))
    fixture.output.settle()
    #expect(fixture.out.take().split(separator: "\n").count < 15)
  }

  @Test("is cut between characters", arguments: [("abc", 3, "abc"), ("abcd", 3, "abc…"), ("é世", 1, "é…"), ("", 0, "")])
  func clipped(text: String, limit: Int, shown: String) { #expect(text.clipped(to: limit) == shown) }
}
