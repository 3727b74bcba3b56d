// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Why there is no connection, or no connection any more.
package struct TransportError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More may be added, so a switch over it needs a default.
  package struct Code: Hashable, Sendable {
    /// For logs and tests: `timed-out`.
    package let name: String
    /// The name does not resolve (exit 68).
    package static let unresolved = Code(name: "unresolved")
    /// SRV says that the domain offers no such service: target `.` (exit 68).
    package static let notOffered = Code(name: "not-offered")
    /// No address accepted (exit 68).
    package static let unreachable = Code(name: "unreachable")
    /// This process has no descriptor or memory for a connection (exit 75).
    package static let resources = Code(name: "resources")
    /// It took too long (exit 75).
    package static let timedOut = Code(name: "timed-out")
    /// The certificate is not one for this domain, not valid, not trusted (exit 76).
    package static let certificate = Code(name: "certificate")
    /// TLS could not be made (exit 76).
    package static let tls = Code(name: "tls")
    /// The connection broke: reset, or an end without close_notify (exit 75).
    package static let lost = Code(name: "lost")
    /// The CA file cannot be read or holds no certificate (exit 78).
    package static let caFile = Code(name: "ca-file")
  }

  /// The kind, by which the exit code is chosen.
  package var code: Code
  /// One sentence for people.
  package var description: String
  /// The errno behind it, or 0.
  package var errno: Int32

  package init(_ code: Code, _ description: String, errno: Int32 = 0) {
    self.code = code
    self.description = description
    self.errno = errno
  }
}
