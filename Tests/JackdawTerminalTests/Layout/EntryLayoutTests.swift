// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

struct EntryLayoutTests {
  @Test("a label that needs rows of its own leaves no row wider than the terminal", arguments: 8...60)
  func longLabel(length: Int) {
    let layout = EntryLayout(style: Style(.none), columns: 24)
    let label = EntryLayout.Label(text: String(repeating: "x", count: length), look: .plain, separator: ": ")
    let rows = layout.entry(time: "12:34", label: label, lines: ["hello"]).split(separator: "\n")
    #expect(rows.allSatisfy { Width.of($0) <= 24 }, "\(rows)")
    #expect(rows.count == 1 || rows.dropLast().last?.hasSuffix(":") == true, "\(rows)")
  }

  private static let bodies = ["hello", "", "two\nlines", "tab\tstop", "grün", "\u{1B}[31m", "~", " "]

  @Test("an entry that goes out piece by piece is the line that it is as a whole", arguments: bodies, ["12:34", ""])
  func pieces(body: String, time: String) {
    let layout = EntryLayout(style: Style(.none), columns: nil)
    let label = EntryLayout.Label(text: "bob", look: .plain, separator: ": ")
    let entry = TextEntry(time: time, label: label, body: body)
    let whole = (time.isEmpty ? "" : time + " ") + "bob: \(Escaper.lines(body).joined(separator: "\n      | "))\n"
    #expect(entry.lines(layout) == whole)
    let isOneLine = !["two\nlines", "tab\tstop", "grün", "\u{1B}[31m"].contains(body)
    #expect(entry.plain(layout)?.text == (isOneLine ? whole : nil))
    var pieces = ""
    entry.plain(layout)?.forEachPiece { pieces += $0 }
    #expect(pieces == (isOneLine ? whole : ""))
  }

  @Test("an entry is put together where something of it may be broken or coloured")
  func piecesOfLooks() {
    let label = EntryLayout.Label(text: "bob", look: .plain, separator: ": ")
    let entry = TextEntry(time: "12:34", label: label, body: "hello")
    #expect(entry.plain(EntryLayout(style: Style(.none), columns: 80))?.text == nil)
    #expect(entry.plain(EntryLayout(style: Style(.sixteen), columns: nil))?.text == nil)
  }
}
