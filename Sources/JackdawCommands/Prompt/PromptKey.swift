// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What a key of the prompt does that is more than editing a line; the one list of them, for help and documents.
///
/// The editing keys are GNU readline's, as the user's `.inputrc` has them.
package enum PromptKey: CaseIterable, Sendable {
  case complete, search, newline
  case conversation, nextUnread, reply, correct
  case clear, leave, suspend

  /// As it is written: `Alt-1 … Alt-9`. What begins with `Alt-` can be typed with Esc before it, too.
  package var keys: String {
    switch self {
    case .complete: "Tab"
    case .search: "Ctrl-R"
    case .newline: "Alt-Enter"
    case .conversation: "Alt-1 … Alt-9"
    case .nextUnread: "Alt-a"
    case .reply: "Alt-r"
    case .correct: "Alt-Up"
    case .clear: "Ctrl-C"
    case .leave: "Ctrl-D"
    case .suspend: "Ctrl-Z"
    }
  }

  /// One sentence without its full stop.
  package var meaning: String {
    switch self {
    case .complete:
      "completes commands, options, names, nicks and addresses; lists what is possible where that is more than one"
    case .search: "searches the lines typed before"
    case .newline: "begins another line of the same message"
    case .conversation: "opens one of the nine most recent conversations; '/chats' shows their numbers"
    case .nextUnread: "opens the next conversation with unread messages"
    case .reply: "opens the conversation with whoever wrote last, as '/r' does"
    case .correct: "puts your last message on the empty input line, to be corrected by '/correct'"
    case .clear: "clears the line; on an empty one, cancels what a command waits for"
    case .leave: "leaves, on an empty line"
    case .suspend: "suspends the program; 'fg' brings it back"
    }
  }
}
