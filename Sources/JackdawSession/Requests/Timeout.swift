// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How long to wait for something. Waiting for ever is a choice that has to be named.
package enum Timeout: Sendable, Hashable {
  /// Give up after this long.
  case after(Duration)
  /// No deadline: the wait ends by its answer, by cancelling, or with the connection.
  case never

  /// What a request is given when its caller has no better idea: ``RequestLimits/standardTimeout``.
  package static let standard = Timeout.after(RequestLimits.standardTimeout)

  /// ``after(_:)`` so many seconds.
  package static func seconds(_ seconds: Int64) -> Timeout { .after(.seconds(seconds)) }
  /// ``after(_:)`` so many milliseconds.
  package static func milliseconds(_ milliseconds: Int64) -> Timeout { .after(.milliseconds(milliseconds)) }

  /// The time that may pass, within ``RequestLimits/shortestTimeout`` and ``RequestLimits/longestTimeout``; nil for
  /// ``never``.
  var duration: Duration? {
    switch self {
    case .after(let duration): min(max(duration, RequestLimits.shortestTimeout), RequestLimits.longestTimeout)
    case .never: nil
    }
  }
}
