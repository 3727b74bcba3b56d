// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawXML

/// What a server gives at a log-in, so that the next one takes one round trip and no password (XEP-0484). As secret as a password.
package struct LoginToken: Sendable, Equatable {
  /// The mechanism that it is for, say `HT-SHA-256-EXPR`.
  package var mechanism: String
  package var secret: String
  /// From then on the server takes it no more; nil: it did not say.
  package var expiry: Timestamp?

  package init(mechanism: String, secret: String, expiry: Timestamp? = nil) {
    self.mechanism = mechanism
    self.secret = secret
    self.expiry = expiry
  }

  /// Reads `<token/>`; nil when it is none or cannot be one.
  init?(_ element: Element, for mechanism: String) {
    guard element.matches("token", ExtensibleOffer.tokenNamespace), let secret = element.nonEmptyAttribute("token"),
      secret.utf8.count <= StreamLimits.token
    else { return nil }
    self.init(
      mechanism: mechanism, secret: secret, expiry: element.attribute("expiry").flatMap { Timestamp($0) })
  }
}

extension LoginToken: CustomReflectable {
  /// Without the secret, so that no dump or failed expectation shows it.
  package var customMirror: Mirror { Mirror(self, children: ["mechanism": mechanism]) }
}

/// A log-in with a token: one message each way, each proving that its sender knows the token and sees the same TLS connection.
///
/// Only mechanisms that are bound to the connection are used: a proof of the others could be replayed by whoever overhears it.
struct TokenExchange: Sendable {
  let mechanism: String
  /// What we send.
  let initialResponse: [UInt8]
  private let expected: SecretBytes

  /// - Parameter bindings: what this side can do.
  /// - Returns: nil where the token's mechanism does not bind as one of `bindings` does, or OpenSSL would not.
  init?(_ token: LoginToken, username: String, bindings: [ChannelBinding]) {
    guard let binding = bindings.first(where: { Self.mechanism(bound: $0) == token.mechanism }) else { return nil }
    var secret = token.secret
    let key = secret.withUTF8 { SecretBytes(UnsafeRawBufferPointer($0)) }
    guard let ours = SCRAMCrypto.hmac(.sha256, key: key, Array("Initiator".utf8) + binding.data),
      let theirs = SCRAMCrypto.hmac(.sha256, key: key, Array("Responder".utf8) + binding.data)
    else { return nil }
    mechanism = token.mechanism
    initialResponse = Array(username.utf8) + [0] + ours.withUnsafeBytes { Array($0) }
    expected = theirs
  }

  /// The mechanism to ask a token for: the first that the server has and that binds as this side can.
  static func wanted(of offered: [String], bindings: [ChannelBinding]) -> String? {
    bindings.map(mechanism(bound:)).first { offered.contains($0) }
  }

  private static func mechanism(bound binding: ChannelBinding) -> String {
    switch binding.kind {
    case .exporter: "HT-SHA-256-EXPR"
    case .unique: "HT-SHA-256-UNIQ"
    case .serverEndPoint: "HT-SHA-256-ENDP"
    }
  }

  /// The server says that it is done.
  func succeeded(_ message: [UInt8]?) throws(StreamFailure) {
    let isRight = (message ?? []).withUnsafeBytes { given in expected.withUnsafeBytes { SCRAMCrypto.equal(given, $0) } }
    guard isRight else {
      throw .violation(
        "The server does not show that it knows the token of the last log-in: possible man in the middle.")
    }
  }
}
