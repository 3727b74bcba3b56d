// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// How long a log-in may take, and until when that is.
struct LoginLimit: Sendable {
  var end: MonotonicTime
  var length: Duration

  /// How long whoever took the connection may say nothing, where there are others.
  var ofFirstWord: Duration { min(SessionLimits.firstWordPatience, length / SessionLimits.firstWordShare) }

  /// `30 seconds`
  static func text(_ length: Duration) -> String {
    let (seconds, attoseconds) = length.components
    guard attoseconds == 0 else { return "\(length / .seconds(1)) seconds" }
    return seconds == 1 ? "1 second" : "\(seconds) seconds"
  }
}
