// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The numbers of requests, each with its reason.
package enum RequestLimits {
  /// How long a request waits when nothing else is said: the default of `--timeout` in Docs/CLI.md.
  package static let standardTimeout = Duration.seconds(30)

  /// Longer timeouts count as this one, so that no sum of a moment and a timeout can overflow.
  package static let longestTimeout = Duration.seconds(366 * 24 * 60 * 60)

  /// Shorter timeouts count as this one: a handler that asks again without leaving any time must not keep the loop.
  package static let shortestTimeout = Duration.milliseconds(1)

  /// How many requests of a group run at a time when nothing else is said: enough to fill a round trip, few enough
  /// for the rate limits of servers.
  package static let groupWidth = 3

  /// An empty tracker that had room for more gives its memory back, so that one burst is not paid for ever.
  static let capacityWorthKeeping = 1024
}
