// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@testable import JackdawTerminal

@Suite("The line being typed where terminals count otherwise than readline") struct PromptRowsTests {
  private static let family = "👨‍👩‍👧‍👦"

  @Test(
    "emoji wider than the window write over no line above, and are sent as they were typed",
    arguments: [family, "❤️", "👍🏽", "🏳️‍🌈", "\u{1FADC}"], [false, true])
  func nothingIsOverwritten(_ emoji: String, _ joinsEmoji: Bool) async throws {
    try await PromptProbe.with(columns: 40, kind: .reflowing, joinsEmoji: joinsEmoji) { process in
      process.send("/say 8 line" + Key.enter)
      try await process.expectScreen("the lines") { $0.lines.contains("line 8") && $0.cursorLine == "Bob>" }
      let above = (1...8).map { "line \($0)" }
      let typed = String(repeating: emoji, count: 24) + " end"
      process.send(typed)
      // Home, end, a row up and down: each draws.
      process.send(Key.controlA + "X" + Key.controlE + "Y" + Key.controlA + Key.controlE + Key.left + Key.right + "Z")
      let screen = try await process.expectScreen("the end of the line") { $0.cursorLine.hasSuffix("endYZ") }
      #expect(screen.history.filter { $0.hasPrefix("line ") } == above)
      process.send(Key.controlA + Key.controlE + Key.enter)
      try await process.expect("entered X\(typed)YZ|")
      let entered = try await process.expectScreen("the prompt alone") { $0.cursorLine == "Bob>" }
      #expect(entered.history.filter { $0.hasPrefix("line ") } == above)
    }
  }

  @Test("a window of another width erases nothing above a line of emoji", arguments: [false, true])
  func resizing(_ joinsEmoji: Bool) async throws {
    try await PromptProbe.with(columns: 60, kind: .reflowing, joinsEmoji: joinsEmoji) { process in
      process.send("/say 8 line" + Key.enter)
      try await process.expectScreen("the lines") { $0.lines.contains("line 8") && $0.cursorLine == "Bob>" }
      var typed = String(repeating: Self.family, count: 5) + "."
      process.send(typed)
      try await process.expectScreen("the line") { $0.cursorLine.hasSuffix(".") }
      for columns in [30, 90, 21, 60] {
        process.resize(columns: columns, rows: 24)
        typed += "\(columns)"
        process.send("\(columns)")
        let screen = try await process.expectScreen("the line at \(columns) columns") {
          $0.columns == columns && $0.cursorLine.hasSuffix("\(columns)")
        }
        #expect(screen.history.filter { $0.hasPrefix("line ") } == (1...8).map { "line \($0)" })
      }
      process.send(Key.enter)
      try await process.expect("entered \(typed)|")
    }
  }

  @Test("a line on which all agree, or that is one row to each, is drawn as ever")
  func rows() {
    let long = String(repeating: "word ", count: 20)
    for text in [
      "", long, long + "世界", long + "👍", long + "🇩🇪", Self.family, "a\nb", "❤️ ok", "❤️\nb", "\(long)\n❤️\n\(long)",
    ] {
      #expect(LineRows(prompt: 5, text: text, columns: 40) == LineRows())
    }
    let joined = LineRows(prompt: 5, text: long + Self.family, columns: 40)
    #expect(joined.isOne && joined.spare == 0)
    let wide = LineRows(prompt: 5, text: long + "❤️❤️\u{1FADC}", columns: 40)
    #expect(wide.isOne && wide.spare == 3)
    #expect(LineRows(prompt: 5, text: String(repeating: "❤️", count: 90), columns: 40).spare == 20)
    #expect(LineRows(prompt: 5, text: "\(long)\n❤️ \(long)\nb", columns: 40).isOne)
    // As wide as the window to those who draw each sign: the cursor would be in the next row there.
    #expect(LineRows(prompt: 5, text: String(repeating: "x", count: 27) + Self.family, columns: 40).isOne)
    #expect(!LineRows(prompt: 5, text: String(repeating: "x", count: 26) + Self.family, columns: 40).isOne)
  }
}
