// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// The number of a message, as it is shown and typed: `123`, `#123`. What was said before the log began has numbers below one: `#-45`.
package struct LogNumber: ExpressibleByArgument, Sendable, Equatable {
  /// As the log has it.
  package let value: Int64

  /// - Returns: nil where it is no number.
  package init?(argument: String) {
    guard let value = Int64(argument.first == "#" ? argument.dropFirst() : argument[...]) else { return nil }
    self.value = value
  }
}
