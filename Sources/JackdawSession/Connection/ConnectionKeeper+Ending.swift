// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension ConnectionKeeper {
  /// How a connection, or a try to make one, ended. ``ConnectionError/mayRetry`` says which of the two it is.
  package enum Ending: Sendable, Equatable {
    /// It may work the next time. The text says in one sentence why it ended.
    case mayRetry(String)
    /// Trying again by itself would do harm or no good: a wrong password, a conflict, a failed certificate.
    case final(String)

    var reason: String {
      switch self {
      case .mayRetry(let reason), .final(let reason): reason
      }
    }
  }
}
