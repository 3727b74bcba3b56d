// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("A line that comes back to the prompt")
struct PromptReturningTests {
  @Test("stands on the input line, to be changed and entered again")
  func isChanged() async throws {
    try await PromptProbe.with { process in
      process.send("refused once" + Key.enter)
      try await process.expectScreen("the line") { $0.cursorLine == "Bob> refused once" }
      process.send(Key.controlA + "not " + Key.enter)
      try await process.expectScreen(showing: "entered not refused once|")
      try await process.expectScreen("an empty line") { $0.cursorLine == "Bob>" }
    }
  }

  @Test("never becomes part of what is typed ahead or of another one that comes back")
  func isAlone() async throws {
    try await PromptProbe.with { process in
      process.send("refused one\rrefused two\rtext\rhalf")
      try await process.expectScreen("what is typed") {
        $0.cursorLine == "Bob> half" && $0.text.contains("entered text|")
      }
      process.send(" a line" + Key.enter)
      try await process.expectScreen("the older one") {
        $0.cursorLine == "Bob> refused one" && $0.text.contains("entered half a line|")
      }
      // It is refused once more, and still the older one.
      process.send(Key.enter)
      try await process.expectScreen("the older one again") { screen in
        screen.cursorLine == "Bob> refused one" && screen.text.matches(of: /refused refused one\|/).count == 2
      }
      process.send(Key.controlC)
      try await process.expectScreen("the other one") { $0.cursorLine == "Bob> refused two" }
    }
  }

  @Test("waits as long as something else is typed")
  func waits() async throws {
    try await PromptProbe.with { process in
      process.send("/later-back comes back" + Key.enter + "x")
      try await process.expectScreen("what is typed") { $0.cursorLine == "Bob> x" && $0.text.contains("put back") }
      try await process.type("y", giving: "Bob> xy")
      process.send(Key.enter)
      try await process.expectScreen("the line") {
        $0.cursorLine == "Bob> comes back" && $0.text.contains("entered xy|")
      }
    }
  }

  @Test("stays on the screen when the prompt is left", arguments: [15, 3])
  func isShown(_ signal: CInt) async throws {
    try await PromptProbe.with { process in
      process.send("refused one\rrefused two\r")
      try await process.expectScreen("the older one") { $0.cursorLine == "Bob> refused one" }
      process.signal(signal)
      #expect(try await process.wait() == .exited(0))
      let lines = process.screen.text.split(separator: "\n")
      #expect(lines.contains("-- Not sent: refused one") && lines.contains("-- Not sent: refused two"), "\(lines)")
      #expect(lines.last == "ended")
    }
  }

  @Test("stays on the screen when the prompt is left as the user has changed it, too", arguments: [15, 3])
  func isShownChanged(_ signal: CInt) async throws {
    try await PromptProbe.with { process in
      process.send("refused one" + Key.enter)
      try await process.expectScreen("the line") { $0.cursorLine == "Bob> refused one" }
      try await process.type(" more", giving: "Bob> refused one more")
      process.signal(signal)
      #expect(try await process.wait() == .exited(0))
      #expect(process.screen.text.split(separator: "\n").contains("-- Not sent: refused one more"))
    }
  }

  @Test("is put on an empty line alone where the user asks for one, and never later")
  func offered() async throws {
    try await PromptProbe.with(environment: ["PROBE_OFFERS": "1"]) { process in
      try await process.type("typing", giving: "Bob> typing")
      process.send("\u{1B}[1;3A")
      try await process.expectScreen(showing: "switches correctLast")
      process.send(Key.enter)
      try await process.expectScreen("an empty line") {
        $0.cursorLine == "Bob>" && $0.text.contains("entered typing|")
      }
      try await process.type("x", giving: "Bob> x")
      process.send(Key.backspace)
      try await process.type("\u{1B}[1;3A", giving: "Bob> offered")
    }
  }

  @Test("makes room for a command that is typed then, and comes back behind it")
  func commandFirst() async throws {
    try await PromptProbe.with { process in
      process.send("refused hello" + Key.enter)
      try await process.expectScreen("the line is back") { $0.cursorLine == "Bob> refused hello" }
      process.send("/")
      try await process.expectScreen("the command alone") { $0.cursorLine == "Bob> /" }
      process.send("foo" + Key.enter)
      try await process.expectScreen("the line is back again") {
        $0.cursorLine == "Bob> refused hello" && $0.text.contains("entered /foo|")
      }
      // What is changed is the user's.
      process.send(" and" + "/")
      try await process.expectScreen("a slash in it") { $0.cursorLine == "Bob> refused hello and/" }
    }
  }
}
