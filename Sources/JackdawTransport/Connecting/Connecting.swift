// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Finds the server and connects: SRV records (RFC 2782, XEP-0368), addresses, racing (RFC 8305).
@Client package protocol Connecting: AnyObject {
  /// The first connection that stands; under TLS already where the target asks for direct TLS, and then `security` is
  /// set.
  /// - Throws: ``TransportError``; `CancellationError`. Nothing stays open after a throw.
  func connect(_ plan: ConnectionPlan) async throws -> (transport: any Transport, security: TransportSecurity?)

  /// Calls `action` when this machine gets or loses an IP address; nil where that cannot be learnt.
  func onAddressChange(_ action: @escaping @Client (AddressChange) -> Void) -> AddressWatch?
}
