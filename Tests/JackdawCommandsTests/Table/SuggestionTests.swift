// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("What was probably meant")
struct SuggestionTests {
  static let commands = ["chat", "run", "send", "listen", "friends", "status", "ping", "account"]

  static let rows: [(typed: String, among: [String], meant: String?)] = [
    ("frends", commands, "friends"),
    ("friend", commands, "friends"),
    ("frend", commands, "friends"),
    ("Send", commands, "send"),
    ("sned", commands, "send"),
    ("lisetn", commands, "listen"),
    ("pnig", commands, "ping"),
    ("acount", commands, "account"),
    ("rum", commands, "run"),
    ("xyz", commands, nil),
    ("quit", commands, nil),
    ("", commands, nil),
    ("--jsn", ["--json", "--jid"], "--json"),
    ("--frob", ["--json", "--jid", "--from"], "--from"),
    ("--frob", ["--json", "--jid"], nil),
    ("a", [], nil),
  ]

  @Test("is near enough, or nothing", arguments: rows)
  func isNearEnough(_ row: (typed: String, among: [String], meant: String?)) {
    #expect(Suggestion.nearest(to: row.typed, among: row.among) == row.meant)
  }
}
