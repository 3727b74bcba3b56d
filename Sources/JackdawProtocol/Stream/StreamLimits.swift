// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How far a server may go in the negotiation of a stream.
enum StreamLimits {
  /// Digits in one SASL element: a SCRAM message has some hundred bytes; what is longer is not one (RFC 6120 13.12).
  static let saslText = 64 * 1024

  /// Bytes of a token for the next log-in.
  static let token = 4_096

  /// Fewer rounds make guessing from an overheard log-in cheap (RFC 7677 4); more than the upper bound, a quarter
  /// of a second of one core, are only good for wearing the client down.
  static let scramIterations: ClosedRange<Int32> = 4_096...1_000_000

  /// Characters of text that is kept of an error: more than anybody reads.
  static let peerText = 1_024
}
