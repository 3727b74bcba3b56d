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
}
