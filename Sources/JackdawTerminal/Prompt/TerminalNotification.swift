// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// How a terminal is asked to show a notification: an operating system command (OSC) of the kind that it takes.
struct TerminalNotification {
  private let kind: NotificationSettings.Terminal
  private let isInTmux: Bool

  /// - Parameters:
  ///   - wanted: by the configuration.
  ///   - environment: `TERM` and what terminals say of themselves beside it.
  /// - Returns: nil where the terminal is not known to take any.
  init?(_ wanted: NotificationSettings.Terminal, environment: (String) -> String?) {
    let term = environment("TERM") ?? ""
    isInTmux = environment("TMUX") != nil || term.hasPrefix("tmux")
    guard wanted == .auto else {
      kind = wanted
      return
    }
    // What is around a multiplexer is not known, and the variables may be another terminal's.
    guard !isInTmux, !term.hasPrefix("screen"), let known = Self.known(term, environment("TERM_PROGRAM") ?? "") else {
      return nil
    }
    kind = known
  }

  private static func known(_ term: String, _ program: String) -> NotificationSettings.Terminal? {
    switch (term, program) {
    case ("xterm-kitty", _): .osc99
    case _ where term.hasPrefix("foot") || term.hasPrefix("rxvt-unicode"): .osc777
    case ("xterm-ghostty", _), ("wezterm", _), (_, "iTerm.app"), (_, "WezTerm"), (_, "ghostty"): .osc9
    default: nil
    }
  }

  /// - Returns: what is written to the terminal; the text in it is safe, on one line and short.
  func sequence(for text: PromptNotification.Text) -> String {
    let count = text.count > 1 ? " (\(text.count))" : ""
    let title = Escaper.called(text.person, within: TerminalLimits.nameLength) + count
    let body = Escaper.line(text.body.clipped(to: TerminalLimits.remarkLength))
    switch kind {
    // A text that begins with a number is a command of another kind to some.
    case .osc9, .auto: return wrapped("9;Jackdaw: \(title): \(body)")
    case .osc777: return wrapped("777;notify;\(title.replacing(";", with: ","));\(body)")
    case .osc99: return wrapped("99;i=jackdaw:d=0:o=unfocused;\(title)") + wrapped("99;i=jackdaw:p=body;\(body)")
    }
  }

  private func wrapped(_ command: String) -> String {
    let sequence = "\u{1B}]\(command)\u{1B}\\"
    return isInTmux ? "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\" : sequence
  }
}
