// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import Testing

@testable import JackdawTerminal

@Suite("The terminal's title")
struct TerminalTitleTests {
  @Test("counts what is unread and names whom one talks to")
  func text() {
    var state = PromptState(conversation: "Bob")
    #expect(TerminalTitle.text(for: state) == "Bob – jackdaw")
    state.allUnread = 3
    #expect(TerminalTitle.text(for: state) == "(3) Bob – jackdaw")
    state.conversation = nil
    #expect(TerminalTitle.text(for: state) == "(3) jackdaw")
  }

  @Test("spells out an address that mixes scripts to look like another, and leaves a name as the user gave it")
  func lookalike() {
    let address = PromptState(conversation: "b\u{43E}b@example.org")
    #expect(TerminalTitle.text(for: address) == #"b\u{43e}b@example.org – jackdaw"#)
    #expect(TerminalTitle.text(for: PromptState(conversation: "b\u{43E}b")) == "b\u{43E}b – jackdaw")
  }

  @Test(
    "spells out a room that mixes scripts behind who is in it, whatever they are called",
    arguments: [
      ("Bob", "Bob"), ("Bob in it", "Bob in it"), ("x:bob@example.org/", "x:bob@example.org/"),
      ("b\u{43E}b", "b\u{43E}b"),
    ])
  func lookalikeRoom(nick: String, shown: String) {
    let title = TerminalTitle.text(for: PromptState(conversation: "\(nick) in t\u{435}a@example.org"))
    #expect(title == "\(shown) in t\\u{435}a@example.org – jackdaw")
    let known = "\(nick) in tea@example.org"
    #expect(TerminalTitle.text(for: PromptState(conversation: known)) == "\(known) – jackdaw")
  }

  @Test("cannot be left by a name, however long")
  func hostile() {
    let name = "Ev\u{1B}\\\u{7}\u{9C}il\u{202E}" + String(repeating: "世", count: 5_000)
    let text = TerminalTitle.text(for: PromptState(conversation: name))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) && $0 != "\u{202E}" })
    #expect(Width.of(text) <= TerminalLimits.titleNameColumns + 10)
    let sequence = TerminalTitle.sequence(text)
    #expect(sequence.hasPrefix("\u{1B}]2;") && sequence.hasSuffix("\u{1B}\\"))
    #expect(sequence.unicodeScalars.count { $0 == "\u{1B}" } == 2)
  }

  @Test(
    "is set where a terminal has one",
    arguments: [
      ("xterm-256color", true), ("tmux-256color", true), ("screen", true), ("xterm-kitty", true), ("dumb", false),
      ("linux", false), ("vt100", false), ("", false), (nil, false),
    ] as [(String?, Bool)])
  func terminals(term: String?, isTaken: Bool) { #expect(TerminalTitle.isTaken(by: term) == isTaken) }
}
