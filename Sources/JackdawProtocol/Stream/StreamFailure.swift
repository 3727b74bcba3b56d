// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Why a stream is over.
package struct StreamFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// An open code, to match.
  package struct Code: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    /// Wrong user or password, account disabled: never tried again by itself (exit 77).
    package static let authentication = Code(name: "authentication")
    /// The server refused the token of an earlier log-in: another try without it may do (exit 75).
    package static let staleToken = Code(name: "stale-token")
    /// The SCRAM keys of an earlier log-in do not fit any more: another try with the password may do (exit 75).
    package static let staleKeys = Code(name: "stale-keys")
    /// The server knows us, and what it wanted to be given for a better mechanism came to nothing: another try without that may do (exit 75).
    package static let failedUpgrade = Code(name: "failed-upgrade")
    /// The server cannot authenticate us just now: temporary-auth-failure (exit 75).
    package static let temporaryAuthentication = Code(name: "temporary-authentication")
    /// TLS missing, a downgrade, a bad signature, broken XML, anything the RFC forbids (exit 76).
    package static let protocolViolation = Code(name: "protocol-violation")
    /// Another session of the same resource took over, after the log-in (exit 69; no reconnect).
    package static let conflict = Code(name: "conflict")
    /// Bind was refused, host-unknown, not-authorized, policy-violation … (exit 69).
    package static let refused = Code(name: "refused")
    /// system-shutdown, reset, connection-timeout …: worth another try (exit 75).
    package static let serverGone = Code(name: "server-gone")
    /// This side cannot go on: OpenSSL refuses a hash, or there is no memory (exit 70).
    package static let unable = Code(name: "unable")
  }

  /// What it was, for programs to match: the exit code follows from it.
  package var code: Code
  /// The stream-error or SASL condition, or nil.
  package var condition: String?
  /// One sentence for people, without the peer's words.
  package var sentence: String
  /// The peer's own words. From the network: shown through the escaper only.
  package var peerText: String?

  /// What the user can do about it, where ``sentence`` is not the place for it.
  package var advice: String?

  /// What the user is to know of the log-in, whatever they do next: that the server was sent the password itself.
  package var warning: String?

  /// True when the same log-in may work later without anybody's doing, so that reconnecting makes sense.
  package var mayRetry: Bool

  /// True where TLS was not verified yet: anybody on the way may have said it. It tells nothing of the account or its server.
  package var isUnverified = false

  /// - Parameter mayRetry: by default what `code` says.
  package init(
    _ code: Code, condition: String? = nil, sentence: String, peerText: String? = nil, mayRetry: Bool? = nil
  ) {
    self.code = code
    self.condition = condition
    self.sentence = sentence
    self.peerText = peerText
    self.mayRetry = mayRetry ?? (code == .serverGone || code == .temporaryAuthentication)
  }

  package var description: String { Sentence.joined(sentence, peerText) }
}

extension StreamFailure {
  /// The peer did what the RFC forbids, or what is not safe.
  static func violation(_ sentence: String, condition: String? = nil) -> StreamFailure {
    StreamFailure(.protocolViolation, condition: condition, sentence: sentence)
  }

  /// OpenSSL would not.
  static let noCrypto = StreamFailure(.unable, sentence: "The log-in keys could not be computed.")
}
