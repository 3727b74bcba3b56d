// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawTerminal

/// The prompt and the lines above it, which both show whom one talks to.
@Client final class PromptScreen: PromptControl {
  private let prompt: Prompt
  private let lines: TextOutput

  init(prompt: Prompt, lines: TextOutput) {
    self.prompt = prompt
    self.lines = lines
  }

  func start() throws { try prompt.start() }
  func stop() { prompt.stop() }

  func notify(_ notification: PromptNotification) { prompt.notify(notification) }

  func putBack(_ line: String, to conversation: ConversationKey?) { prompt.putBack(line, to: conversation) }

  func offer(_ line: String) { prompt.offer(line) }

  func update(_ state: PromptState) {
    lines.conversation = state.address?.conversation
    lines.currentAccount = state.account
    prompt.update(state)
  }
}
