// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawCommands

/// The prompt calls its user.
extension Prompt {
  /// Rings, and has the terminal notify; nothing where the lines do not go to it, or somebody else has it.
  package func notify(_ notification: PromptNotification) {
    guard isShown else { return }
    var bytes = notification.rings ? "\u{7}" : ""
    if !notification.texts.isEmpty, let terminal = TerminalNotification(notification.terminal, environment: variable) {
      for text in notification.texts { bytes += terminal.sequence(for: text) }
    }
    // A terminal that takes nothing is not called later for what was long ago.
    guard !bytes.isEmpty, !screen.holdsBack else { return }
    screen.write(bytes)
    screen.settle()
  }

  private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
