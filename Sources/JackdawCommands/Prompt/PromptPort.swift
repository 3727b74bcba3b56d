// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawSession

/// What the prompt line shows beside the cursor.
package struct PromptState: Sendable, Equatable {
  /// How the one who is talked to is, as `available`, `chat`, `away`, `xa`, `dnd`, `unavailable`; nil when not known.
  package var presence: String?
  /// The friend's name or JID that plain lines go to, nil when to nobody.
  package var conversation: String?
  package var connection: ConnectionChanged.State
  /// The seconds until the next try to connect, rounded up, where one is planned.
  package var retryIn: Int?

  package init(
    presence: String? = nil, conversation: String? = nil, connection: ConnectionChanged.State = .offline,
    retryIn: Int? = nil
  ) {
    self.presence = presence
    self.conversation = conversation
    self.connection = connection
    self.retryIn = retryIn
  }
}

/// One way to go on with what is being typed.
package struct Completion: Sendable, Equatable {
  /// What replaces the word, unquoted; the prompt quotes it as a shell would.
  package var text: String
  /// False where more is likely to follow directly (an option's `=`).
  package var endsWord: Bool

  package init(_ text: String, endsWord: Bool = true) {
    self.text = text
    self.endsWord = endsWord
  }
}

/// What the prompt asks of the rest: the terminal calls, the commands answer.
@Client package protocol PromptDelegate: AnyObject {
  /// A key was pressed.
  func promptTouched()
  /// A line was entered (a paste with newlines is one line). Return what must not be kept in the history as false.
  func promptEntered(_ line: String) -> Bool
  /// Tab: `words` are the unquoted words before the one at the cursor, `partial` that word up to the cursor.
  func promptCompletions(words: [String], partial: String) -> [Completion]
  /// Ctrl-C on an empty line: what a command waits for is not wanted any more.
  func promptInterrupted()
  /// Ctrl-D on an empty line, SIGTERM or SIGHUP.
  func promptEnded()
  /// Ctrl-Z: the process is about to stop.
  func promptSuspends()
  /// The process runs again after ``promptSuspends()``.
  func promptResumed()
}

extension PromptDelegate {
  package func promptTouched() {}
  package func promptInterrupted() {}
}
