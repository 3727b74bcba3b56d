// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawTerminal

@Client @Suite("The help card", .onLoop)
struct HelpCardTests {
  @Test("at the prompt has a row for each line on 80 columns, and stays within 40", arguments: [80, 40])
  func prompt(_ columns: Int) throws {
    let fixture = Fixture(columns: columns)
    for row in try HelpRequest([], in: .lines, of: .standard).rows { fixture.output.show(row, of: "help") }
    fixture.output.settle()
    let text = fixture.out.take()
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { Width.of($0) <= columns })
    if columns == 80 { #expect(lines.count == 12) }
    try GoldenText.expect(text, named: "help-card-\(columns)")
  }

  @Test("in the shell is laid out alike", arguments: [80, 40])
  func shell(_ columns: Int) throws {
    let text = try HelpRequest([], in: .shell, of: .standard).text(columns: columns)
    #expect(text.split(separator: "\n").allSatisfy { Width.of($0) <= columns })
    try GoldenText.expect(text, named: "help-card-shell-\(columns)")
  }
}
