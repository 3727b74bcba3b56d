// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL

/// Bytes that are overwritten when the last reference to them goes.
package final class SecretBytes: Sendable {
  /// Written in the initialiser alone, so that sharing it between threads is only ever reading.
  nonisolated(unsafe) private let storage: UnsafeMutableRawBufferPointer

  /// `count` bytes written by `fill`; nil when it says that it failed.
  init?(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    storage = .allocate(byteCount: max(count, 1), alignment: 1)
    storage.initializeMemory(as: UInt8.self, repeating: 0)
    self.count = count
    guard fill(UnsafeMutableRawBufferPointer(rebasing: storage[..<count])) else { return nil }
  }

  /// A copy of `bytes`.
  package init(_ bytes: UnsafeRawBufferPointer) {
    storage = .allocate(byteCount: max(bytes.count, 1), alignment: 1)
    storage.initializeMemory(as: UInt8.self, repeating: 0)
    count = bytes.count
    if count > 0 { storage.copyMemory(from: bytes) }
  }

  deinit {
    OPENSSL_cleanse(storage.baseAddress, storage.count)
    storage.deallocate()
  }

  /// In bytes.
  package let count: Int

  /// The bytes, valid during the call.
  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
  }
}

extension SecretBytes: Equatable {
  /// In a time that depends on the lengths alone.
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    left.withUnsafeBytes { one in right.withUnsafeBytes { two in SCRAMCrypto.equal(one, two) } }
  }
}

extension SecretBytes: CustomStringConvertible {
  package var description: String { "(secret)" }
}

/// The functions that SCRAM is made of (RFC 5802 2.2); the one place of this module that calls OpenSSL.
///
/// Nil from any of them means that OpenSSL would not: no memory, or a hash that its configuration forbids.
package enum SCRAMCrypto {
  /// Hi() of RFC 5802 2.2: PBKDF2 with HMAC and one block; blocking. OpenSSL's own function for it cannot be interrupted.
  /// - Parameter isWanted: asked every some milliseconds; false: nobody waits for the result any more, and there is none.
  static func saltedPassword(
    _ hash: SCRAMHash, password: SecretBytes, salt: [UInt8], iterations: Int32, while isWanted: () -> Bool
  ) -> SecretBytes? {
    guard iterations > 0, let rounds = MACRounds(hash, key: password) else { return nil }
    // INT(1): the number of the only block.
    guard var last = rounds.mac(of: salt + [0, 0, 0, 1]) else { return nil }
    defer { last.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
    return SecretBytes(count: hash.length) { output in
      output.copyBytes(from: last)
      for round in 1..<iterations {
        guard round % roundsAtOnce != 0 || isWanted(), rounds.advance(&last) else { return false }
        for index in output.indices { output[index] ^= last[index] }
      }
      return true
    }
  }

  /// A millisecond or less.
  private static let roundsAtOnce: Int32 = 2_048

  /// HMAC(key, message) of RFC 5802 2.2, as long as the hash; nil when OpenSSL refuses, or the key is too long for it.
  package static func hmac(_ hash: SCRAMHash, key: SecretBytes, _ message: [UInt8]) -> SecretBytes? {
    guard let length = Int32(exactly: key.count) else { return nil }
    return SecretBytes(count: hash.length) { output in
      key.withUnsafeBytes { key in
        HMAC(
          hash.digest, key.baseAddress, length, message, message.count,
          output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil) != nil
      }
    }
  }

  /// H(message) of RFC 5802 2.2 for what must stay secret, as long as the hash; nil when OpenSSL refuses.
  package static func digest(_ hash: SCRAMHash, _ message: SecretBytes) -> SecretBytes? {
    SecretBytes(count: hash.length) { output in
      message.withUnsafeBytes { message in
        EVP_Digest(
          message.baseAddress, message.count, output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
          hash.digest, nil) == 1
      }
    }
  }

  /// H(message) of RFC 5802 2.2 for what anybody may see, as long as the hash; nil when OpenSSL refuses.
  package static func digest(_ hash: SCRAMHash, _ message: [UInt8]) -> [UInt8]? {
    let output = [UInt8](unsafeUninitializedCapacity: hash.length) { output, count in
      count = EVP_Digest(message, message.count, output.baseAddress, nil, hash.digest, nil) == 1 ? hash.length : 0
    }
    return output.isEmpty ? nil : output
  }

  /// Both of the same length.
  package static func xor(_ left: SecretBytes, _ right: SecretBytes) -> [UInt8] {
    left.withUnsafeBytes { left in right.withUnsafeBytes { right in zip(left, right).map { $0 ^ $1 } } }
  }

  /// True when both are the same from the first byte to the last, found out in a time that depends on the lengths
  /// alone.
  package static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    left.count == right.count && (left.isEmpty || CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0)
  }
}

/// HMAC with one key, again and again: what is made of the key is made once.
private final class MACRounds {
  /// The parameter that names the hash (OSSL_MAC_PARAM_DIGEST), zero at its end.
  private static let digest: StaticString = "digest"

  private let context: OpaquePointer

  /// Nil when OpenSSL would not.
  init?(_ hash: SCRAMHash, key: SecretBytes) {
    guard let mac = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
    defer { EVP_MAC_free(mac) }
    guard let context = EVP_MAC_CTX_new(mac) else { return nil }
    self.context = context
    var name = Array(hash.rawValue.utf8) + [0]
    let isReady = name.withUnsafeMutableBytes { name in
      // What the parameters point to lives as long as they do.
      Self.digest.withUTF8Buffer { digest in
        let parameters = [
          OSSL_PARAM_construct_utf8_string(
            UnsafeRawPointer(digest.baseAddress)?.assumingMemoryBound(to: CChar.self),
            name.baseAddress?.assumingMemoryBound(to: CChar.self), name.count - 1),
          OSSL_PARAM_construct_end(),
        ]
        return key.withUnsafeBytes { key in
          EVP_MAC_init(context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count, parameters) == 1
        }
      }
    }
    guard isReady else { return nil }
  }

  deinit { EVP_MAC_CTX_free(context) }

  /// Before ``advance(_:)``.
  func mac(of message: [UInt8]) -> [UInt8]? {
    var length = 0
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    guard EVP_MAC_update(context, message, message.count) == 1,
      EVP_MAC_final(context, &output, &length, output.count) == 1
    else { return nil }
    output.removeLast(output.count - length)
    return output
  }

  /// Replaces a value by its HMAC.
  func advance(_ value: inout [UInt8]) -> Bool {
    value.withUnsafeMutableBufferPointer { value in
      var length = 0
      return EVP_MAC_init(context, nil, 0, nil) == 1 && EVP_MAC_update(context, value.baseAddress, value.count) == 1
        && EVP_MAC_final(context, value.baseAddress, &length, value.count) == 1
    }
  }
}

extension SCRAMHash {
  /// Of its value, in bytes.
  var length: Int {
    switch self {
    case .sha512: 64
    case .sha256: 32
    case .sha1: 20
    }
  }

  fileprivate var digest: OpaquePointer? {
    switch self {
    case .sha512: EVP_sha512()
    case .sha256: EVP_sha256()
    case .sha1: EVP_sha1()
    }
  }
}
