// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

@testable import JackdawProtocol

/// No message of a server's that does not know the password ends a log-in well, and none is answered that does not continue
/// our nonce.
enum SCRAMProperties {
  /// Messages of the server's, parted by NUL.
  static func check(_ input: inout FuzzInput) throws {
    let choice = input.byte()
    let messages = input.parts()
    for message in messages { try checkBase64(message) }
    let hash = SCRAMHash.allCases[Int(choice) % 3]
    var exchange = SCRAMExchange(hash, binding: .impossible, username: "al,i=ce", nonce: nonce)
    try require(
      !exchange.initialResponse.dropFirst(3).dropLast(nonce.utf8.count + 3).contains(0x2C), "a comma in a name")
    for message in messages {
      do throws(StreamFailure) {
        let step = try exchange.challenged(
          message, password: password, cached: nil, offer: SASLOffer(mechanisms: []), needsOfferProof: choice & 4 != 0)
        switch step {
        case .derive(let derivation): try take(derivation, message, &exchange)
        case .respond(let response):
          guard response.isEmpty else { continue }
          throw StreamFailure(.unable, sentence: "verified")
        }
      } catch {
        try require(error.sentence != "verified", "a signature was made without the password")
        try require(!error.description.contains(secret), "the password is told: \(error)")
      }
      try require((try? exchange.succeeded(message)) == nil, "a server ended the log-in without the password")
    }
    try require((try? exchange.succeeded(nil)) == nil, "a server ended the log-in without a signature")
  }

  private static let nonce = "fyko+d2lbbFgONRv9qkxdawL"
  private static let secret = "correct horse"
  private static let password = Array(secret.utf8).withUnsafeBytes { SecretBytes($0) }
  /// Of another salt than any server gives, so that each run need not derive its own.
  private static let keys = SCRAMDerivation(hash: .sha1, password: password, salt: [1], iterations: 4096).run()

  private static func take(
    _ derivation: SCRAMDerivation, _ message: [UInt8], _ exchange: inout SCRAMExchange
  ) throws(StreamFailure) {
    guard StreamLimits.scramIterations.contains(derivation.iterations), message.starts(with: Array("r=\(nonce)".utf8)),
      let keys, let response = try exchange.keysDerived(keys)
    else { preconditionFailure("keys are derived for a message that must be refused") }
    precondition(response.starts(with: Array("c=biws,r=\(nonce)".utf8)), "the response is to another nonce")
  }

  private static func checkBase64(_ message: [UInt8]) throws {
    if let decoded = Base64.decode(message) {
      try require(Base64.encode(decoded) == message, "two spellings of base 64")
    }
    try require(Base64.decode(Base64.encode(message)) == message, "base 64 is read back differently")
  }
}
