// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("A line's words")
struct LineWordsTests {
  static func parse(_ line: String) throws -> CommandTable.LineRequest {
    try CommandTable.standard.parse(line: ShellWords.split(line))
  }

  @Test(
    "are commands",
    arguments: [
      ("to bob", "to"), ("close", "close"), ("quit", "quit"), ("reconnect", "reconnect"), ("sleep 0.5", "sleep"),
      ("wait message --from bob --match '^hi' --for 5", "wait"), ("wait x-lunch", "wait"), ("help", "help"),
      ("help friends add", "help"), ("friends", "friends list"), ("friends accept --all", "friends accept"),
      ("send bob hello --json", "send"), ("status away out for lunch", "status"), ("ping --timeout 3", "ping"),
      ("account list", "account list"), ("listen --count 1", "listen"),
    ])
  func areCommands(_ line: String, _ name: String) throws {
    guard case .command(_, let found) = try Self.parse(line) else {
      Issue.record("\(line) is no command")
      return
    }
    #expect(found == name)
  }

  @Test("take everything after the recipient for text")
  func takeEverythingForText() throws {
    guard case .command(let command, _) = try Self.parse("send bob use --wait sent -5 x"),
      let send = command as? SendCommand
    else {
      Issue.record("no command")
      return
    }
    #expect(send.text == ["use", "--wait", "sent", "-5", "x"] && send.wait == .server)
  }

  @Test(
    "that are wrong are one sentence and code 64",
    arguments: [
      ("sleep", "SECONDS is missing. Type: /sleep SECONDS, as in: /sleep 2.5"),
      ("sleep nan", "'nan' is not a number of seconds"),
      ("sleep 1e12", "'1000000000000.0' is not a number of seconds"),
      ("wait mesage", "There is no event 'mesage'"),
      ("wait message --for nan", "'--for' takes seconds"),
      ("ping --json", "--json is an option of the program's start, not of a line"),
      ("ping --account x", "--account is an option of the program's start, not of a line"),
      ("friends list -q", "--quiet is an option of the program's start, not of a line"),
      ("to", "JID is missing. Type: /to JID, as in: /to bob@example.org"),
      ("to a@b c@d", "'c@d' is one word too many. Type: /to JID"),
      ("run file", "There is no command '/run'"),
      // Of the open room, which is not typed.
      ("nick", "NICK is missing. Type: /nick NICK, as in: /nick Al"),
      ("kick", "NICK is missing. Type: /kick NICK …, as in: /kick Mallory --reason 'Too loud'"),
      ("part bye", "'bye' is one word too many. Type: /part"),
      ("rooms nick", "ROOM is missing. Type: /rooms nick ROOM NICK"),
    ])
  func thatAreWrong(_ line: String, _ text: String) {
    #expect { try Self.parse(line) } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.code == .usage && failure.text.hasPrefix(text)
    }
  }

  @Test("that ask for help get it as lines are typed")
  func thatAskForHelp() throws {
    guard case .text(let text) = try Self.parse("friends add --help") else {
      Issue.record("no text")
      return
    }
    #expect(text.contains("USAGE: /friends add [OPTION …] JID …"))
    #expect(text.contains("--group GROUP") && !text.contains("--timeout SECONDS"))
    guard case .text(let all) = try Self.parse("friends add --help-all") else {
      Issue.record("no text")
      return
    }
    #expect(all.contains("--group GROUP") && all.contains("--timeout SECONDS") && !all.contains("--account"))
    // The options of the program's start are none of a line's.
    #expect(!text.contains("--account") && !text.contains("--json"))
    guard case .text(let group) = try Self.parse("friends --help") else {
      Issue.record("no text")
      return
    }
    #expect(group.contains("'/help friends SUBCOMMAND'"))
  }

  @Test("are all in the overview")
  func areAllInTheOverview() {
    let usages = CommandTable.standard.overview(for: .lines).map(\.usage)
    #expect(usages.contains("/friends add JID …") && usages.contains("/sleep SECONDS"))
    #expect(usages.contains("/send JID [TEXT …]") && usages.contains("/quit"))
    #expect(!usages.contains { $0.contains("option") || $0.contains("account add") || $0.hasPrefix("/chat ") })
    for row in CommandTable.standard.overview(for: .lines) { #expect(row.summary?.isEmpty == false) }
  }
}
