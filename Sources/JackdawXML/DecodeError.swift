// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bytes are not XML that XMPP allows.
package struct DecodeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The stream error to send back (RFC 6120 4.9.3): `not-well-formed`, `restricted-xml`, `bad-namespace-prefix`,
  /// `bad-format`, `unsupported-encoding`, `invalid-namespace`, `policy-violation`, or `internal-server-error` when memory is short.
  package var condition: String
  /// One sentence for people. It may quote names that the peer chose.
  package var description: String

  /// An error to report or, in tests, to compare with.
  package init(condition: String, description: String) {
    self.condition = condition
    self.description = description
  }

  static func notWellFormed(_ reason: String) -> DecodeError {
    DecodeError(condition: "not-well-formed", description: "The XML is not well-formed: \(reason).")
  }

  static func restricted(_ what: String) -> DecodeError {
    DecodeError(condition: "restricted-xml", description: "XMPP does not allow \(what) in XML.")
  }

  static func limit(_ what: String) -> DecodeError {
    DecodeError(condition: "policy-violation", description: "The XML exceeds a limit: \(what).")
  }

  /// Whether it is about how much there is, and not about what it is.
  var isLimit: Bool { condition == "policy-violation" }

  static func encoding(_ reason: String) -> DecodeError {
    DecodeError(condition: "unsupported-encoding", description: "The XML is not UTF-8: \(reason).")
  }

  /// The stream is no client's.
  static let streamOfServers = DecodeError(
    condition: "invalid-namespace", description: "What answered there speaks to other servers, and not to clients.")

  static let outOfMemory = DecodeError(
    condition: "internal-server-error", description: "There is no memory left to read XML with.")
}
