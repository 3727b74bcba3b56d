// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Text that a program wrote for a terminal, made fit for a message: what steers a terminal is no part of what was said, and
/// XML 1.0 (2.2) cannot carry it.
enum PipedText {
  /// `text` without escape sequences (ECMA-48 5.3 to 5.6: `ESC [ … m` and the like, titles, links) and without the C0 controls
  /// that XML forbids. A backspace takes back the character before it, as overstriking does: `N BS N` is a bold N.
  /// - Returns: nil where there is nothing to leave out.
  static func withoutControls(_ text: String) -> String? {
    guard text.unicodeScalars.contains(where: isControl) else { return nil }
    var filter = ControlFilter()
    for scalar in text.unicodeScalars { filter.take(scalar) }
    return String(filter.kept)
  }

  /// A forbidden C0 control, or a C1 control that begins a sequence.
  fileprivate static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n", "\r": false
    case "\u{0}"..."\u{1F}", "\u{90}", "\u{98}", "\u{9B}", "\u{9D}"..."\u{9F}": true
    default: false
    }
  }
}

/// Takes the characters of a text one by one and keeps those that are no control. Its work is one step a character.
private struct ControlFilter {
  private enum State {
    case text
    /// After ESC.
    case escape
    /// After ESC and intermediate bytes.
    case intermediate
    /// Within a control sequence, which its final byte ends.
    case sequence
    /// Within a control string (a title, a link), which ST or BEL ends.
    case string
    /// After ESC within a string: with a backslash it is ST.
    case stringEscape
  }

  private(set) var kept = String.UnicodeScalarView()
  private var state = State.text

  mutating func take(_ scalar: Unicode.Scalar) {
    switch (state, scalar) {
    case (.string, "\u{7}"), (.string, "\u{9C}"), (.stringEscape, "\\"): state = .text
    case (.string, "\u{1B}"): state = .stringEscape
    case (.string, "\n"), (.stringEscape, "\n"):
      // None goes over the end of a line: one that was cut off is not to take the rest of the text with it.
      state = .text
      kept.append(scalar)
    case (.string, _): break
    case (_, "\u{1B}"): state = .escape
    case (.escape, "["): state = .sequence
    case (.escape, "]"), (.escape, "P"), (.escape, "X"), (.escape, "^"), (.escape, "_"): state = .string
    case (.stringEscape, _):
      state = .escape
      take(scalar)
    case (.escape, " "..."/"), (.intermediate, " "..."/"): state = .intermediate
    case (.escape, "0"..."~"), (.intermediate, "0"..."~"), (.sequence, "@"..."~"): state = .text
    case (.sequence, " "..."?"): break
    default: takeText(scalar)
    }
  }

  private mutating func takeText(_ scalar: Unicode.Scalar) {
    state = .text
    switch scalar {
    case "\u{9B}": state = .sequence
    case "\u{90}", "\u{98}", "\u{9D}"..."\u{9F}": state = .string
    case "\u{8}": if let last = kept.last, last != "\n" { kept.removeLast() }
    default: if !PipedText.isControl(scalar) { kept.append(scalar) }
    }
  }
}
