// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawSession
import Testing

@testable import JackdawTerminal

@Suite struct PromptLineTests {
  private func text(_ state: PromptState, columns: Int = 80, colors: Style.Colors = .none) -> String {
    PromptLine(style: Style(colors), columns: columns).text(for: state)
  }

  @Test(
    arguments: [
      (nil, nil, .online, nil, "jackdaw> "),
      ("Bob", "available", .online, nil, "Bob> "),
      ("Bob", nil, .resumed, nil, "Bob> "),
      ("Bob", "xa", .online, nil, "Bob (away)> "),
      ("Bob", "dnd", .online, nil, "Bob (busy)> "),
      ("Bob", "unavailable", .online, nil, "Bob (offline)> "),
      ("Bob", "available", .connecting, nil, "[connecting] Bob> "),
      ("Bob", "available", .retrying, 8, "[offline, next try in 8 s] Bob> "),
      (nil, nil, .offline, nil, "[offline] > "),
      ("E\u{9B}vil\n", "available", .online, nil, "E\\u{9b}vil\\n> "),
    ] as [(String?, String?, ConnectionChanged.State, Int?, String)])
  func `The prompt names whom one talks to, how they are, and what is wrong`(
    conversation: String?, presence: String?, connection: ConnectionChanged.State, retryIn: Int?, shown: String
  ) {
    let state = PromptState(
      presence: presence, conversation: conversation, connection: connection, retryIn: retryIn)
    #expect(text(state) == shown)
  }

  @Test func `The prompt leaves half of a narrow window to type in`() {
    let name = String(repeating: "世界", count: 30)
    for connection in [ConnectionChanged.State.online, .connecting, .offline, .retrying] {
      let state = PromptState(presence: "away", conversation: name, connection: connection, retryIn: 64)
      #expect(Width.of(text(state, columns: 40)) <= 20)
    }
  }

  @Test func `Colours are marked as taking no column`() {
    let shown = text(PromptState(presence: "available", conversation: "Bob", connection: .online), colors: .sixteen)
    #expect(shown == "\u{1}\u{1B}[32m\u{2}Bob\u{1}\u{1B}[0m\u{2}> ")
  }

  @Test(arguments: [
    ("/friends", true), ("/", true), ("//x", false), ("/me waves", false), ("/me", false), ("/menu", true),
    ("x", false),
    ("", false), (" /x", false),
  ])
  func `A line is a command where a script takes it for one`(line: String, isCommand: Bool) {
    #expect(PromptLine.isCommand(line) == isCommand)
  }
}
