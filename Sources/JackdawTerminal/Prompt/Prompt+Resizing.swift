// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import JackdawLoop

/// The line being typed where the window's width changes under it.
///
/// Readline would go up as many rows as it drew, which in a terminal that has wrapped them anew are others' lines, and
/// erase them.
extension Prompt {
  /// Whether the terminal is not as wide any more as the line on it was drawn for.
  var isResized: Bool { terminal.map { $0.columns != drawnColumns } ?? false }

  /// The window has another size.
  func resize() {
    guard isShown else { return }
    guard isResized else {
      // It may have got higher.
      jd_rl_set_rows(Int32(terminal?.rows ?? 0))
      return
    }
    if isSpoken { return leaveResizedLine() }
    clearLine()
    drawLine()
  }

  /// Erases the line that was drawn for another width; the cursor is where it began, or, in doubt, below that.
  func clearResizedLine() {
    guard let terminal else { return }
    let line = TypedLine(
      prompt: drawnPrompt,
      text: String(decoding: String(cString: jd_rl_line()).utf8.prefix(Int(jd_rl_point())), as: UTF8.self),
      isOneRow: jd_rl_scrolls() != 0)
    let resized = ResizedLine(line, drawnIn: drawnColumns, now: terminal.columns)
    // Where terminals differ the cursor's column tells nothing; the rows that the line was drawn on were the same on all.
    let up = LineRows.isSteady(line.text) ? rowsAbove(resized, terminal) : resized.rowsAbove(cursor: nil)
    // From the second column on, then the first: tmux takes erasing all from its upper left corner for scrolling it off.
    screen.write((up > 0 ? "\r\u{1B}[\(up)A" : "\r") + "\u{1B}[C\u{1B}[J\r\u{1B}[K")
    _ = readline.pointee.rl_on_new_line()
    fit()
  }

  private func rowsAbove(_ line: ResizedLine, _ terminal: PromptTerminal) -> Int {
    let cursor = askForCursor(terminal)
    if line.isUndecided(cursor), identity == nil { _ = askForCursor(terminal, first: TerminalIdentity.question) }
    return line.rowsAbove(cursor: cursor, rewraps: identity?.rewraps)
  }

  /// Makes readline draw for the terminal's width from now on.
  func fit() {
    guard let terminal else { return }
    drawnColumns = terminal.columns
    fitRows()
    guard jd_rl_searching() == 0 else { return }
    shownText = line(for: state)
    _ = readline.pointee.rl_set_prompt(shownText)
  }

  /// Asks the terminal where the cursor is. The loop stands still meanwhile, so it is asked no more once it has not answered
  /// in time. What was typed before its answer stays typed.
  /// - Parameter first: what is asked before it, and has its answer before: whether there is one need not be waited for.
  private func askForCursor(_ terminal: PromptTerminal, first: String = "") -> CursorPosition? {
    guard lateReports == 0 else { return nil }
    screen.write(first + CursorReport.question)
    settleScreen()
    var bytes: [UInt8] = []
    defer {
      takeBackground(from: &bytes)
      input.append(bytes)
      scheduleKeys()
    }
    let deadline = loop.now + TerminalLimits.cursorReport
    while loop.now < deadline, terminal.isReadable(within: TerminalLimits.cursorReportWait),
      let more = terminal.read()
    {
      bytes += more
      identity = identity ?? TerminalIdentity.take(from: &bytes)
      if let position = CursorReport.take(from: &bytes) { return position }
    }
    lateReports += 1
    return nil
  }

  /// Leaves answers that nobody waits for out of what was typed: they are no keys.
  func dropLateReport(from bytes: inout [UInt8]) {
    takeBackground(from: &bytes)
    guard lateReports > 0 else { return }
    identity = identity ?? TerminalIdentity.take(from: &bytes)
    if CursorReport.take(from: &bytes) != nil { lateReports -= 1 }
  }

  /// Waits for an answer that is due before somebody else reads from the terminal.
  func awaitLateReport() {
    guard lateReports > 0 || mayGetBackground, !hasAwaitedReport, let terminal else { return }
    hasAwaitedReport = true
    guard terminal.isReadable(within: TerminalLimits.cursorReportWait), let bytes = readTyped(terminal) else { return }
    input.append(bytes)
  }
}
