// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands

/// When text is coloured: `--color`.
package enum ColorChoice: String, Sendable, CaseIterable { case auto, always, never }

/// The looks that a stream can show.
package struct Style: Sendable, Equatable {
  /// How many a stream can show: `sixteen`, those of the terminal's own palette; `many`, 256; `all`, any RGB.
  package enum Colors: Sendable, Equatable { case none, sixteen, many, all }
  /// What is made use of.
  package let colors: Colors
  let palette: Palette
  /// There are colours, and nothing says for which background.
  let suitsAnyBackground: Bool
  /// What is written is spoken, or felt a row at a time: nothing is drawn for the eye alone.
  package let isSpoken: Bool

  /// - Parameter theme: nil: colours that can be read on dark and on light, as far as it is the program that says what a colour is.
  package init(
    _ colors: Colors, theme: Theme? = nil, looks: LookSettings = LookSettings(), isSpoken: Bool = false
  ) {
    self.colors = colors
    self.isSpoken = isSpoken
    palette = colors == .none ? .none : Palette(theme ?? .anywhere, looks, colors)
    suitsAnyBackground = colors != .none && (theme ?? .anywhere) == .anywhere
  }

  /// What a stream may be given.
  ///
  /// `--color` beats the environment; `NO_COLOR` (not empty) and `TERM=dumb` mean none; a stream that is no terminal gets
  /// none unless asked for.
  package init(
    _ choice: ColorChoice, isTerminal: Bool, looks: LookSettings = LookSettings(), environment: (String) -> String?
  ) {
    let term = environment("TERM") ?? ""
    let refused = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    let plain = !isTerminal || refused || term.isEmpty || term == "dumb"
    if choice == .never || choice == .auto && plain {
      self.init(.none, isSpoken: looks.isSpoken)
    } else {
      let colors = Self.colors(of: term, saying: environment("COLORTERM"))
      self.init(
        colors, theme: Theme(looks.theme, background: environment("COLORFGBG")), looks: looks,
        isSpoken: looks.isSpoken)
    }
  }

  private static func colors(of term: String, saying colorTerm: String?) -> Colors {
    // GNU screen takes what other terminals' programs set, and reads the numbers of a colour as attributes.
    let isScreen = term.hasPrefix("screen")
    if term.hasSuffix("-direct") || !isScreen && ["truecolor", "24bit"].contains(colorTerm) { return .all }
    return term.contains("256color") || colorTerm != nil ? .many : .sixteen
  }

  /// One look: a role, or parameters of SGR (ECMA-48 8.3.117).
  struct Look: Equatable {
    private enum Source: Equatable {
      case role(LookSettings.Role)
      case parameters(String)
    }
    private let source: Source

    private init(_ source: Source) { self.source = source }
    init(_ role: LookSettings.Role) { self.init(.role(role)) }
    init(parameters: String) { self.init(.parameters(parameters)) }

    func parameters(_ palette: Palette) -> String {
      switch source {
      case .role(let role): palette[role]
      case .parameters(let parameters): parameters
      }
    }

    static let plain = Look(parameters: "")
    static let bold = Look(.request)
    static let faint = Look(.notice)
    static let mark = Look(.mark)
    static let time = Look(.time)
    static let good = Look(.success)
    static let bad = Look(.error)
    static let warning = Look(.warning)
    static let own = Look(.own)
    static let hit = Look(.match)
    static let stranger = Look(.stranger)
    static let unread = Look(.unread)
    static let strong = Look(parameters: "1")
    static let emphasis = Look(parameters: "3")
    static let strike = Look(parameters: "9")
    static let code = Look(.heading)
    static let darkOnLight = Look(parameters: "30;47")
  }

  /// `text` in that look; as it is where there are no colours.
  func paint(_ text: String, _ look: Look) -> String {
    guard colors != .none, !text.isEmpty, let begin = sequence(look) else { return text }
    return begin + text + Self.end
  }

  /// What begins a look; nil where nothing is to be done for it.
  func sequence(_ look: Look) -> String? {
    guard colors != .none else { return nil }
    let parameters = look.parameters(palette)
    return parameters.isEmpty ? nil : "\u{1B}[" + parameters + "m"
  }

  /// What ends every look.
  static let end = "\u{1B}[0m"

  func look(of role: Cell.Role) -> Look {
    switch role {
    case .plain, .name, .jid, .number, .sentence: .plain
    case .heading: Look(.heading)
    case .time: .time
    case .faint: .faint
    case .good: .good
    case .bad: .bad
    case .online: Look(.online)
    case .away: Look(.away)
    case .busy: Look(.busy)
    case .offline: Look(.offline)
    case .unread: .unread
    }
  }
}
