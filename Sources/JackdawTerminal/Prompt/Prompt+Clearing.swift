// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// An empty screen.
extension Prompt {
  /// Scrolls what is on the screen off it, so that a terminal keeps it among what can be scrolled back: a terminal that is told to erase
  /// may forget what it erases. The prompt is at the top then.
  package func clearScreen() {
    guard isShown, output.isTerminal, screen === output, let rows = terminal?.rows, rows > 1 else { return }
    printNow()
    clearLine()
    // From wherever the cursor is these go to the last row, and as many rows further as there is text above the cursor.
    output.write(String(repeating: "\n", count: rows - 1) + Self.home)
    drawLine()
    awaitQuiet()
    output.settle()
  }

  private static let home = "\u{1B}[H"
}
