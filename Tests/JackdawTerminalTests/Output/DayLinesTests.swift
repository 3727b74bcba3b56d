// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

@Client @Suite("Days at the prompt", .onLoop) struct DayLinesTests {
  private static let day: Int64 = 86_400_000

  private struct Row: CommandRow {
    var found = "found"
    var cells: [Cell] { [Cell(found)] }
  }

  @Test("when midnight passes, the next line stands under the new day, once")
  func midnight() throws {
    let fixture = Fixture()
    #expect(try fixture.message("before") == "12:01 Bob: before\n")
    fixture.calendar.now = Timestamp(milliseconds: noon.milliseconds + Self.day / 2)
    #expect(fixture.out.take().isEmpty)
    #expect(try fixture.message("after") == "── Sunday, 22 November 2026 ──\n00:01 Bob: after\n")
    #expect(try fixture.message("again") == "00:01 Bob: again\n")
  }

  @Test("any kind of line is told the day: a notice, a failure, a table, presence")
  func kinds() throws {
    let fixture = Fixture()
    var now = noon.milliseconds
    fixture.output.notice("first")
    let kinds: [@Client () throws -> Void] = [
      { fixture.output.notice("a notice") }, { fixture.output.fail(CommandFailure(.usage, "usage", "wrong")) },
      {
        fixture.output.show(Row(), of: "ping")
        fixture.output.settle()
      },
      {
        try fixture.presence("bob@example.org/x")
        fixture.output.settle()
      },
    ]
    for kind in kinds {
      _ = fixture.out.take()
      now += Self.day
      fixture.calendar.now = Timestamp(milliseconds: now)
      try kind()
      let text = fixture.out.take()
      #expect(text.hasPrefix("── ") && text.contains("day, ") && text.split(separator: "\n").count == 2)
    }
  }

  @Test("the line is dim and no wider than 40 columns")
  func looks() throws {
    let fixture = Fixture(columns: 40, colors: .sixteen)
    _ = try fixture.message("before")
    fixture.calendar.now = Timestamp(milliseconds: noon.milliseconds + Self.day * 312)
    let line = try fixture.message("after").split(separator: "\n")[0]
    #expect(line == "\u{1B}[2m── Wednesday, 29 September 2027 ──\u{1B}[0m")
    #expect(Width.of("── Wednesday, 29 September 2027 ──") <= 40)
  }

  @Test("in pipes and scripts there are no days between lines", arguments: [nil, 80])
  func elsewhere(_ columns: Int?) throws {
    let fixture = Fixture(columns: columns, isPrompt: columns == nil)
    _ = try fixture.message("before")
    fixture.calendar.now = Timestamp(milliseconds: noon.milliseconds + Self.day)
    #expect(try fixture.message("after") == "12:01 Bob: after\n")
  }
}
