// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of the features, each with its reason.
package enum FeatureLimits {
  /// Questions about hashes that run side by side; they are never urgent.
  static let capabilityRequests = 3
  /// How long after a presence they begin: a single command is over by then, and the presences of a log-in are all here.
  static let capabilityDelay: Duration = .seconds(2)

  /// Names that people gave themselves. Anybody may send one.
  static let nicknames = 10_000
  /// Characters that are kept of such a name: more than anybody reads.
  static let nicknameText = 256
}
