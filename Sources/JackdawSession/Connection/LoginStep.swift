// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A step of a log-in that has succeeded: for people who want to see where it stops.
package enum LoginStep: Sendable, Equatable {
  /// The servers that the domain's records name, in the order in which they are tried.
  case found([String])
  /// TCP stands.
  case connected(String)
  /// TLS stands, and the certificate is verified.
  case secured(version: String, cipher: String)
  case authenticated(mechanism: String, channelBinding: String?)
  case bound(JID)
}
