// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension ConnectionKeeper {
  /// How a connection, or a try to make one, ended. ``ConnectionError/mayRetry`` says whether it is final.
  package enum Ending: Sendable, Equatable {
    /// It may work the next time. The text says in one sentence why it ended.
    case mayRetry(String)
    /// Anybody on the way can have brought it about, and it may last: it is tried again once soon, then with long waits.
    case unverified(String)
    /// Trying again by itself would do harm or no good: a wrong password, a conflict, a failed certificate.
    case final(String)

    var reason: String {
      switch self {
      case .mayRetry(let reason), .unverified(let reason), .final(let reason): reason
      }
    }
  }
}
