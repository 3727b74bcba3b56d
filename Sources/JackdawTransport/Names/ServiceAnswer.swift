// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One SRV record (RFC 2782).
package struct ServiceRecord: Hashable, Sendable {
  /// The lowest is tried first.
  package var priority: UInt16
  /// The share among those of the same priority.
  package var weight: UInt16
  /// TCP; 0 is of no use.
  package var port: UInt16
  /// The host without a final dot; empty for the target `.`, by which a domain says that it has no such service.
  package var target: String

  package init(priority: UInt16, weight: UInt16, port: UInt16, target: String) {
    self.priority = priority
    self.weight = weight
    self.port = port
    self.target = target
  }
}

/// What DNS says of one service of a domain.
package enum ServiceAnswer: Hashable, Sendable {
  /// At least one record, as they came.
  case records([ServiceRecord])
  /// The name does not exist, or has no SRV record.
  case absent
  /// Nothing can be said.
  case failed(Failure)

  /// Why nothing can be said.
  package enum Failure: Hashable, Sendable {
    /// No name server answered in time, or none could be reached.
    case noAnswer
    /// A name server answered that it cannot say (SERVFAIL, REFUSED …).
    case refused
    /// The answer is not DNS, or not to this question.
    case malformed
  }
}
