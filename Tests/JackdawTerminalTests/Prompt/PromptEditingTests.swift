// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@testable import JackdawTerminal

@Suite struct PromptEditingTests {
  // MARK: Editing

  @Test("Wide characters and emoji are edited where they are seen")
  func wideCharactersAndEmojiAreEditedWhereTheyAreSeen() async throws {
    try await PromptProbe.with { process in
      try await process.type("世界👍é" + Key.left + Key.left + Key.left + "x", giving: "Bob> 世x界👍é")
      try await process.type(Key.controlE + Key.backspace + Key.backspace, giving: "Bob> 世x界")
      process.send(Key.enter)
      try await process.expectScreen(showing: "entered 世x界|")
    }
  }

  @Test(
    "Text is UTF-8 in a session without a locale",
    arguments: [["LANG": "C", "LC_ALL": "C"], ["LANG": "", "LC_ALL": ""]])
  func textIsUTF8InASessionWithoutALocale(environment: [String: String]) async throws {
    try await PromptProbe.with(environment: environment) { process in
      try await process.type("äö世" + Key.backspace + Key.left + Key.backspace, giving: "Bob> ö")
    }
  }

  @Test("Ctrl-C clears the line, and without one interrupts") func ctrlCClearsTheLine() async throws {
    try await PromptProbe.with { process in
      try await process.type("some text", giving: "Bob> some text")
      try await process.type(Key.controlC, giving: "Bob>")
      #expect(!process.screen.text.contains("interrupted"))
      process.send(Key.controlC)
      try await process.expectScreen(showing: "interrupted")
      try await process.type("more", giving: "Bob> more")
    }
  }

  @Test("Ctrl-C clears what came together with it, as over a slow line")
  func ctrlCClearsWhatCameTogether() async throws {
    try await PromptProbe.with { process in
      process.send("not this" + Key.controlC + "but this" + Key.enter)
      try await process.expectScreen(showing: "entered but this|")
      #expect(!process.screen.text.contains("not this"))
    }
  }

  @Test("An arrow key brings back what is typed now, not what Ctrl-C cleared")
  func anArrowKeyBringsBackWhatIsTypedNow() async throws {
    try await PromptProbe.with { process in
      process.send("entered before" + Key.enter)
      try await process.expectScreen(showing: "entered entered before|")
      try await process.type("cleared", giving: "Bob> cleared")
      try await process.type(Key.up, giving: "Bob> entered before")
      try await process.type(Key.controlC, giving: "Bob>")
      try await process.type("typed now", giving: "Bob> typed now")
      try await process.type(Key.up, giving: "Bob> entered before")
      try await process.type(Key.down, giving: "Bob> typed now")
    }
  }

  @Test("Ctrl-C ends a search") func ctrlCEndsASearch() async throws {
    try await PromptProbe.with { process in
      process.send("find me" + Key.enter)
      try await process.expectScreen(showing: "entered find me|")
      process.send(Key.controlR + "find")
      try await process.expectScreen(showing: "(reverse-i-search)")
      try await process.type(Key.controlC, giving: "Bob>")
      try await process.type("text", giving: "Bob> text")
    }
  }

  @Test("An arriving message does not end a search") func whatArrivesDoesNotEndASearch() async throws {
    try await PromptProbe.with { process in
      process.send("find me" + Key.enter + "/later it arrived" + Key.enter)
      process.send(Key.controlR + "fin")
      try await process.expectScreen("the search below what arrived") {
        $0.lines.contains("it arrived") && $0.cursorLine == "(reverse-i-search)`fin': find me"
      }
      process.send(Key.enter)
      try await process.expectScreen("the line found") { screen in
        screen.lines.filter { $0 == "entered find me|" }.count == 2 && screen.cursorLine == "Bob>"
      }
    }
  }

  // MARK: Completion

  @Test("Tab completes a command as far as it is certain, then lists")
  func tabCompletesACommandAsFarAsItIsCertain() async throws {
    try await PromptProbe.with { process in
      try await process.type("/f" + Key.tab, giving: "Bob> /fr")
      process.send(Key.tab + Key.tab)
      let screen = try await process.expectScreen(showing: "/friends  /from")
      #expect(screen.cursorLine == "Bob> /fr")
      try await process.type("i" + Key.tab, giving: "Bob> /friends")
      try await process.type("ad" + Key.tab + "x", giving: "Bob> /friends add x")
    }
  }

  @Test(
    "Tab quotes what it inserts",
    arguments: [
      ("/to bo", "/to bob@example.org x"), ("/to Al", "/to Al\\ Ix"), ("/to 'Al I", "/to 'Al Ix"),
      ("/to \"Al Ic", "/to \"Al Ice\" x"), ("/to O", "/to O\\'Hara x"), ("/option --g", "/option --group=x"),
      ("hi @B", "hi @Bob x"), ("don't @B", "don't @Bob x"), ("/to zzz", "/to zzzx"),
    ])
  func tabQuotesWhatItInserts(typed: String, line: String) async throws {
    try await PromptProbe.with { process in
      try await process.type(typed + Key.tab + "x", giving: "Bob> " + line)
    }
  }

  @Test(
    "CVE-2003-0063: a text that could steer the terminal is neither completed nor written",
    arguments: ["/to Ev", "/to "])
  func whatCouldSteerTheTerminalIsNoCompletion(typed: String) async throws {
    try await PromptProbe.with { process in
      process.send(typed + Key.tab + Key.tab + "x" + Key.enter)
      try await process.expectScreen(showing: "entered \(typed)x|")
      #expect(!process.screen.text.contains("il") && !process.standardOutput.unicodeScalars.contains("\u{9B}"))
      #expect(process.screen.text.contains("Al Ice") == (typed == "/to "))
    }
  }

  @Test(
    "A word is completed as it is or not at all",
    arguments: [
      ("Bob", true), ("Jürgen 👩\u{200D}🚀", true), ("bob@example.org", true), ("müller@exämple.org", true), ("世界", true),
      ("Ev\u{9B}il", false), ("\u{202E}lave", false), ("a\u{1B}[2J", false), ("a\nb", false), ("bo\u{200B}b", false),
      ("b\u{43E}b@example.org", false), (String(repeating: "x", count: 4000), false),
    ])
  func aWordIsOfferedAsItIsOrNotAtAll(word: String, isOffered: Bool) {
    #expect(Prompt.canBeTyped(word) == isOffered)
  }

  @Test("Many candidates are counted, not all listed") func manyCandidatesAreCounted() async throws {
    try await PromptProbe.with { process in
      process.send("/many " + Key.tab + Key.tab + Key.tab)
      try await process.expectScreen(showing: "and 81 more")
    }
  }

  @Test("A user's .inputrc is honoured") func aUsersInputrcIsHonoured() async throws {
    try await TestDirectory.with { directory in
      let path = try directory.write(
        "set show-all-if-ambiguous on\n$if jackdaw\n\"\\C-g\": \"typed by a macro\"\n$endif\n", to: "inputrc")
      try await PromptProbe.with(environment: ["INPUTRC": path]) { process in
        process.send("/f" + Key.tab)
        try await process.expectScreen(showing: "/friends  /from")
        try await process.type(Key.controlU + "\u{7}", giving: "Bob> typed by a macro")
      }
    }
  }

  // MARK: History

  @Test("History is kept across runs, entries of several lines whole") func historyIsKeptAcrossRuns() async throws {
    try await TestDirectory.with { directory in
      let path = directory.file("history")
      try await PromptProbe.with(history: path) { process in
        process.send("first" + Key.enter + Key.pasted("two\rlines") + Key.enter)
        try await process.expectScreen(showing: "entered two\\nlines|")
      }
      try await PromptProbe.with(history: path) { process in
        process.send(Key.up)
        try await process.expectScreen("the entry of two lines") { $0.lines.prefix(2) == ["Bob> two", "lines"] }
        try await process.type(Key.up, giving: "Bob> first")
        process.send(Key.down + Key.enter)
        try await process.expectScreen(showing: "entered two\\nlines|")
      }
    }
  }

  @Test("Passwords and lines that begin with a space are not in the history")
  func passwordsAndLinesThatBeginWithASpace() async throws {
    try await TestDirectory.with { directory in
      let path = directory.file("history")
      try await PromptProbe.with(history: path) { process in
        process.send("kept" + Key.enter + "/password geheim" + Key.enter + " with a space" + Key.enter)
        try await process.expectScreen(showing: "entered  with a space|")
        try await process.type(Key.up, giving: "Bob> kept")
      }
      let file = try await TestProcess.run(.init("cat", [path]))
      #expect(file.lines == ["kept"])
      let mode = try await TestProcess.run(.init("stat", ["-c", "%a", path]))
      #expect(mode.lines == ["600"])
    }
  }
}
