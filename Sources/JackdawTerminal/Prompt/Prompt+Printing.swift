// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
import JackdawLoop

/// Lines above the one being typed.
extension Prompt: TextSink {
  package var columns: Int? { output.isTerminal ? terminal?.columns ?? output.columns : nil }
  /// The looks of the output that the prompt is shown on.
  package var style: Style { output.style }

  /// Prints lines above the line being typed. What comes in one turn of the loop is printed in one go.
  package func write(_ lines: String) {
    guard isRunning, output.isTerminal else {
      output.write(lines)
      return
    }
    pending += lines
    guard !printingIsDue else { return }
    printingIsDue = true
    loop.nextTurn { [weak self] in
      self?.printingIsDue = false
      self?.printNow()
    }
  }

  package func settle() {
    printNow()
    output.settle()
  }

  package func whenOut(_ action: @escaping @Client () -> Void) {
    if pending.isEmpty { output.whenOut(action) } else { actions.append(action) }
  }

  package func flush() throws(CommandFailure) {
    printNow()
    try output.flush()
  }

  /// While somebody else has the terminal, the lines wait.
  func printNow() {
    guard !pending.isEmpty, pauses == 0, !isSuspending else { return }
    let lines = pending
    pending = ""
    if isShown { clearLine() }
    output.write(lines)
    output.settle()
    let due = actions
    actions = []
    for action in due { output.whenOut(action) }
    if isShown { drawLine() }
  }
}
