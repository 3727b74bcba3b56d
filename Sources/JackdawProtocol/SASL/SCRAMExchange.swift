// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A client's side of one SCRAM exchange (RFC 5802 5, RFC 7677).
struct SCRAMExchange: Sendable {
  private enum State: Sendable {
    case awaitingServerFirst
    case derivingKeys(SCRAMServerFirst)
    case awaitingServerFinal(signature: SecretBytes, keys: SCRAMKeys)
    /// The signature came in a challenge and was right; `<success/>` is still to come.
    case verified(SCRAMKeys)
  }

  /// What a challenge led to.
  enum Step: Sendable {
    case derive(SCRAMDerivation)
    case respond([UInt8])
  }

  private let hash: SCRAMHash
  private let binding: SCRAMBinding
  private let nonce: [UInt8]
  private let firstBare: [UInt8]
  private var state = State.awaitingServerFirst

  init(_ hash: SCRAMHash, binding: SCRAMBinding, username: String, nonce: String) {
    self.hash = hash
    self.binding = binding
    self.nonce = Array(nonce.utf8)
    firstBare = SCRAMClientMessage.first(username: username, nonce: self.nonce)
  }

  /// `client-first-message`.
  var initialResponse: [UInt8] { binding.header + firstBare }

  /// True once something that depends on the password has been sent.
  var hasSentProof: Bool {
    switch state {
    case .awaitingServerFirst, .derivingKeys: false
    case .awaitingServerFinal, .verified: true
    }
  }

  /// What was sent was made of the keys of an earlier process.
  var reliesOnKeptKeys: Bool {
    switch state {
    case .awaitingServerFirst, .derivingKeys: false
    case .awaitingServerFinal(_, let keys), .verified(let keys): keys.areKept
    }
  }

  var isDeriving: Bool {
    switch state {
    case .derivingKeys: true
    case .awaitingServerFirst, .awaitingServerFinal, .verified: false
    }
  }

  /// A challenge came.
  /// - Parameters:
  ///   - password: nil: it is not known here, and `cached` stands for it.
  ///   - cached: keys of an earlier log-in; used where they fit.
  ///   - offer: what the server's own hash over its offer is compared with.
  ///   - needsOfferProof: without such a hash the exchange is not gone on with.
  mutating func challenged(
    _ message: [UInt8], password: SecretBytes?, cached: SCRAMKeys?, offer: SASLOffer, needsOfferProof: Bool
  ) throws(StreamFailure) -> Step {
    switch state {
    case .awaitingServerFirst:
      let first = try SCRAMServerFirst(message, clientNonce: nonce)
      try check(first.downgradeHash, offer: offer, isNeeded: needsOfferProof)
      if let cached, cached.fit(hash, salt: first.salt, iterations: first.iterations, password: password) {
        return .respond(try respond(to: first, with: cached))
      }
      guard let password else { throw SASLFailures.staleKeys(nil) }
      state = .derivingKeys(first)
      return .derive(
        SCRAMDerivation(hash: hash, password: password, salt: first.salt, iterations: first.iterations))
    case .awaitingServerFinal(let signature, let keys):
      try Self.verify(message, signature, keys)
      state = .verified(keys)
      return .respond([])
    case .derivingKeys, .verified:
      throw .violation("The server sent a SASL challenge where none can be.")
    }
  }

  /// The keys are there.
  mutating func keysDerived(_ keys: SCRAMKeys) throws(StreamFailure) -> [UInt8]? {
    switch state {
    case .derivingKeys(let first): try respond(to: first, with: keys)
    case .awaitingServerFirst, .awaitingServerFinal, .verified: nil
    }
  }

  /// The server says that it is done. Returns the keys, to be kept.
  func succeeded(_ message: [UInt8]?) throws(StreamFailure) -> SCRAMKeys {
    switch state {
    case .awaitingServerFinal(let signature, let keys):
      guard let message else {
        throw .violation(
          "The server ended the log-in without its signature: it has not shown that it knows the password.")
      }
      try Self.verify(message, signature, keys)
      return keys
    case .verified(let keys):
      guard message?.isEmpty ?? true else { throw .violation("The server sent its SCRAM signature twice.") }
      return keys
    case .awaitingServerFirst, .derivingKeys:
      throw .violation("The server ended the log-in before it asked for the password's proof.")
    }
  }

  /// The server says that the exchange is done, and that more is to follow: what `message` has to show is what it has to show at the end.
  mutating func continued(_ message: [UInt8]?) throws(StreamFailure) { state = .verified(try succeeded(message)) }

  private func check(_ hash: [UInt8]?, offer: SASLOffer, isNeeded: Bool) throws(StreamFailure) {
    guard let hash else {
      guard !isNeeded else { throw MechanismChoice.bindingWithdrawn }
      return
    }
    guard SCRAMCrypto.digest(self.hash, DowngradeHash.text(of: offer)) == hash else {
      throw .violation(
        "The mechanisms that arrived here are not those that the server offered: possible man in the middle.")
    }
  }

  private mutating func respond(
    to first: SCRAMServerFirst, with keys: SCRAMKeys
  ) throws(StreamFailure) -> [UInt8] {
    let withoutProof = SCRAMClientMessage.final(binding: binding, nonce: first.nonce)
    let comma = [UInt8(ascii: ",")]
    let authMessage = firstBare + comma + first.message + comma + withoutProof
    guard
      let storedKey = SCRAMCrypto.digest(hash, keys.clientKey),
      let clientSignature = SCRAMCrypto.hmac(hash, key: storedKey, authMessage),
      let serverSignature = SCRAMCrypto.hmac(hash, key: keys.serverKey, authMessage)
    else { throw .noCrypto }
    state = .awaitingServerFinal(signature: serverSignature, keys: keys)
    return withoutProof + Array(",p=".utf8) + Base64.encode(SCRAMCrypto.xor(keys.clientKey, clientSignature))
  }

  private static func verify(
    _ message: [UInt8], _ expected: SecretBytes, _ keys: SCRAMKeys
  ) throws(StreamFailure) {
    switch try SCRAMServerFinal(message) {
    case .signature(let signature):
      let isRight = signature.withUnsafeBytes { given in expected.withUnsafeBytes { SCRAMCrypto.equal(given, $0) } }
      guard isRight else {
        throw .violation(
          "The server's signature is wrong: it does not know the password. Possible man in the middle.")
      }
    case .error(let error):
      let failure = SASLFailures.scramError(error)
      throw keys.areKept && failure.code == .authentication ? SASLFailures.staleKeys(error) : failure
    }
  }
}
