// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One key derivation of many rounds (RFC 5802 3): the SaltedPassword and the two keys made of it.
package struct SCRAMDerivation: Sendable, Equatable {
  var hash: SCRAMHash
  var password: SecretBytes
  var salt: [UInt8]
  var iterations: Int32
  /// The SaltedPassword itself is wanted, too.
  var keepsSaltedPassword = false

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
    var keys = SCRAMKeys(
      hash: hash, salt: salt, iterations: iterations, clientKey: clientKey, serverKey: serverKey, passwordMark: mark)
    if keepsSaltedPassword { keys.saltedPassword = salted }
    return keys
  }
}

/// ClientKey and ServerKey with the salt, count and hash that they were derived for. As secret as a password, for the one server.
package struct SCRAMKeys: Sendable, Equatable {
  var hash: SCRAMHash
  /// As the server said it.
  package var salt: [UInt8]
  /// As the server said them.
  package var iterations: Int32
  /// Proves to the server that we know the password (RFC 5802 3).
  package var clientKey: SecretBytes
  /// Lets the server prove to us that it does (RFC 5802 3).
  package var serverKey: SecretBytes
  /// Tells whether a password is the one that the keys were derived from, without the rounds; nil where an earlier process derived
  /// them: who has the mark can try passwords as quickly, so it is never written down.
  var passwordMark: SecretBytes?
  /// What the two keys were made of (RFC 5802 3), where ``SCRAMDerivation/keepsSaltedPassword`` asked for it; never kept.
  var saltedPassword: SecretBytes?

  fileprivate init(
    hash: SCRAMHash, salt: [UInt8], iterations: Int32, clientKey: SecretBytes, serverKey: SecretBytes,
    passwordMark: SecretBytes
  ) {
    self.hash = hash
    self.salt = salt
    self.iterations = iterations
    self.clientKey = clientKey
    self.serverKey = serverKey
    self.passwordMark = passwordMark
  }

  /// Those that an earlier process derived, of what is the account's password still.
  /// - Returns: nil for what cannot be such keys.
  package init?(hashName: String, salt: [UInt8], iterations: Int, clientKey: [UInt8], serverKey: [UInt8]) {
    guard let hash = SCRAMHash(rawValue: hashName), let iterations = Int32(exactly: iterations), iterations > 0,
      clientKey.count == hash.length, serverKey.count == hash.length
    else { return nil }
    self.hash = hash
    self.salt = salt
    self.iterations = iterations
    self.clientKey = clientKey.withUnsafeBytes { SecretBytes($0) }
    self.serverKey = serverKey.withUnsafeBytes { SecretBytes($0) }
  }

  /// What the hash is called in the names of mechanisms.
  package var hashName: String { hash.rawValue }

  /// Whether an earlier process derived them: nothing here shows of which password.
  package var areKept: Bool { passwordMark == nil }

  /// True when ``SCRAMDerivation/run()`` with these would give these keys.
  /// - Parameter password: prepared; nil: it is not known here, and the keys stand for it.
  func fit(_ hash: SCRAMHash, salt: [UInt8], iterations: Int32, password: SecretBytes?) -> Bool {
    guard self.hash == hash, self.iterations == iterations, self.salt == salt else { return false }
    guard let passwordMark, let password else { return true }
    return passwordMark == SCRAMKeys.mark(of: password, hash, salt: salt)
  }

  fileprivate static func mark(of password: SecretBytes, _ hash: SCRAMHash, salt: [UInt8]) -> SecretBytes? {
    SCRAMCrypto.hmac(hash, key: password, Array("Jackdaw password mark".utf8) + salt)
  }
}
