// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawTransport

/// Why there is no connection, or none any more, whichever layer found out.
package struct ConnectionError: Error, Sendable, CustomStringConvertible {
  /// An open code, to match; each has its exit code in CLI.md.
  package struct Code: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    /// The domain has no address, or offers no XMPP to clients (exit 68).
    package static let unresolved = Code(name: "unresolved")
    /// None of the addresses takes a connection (exit 68).
    package static let unreachable = Code(name: "unreachable")
    /// This process has no descriptor or memory for a connection (exit 75).
    package static let resources = Code(name: "resources")
    /// It took too long (exit 75).
    package static let timedOut = Code(name: "timeout")
    /// The connection broke, or there is none (exit 75).
    package static let lost = Code(name: "connection-lost")
    /// The server reads nothing, and too much waits for it already.
    package static let stalled = Code(name: "stalled")
    /// The certificate, or TLS itself, cannot be trusted.
    package static let unsafe = Code(name: "unsafe")
    package static let protocolViolation = Code(name: "protocol-violation")
    package static let authentication = Code(name: "authentication")
    /// The server does not take the token of an earlier log-in any more; the password may do.
    package static let staleToken = Code(name: "stale-token")
    /// The SCRAM keys that an earlier run left do not fit any more; the password may do.
    package static let staleKeys = Code(name: "stale-keys")
    /// What the server wanted to be given for a better mechanism came to nothing; a log-in without that may do.
    package static let failedUpgrade = Code(name: "failed-upgrade")
    package static let refused = Code(name: "refused")
    package static let conflict = Code(name: "conflict")
    package static let serverGone = Code(name: "server-gone")
    package static let configuration = Code(name: "configuration")
    /// This side cannot: OpenSSL refuses, or there is no memory.
    package static let unable = Code(name: "unable")
    /// We left by ourselves.
    package static let closed = Code(name: "closed")
  }

  /// What kind of end it is.
  package var code: Code
  /// One sentence for people; may hold the peer's words.
  package var description: String
  /// The stream-error or SASL condition, where there was one.
  package var condition: String?
  /// What the user can do about it, where ``description`` is not shown; ``summary`` has it.
  package var advice: String?
  /// What the user is to know whatever they do next, and is told beside ``description``.
  package var warning: String?
  /// True when the same attempt may succeed later without anybody changing anything.
  package var mayRetry: Bool
  /// True where it was found before TLS was verified: anybody on the way can bring that about.
  package var isUnverified = false
  /// True where the server showed a certificate that is not good.
  package var isOfCertificate = false

  /// What servers say to a user name or a password that is wrong (RFC 6120 6.5.10, RFC 5802 7).
  package static let wrongPassword: Set = ["not-authorized", "invalid-proof", "unknown-user"]

  /// ``description``, but of a wrong user name or password that and ``advice`` alone: the server's words say no more.
  package var summary: String {
    guard code == .authentication, Self.wrongPassword.contains(condition ?? "") else { return description }
    return ["Wrong user name or password.", advice].compactMap(\.self).joined(separator: " ")
  }

  /// - Parameter mayRetry: by default what `code` says.
  package init(_ code: Code, _ description: String, condition: String? = nil, mayRetry: Bool? = nil) {
    self.code = code
    self.description = Sentence.ended(description)
    self.condition = condition
    self.mayRetry = mayRetry ?? Self.passing.contains(code)
  }

  /// What mostly passes by itself.
  private static let passing: [Code] = [
    .unresolved, .unreachable, .resources, .timedOut, .lost, .stalled, .serverGone, .failedUpgrade,
  ]
}

extension ConnectionError {
  /// What became of a try to connect, or of the bytes' way.
  package init(_ error: TransportError) {
    let code: Code =
      switch error.code {
      case .unresolved, .notOffered: .unresolved
      case .unreachable: .unreachable
      case .resources: .resources
      case .timedOut: .timedOut
      case .certificate, .tls: .unsafe
      case .caFile: .configuration
      default: .lost
      }
    // A handshake that broke may do better the next time; a certificate, or a service that is not there, will not.
    let mayRetry = error.code == .tls || (error.code != .notOffered && Self.passing.contains(code))
    self.init(code, error.description, mayRetry: mayRetry)
    isUnverified = code != .configuration
    isOfCertificate = error.code == .certificate
  }

  /// How a stream ended.
  package init(_ failure: StreamFailure) {
    let code: Code =
      switch failure.code {
      case .authentication: .authentication
      case .temporaryAuthentication, .serverGone: .serverGone
      case .protocolViolation: .protocolViolation
      case .conflict: .conflict
      case .unable: .unable
      case .staleToken: .staleToken
      case .staleKeys: .staleKeys
      case .failedUpgrade: .failedUpgrade
      default: .refused
      }
    self.init(code, failure.description, condition: failure.condition, mayRetry: failure.mayRetry)
    isUnverified = failure.isUnverified
    advice = failure.advice
    warning = failure.warning
  }
}
