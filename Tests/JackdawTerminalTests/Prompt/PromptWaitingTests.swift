// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What readline does while a key that it wants more of has not come: nothing that keeps the program from going on.
@Suite struct PromptWaitingTests {
  private static let half: [UInt8] = [0xC3]

  /// The line itself, not the command that asked for it.
  private func expectArrival(_ process: TestProcess) async throws {
    try await process.expectScreen("the line that came") { $0.lines.contains("it arrived") }
  }

  @Test(
    "Half a key, wherever it is typed, delays no arriving message",
    arguments: [
      Array(Key.controlR.utf8) + half, Array((Key.controlR + "fin").utf8) + half, [0x16] + half, [0x16],
      [0x1B] + half, [0x1B], Array("\u{1B}[".utf8), Array("\u{1B}[1;".utf8), Array("\u{1B}5".utf8),
      Array("\u{1B}5".utf8) + half, Array("text\u{1D}".utf8) + half, [0x18], half, Array("\u{1B}[200~pas".utf8) + half,
      Array((Key.controlR + "fin\u{1B}").utf8), Array((Key.controlR + "\u{1B}[").utf8), [0xF0, 0x9F, 0x91],
    ])
  func halfAKey(keys: [UInt8]) async throws {
    try await PromptProbe.with { process in
      process.send("find é" + Key.enter + "/later it arrived" + Key.enter)
      process.send(keys)
      try await expectArrival(process)
    }
  }

  @Test(
    "A vi command that waits for another key delays no arriving message",
    arguments: ["r", "f", "t", "d", "2", "m", "c", "y", "\"", "/"])
  func aViCommandThatWaitsForAnotherKeyDelaysNoArriving(command: String) async throws {
    try await TestDirectory.with { directory in
      let path = try directory.write("set editing-mode vi\nset keyseq-timeout 20\n", to: "inputrc")
      try await PromptProbe.with(environment: ["INPUTRC": path]) { process in
        process.send("/later it arrived" + Key.enter + "some text" + Key.escape)
        process.send(Array(command.utf8) + Self.half)
        try await expectArrival(process)
      }
    }
  }

  @Test("A sequence that readline reads to its end by itself is not waited for")
  func aSequenceThatReadlineReadsToItsEndByItself() async throws {
    try await TestDirectory.with { directory in
      let path = try directory.write("\"\\e[\": skip-csi-sequence\n", to: "inputrc")
      try await PromptProbe.with(environment: ["INPUTRC": path]) { process in
        process.send("/later it arrived" + Key.enter)
        process.send("\u{1B}[99;")
        try await expectArrival(process)
        try await process.type(Key.controlU + "more", giving: "Bob> more")
      }
    }
  }

  @Test("A character that comes in two halves is found by a search")
  func aCharacterThatComesInTwoHalvesIsFound() async throws {
    try await PromptProbe.with { process in
      process.send("find é" + Key.enter + "other" + Key.enter)
      try await process.expectScreen(showing: "entered other|")
      process.send(Array(Key.controlR.utf8) + Self.half)
      process.send([0xA9])
      try await process.expectScreen("the entry found") { $0.cursorLine == "(reverse-i-search)`é': find é" }
    }
  }

  @Test("Bytes that are not UTF-8 are left out, which is reported once")
  func bytesThatAreNotUTF8AreLeftOut() async throws {
    try await PromptProbe.with { process in
      process.send(Array("caf".utf8) + [0xE9])
      try await process.expectScreen(showing: "not UTF-8")
      try await process.type("e", giving: "Bob> cafe")
    }
  }

  // MARK: A terminal that is stopped

  private static let stop = "\u{13}"
  private static let go = "\u{11}"

  @Test("A stopped terminal shows all that came, and what was typed, when it goes on")
  func aStoppedTerminalShowsAllThatCame() async throws {
    try await PromptProbe.with { process in
      // Ctrl-S is in force when what follows it is handled.
      process.send(Self.stop + "/say 3000 line of text" + Key.enter + "typed" + Self.go)
      try await process.expectScreen("the line typed below the last one") {
        $0.cursorLine == "Bob> typed" && $0.lines.contains("line of text 3000")
      }
      let numbers = process.screen.history.compactMap { line in
        line.hasPrefix("line of text ") ? Int(line.dropFirst(13)) : nil
      }
      #expect(numbers == Array(1...3000))
    }
  }

  @Test("A stopped terminal keeps no signal from ending the program", arguments: [15, 1])
  func aStoppedTerminalKeepsNoSignalFromEndingTheProgram(signal: Int32) async throws {
    try await PromptProbe.with { process in
      process.send("/later it arrived" + Key.enter)
      try await process.expectScreen("the line entered") { !$0.cursorLine.contains("/later") }
      process.send(Self.stop)
      process.send("x")
      await process.inputIsWritten()
      process.signal(signal)
      #expect(try await process.wait() == .exited(0))
    }
  }
}
