// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
package import JackdawCommands
import JackdawLoop

/// Lines above the one being typed.
extension Prompt: TextSink {
  package var columns: Int? { output.isTerminal ? terminal?.columns ?? output.columns : nil }
  /// The looks of the output that the prompt is shown on.
  package var style: Style { output.style }

  /// Prints lines above the line being typed. What comes in one turn of the loop is printed in one go.
  package func write(_ lines: String) {
    shown += 1
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
    if pending.isEmpty { output.whenOut(action) } else { actions.append((pending.utf8.count, action)) }
  }

  package var holdsBack: Bool { output.holdsBack || pending.utf8.count >= TerminalLimits.outputRoom }

  package func whenRoom(_ action: @escaping @Client () -> Void) {
    if pending.utf8.count < TerminalLimits.outputRoom { output.whenRoom(action) } else { roomActions.append(action) }
  }

  package func flush(within limit: Duration?) async throws(CommandFailure) {
    printNow()
    try await output.flush(within: limit)
  }

  /// Sends what was drawn, as far as the terminal takes it, before somebody else writes to it.
  func settleScreen() {
    jd_rl_flush()
    screen.settle()
  }

  /// While somebody else has the terminal, the lines wait.
  func printNow() {
    guard !pending.isEmpty, pauses == 0, !isSuspending else { return }
    let lines = pending
    let due = actions
    let waiting = roomActions
    (pending, actions, roomActions) = ("", [], [])
    // What is printed elsewhere leaves the line as it is.
    let isAbove = isShown && screen === output
    if isAbove { clearLine() }
    var rest = lines.utf8[...]
    for (end, action) in due {
      let next = lines.utf8.index(lines.startIndex, offsetBy: end)
      if next > rest.startIndex { output.write(String(lines[rest.startIndex..<next])) }
      rest = lines.utf8[next...]
      output.whenOut(action)
    }
    if !rest.isEmpty { output.write(String(lines[rest.startIndex...])) }
    if isAbove { drawLine() }
    output.settle()
    for action in waiting { output.whenRoom(action) }
  }
}
