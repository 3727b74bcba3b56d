// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Looks names up. The program's is ``SystemResolver``; tests put their own in its place.
@Client package protocol NameResolving: AnyObject {
  /// The SRV records of `name`, for example `_xmpp-client._tcp.example.org`.
  func services(_ name: String) async -> ServiceAnswer

  /// The addresses of `host` (a host name or an IP address), best first as RFC 6724 has it, with `port` set; not empty.
  /// - Throws: ``TransportError`` `unresolved`.
  func addresses(of host: String, port: UInt16) async throws(TransportError) -> [SocketAddress]
}
