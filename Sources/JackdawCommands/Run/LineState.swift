// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What lines share: whom plain ones go to, and whether to leave.
@Client package final class LineState {
  /// Whom plain lines go to.
  package var conversation = Conversation.none {
    didSet {
      guard conversation != oldValue else { return }
      if conversation.shown != oldValue.shown { shownFrom = nil }
      onChange?()
    }
  }
  /// The first message of the conversation that has been shown again; nil where none has. `/back` goes on from there.
  package var shownFrom: Int64?
  /// The conversations that can be switched to; kept current at the prompt alone.
  package var recent = RecentConversations()
  /// Who wrote the last message that is on the screen, a bare address; nil: nobody, or it is no prompt.
  package var lastWriter: JID?
  /// What only a script's commands use; nil at the prompt.
  package var script: ScriptState?
  /// True from ``leave()`` on: for good.
  package private(set) var isLeaving = false
  /// Called when the conversation changed or leaving was asked for.
  package var onChange: (@Client () -> Void)?

  package init() {}

  /// No further line is to be run.
  package func leave() {
    isLeaving = true
    onChange?()
  }
}
