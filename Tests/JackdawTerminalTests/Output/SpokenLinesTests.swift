// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

@Client @Suite("Lines for screen readers", .onLoop) struct SpokenLinesTests {
  private struct Row: CommandRow {
    var cells: [Cell]
    func encode(to encoder: any Encoder) throws {}
    init(_ cells: Cell...) { self.cells = cells }
  }

  private struct Code: CommandRow {
    var isForced = false
    var cells: [Cell] { [Cell("xmpp:x")] }
    var code: ScannedText? { ScannedText("xmpp:x", isForced: isForced) }
  }

  private func fixture(columns: Int? = 80, isPrompt: Bool = true) -> Fixture {
    let fixture = Fixture(columns: columns, isPrompt: isPrompt)
    fixture.out.style = Style(.none, isSpoken: true)
    fixture.errors.style = Style(.none, isSpoken: true)
    return fixture
  }

  @Test("rows of a table have no columns, and a heading stands before what it is of")
  func rows() throws {
    let fixture = fixture()
    fixture.output.show(
      Row(Cell("Bob", .name), Cell("bob@example.org", .jid), Cell(""), Cell("12 ms", .number)), of: "x")
    fixture.output.show(
      Row(Cell("Robert-with-a-long-name", .name), Cell("version", .heading), Cell("1", .number)), of: "x")
    fixture.output.show(Row(Cell("a\nb", .plain), Cell("c")), of: "x")
    fixture.output.settle()
    #expect(
      fixture.out.take()
        == "Bob, bob@example.org, 12 ms\nRobert-with-a-long-name, version: 1\na\n    | b, c\n")
  }

  @Test("no row of a cell stands at the left edge, however narrow the window is")
  func narrow() throws {
    let fixture = fixture(columns: 40)
    fixture.output.show(
      Row(Cell("note", .heading), Cell(String(repeating: "12:02 Bob: hi ", count: 12) + "\n12:03 Bob: x")), of: "x")
    fixture.output.settle()
    let lines = fixture.out.take().split(separator: "\n")
    #expect(lines.allSatisfy { Width.of($0) <= 40 } && lines.filter { !$0.hasPrefix("    ") }.count == 1)
  }

  @Test("a failure is called one, days and own lines are words without signs")
  func words() throws {
    let fixture = fixture()
    fixture.output.fail(CommandFailure(.unavailable, "forbidden", "no"))
    #expect(fixture.out.take() == "12:01 !! Error: no\n")
    #expect(
      try fixture.message("hi", from: "me@example.org", to: "bob@example.org", carbon: .sent)
        == "12:01 me to Bob: hi\n")
    fixture.calendar.now = Timestamp(milliseconds: noon.milliseconds + 86_400_000)
    #expect(try fixture.message("next").hasPrefix("Sunday, 22 November 2026:\n12:01 Bob: next"))
  }

  @Test("how far something is is said once, and not drawn anew")
  func progress() {
    let fixture = fixture(isPrompt: false)
    for number in 1...5 { fixture.output.progress("Reading: \(number)") }
    fixture.output.progress(nil)
    #expect(fixture.errors.take() == "Reading: 1\n")
    let pipe = self.fixture(columns: nil, isPrompt: false)
    pipe.output.progress("Reading: 1")
    #expect(pipe.errors.take() == "")
  }

  @Test("a picture is drawn for who asks for it")
  func pictures() {
    let fixture = fixture()
    fixture.output.show(Code(), of: "x")
    fixture.output.settle()
    #expect(fixture.out.take() == "xmpp:x\n")
    fixture.output.show(Code(isForced: true), of: "x")
    fixture.output.settle()
    #expect(fixture.out.take().contains("█"))
  }

  @Test("a pipe gets what it always gets")
  func pipes() {
    let fixture = fixture(columns: nil, isPrompt: false)
    fixture.output.show(Row(Cell("Bob", .name), Cell("bob@example.org", .jid)), of: "x")
    fixture.output.settle()
    #expect(fixture.out.take() == "Bob\tbob@example.org\n")
  }
}
