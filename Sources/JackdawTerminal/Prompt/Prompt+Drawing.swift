// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline

/// Readline's drawing, on rows that it knows.
extension Prompt {
  /// Draws the line as it is now; readline calls this whenever it would draw.
  func redisplay() {
    // It stands above other lines.
    if isLineAway { return }
    let wanted = wantedRows
    if wanted != rows {
      _ = readline.pointee.rl_clear_visible_line()
      _ = readline.pointee.rl_on_new_line()
      draw(on: wanted)
    }
    readline.pointee.rl_redisplay()
  }

  /// The line is not on the screen, and will be drawn for the terminal's size.
  func fitRows() {
    readline.pointee.rl_reset_screen_size()
    rows = LineRows()
    draw(on: wantedRows)
  }

  /// All that stands before what is typed.
  var drawnPrompt: String { String(cString: jd_rl_mode()) + String(cString: jd_rl_display_prompt()) }

  private var wantedRows: LineRows {
    guard !scrollsAlways, let terminal else { return LineRows() }
    let prompt = TypedLine(prompt: drawnPrompt, text: "")
    let columns = terminal.columns
    let width = prompt.cursor(columns: .max / 2).column
    return LineRows(prompt: width, text: String(cString: jd_rl_line()), columns: columns)
  }

  private func draw(on wanted: LineRows) {
    rows = wanted
    guard !scrollsAlways, let terminal else { return }
    _ = readline.pointee.rl_variable_bind("horizontal-scroll-mode", wanted.isOne ? "on" : "off")
    jd_rl_set_columns(Int32(terminal.columns - wanted.spare))
  }
}
