// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@testable import JackdawTerminal

@Suite("The line being typed when the window gets another width") struct PromptResizingTests {
  typealias Kind = TestProcess.Invocation.Size.Kind

  /// What a line that was drawn for another width is erased with.
  private static let erasure = "\u{1B}[J\r\u{1B}[K"
  /// Six rows at 40 columns.
  private static let typed = (1...32).map { "word\($0)" }.joined(separator: " ")

  @Test("nothing above is erased and the line stays whole, in any kind of terminal", arguments: Kind.allCases)
  func nothingIsErased(_ kind: Kind) async throws {
    try await PromptProbe.with(columns: 40, kind: kind) { process in
      let above = (1...8).map { "line \($0)" }
      process.send("/say 8 line" + Key.enter)
      try await process.expectScreen("the lines") { $0.lines.contains("line 8") && $0.cursorLine == "Bob>" }
      process.send(Self.typed)
      try await process.expectScreen("the typed line") { Self.isWhole($0) }
      for columns in [100, 40, 63, 41, 100, 40] {
        process.resize(columns: columns, rows: 24)
        try await process.expect(Self.erasure)
        let screen = try await process.expectScreen("the line at \(columns) columns") {
          $0.columns == columns && Self.isWhole($0)
        }
        #expect(screen.history.filter { $0.hasPrefix("line ") } == above)
      }
    }
  }

  @Test(
    "no rows of the old line are left where the terminal says where its cursor is",
    arguments: [Kind.reflowing, .cutting])
  func nothingIsLeft(_ kind: Kind) async throws {
    try await PromptProbe.with(columns: 40, kind: kind) { process in
      process.send("/say 8 line" + Key.enter)
      try await process.expectScreen("the lines") { $0.lines.contains("line 8") && $0.cursorLine == "Bob>" }
      process.send(Self.typed)
      try await process.expectScreen("the typed line") { Self.isWhole($0) }
      // With 100 columns the cursor is in the same column in either kind: then the terminal is asked what it is.
      for columns in [100, 40, 90, 40, 63, 90, 40, 100, 40] {
        process.resize(columns: columns, rows: 24)
        try await process.expect(Self.erasure)
        let screen = try await process.expectScreen("one line at \(columns) columns") {
          $0.columns == columns && Self.isWhole($0) && $0.history.filter { $0.hasPrefix("Bob> word1") }.count == 1
        }
        let rows = screen.history.drop { !$0.hasPrefix("Bob> word1") }.filter { !$0.isEmpty }
        #expect(rows.joined().filter { $0 != " " } == "Bob>" + Self.typed.filter { $0 != " " })
      }
    }
  }

  @Test("keys that are typed while the window is resized are neither lost nor waited for", arguments: Kind.allCases)
  func keysMeanwhile(_ kind: Kind) async throws {
    try await PromptProbe.with(columns: 40, kind: kind) { process in
      var line = "Bob>"
      for round in 1...12 {
        let word = "w\(round)"
        process.resize(columns: round % 2 == 0 ? 40 : 70, rows: 24)
        process.send(word)
        line += word
        let expected = line
        try await process.expectScreen("'\(expected)'") {
          $0.lines.joined().filter { $0 != " " }.hasSuffix(expected)
        }
      }
    }
  }

  @Test("a terminal that answers late is not taken for somebody who types")
  func lateAnswer() async throws {
    try await PromptProbe.with(columns: 40) { process in
      process.send("abc")
      try await process.expectScreen("the line") { $0.cursorLine == "Bob> abc" }
      process.resize(columns: 60, rows: 24)
      try await process.expect("\u{1B}[6n")
      // Drawn again: the answer was waited for.
      try await process.expect("Bob")
      process.send("\u{1B}[2;9Rd")
      try await process.expectScreen("the next key alone") { $0.cursorLine == "Bob> abcd" }
    }
  }

  @Test("keys that come before the answer stay typed")
  func keysBeforeAnswer() {
    var bytes = Array("x\u{1B}[A\u{1B}[12;34Ry".utf8)
    #expect(CursorReport.take(from: &bytes) == CursorPosition(row: 11, column: 33))
    #expect(bytes == Array("x\u{1B}[Ay".utf8))
    #expect(CursorReport.take(from: &bytes) == nil)
  }

  @Test(
    "the cursor of the typed line is where readline has it",
    arguments: [
      ("> ", "abc", 10, 0, 5), ("> ", "01234567", 10, 1, 0), ("\u{1}\u{1B}[32m\u{2}Bo> ", "", 10, 0, 4),
      ("> ", "0123456世", 10, 1, 2), ("> ", "a\nb", 10, 1, 1), ("> ", "a\u{1}", 10, 0, 5), ("> ", "\t", 20, 0, 8),
    ])
  func cursor(_ prompt: String, _ text: String, _ columns: Int, _ row: Int, _ column: Int) {
    #expect(
      TypedLine(prompt: prompt, text: text).cursor(columns: columns) == CursorPosition(row: row, column: column))
  }

  @Test("never more rows are taken for the line than it has in either kind of terminal")
  func rowsAbove() {
    let line = TypedLine(prompt: "> ", text: String(repeating: "x", count: 205))
    let wider = ResizedLine(line, drawnIn: 40, now: 100)
    #expect((wider.drawn, wider.rewrapped) == (.init(row: 5, column: 7), .init(row: 2, column: 7)))
    // Both have the cursor in that column: the fewer rows.
    #expect(wider.rowsAbove(cursor: CursorPosition(row: 20, column: 7)) == 2)
    #expect(wider.rowsAbove(cursor: nil) == 2)
    let other = ResizedLine(line, drawnIn: 40, now: 90)
    #expect(other.rowsAbove(cursor: CursorPosition(row: 20, column: 27)) == 2)
    #expect(other.rowsAbove(cursor: CursorPosition(row: 20, column: 7)) == 5)
    #expect(other.rowsAbove(cursor: CursorPosition(row: 3, column: 7)) == 3)
    #expect(other.rowsAbove(cursor: CursorPosition(row: 20, column: 50)) == 2)
    // What the terminal is counts where the column tells nothing, and only there.
    let same = CursorPosition(row: 20, column: 7)
    #expect(wider.isUndecided(same) && !other.isUndecided(same) && !wider.isUndecided(nil))
    #expect(wider.rowsAbove(cursor: same, rewraps: true) == 2 && wider.rowsAbove(cursor: same, rewraps: false) == 5)
    #expect(other.rowsAbove(cursor: CursorPosition(row: 20, column: 27), rewraps: false) == 2)
    #expect(other.rowsAbove(cursor: CursorPosition(row: 20, column: 50), rewraps: false) == 2)
  }

  @Test("a cursor behind a last row that is full now may be in that row")
  func fullRow() {
    let line = TypedLine(prompt: "> ", text: String(repeating: "x", count: 204))
    let full = ResizedLine(line, drawnIn: 74, now: 103)
    #expect((full.drawn, full.rewrapped) == (.init(row: 2, column: 58), .init(row: 2, column: 0)))
    #expect(full.rowsAbove(cursor: CursorPosition(row: 20, column: 103)) == 1)
    #expect(full.rowsAbove(cursor: CursorPosition(row: 20, column: 102)) == 1)
    #expect(full.rowsAbove(cursor: CursorPosition(row: 20, column: 0)) == 2)
    #expect(full.rowsAbove(cursor: CursorPosition(row: 20, column: 58)) == 2)
    #expect(full.rowsAbove(cursor: nil) == 1 && full.rowsAbove(cursor: CursorPosition(row: 20, column: 5)) == 1)
  }

  @Test(
    "a terminal says what it is, and of some it is known what they do",
    arguments: [
      ("\u{1B}[>84;0;0c", 84, true), ("\u{1B}[>65;7600;1c", 65, true), ("\u{1B}[>1;4000;33c", 1, true),
      ("\u{1B}[>41;379;0c", 41, false), ("\u{1B}[>83;40900;0c", 83, false), ("\u{1B}[>1;95;0c", 1, nil),
      ("\u{1B}[>0c", 0, nil),
    ] as [(String, Int, Bool?)])
  func identity(_ answer: String, _ kind: Int, _ rewraps: Bool?) {
    var bytes = Array("a\u{1B}[>x\u{1B}[A\(answer)b".utf8)
    let identity = TerminalIdentity.take(from: &bytes)
    #expect(identity?.kind == kind && identity?.rewraps == rewraps)
    #expect(bytes == Array("a\u{1B}[>x\u{1B}[Ab".utf8))
    #expect(TerminalIdentity.take(from: &bytes) == nil)
  }

  /// All that is typed, in its order, up to the cursor.
  private static func isWhole(_ screen: Screen) -> Bool {
    screen.lines.joined().filter { $0 != " " }.hasSuffix(typed.filter { $0 != " " })
  }
}
