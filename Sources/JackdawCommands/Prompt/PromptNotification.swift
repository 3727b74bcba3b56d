// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What the prompt is to do to call its user.
package struct PromptNotification: Sendable, Equatable {
  /// What the terminal is asked to show. From the network: the terminal makes it safe.
  package struct Text: Sendable, Equatable {
    /// Who it is, by name or address.
    package var person: String
    /// How much of theirs is new.
    package var count: Int
    /// What they said, or did.
    package var body: String

    /// A person, and what they said or did.
    package init(_ person: String, count: Int = 1, body: String) {
      self.person = person
      self.count = count
      self.body = body
    }
  }

  /// The bell rings, once.
  package var rings: Bool
  /// Bounded by ``CommandLimits/notificationsGathered``.
  package var texts: [Text]
  /// How the terminal is asked.
  package var terminal: NotificationSettings.Terminal

  /// A call by any of these ways.
  package init(rings: Bool, texts: [Text], terminal: NotificationSettings.Terminal) {
    self.rings = rings
    self.texts = texts
    self.terminal = terminal
  }
}
