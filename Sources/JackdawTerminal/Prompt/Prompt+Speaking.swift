// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import JackdawLoop

/// The line being typed where a screen reader speaks what is written, or a braille display shows the row of the cursor.
///
/// What stands on the screen stays as it is: a line that was erased and drawn anew would be read once more with each message. Lines
/// that arrive are written below the one being typed, which is written again with the next key, and only then; so whoever types
/// hears first whom they write to and what they had. The prompt alone comes when what the user did has had its answer.
extension Prompt {
  var isSpoken: Bool { style.isSpoken }

  /// Leaves the line as it stands, and begins a new one below it.
  func leaveLine() {
    guard !isLineAway else { return }
    isLineAway = true
    let point = jd_rl_point()
    jd_rl_set_point(jd_rl_end())
    readline.pointee.rl_redisplay()
    jd_rl_set_point(point)
    jd_rl_flush()
    screen.write("\n")
  }

  /// Writes the line again that was left.
  func bringLine() {
    guard isLineAway, isShown else { return }
    isLineAway = false
    promptTimer = nil
    fit()
    _ = readline.pointee.rl_on_new_line()
    redisplay()
    jd_rl_flush()
  }

  /// The user did something: the prompt is for when nothing more is said of it.
  func awaitQuiet() {
    guard isSpoken else { return }
    promptTimer = loop.schedule(after: TerminalLimits.quietBeforePrompt) { [weak self] in self?.bringLine() }
  }

  /// Draws what has changed in the line.
  func drawChange() {
    if isSpoken, isLineAway { return bringLine() }
    redisplay()
    jd_rl_flush()
  }

  /// The window has another width. Where the terminal has put the rows of the line nobody knows; what is below the cursor are its own.
  func leaveResizedLine() {
    if !isLineAway {
      isLineAway = true
      screen.write("\n\u{1B}[J")
    }
    fit()
  }
}
