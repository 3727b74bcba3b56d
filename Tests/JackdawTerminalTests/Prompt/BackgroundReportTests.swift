// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@testable import JackdawTerminal

@Suite("The terminal's background")
struct BackgroundReportTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "is read from the answer, and what was typed around it stays",
    arguments: [
      ("ab\u{1B}]11;rgb:ffff/0000/8080\u{1B}\\cd", "abcd", RGB(255, 0, 128)),
      ("\u{1B}]11;rgb:f/0/8\u{7}", "", RGB(255, 0, 136)),
      ("\u{1B}]11;rgba:1e1e/1e1e/1e1e/ffff\u{7}x", "x", RGB(30, 30, 30)),
      ("\u{1B}[A\u{1B}]11;rgb:00/00/00\u{7}\u{1B}[B", "\u{1B}[A\u{1B}[B", RGB(0, 0, 0)),
      ("\u{1B}]11;#ffffff\u{7}", "", nil), ("\u{1B}]11;rgb:fff/ff\u{7}", "", nil),
      ("\u{1B}]11;rgb:+f/0/0\u{7}", "", nil),
      ("\u{1B}]11;rgb:12345/0/0\u{7}", "", nil),
    ])
  func answers(_ typed: String, _ left: String, _ color: RGB?) {
    var bytes = Self.bytes(typed)
    #expect(BackgroundReport.take(from: &bytes) == .answer(color))
    #expect(bytes == Self.bytes(left))
  }

  @Test("may come in pieces: each end that may be its beginning is held back, and together they are the answer")
  func pieces() {
    let answer = Self.bytes("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\")
    for length in 1..<answer.count {
      var bytes = Self.bytes("x") + answer.prefix(length)
      #expect(BackgroundReport.take(from: &bytes) == .beginning(Array(answer.prefix(length))))
      #expect(bytes == Self.bytes("x"))
    }
  }

  @Test(
    "is nothing that people type",
    arguments: [
      "", "hello", "\u{1B}b", "\u{1B}]1x", "\u{1B}]12;rgb:0/0/0\u{7}", "\u{1B}]11;rgb:\r", "\u{1B}]11;x\u{1B}[A",
      "\u{1B}]11;" + String(repeating: "f", count: 65),
    ])
  func keys(_ typed: String) {
    var bytes = Self.bytes(typed)
    #expect(BackgroundReport.take(from: &bytes) == .nothing)
    #expect(bytes == Self.bytes(typed))
  }

  @Test(
    "is light where dark text can be read on it better",
    arguments: [
      (RGB(255, 255, 255), true), (RGB(0, 0, 0), false), (RGB(0xFD, 0xF6, 0xE3), true), (RGB(0, 0x2B, 0x36), false),
      (RGB(0x77, 0x77, 0x77), true), (RGB(0x66, 0x66, 0x66), false), (RGB(0, 0, 255), false), (RGB(255, 255, 0), true),
    ])
  func light(_ color: RGB, _ isLight: Bool) { #expect(color.isLight == isLight) }

  // MARK: At the prompt

  private static let colors = ["TERM": "xterm-256color"]
  private static let question = "\u{1B}]11;?\u{1B}\\"

  @Test("sets the colours when the answer comes, and no key that is typed meanwhile is lost", arguments: [true, false])
  func themed(_ isLight: Bool) async throws {
    try await PromptProbe.with(environment: Self.colors) { process in
      try await process.expect(Self.question)
      let part = isLight ? "ffff" : "0000"
      try await process.type("hel\u{1B}]11;rgb:\(part)/\(part)/\(part)\u{1B}\\lo \u{1B}bX", giving: "Bob> Xhello")
      process.send(Key.controlC + "/state -5" + Key.enter)
      try await process.expectScreen(showing: "next try in 5 s")
      // A warning on light and on dark; on what nobody knows it is another one.
      try await process.expect(isLight ? "38;5;94m" : "38;5;221m")
      process.send("/quit" + Key.enter)
      #expect(try await process.wait() == .exited(0))
    }
  }

  @Test(
    "is not asked for where something says what it is, or nothing depends on it",
    arguments: [
      ["COLORFGBG": "15;0"], ["NO_COLOR": "1"], ["PROBE_SPOKEN": "1"], ["TERM": "linux"], ["TERM": "dumb"],
    ])
  func notAsked(_ environment: [String: String]) async throws {
    try await PromptProbe.with(environment: Self.colors.merging(environment) { $1 }) { process in
      process.send("/say 1 thing" + Key.enter)
      try await process.expectScreen(showing: "thing 1")
      #expect(!process.standardOutput.contains("]11;?"))
    }
  }

  @Test("that no terminal tells changes nothing: Escape and Alt keys do what they do")
  func silent() async throws {
    try await PromptProbe.with(environment: Self.colors) { process in
      try await process.type("one two\u{1B}b", giving: "Bob> one two")
      try await process.type("X", giving: "Bob> one Xtwo")
      process.send("\u{1B}")
      try await process.type("bY", giving: "Bob> one YXtwo")
      process.send(Key.controlC + "/quit" + Key.enter)
      #expect(try await process.wait() == .exited(0))
    }
  }
}
