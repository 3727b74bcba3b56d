// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("The prompt for screen readers") struct SpokenPromptTests {
  private static func with(columns: Int = 80, _ body: (TestProcess) async throws -> Void) async throws {
    try await PromptProbe.with(environment: ["PROBE_SPOKEN": "1"], columns: columns, kind: .reflowing, body)
  }

  /// What moves up or erases: of it a reader would read rows once more.
  private static func redraws(_ process: TestProcess) -> Bool {
    process.standardOutput.contains(/\u{1B}\[[0-9;]*[AHJKX]/)
  }

  @Test("what was entered stays, what it brings is below it, then comes the prompt")
  func entered() async throws {
    try await Self.with { process in
      process.send("hello" + Key.enter)
      let message = try await process.expectScreen("the line entered") {
        $0.text.contains("entered hello|") && $0.cursorLine == "Bob>"
      }
      #expect(message.lines.prefix(3) == ["Bob> hello", "entered hello|", "Bob>"])
      process.send("/say 2 thing" + Key.enter)
      let command = try await process.expectScreen("its lines") {
        $0.text.contains("thing 2") && $0.cursorLine == "Bob>"
      }
      #expect(command.lines.prefix(6).suffix(4) == ["Bob> /say 2 thing", "thing 1", "thing 2", "Bob>"])
      #expect(!Self.redraws(process))
    }
  }

  @Test("what arrives stands below what is being typed, which is written again with the next key, and not before")
  func arriving() async throws {
    try await Self.with(columns: 40) { process in
      process.send("/later it arrived" + Key.enter)
      let typed = "a line of more than the forty columns that there are"
      process.send(typed)
      try await process.expectScreen("the line that arrived") {
        $0.lines.contains("it arrived") && $0.text.contains("that there are")
      }
      process.send(Key.left + Key.left + "X")
      try await process.expectScreen("the whole line") {
        $0.lines.drop { $0 != "it arrived" }.dropFirst().joined()
          == "Bob> a line of more than the forty columns that there aXre"
      }
      process.send(Key.enter)
      let screen = try await process.expectScreen("the line entered") { $0.text.contains("aXre|") }
      #expect(screen.history.filter { $0.hasPrefix("Bob> a line") }.count <= 2)
      #expect(!Self.redraws(process))
    }
  }

  @Test("a line that came back comes once more behind the answer to a command beside it, which stays as it was typed")
  func returned() async throws {
    try await Self.with { process in
      process.send("refused one" + Key.enter)
      try await process.expectScreen("the line that came back") {
        $0.text.contains("refused refused one|") && $0.cursorLine == "Bob> refused one"
      }
      process.send("/say 2 thing" + Key.enter)
      let screen = try await process.expectScreen("the answer, and the line behind it") {
        $0.text.contains("thing 2") && $0.cursorLine == "Bob> refused one"
      }
      #expect(
        screen.lines.prefix(7) == [
          "Bob> refused one", "refused refused one|", "Bob> refused one", "Bob> /say 2 thing", "thing 1", "thing 2",
          "Bob> refused one",
        ])
      #expect(!Self.redraws(process))
    }
  }

  @Test("lines that arrive while nothing is typed bring no prompt")
  func silence() async throws {
    try await Self.with { process in
      process.send("/later one" + Key.enter)
      try await process.expectScreen("the line") { $0.lines.contains("one") }
      process.send("/state Carol" + Key.enter + "x")
      let screen = try await process.expectScreen("the new prompt") { $0.cursorLine == "Carol (away)> x" }
      // At the start, with each of two lines that were entered, and perhaps before the line that came later.
      #expect(screen.history.filter { $0.hasPrefix("Bob>") }.count <= 3)
      process.send(Key.backspace + Key.controlC)
      try await process.expectScreen("the prompt alone") { $0.cursorLine == "Carol (away)>" }
    }
  }

  @Test("a window of another width leaves all that stands, and the line comes with the next key")
  func resizing() async throws {
    try await Self.with(columns: 40) { process in
      process.send("/say 8 line" + Key.enter)
      try await process.expectScreen("the lines") { $0.lines.contains("line 8") && $0.cursorLine == "Bob>" }
      let typed = (1...32).map { "word\($0)" }.joined(separator: " ")
      process.send(typed)
      try await process.expectScreen("the line") { $0.lines.joined().hasSuffix("word32") }
      for columns in [100, 40] {
        process.resize(columns: columns, rows: 24)
        process.send("!")
        let screen = try await process.expectScreen("the line at \(columns) columns") {
          $0.columns == columns && $0.cursorLine.hasSuffix("!")
        }
        #expect(screen.history.filter { $0.hasPrefix("line ") } == (1...8).map { "line \($0)" })
      }
    }
  }

  @Test("candidates are listed one a line, and what was typed comes again")
  func candidates() async throws {
    try await Self.with { process in
      process.send("/to Al" + Key.tab + Key.tab + Key.tab)
      let screen = try await process.expectScreen("the candidates, and the line") {
        $0.lines.contains("Al Ice") && $0.cursorLine == #"Bob> /to Al\ I"#
      }
      #expect(screen.lines.contains("Al Ibi"))
    }
  }
}
