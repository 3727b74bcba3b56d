// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How text looks on a terminal that shows colours: `theme` and `[colors]`.
package struct LookSettings: Sendable, Equatable {
  /// `theme`: colours that suit each other and a background.
  package enum Theme: String, CaseIterable, Sendable {
    /// As the terminal says that its background is (`COLORFGBG`, and at the prompt OSC 11); where it does not, colours that can be read
    /// on both.
    case auto
    case dark, light
    /// Colours that people tell apart who see red and green alike.
    case colorBlindDark = "color-blind-dark"
    case colorBlindLight = "color-blind-light"
    /// No colours.
    case none
  }

  /// What has a look of its own: a key of `[colors]`.
  package enum Role: String, CaseIterable, Sendable {
    /// `me` before the user's own messages.
    case own
    /// Who writes and is no contact.
    case stranger
    /// When something was said.
    case time
    /// Lines of the program itself, and what is of less importance in a table.
    case notice
    /// What the program puts around texts: marks before their further lines, days, counts of what is not shown.
    case mark
    /// Somebody asks to be a friend.
    case request
    /// What a row of a table is about.
    case heading
    /// What was searched for.
    case match
    /// How many messages are unread.
    case unread
    case success, warning, error
    case online, away, busy, offline
  }

  /// `theme`.
  package var theme: Theme = .auto
  /// What looks otherwise than the theme has it.
  package var colors: [Role: Paint] = [:]
  /// `names`: the colours of others' names; empty: the theme's.
  package var names: [Paint] = []
  /// `screen_reader`: what is written is read aloud, or by a braille display.
  package var isSpoken = false

  /// The looks where the file says nothing.
  package init() {}

  /// The key for ``names``.
  static let namesKey = "names"
  /// The keys of `[colors]`.
  static let keys = [namesKey] + Role.allCases.map(\.rawValue)
}
