// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// Colours that can be read on a background, with a contrast of 4.5 at least (WCAG 2.1, 1.4.3), and told from each other.
package struct Theme: Sendable, Equatable {
  /// The looks of one number of colours.
  struct Looks: Sendable, Equatable {
    var roles: [LookSettings.Role: Paint]
    var names: Names
  }

  /// The colours of names.
  enum Names: Sendable, Equatable {
    /// Those of XEP-0392 around the circle of hues, of this lightness; in 256 colours the nearest, or others that are named.
    case hues(lightness: Double, of256: [Int] = [])
    case list([Paint])
  }

  /// For a terminal whose palette has sixteen colours of its own. They are chosen so that they can be read with the palettes of xterm
  /// and of the Linux console; what another palette makes of them is its user's choice.
  var few: Looks
  var many: Looks
  /// Names keep apart for people who see red and green alike: XEP-0392's correction for them is made.
  var forColorBlind = false
}

extension Theme {
  /// The theme of that name; nil where nothing says what the background is.
  /// - Parameter background: what `COLORFGBG` says, the numbers of two of the sixteen colours: `15;0`, `0;default;15`.
  init?(_ name: LookSettings.Theme, background: String?) {
    switch name {
    case .auto, .none:
      guard let last = background?.split(separator: ";").last.flatMap({ Int($0) }), 0..<16 ~= last else { return nil }
      self = last == 7 || last > 8 ? .light : .dark
    case .dark: self = .dark
    case .light: self = .light
    case .colorBlindDark: self = .colorBlindDark
    case .colorBlindLight: self = .colorBlindLight
    }
  }

  /// The colours of a theme, each for all that has the same sense.
  private static func looks(
    notice: Paint, good: Paint, warning: Paint, bad: Paint, own: Paint, unread: Paint, match: Paint, names: Names
  ) -> Looks {
    let bold = Paint(nil, .bold)
    return Looks(
      roles: [
        .own: own, .stranger: warning, .time: notice, .notice: notice, .mark: notice, .request: bold, .heading: bold,
        .match: match, .unread: unread, .success: good, .warning: warning, .error: bad, .online: good, .away: warning,
        .busy: bad, .offline: notice,
      ], names: names)
  }

  private static func ansi(_ colors: Int...) -> Names { .list(colors.map { Paint(.ansi($0)) }) }
  private static func fixed(_ colors: Int...) -> Names { .list(colors.map { Paint(.palette($0)) }) }

  /// For a background that nobody knows. The few of the 256 that can be read on black and on white, and a lightness at which any hue
  /// can; of sixteen there are none, so those are of middle lightness.
  static let anywhere = Theme(
    few: looks(
      notice: Paint(nil, .faint), good: Paint(.ansi(2)), warning: Paint(.ansi(3)), bad: Paint(.ansi(1)),
      own: Paint(.ansi(4), .bold), unread: Paint(.ansi(3)), match: Paint(.ansi(1), .bold),
      names: ansi(2, 3, 5, 6, 10, 13, 14)),
    many: looks(
      notice: Paint(.palette(243)), good: Paint(.palette(29)), warning: Paint(.palette(131)),
      bad: Paint(.palette(131), .bold), own: Paint(.palette(63), .bold), unread: Paint(.palette(163)),
      match: Paint(.palette(163), .bold), names: .hues(lightness: 49.5, of256: [29, 63, 98, 131, 163])))

  static let dark = Theme(
    few: looks(
      notice: Paint(nil), good: Paint(.ansi(10)), warning: Paint(.ansi(11)), bad: Paint(.ansi(9), .bold),
      own: Paint(.ansi(14), .bold), unread: Paint(.ansi(11)), match: Paint(.ansi(11), .bold),
      names: ansi(10, 11, 13, 14)),
    many: looks(
      notice: Paint(.palette(248)), good: Paint(.palette(114)), warning: Paint(.palette(221)),
      bad: Paint(.palette(203), .bold), own: Paint(.palette(111), .bold), unread: Paint(.palette(221)),
      match: Paint(.palette(215), .bold), names: .hues(lightness: 75)))

  static let light = Theme(
    few: looks(
      notice: Paint(nil), good: Paint(.ansi(4)), warning: Paint(.ansi(5)), bad: Paint(.ansi(1), .bold),
      own: Paint(.ansi(4), .bold), unread: Paint(.ansi(5)), match: Paint(.ansi(1), .bold), names: ansi(1, 4, 5)),
    many: looks(
      notice: Paint(.palette(240)), good: Paint(.palette(22)), warning: Paint(.palette(94)),
      bad: Paint(.palette(124), .bold), own: Paint(.palette(20), .bold), unread: Paint(.palette(90)),
      match: Paint(.palette(124), .bold), names: .hues(lightness: 32)))

  static let colorBlindDark = Theme(
    few: looks(
      notice: Paint(nil), good: Paint(.ansi(14)), warning: Paint(.ansi(15)), bad: Paint(.ansi(11), .bold),
      own: Paint(.ansi(14), .bold), unread: Paint(.ansi(11)), match: Paint(.ansi(11), .bold),
      names: ansi(11, 13, 14)),
    many: looks(
      notice: Paint(.palette(248)), good: Paint(.palette(117)), warning: Paint(.palette(229)),
      bad: Paint(.palette(208), .bold), own: Paint(.palette(75), .bold), unread: Paint(.palette(229)),
      match: Paint(.palette(208), .bold), names: fixed(104, 51, 138, 202, 226, 156)),
    forColorBlind: true)

  static let colorBlindLight = Theme(
    few: looks(
      notice: Paint(nil), good: Paint(.ansi(4)), warning: Paint(.ansi(0)), bad: Paint(.ansi(1), .bold),
      own: Paint(.ansi(4), .bold), unread: Paint(.ansi(1)), match: Paint(.ansi(1), .bold), names: ansi(0, 1, 4)),
    many: looks(
      notice: Paint(.palette(240)), good: Paint(.palette(25)), warning: Paint(.palette(93)),
      bad: Paint(.palette(160), .bold), own: Paint(.palette(17), .bold), unread: Paint(.palette(160)),
      match: Paint(.palette(160), .bold), names: fixed(17, 25, 52, 93, 95, 160)),
    forColorBlind: true)
}
