// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("Where in a TOML text a key stands")
struct TOMLLinesTests {
  @Test("is known for keys and tables")
  func isKnown() {
    let lines = TOMLLines("a = 1\n\n  [accounts.\"x.y\"] # t\n# b = 2\n'b' = 2\nc.d = 3\n[ e . f ]\ng=1")
    #expect(lines.line(of: ["a"]) == 1)
    #expect(lines.line(of: ["accounts", "x.y"]) == 3)
    #expect(lines.line(of: ["accounts", "x.y", "b"]) == 5)
    #expect(lines.line(of: ["accounts", "x.y", "c", "d"]) == 6)
    #expect(lines.line(of: ["e", "f", "g"]) == 8)
    // The nearest thing that is there.
    #expect(lines.line(of: ["accounts", "x.y", "missing"]) == 3)
    // A table that stands there as the beginning of others' names alone.
    #expect(lines.line(of: ["accounts"]) == 3)
    #expect(lines.line(of: ["nothing"]) == nil)
    #expect(
      lines.tables == [
        TOMLLines.Table(path: ["accounts", "x.y"], lines: 3..<7), TOMLLines.Table(path: ["e", "f"], lines: 7..<9),
      ])
    #expect(lines.isRemark(2) && lines.isRemark(4) && !lines.isRemark(5))
  }

  @Test("is known of names with quotes, backslashes and control characters too")
  func escaped() {
    let lines = TOMLLines(
      #"""
      [accounts."a\"b\\c.d"]
      [accounts."two\nlines\u0007"]
      [accounts.'as\n it stands']
      [accounts."\U0001F600"]
      """#)
    let names = lines.tables.compactMap(\.path.last)
    #expect(names == [#"a"b\c.d"#, "two\nlines\u{7}", #"as\n it stands"#, "😀"])
  }
}
