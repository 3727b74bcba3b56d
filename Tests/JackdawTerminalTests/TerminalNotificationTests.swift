// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import Testing

@testable import JackdawTerminal

@Suite("A notification that a terminal shows") struct TerminalNotificationTests {
  private typealias Wanted = NotificationSettings.Terminal

  private func sequence(
    _ wanted: NotificationSettings.Terminal, _ environment: [String: String], _ title: String = "Bob",
    _ body: String = "hi", count: Int = 1
  ) -> String? {
    TerminalNotification(wanted, environment: { environment[$0] })?.sequence(
      for: .init(title, count: count, body: body))
  }

  @Test("is of the kind that the terminal takes, and none where that is not known")
  func kinds() {
    #expect(sequence(.auto, ["TERM": "foot"]) == "\u{1B}]777;notify;Bob;hi\u{1B}\\")
    #expect(
      sequence(.auto, ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"]) == "\u{1B}]9;Jackdaw: Bob: hi\u{1B}\\")
    #expect(
      sequence(.auto, ["TERM": "xterm-kitty"])
        == "\u{1B}]99;i=jackdaw:d=0:o=unfocused;Bob\u{1B}\\\u{1B}]99;i=jackdaw:p=body;hi\u{1B}\\")
    for environment in [
      ["TERM": "xterm-256color"], ["TERM": "linux"], [:], ["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"],
      ["TERM": "foot", "TMUX": "/tmp/x"], ["TERM": "screen"],
    ] { #expect(sequence(.auto, environment) == nil, "\(environment)") }
  }

  @Test("says how many there are, and spells out an address that mixes scripts to look like another")
  func lookalike() {
    func shown(_ who: String, _ count: Int) -> String? { sequence(.osc777, [:], who, count: count) }
    #expect(shown("Bob", 2) == "\u{1B}]777;notify;Bob (2);hi\u{1B}\\")
    for count in [1, 2] {
      let spelled = #"b\u{43e}b@example.org"# + (count > 1 ? " (2)" : "")
      #expect(shown("b\u{43E}b@example.org", count) == "\u{1B}]777;notify;\(spelled);hi\u{1B}\\")
    }
  }

  @Test("goes through tmux where the configuration names its kind")
  func tmux() {
    #expect(
      sequence(.osc9, ["TERM": "tmux-256color"])
        == "\u{1B}Ptmux;\u{1B}\u{1B}]9;Jackdaw: Bob: hi\u{1B}\u{1B}\\\u{1B}\\")
  }

  @Test("holds nothing that a terminal obeys, and is short", arguments: [Wanted.osc9, .osc777, .osc99])
  func hostile(_ kind: NotificationSettings.Terminal) throws {
    let hostile = "a\u{1B}\\\u{7}\u{9C};b\nc\u{202E}" + String(repeating: "x", count: 100_000)
    let bytes = try #require(sequence(kind, [:], hostile, hostile))
    let commands = kind == .osc99 ? 2 : 1
    #expect(bytes.unicodeScalars.count { $0 == "\u{1B}" } == commands * 2 && bytes.utf8.count < 4_000)
    #expect(!bytes.unicodeScalars.contains { "\u{7}\u{9C}\n\u{202E}".unicodeScalars.contains($0) })
    if kind == .osc777 { #expect(bytes.prefix { $0 != "b" }.count { $0 == ";" } == 2) }
  }
}
