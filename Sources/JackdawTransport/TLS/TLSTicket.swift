// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import JackdawLoop

/// What a server gives on a TLS connection for the next one, on which neither side then proves anew who it is (RFC 8446 2.2). As
/// secret as a password: whoever has it passes for either side.
package struct TLSTicket: Sendable, Equatable {
  /// Which connections it is for: see ``scope(domain:isDirect:rules:)``.
  package var scope: String
  /// OpenSSL's form of it.
  package var session: [UInt8]
  /// From then on it is not to be used, in seconds since 1970.
  package var expiry: Int64
  /// Until when the server's certificate counts as verified, in seconds since 1970. A ticket that a resumed connection gets has it
  /// from the one before: else the certificate would never be verified again.
  package var verifiedUntil: Int64

  package init(scope: String, session: [UInt8], expiry: Int64, verifiedUntil: Int64) {
    self.scope = scope
    self.session = session
    self.expiry = expiry
    self.verifiedUntil = verifiedUntil
  }

  /// Connections for which the same was verified by the same rules. Direct TLS and STARTTLS are kept apart: where two programs serve
  /// them, neither knows the other's tickets, and ALPN is agreed on in one only.
  static func scope(domain: String, isDirect: Bool, rules: String) -> String {
    "\(domain) \(isDirect ? "direct" : "STARTTLS") \(rules)"
  }

  /// Until when a ticket is good, in seconds since 1970.
  /// - Parameter lifetime: what the server says, in seconds; 0: it is not to be used at all (RFC 8446 4.6.1).
  static func expiry(at now: Int64, lifetime: UInt, verifiedUntil: Int64) -> Int64 {
    min(now + Int64(clamping: min(lifetime, UInt(TransportLimits.ticketLifetime))), verifiedUntil)
  }
}

extension TLSTicket: CustomReflectable {
  /// Without the secret, so that no dump or failed expectation shows it.
  package var customMirror: Mirror { Mirror(self, children: ["scope": scope, "expiry": expiry]) }
}

/// Where the tickets of an account's connections come from and go to.
package struct TLSTickets: Sendable {
  /// Takes one for a connection of `scope` out of what is kept: each is used once, so that nobody who listens can tell that two
  /// connections are of the same client (RFC 8446 C.4). Asked when TLS begins.
  package var take: @Client (_ scope: String) -> TLSTicket?
  /// Gets a new one. There may be several on a connection, of which the newest counts.
  package var keep: @Client (TLSTicket) -> Void

  package init(take: @escaping @Client (_ scope: String) -> TLSTicket?, keep: @escaping @Client (TLSTicket) -> Void) {
    self.take = take
    self.keep = keep
  }
}
