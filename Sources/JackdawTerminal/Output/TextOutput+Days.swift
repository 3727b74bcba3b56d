// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Days at the prompt: lines show the time alone, so the day is named when it is another one than that of the line above.
///
/// Where there is no prompt a line that is not of today has its date.
extension TextOutput {
  /// Writes lines, under their day.
  func put(_ text: String) {
    if folds {
      let day = earlierDay ?? today
      if let shownDay, shownDay != day { begin(day: day) } else { shownDay = day }
    }
    out.write(text)
  }

  /// Names a day, whatever stands above.
  func begin(day: String) {
    shownDay = day
    out.write(lines.divider(day))
  }
}
