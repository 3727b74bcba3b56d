// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("The screen that tests read")
struct ScreenTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let written: String
    let lines: [String]
    let cursor: [Int]

    init(_ name: String, _ written: String, _ lines: [String], cursor row: Int, _ column: Int) {
      self.name = name
      self.written = written
      self.lines = lines
      cursor = [row, column]
    }

    var testDescription: String { name }
  }

  static let cases = [
    Case("text", "abc", ["abc", "", ""], cursor: 0, 3),
    Case("CR and LF", "abc\r\nd", ["abc", "d", ""], cursor: 1, 1),
    Case("LF alone keeps the column", "abc\nd", ["abc", "   d", ""], cursor: 1, 4),
    Case("backspace moves only", "abc\u{8}X", ["abX", "", ""], cursor: 0, 3),
    Case("tab", "a\tb", ["a       b", "", ""], cursor: 0, 9),
    Case("a full row waits with wrapping", "0123456789", ["0123456789", "", ""], cursor: 0, 9),
    Case("the next character wraps", "0123456789a", ["0123456789", "a", ""], cursor: 1, 1),
    Case("CR after a full row stays in it", "0123456789\rX", ["X123456789", "", ""], cursor: 0, 1),
    Case("the last row scrolls", "1\r\n2\r\n3\r\n4", ["2", "3", "4"], cursor: 2, 1),
    Case("cursor up, down, right, left", "\u{1B}[2B\u{1B}[3C.\u{1B}[A\u{1B}[2Da", ["", "  a", "   ."], cursor: 1, 3),
    Case("cursor position", "\u{1B}[2;4Hx\u{1B}[Hy", ["y", "   x", ""], cursor: 0, 1),
    Case("the cursor stays on the screen", "\u{1B}[99;99Hx", ["", "", "         x"], cursor: 2, 9),
    Case("erase to the end of the line", "abcdef\u{1B}[3D\u{1B}[K", ["abc", "", ""], cursor: 0, 3),
    Case("erase from its start", "abcdef\u{1B}[3D\u{1B}[1K", ["    ef", "", ""], cursor: 0, 3),
    Case("erase the line", "abc\u{1B}[2K", ["", "", ""], cursor: 0, 3),
    Case("erase below", "1\r\n2\r\n3\u{1B}[2;1H\u{1B}[J", ["1", "", ""], cursor: 1, 0),
    Case("erase all", "1\r\n2\u{1B}[2J", ["", "", ""], cursor: 1, 1),
    Case("insert and delete cells", "abcd\r\u{1B}[2@x\u{1B}[C\u{1B}[P", ["x bcd", "", ""], cursor: 0, 2),
    Case("insert and delete lines", "1\r\n2\r\n3\u{1B}[1;1H\u{1B}[L\u{1B}[3;1H\u{1B}[M", ["", "1", ""], cursor: 2, 0),
    Case("reverse line feed at the top", "1\u{1B}M", ["", "1", ""], cursor: 0, 1),
    Case("save and restore", "ab\u{1B}7cd\u{1B}8X", ["abXd", "", ""], cursor: 0, 3),
    Case("wide characters take two columns", "a日b", ["a日b", "", ""], cursor: 0, 4),
    Case("a wide character does not fit the last column", "012345678日", ["012345678", "日", ""], cursor: 1, 2),
    Case("an overwritten half of a wide character", "日\u{8}x", [" x", "", ""], cursor: 0, 2),
    Case("emoji with a variation selector", "\u{2764}\u{FE0F}x", ["\u{2764}\u{FE0F}x", "", ""], cursor: 0, 2),
    Case("combining marks", "e\u{301}x", ["e\u{301}x", "", ""], cursor: 0, 2),
    Case("a title is not text", "\u{1B}]0;hello\u{7}x", ["x", "", ""], cursor: 0, 1),
    Case("unknown sequences are not text", "\u{1B}[5n\u{1B}P1$r\u{1B}\\x", ["x", "", ""], cursor: 0, 1),
  ]

  @Test("shows what a terminal would", arguments: cases)
  func shows(_ expected: Case) {
    var screen = Screen(columns: 10, rows: 3)
    screen.receive(Array(expected.written.utf8))
    #expect(screen.lines == expected.lines)
    #expect([screen.cursorRow, screen.cursorColumn] == expected.cursor)
  }

  @Test("a sequence may come in pieces", arguments: cases)
  func pieces(_ expected: Case) {
    var screen = Screen(columns: 10, rows: 3)
    for byte in expected.written.utf8 { screen.receive([byte]) }
    #expect(screen.lines == expected.lines)
  }

  @Test("colours, weights and where they end")
  func styles() {
    var screen = Screen(columns: 40, rows: 3)
    screen.receive(
      Array("plain \u{1B}[1;31mred\u{1B}[0m \u{1B}[2mdim\u{1B}[22m \u{1B}[38;5;208mfox\u{1B}[39m end".utf8))
    #expect(screen.style(of: "plain") == Screen.Style())
    #expect(screen.style(of: "red")?.bold == true)
    #expect(screen.style(of: "red")?.foreground == "31")
    #expect(screen.style(of: "dim")?.dim == true)
    #expect(screen.style(of: "fox")?.foreground == "38;5;208")
    #expect(screen.style(of: "end") == Screen.Style())
    #expect(screen.style(of: "absent") == nil)
  }

  @Test("modes, bells, the title and what scrolled off")
  func rest() {
    var screen = Screen(columns: 10, rows: 2)
    screen.receive(Array("\u{1B}[?2004h\u{1B}[?25l\u{7}\u{1B}]2;t\u{1B}\\1\r\n2\r\n3".utf8))
    #expect(screen.modes == [2004])
    #expect(screen.bells == 1)
    #expect(screen.title == "t")
    #expect(screen.history == ["1", "2", "3"])
  }

  @Test("long lines can be read as they were written")
  func unwrapped() {
    var screen = Screen(columns: 10, rows: 4)
    screen.receive(Array("0123456789abc\r\nnext".utf8))
    #expect(screen.unwrappedLines == ["0123456789abc", "next", ""])
  }

  @Test("resizing keeps the cursor's line")
  func resizing() {
    var screen = Screen(columns: 10, rows: 3)
    screen.receive(Array("1\r\n2\r\n3".utf8))
    screen.resize(columns: 5, rows: 1)
    #expect(screen.lines == ["3"])
    #expect(screen.scrollback == ["1", "2"])
    screen.resize(columns: 12, rows: 2)
    #expect(screen.cursorLine == "3")
  }
}
