// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite struct PlainInputTests {
  @Test("Without a terminal lines are read as they come") func withoutATerminalLinesAreReadAsTheyCome() async throws {
    let invocation = TestProcess.Invocation(
      PromptProbe.program, input: .bytes(Array("a\n\u{FF}".utf8) + [0xFF, 0x0A] + Array("half".utf8)))
    let outcome = try await TestProcess.run(invocation)
    #expect(outcome.lines == ["line: a", "failure 65: Line 2 is not UTF-8.", "line: half", "end"])
  }

  @Test("A line is handed out as soon as its newline has arrived") func aLineIsThereAsSoonAsItsNewline() async throws {
    try await TestProcess.withProcess(.init(PromptProbe.program, input: .open)) { process in
      process.send("one\ntw")
      try await process.expect("line: one\n")
      process.send("o\n")
      try await process.expect("line: two\n")
      process.closeInput()
      #expect(try await process.wait() == .exited(0))
    }
  }

  @Test("When the reader of its output goes away the program ends quietly, with code 74")
  func whenTheReaderOfItsOutputGoesAwayTheProgramEnds() async throws {
    let outcome = try await TestProcess.run(.init(PromptProbe.program, input: .text("a\n"), output: .broken))
    #expect(outcome.ending == .exited(74))
    #expect(outcome.errors.isEmpty)
  }

  @Test("A full disk ends the program with code 74") func aFullDiskEndsTheProgramWithCode74() async throws {
    let outcome = try await TestProcess.run(.init(PromptProbe.program, input: .text("a\n"), output: .file("/dev/full")))
    #expect(outcome.ending == .exited(74))
  }
}
