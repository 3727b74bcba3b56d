// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite struct PromptTests {
  // MARK: Lines

  @Test("A message vanishes from the line and comes back above it")
  func aMessageVanishesFromTheLineAndComesBackAbove() async throws {
    try await PromptProbe.with { process in
      process.send("hello" + Key.enter)
      let screen = try await process.expectScreen("the line entered") {
        $0.text.contains("entered hello|") && $0.cursorLine == "Bob>"
      }
      #expect(screen.lines.prefix(2) == ["entered hello|", "Bob>"])
    }
  }

  @Test("A message wider than the window vanishes wholly")
  func aMessageWiderThanTheWindowVanishesWholly() async throws {
    try await PromptProbe.with(columns: 40) { process in
      let text = String(repeating: "long ", count: 30) + "世界"
      process.send(text + Key.enter)
      let screen = try await process.expectScreen("the line entered") {
        $0.text.contains("界|") && $0.cursorLine == "Bob>"
      }
      #expect(screen.lines.filter { $0.hasPrefix("Bob>") }.count == 1)
      #expect(screen.lines[0].hasPrefix("entered long"))
    }
  }

  @Test("A command stays on the screen above what it prints")
  func aCommandStaysOnTheScreenAboveWhatItPrints() async throws {
    try await PromptProbe.with { process in
      process.send("/say 2 thing" + Key.enter)
      let screen = try await process.expectScreen("its lines") {
        $0.text.contains("thing 2") && $0.cursorLine == "Bob>"
      }
      #expect(screen.lines.prefix(4) == ["Bob> /say 2 thing", "thing 1", "thing 2", "Bob>"])
    }
  }

  @Test("An arriving message does not disturb what is being typed")
  func whatArrivesDoesNotDisturbWhatIsBeingTyped() async throws {
    try await PromptProbe.with(columns: 40) { process in
      process.send("/later it arrived" + Key.enter)
      let typed = String(repeating: "typing ", count: 8)
      process.send(typed + Key.left + Key.left)
      let screen = try await process.expectScreen("both") {
        $0.lines.contains("it arrived") && $0.lines.joined(separator: " ").contains("Bob> " + typed)
      }
      #expect(screen.lines.contains("it arrived"))
      process.send("X" + Key.enter)
      try await process.expectScreen(showing: "typinX")
    }
  }

  @Test("A thousand lines in one turn are printed in one go")
  func aThousandLinesInOneTurnArePrintedInOneGo() async throws {
    try await PromptProbe.with { process in
      process.send("/say 1000 line" + Key.enter)
      try await process.expectScreen("the last line") { $0.text.contains("line 1000") && $0.cursorLine == "Bob>" }
      let prompts = process.standardOutput.split(separator: "\u{1B}[?2004h", omittingEmptySubsequences: false)
      // One redraw for all of them, not one for each.
      #expect((prompts.last?.split(separator: "> ").count ?? 0) < 5)
    }
  }

  // MARK: Paste

  @Test("Pasted newlines make one message") func pastedNewlinesMakeOneMessage() async throws {
    try await PromptProbe.with { process in
      process.send(Key.pasted("one\rtwo\rthree\r"))
      try await process.expectScreen("all its lines") { $0.lines.prefix(3) == ["Bob> one", "two", "three"] }
      process.send(" and more" + Key.enter)
      let screen = try await process.expectScreen(showing: "entered one\\ntwo\\nthree and more|")
      #expect(screen.lines[0] == "entered one\\ntwo\\nthree and more|")
    }
  }

  @Test("Pasted controls are not keys") func pastedControlsAreNotKeys() async throws {
    try await PromptProbe.with { process in
      process.send(Key.pasted("safe\u{4}\u{3}\u{1A}\r\u{1B}[201;x\u{9B}2J") + Key.enter)
      try await process.expectScreen(showing: "entered safe\\n[201;x2J|")
    }
  }

  @Test(
    "Pasted lines are text and not sent, whatever key readline waits for",
    arguments: [("\u{16}", 1), ("\u{1B}p", 1), (Key.controlR + "find", 1), (Key.controlR + "find", 500)])
  func pastedLinesAreTextAndNotSent(keys: String, lines: Int)
    async throws
  {
    try await PromptProbe.with { process in
      process.send("find me" + Key.enter)
      try await process.expectScreen(showing: "entered find me|")
      process.send(keys + Key.pasted(String(repeating: "one of many\r", count: lines) + "last"))
      // Readline draws what is below the screen's last row over that row, and leaves the rest of a longer one.
      try await process.expectScreen("the pasted lines") { $0.cursorLine.hasPrefix("last") }
      #expect(!process.standardOutput.contains("entered one"))
      try await process.type(Key.controlC, giving: "Bob>")
    }
  }

  @Test(
    "Pasted lines are text and not sent, whatever key a vi command waits for",
    arguments: ["d", "d2", "c2", "2d", "3", "dt"])
  func pastedLinesAreTextAndNotSentWhatever(keys: String)
    async throws
  {
    try await TestDirectory.with { directory in
      let path = try directory.write("set editing-mode vi\n", to: "inputrc")
      try await PromptProbe.with(environment: ["INPUTRC": path]) { process in
        try await process.type("words", giving: "Bob> words")
        process.send(Key.escape)
        try await process.expectScreen("the cursor on the last letter") { $0.cursorColumn == 9 }
        process.send(keys + Key.pasted("one of many\rlast "))
        try await process.expectScreen("the pasted lines") { $0.cursorLine == "last s" }
        #expect(!process.standardOutput.contains("entered"))
        try await process.type(Key.controlC, giving: "Bob>")
      }
    }
  }

  @Test(
    "A message leaves no row behind by Ctrl-O and Alt-#, as by Enter",
    arguments: [("\u{F}", "hello"), ("\u{1B}#", "#hello")])
  func aMessageLeavesNoRowBehindByCtrlOAndAlt(key: String, entered: String) async throws {
    try await PromptProbe.with { process in
      process.send("hello" + key)
      try await process.expectScreen("the line that was entered") { screen in
        screen.lines.contains("entered \(entered)|") && screen.cursorLine == "Bob>"
          && !screen.lines.contains { $0.hasSuffix("hello") }
      }
    }
  }

  @Test("A paste that comes in pieces is one paste") func aPasteThatComesInPiecesIsOne() async throws {
    try await PromptProbe.with { process in
      process.send("\u{1B}[200~begin ")
      process.send("middle\r")
      process.send("\u{1B}[2")
      process.send("01~" + Key.enter)
      try await process.expectScreen(showing: "entered begin middle|")
    }
  }

  @Test("A paste ends a search and is inserted") func aPasteEndsASearchAndIsInserted() async throws {
    try await PromptProbe.with { process in
      process.send("find me" + Key.enter + Key.controlR + "find")
      try await process.expectScreen(showing: "(reverse-i-search)")
      process.send(Key.pasted("pasted\rtext") + Key.enter)
      try await process.expectScreen(showing: "pasted\\ntext")
    }
  }

  @Test("Alt-Enter begins another line of the message") func altEnterBeginsAnotherLineOfTheMessage() async throws {
    try await PromptProbe.with { process in
      process.send("one\u{1B}\rtwo" + Key.enter)
      try await process.expectScreen(showing: "entered one\\ntwo|")
    }
  }

  @Test("Alt keys work where vi's keys insert text, and Escape before a key is vi's own")
  func altKeysWorkWhereVisKeysInsertText() async throws {
    try await TestDirectory.with { directory in
      let path = try directory.write("set editing-mode vi\n", to: "inputrc")
      try await PromptProbe.with(environment: ["INPUTRC": path]) { process in
        process.send("one\u{1B}\rtwo" + Key.enter)
        try await process.expectScreen(showing: "entered one\\ntwo|")
        for (keys, key) in [
          ("\u{1B}3", "number(3)"), ("\u{1B}a", "nextUnread"), ("\u{1B}r", "reply"), ("\u{1B}[1;3A", "correctLast"),
        ] {
          process.send(keys)
          try await process.expectScreen(showing: "switches \(key)")
        }
        try await process.type("words", giving: "Bob> words")
        process.send(Key.escape)
        try await process.expectScreen("the cursor on the last letter") { $0.cursorColumn == 9 }
        // A word further left, another letter there, and more behind the line.
        for (keys, line) in [("rX", "Bob> wordX"), ("0rY", "Bob> YordX"), ("A!", "Bob> YordX!")] {
          try await process.type(keys, giving: line)
        }
      }
    }
  }

  // MARK: State

  @Test("The prompt shows the conversation and the connection")
  func thePromptShowsTheConversationAndTheConnection() async throws {
    try await PromptProbe.with { process in
      process.send("/state Carol" + Key.enter)
      try await process.expectScreen("Carol away") { $0.cursorLine == "Carol (away)>" }
      process.send("/state -8" + Key.enter)
      try await process.expectScreen("the next try") { $0.cursorLine == "[offline, next try in 8 s] Bob>" }
    }
  }

  @Test("A name in the prompt is escaped, and text is edited where it is seen")
  func aNameInThePromptIsEscaped() async throws {
    try await PromptProbe.with { process in
      process.send("/state E\u{9B}v❤️世" + Key.enter)
      try await process.expectScreen("the name") { $0.cursorLine == "E\\u{9b}v❤世 (away)>" }
      try await process.type("abc" + Key.left + Key.left + "X", giving: "E\\u{9b}v❤世 (away)> aXbc")
    }
  }

  @Test("A resize redraws the line, with a short prompt in a narrow window") func aResizeRedrawsTheLine() async throws {
    try await PromptProbe.with { process in
      process.send("/state -8" + Key.enter)
      try await process.expectScreen("the next try") { $0.cursorLine == "[offline, next try in 8 s] Bob>" }
      try await process.type("abc", giving: "[offline, next try in 8 s] Bob> abc")
      process.resize(columns: 40, rows: 24)
      try await process.expectScreen("a short prompt") { $0.cursorLine == "[off 8s] Bob> abc" }
      process.resize(columns: 80, rows: 24)
      try await process.expectScreen("the long prompt") { $0.cursorLine == "[offline, next try in 8 s] Bob> abc" }
    }
  }
}
