// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import JackdawTransport

/// A step of a log-in that has succeeded: for people who want to see where it stops.
package enum LoginStep: Sendable, Equatable {
  /// The servers, in the order in which they are tried: those of the domain, or the one that was named to us.
  case found([String])
  /// TCP stands, to this address. There may be several: one where TLS comes to nothing is followed by the next.
  case connected(String)
  /// TLS stands, and the certificate is verified.
  /// - Parameter isResumed: it was verified on an earlier connection.
  case secured(version: String, cipher: String, isResumed: Bool)
  /// The server knows who we are, and has yet to bind a resource or to resume a stream.
  case authenticated(AcceptedLogin)
  /// - Parameter roundTrips: how often the server was waited for, once TLS stood.
  case bound(JID, roundTrips: Int)
}

extension LoginStep {
  init(_ progress: ConnectionProgress) {
    switch progress {
    case .found(let servers): self = .found(servers)
    case .connected(let address): self = .connected(address)
    }
  }
}
