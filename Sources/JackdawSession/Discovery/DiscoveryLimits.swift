// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of what others say they can do, each with its reason.
enum DiscoveryLimits {
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
}
