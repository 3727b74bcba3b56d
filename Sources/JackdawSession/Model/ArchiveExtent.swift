// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// How much of what our server's archive has of earlier times is wanted here.
package enum ArchiveExtent: Sendable, Equatable {
  case everything
  /// What was written in so many days before now.
  case days(Int)
  /// Only what comes from now on.
  case nothing

  /// What is older is not wanted; nil: everything is.
  package func start(now: Timestamp) -> Timestamp? {
    switch self {
    case .everything: nil
    case .days(let days): Timestamp(milliseconds: now.milliseconds - Int64(days) * 86_400_000)
    case .nothing: now
    }
  }
}
