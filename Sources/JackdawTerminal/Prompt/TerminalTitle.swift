// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// The title of the terminal's window: `(3) Bob – jackdaw`, as xterm's control sequences set it.
struct TerminalTitle {
  /// Keeps the window's title on the terminal's own stack (XTWINOPS 22).
  static let save = "\u{1B}[22;2t"
  /// Brings it back from there (XTWINOPS 23).
  static let restore = "\u{1B}[23;2t"

  /// Whether a terminal is known to have a title, or to leave out what would set one.
  /// - Parameter term: `TERM`.
  static func isTaken(by term: String?) -> Bool {
    guard let term, !term.isEmpty else { return false }
    return !["dumb", "unknown", "linux", "vt52", "vt100", "vt102", "vt220", "ansi", "emacs"].contains(term)
  }

  /// How many messages are unread in all, and who is talked to; safe to show, and short.
  static func text(for state: PromptState) -> String {
    let count = state.allUnread > 0 ? "(\(state.allUnread)) " : ""
    guard let conversation = state.conversation else { return count + "jackdaw" }
    let name = Escaper.called(conversation, within: TerminalLimits.nameLength)
    return count + Width.truncate(name, to: TerminalLimits.titleNameColumns) + " – jackdaw"
  }

  /// What sets it (OSC 2).
  static func sequence(_ text: String) -> String { "\u{1B}]2;\(text)\u{1B}\\" }
}
