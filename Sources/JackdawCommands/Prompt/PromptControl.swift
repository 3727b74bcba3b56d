// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// The prompt as the commands see it.
@Client package protocol PromptControl: AnyObject {
  /// Takes the terminal.
  func start() throws
  /// Gives the terminal back as it was.
  func stop()
  /// Shows this in the prompt from now on. With another conversation comes what was being typed in it; what is being typed now stays
  /// behind with the one before.
  func update(_ state: PromptState)
  /// Calls the user, as far as the terminal can.
  func notify(_ notification: PromptNotification)
  /// Puts a line that was entered back on the input line, where it can be changed and entered again. What is being typed there
  /// stays as it is: the line comes when that is gone. When the prompt is left before, it stays on the screen.
  /// - Parameter conversation: the one that it was for: it comes back while that is open; nil: none.
  func putBack(_ line: String, to conversation: ConversationKey?)
  /// Puts a line on the input line if that is empty: now or not at all.
  func offer(_ line: String)
}
