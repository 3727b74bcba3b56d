// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What this module takes from the network, and how long it waits, at most.
package enum TransportLimits {
  /// SRV targets that are tried: a domain with more has no use for the rest, and a hostile one could name thousands.
  package static let serviceTargets = 10
  /// SRV records of one answer that are read; what fits into one UDP answer is far less.
  package static let serviceRecords = 100
  /// Addresses of one target that are tried.
  package static let addressesPerTarget = 8
  /// Bytes of a DNS answer: more than the EDNS size that is asked for (1,200), so that only a liar is cut off.
  package static let answerBytes = 8192
  /// Jumps of a compressed DNS name: a name of 255 bytes cannot need more.
  package static let namePointers = 127
  /// Seconds that a name server has for an answer, and how often it is asked: 4 s hold the helper thread, not 10.
  package static let queryTimeout: Int32 = 2
  package static let queryAttempts: Int32 = 2

  /// The next address is tried when the last one gave no connection in this time (RFC 8305 section 5).
  package static let attemptStagger: Duration = .milliseconds(250)
  /// The same for an address that accepted and now makes TLS: time for two round trips of a slow line.
  package static let handshakeStagger: Duration = .seconds(2)

  /// Bytes that are read from the socket in a turn of the loop; the keyboard gets its turn after that.
  package static let readPerTurn = 32_768
  /// The same where a person types at that keyboard: some dozen messages, printed within milliseconds.
  package static let readBetweenKeys = 8_192
  /// Bytes that are written in a turn of the loop.
  package static let writePerTurn = 262_144
  /// Bytes that the kernel takes before it has sent what it has. What waits there, nothing can go before: a server that asks what arrived
  /// may wait for the answer no longer than a minute, in which a slow line carries twice as much.
  static let unsentInKernel: Int32 = 32_768
  /// Bytes that are encrypted ahead of what the kernel takes; the rest waits as it is.
  package static let encryptedAhead = 65_536
  /// Bytes that one TLS record holds at most (RFC 8446 5.1).
  static let recordBytes = 16_384
  /// Encrypted bytes waiting beyond this can only be answers of TLS itself to a peer that asks for them and never
  /// reads.
  package static let encryptedBacklog = 1_048_576

  /// Bytes of a ticket that is kept: the server's certificate, and some hundred that say something to the server alone.
  package static let ticketBytes = 16_384
  /// Bytes of a ticket that is but a name (SSL_MAX_SSL_SESSION_ID_LENGTH): one that holds what it stands for has more than a hundred.
  static let sessionName = 32
  /// Seconds for which a certificate counts as verified: by then what it was verified by may be withdrawn.
  package static let ticketLifetime: Int64 = 86_400

  /// Names of a certificate that an error message lists, and the length of each.
  package static let listedNames = 5
  package static let listedNameLength = 80
  /// Addresses that an error message lists.
  package static let listedAddresses = 3

  /// Bytes of one datagram in which the kernel tells of addresses; one of them is some 80.
  static let addressDatagram = 8192
}
