// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Which secrets of an account's log-ins are kept for later processes.
package enum KeptSecrets: Sendable, Equatable {
  case nothing
  /// The token with which the next log-in takes one exchange (XEP-0484).
  case token
  /// The token, and the SCRAM keys for as long as the password stands where it stood.
  /// - Parameter origin: tells one text of the file that has the password from the next, and nothing of what is in it.
  case keys(origin: String)
  /// The token, and the SCRAM keys in the place of the password.
  case keysAlone
}

/// SCRAM keys (RFC 5802 3) as they are kept: whoever has them can log in, but not read the password out of them.
package struct KeptKeys: Sendable, Equatable {
  /// What the database has.
  package var keys: SCRAMKeys
  /// As in ``KeptSecrets/keys(origin:)``; nil: they stand alone.
  package var origin: String?

  package init(keys: SCRAMKeys, origin: String?) {
    self.keys = keys
    self.origin = origin
  }
}

/// What the last TLS connection left for the next one (RFC 8446 2.2) as it is kept; see `TLSTicket`.
package struct KeptTicket: Sendable, Equatable {
  /// Which connections it is for.
  package var scope: String
  /// What the connection needs of it, the secret among it.
  package var session: [UInt8]
  /// From then on it is not to be used.
  package var expiry: Timestamp
  /// Until when the server's certificate counts as verified.
  package var verifiedUntil: Timestamp

  package init(scope: String, session: [UInt8], expiry: Timestamp, verifiedUntil: Timestamp) {
    self.scope = scope
    self.session = session
    self.expiry = expiry
    self.verifiedUntil = verifiedUntil
  }
}

extension KeptTicket: CustomReflectable {
  /// Without the secret, so that no dump or failed expectation shows it.
  package var customMirror: Mirror { Mirror(self, children: ["scope": scope, "expiry": expiry]) }
}
