// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// When text is coloured: `--color`.
package enum ColorChoice: String, Sendable, CaseIterable { case auto, always, never }

/// The looks that a stream can show.
package struct Style: Sendable, Equatable {
  /// How many a stream can show: `sixteen`, the ANSI ones; `many`, 256 or more.
  package enum Colors: Sendable, Equatable { case none, sixteen, many }
  /// What is made use of.
  package var colors: Colors

  package init(_ colors: Colors) { self.colors = colors }

  /// What a stream may be given.
  ///
  /// `--color` beats the environment; `NO_COLOR` (not empty) and `TERM=dumb` mean none; a stream that is no terminal gets
  /// none unless asked for.
  package init(_ choice: ColorChoice, isTerminal: Bool, environment: (String) -> String?) {
    let term = environment("TERM") ?? ""
    let refused = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    let plain = !isTerminal || refused || term.isEmpty || term == "dumb"
    if choice == .never || choice == .auto && plain {
      self.init(.none)
    } else {
      let many = term.contains("256color") || term.contains("direct") || environment("COLORTERM") != nil
      self.init(many ? .many : .sixteen)
    }
  }

  /// One look, as parameters of SGR (ECMA-48 8.3.117).
  struct Look: Equatable {
    var parameters: String

    static let plain = Look(parameters: "")
    static let bold = Look(parameters: "1")
    static let faint = Look(parameters: "2")
    static let emphasis = Look(parameters: "3")
    static let strike = Look(parameters: "9")
    static let code = Look(parameters: "36")
    static let good = Look(parameters: "32")
    static let bad = Look(parameters: "31")
    static let warning = Look(parameters: "33")
    static let own = Look(parameters: "1;34")
    static let hit = Look(parameters: "1;31")
    static let darkOnLight = Look(parameters: "30;47")
  }

  /// `text` in that look; as it is where there are no colours.
  func paint(_ text: String, _ look: Look) -> String {
    guard let begin = sequence(look), !text.isEmpty else { return text }
    return begin + text + Self.end
  }

  /// What begins a look; nil where nothing is to be done for it.
  func sequence(_ look: Look) -> String? {
    colors == .none || look.parameters.isEmpty ? nil : "\u{1B}[" + look.parameters + "m"
  }

  /// What ends every look.
  static let end = "\u{1B}[0m"

  func look(of role: Cell.Role) -> Look {
    switch role {
    case .plain, .name, .jid, .number: .plain
    case .heading: .bold
    case .time, .faint: .faint
    case .good: .good
    case .bad: .bad
    }
  }
}
