// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One key derivation of many rounds (RFC 5802 3): the SaltedPassword and the two keys made of it.
package struct SCRAMDerivation: Sendable, Equatable {
  var hash: SCRAMHash
  var password: SecretBytes
  var salt: [UInt8]
  var iterations: Int32

  /// - Parameter password: prepared (SASLprep).
  package init(hash: SCRAMHash, password: SecretBytes, salt: [UInt8], iterations: Int32) {
    self.hash = hash
    self.password = password
    self.salt = salt
    self.iterations = iterations
  }

  /// Blocking; a few milliseconds for 10,000 rounds.
  /// - Parameter isWanted: asked every some milliseconds; false: nobody waits for the keys any more.
  /// - Returns: nil when OpenSSL would not, or nobody waits.
  package func run(while isWanted: () -> Bool = { true }) -> SCRAMKeys? {
    guard
      let salted = SCRAMCrypto.saltedPassword(
        hash, password: password, salt: salt, iterations: iterations, while: isWanted),
      let clientKey = SCRAMCrypto.hmac(hash, key: salted, Array("Client Key".utf8)),
      let serverKey = SCRAMCrypto.hmac(hash, key: salted, Array("Server Key".utf8)),
      let mark = SCRAMKeys.mark(of: password, hash, salt: salt)
    else { return nil }
    return SCRAMKeys(
      hash: hash, salt: salt, iterations: iterations, clientKey: clientKey, serverKey: serverKey, passwordMark: mark)
  }
}

/// ClientKey and ServerKey with the salt, count and hash that they were derived for. As secret as a password.
package struct SCRAMKeys: Sendable, Equatable {
  var hash: SCRAMHash
  var salt: [UInt8]
  var iterations: Int32
  /// Proves to the server that we know the password (RFC 5802 3).
  package var clientKey: SecretBytes
  /// Lets the server prove to us that it does (RFC 5802 3).
  package var serverKey: SecretBytes
  /// Tells whether a password is the one that the keys were derived from, without the rounds.
  var passwordMark: SecretBytes

  /// True when ``SCRAMDerivation/run()`` of `derivation` would give these keys.
  func fit(_ derivation: SCRAMDerivation) -> Bool {
    hash == derivation.hash && iterations == derivation.iterations && salt == derivation.salt
      && passwordMark == SCRAMKeys.mark(of: derivation.password, hash, salt: salt)
  }

  fileprivate static func mark(of password: SecretBytes, _ hash: SCRAMHash, salt: [UInt8]) -> SecretBytes? {
    SCRAMCrypto.hmac(hash, key: password, Array("Jackdaw password mark".utf8) + salt)
  }
}
