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
  /// Bytes of these answers as XML, which are some four times as many in memory.
  static let capabilityBytesInMemory = 1 << 20
  /// Bytes of one answer as XML that is kept, in memory or on the disk, where there are 1,000 of them: clients' answers have 2,000 to 5,000.
  /// A longer one is of use until the next one comes.
  static let capabilityBytes = 16_384
  /// Hashes not seen before that one contact may have us look into within ``capabilityWindow``: more than anybody has clients, and too
  /// few to drive out what is kept of others.
  static let newCapabilitiesOfContact = 8
  static let capabilityWindow: Duration = .seconds(3_600)
  /// Contacts of whom that is counted at once.
  static let countedContacts = 10_000
  /// Bytes of the `node` that a client announces; it is the address of a web page.
  static let capabilityNode = 1_023
  /// Hashes that wait for somebody to be asked what is behind them: as many as can be kept.
  static let unknownCapabilities = 500
  /// How many are asked what is behind one hash: enough to get past some who lie, few enough for a lie to cost little.
  static let capabilityAttempts = 5
}
