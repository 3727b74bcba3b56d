// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of the features, each with its reason.
package enum FeatureLimits {
  /// Identities and forms of one answer to service discovery: a server with all its languages has some dozens.
  static let discoveryParts = 200
  /// Features of one answer to service discovery: large servers announce a hundred.
  static let discoveryFeatures = 2_000

  /// Answers that are kept in memory, by their hash. A roster of thousands shows some hundred kinds and versions of
  /// clients.
  static let capabilitiesInMemory = 500
  /// Bytes of the `node` that a client announces; it is the address of a web page.
  static let capabilityNode = 1_023
  /// Hashes that wait for somebody to be asked what is behind them: as many as can be kept.
  static let unknownCapabilities = 500
  /// How many are asked what is behind one hash: enough to get past some who lie, few enough for a lie to cost little.
  static let capabilityAttempts = 5
  /// Questions about hashes that run side by side; they are never urgent.
  static let capabilityRequests = 3
  /// How long after a presence they begin: a single command is over by then, and the presences of a log-in are all here.
  static let capabilityDelay: Duration = .seconds(2)

  /// Names that people gave themselves. Anybody may send one.
  static let nicknames = 10_000
  /// Characters that are kept of such a name: more than anybody reads.
  static let nicknameText = 256

  /// Items of one PubSub event that are handed on: nodes that tell of more at once are no personal events.
  static let eventItems = 1_000
}
