// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The number of a message, as it is shown and typed: `123`, `#123`. What was said before the log began has numbers below one: `#-45`.
struct LogNumber: Sendable, Equatable {
  /// As the log has it.
  let value: Int64

  /// - Returns: nil where it is no number.
  init?(_ text: String) {
    guard let value = Int64(text.first == "#" ? text.dropFirst() : text[...]) else { return nil }
    self.value = value
  }
}
