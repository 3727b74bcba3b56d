// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What people are told of what the user does with their messages.
package enum Disclosure: String, CaseIterable, Sendable {
  /// That a message has come to a device (XEP-0184).
  case receipts
  /// That it was read (XEP-0333).
  case markers
  /// That the user is typing (XEP-0085).
  case typing
}

/// What the log asks to be told of a message, as its sender's client wrote it into the message.
package struct MessageQuestions: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether it has come (XEP-0184).
  package static let receipt = MessageQuestions(rawValue: 1)
  /// Whether it was read (XEP-0333).
  package static let marker = MessageQuestions(rawValue: 2)
}
