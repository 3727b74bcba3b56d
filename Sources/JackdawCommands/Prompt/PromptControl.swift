// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// The prompt as the commands see it.
@Client package protocol PromptControl: AnyObject {
  /// Takes the terminal.
  func start() throws
  /// Gives the terminal back as it was.
  func stop()
  /// Shows this in the prompt from now on.
  func update(_ state: PromptState)
}
