// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

extension ScriptedServer {
  /// A SCRAM exchange that has begun (RFC 5802 5).
  struct SASLPhase {
    var hash: SCRAMHash
    /// `gs2-header` and the channel-binding data, as `c=` has to carry them.
    var bindingInput: [UInt8]
    var clientFirstBare: String
    var serverFirst: String
    var nonce: String
    /// Set when the signature has been sent in a challenge.
    var isVerified = false
  }

  func authenticate(_ element: Element) -> DecoderVerdict {
    let text = element.text
    let payload = text == "=" ? [] : Base64.decode(text.utf8) ?? []
    let message = String(decoding: payload, as: UTF8.self)
    switch element.name {
    case "auth":
      let mechanism = element.attribute("mechanism") ?? ""
      attempts.append(mechanism)
      guard script.mechanisms.contains(mechanism) else { return fail("invalid-mechanism") }
      if mechanism == "PLAIN" {
        guard message == "\0\(script.user)\0\(script.password)" else { return fail("not-authorized") }
        return succeed("")
      }
      return begin(mechanism, message)
    case "response":
      guard let phase = sasl else { return fail("malformed-request") }
      if phase.isVerified { return succeed("") }
      return finish(phase, message)
    default:
      return fail("aborted")
    }
  }

  private func begin(_ mechanism: String, _ message: String) -> DecoderVerdict {
    let isPlus = mechanism.hasSuffix("-PLUS")
    let name = mechanism.dropFirst("SCRAM-".count).dropLast(isPlus ? "-PLUS".count : 0)
    let parts = message.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard let hash = SCRAMHash(rawValue: String(name)), parts.count == 3, parts[1].isEmpty else {
      return fail("malformed-request")
    }
    var data: [UInt8] = []
    switch parts[0] {
    case "n" where !isPlus: break
    case "y" where !isPlus:
      let canBind = script.mechanisms.contains { $0.hasSuffix("-PLUS") }
      guard !canBind || script.isLaxAboutFlag else { return fail("malformed-request") }
    case let flag where flag.hasPrefix("p=") && isPlus:
      guard let known = bindingData(String(flag.dropFirst(2))) else { return fail("malformed-request") }
      data = known
    default: return fail("malformed-request")
    }
    let bare = parts[2].split(separator: ",").map(String.init)
    guard bare.count == 2, bare[1].hasPrefix("r=") else { return fail("malformed-request") }
    let user = script.user.replacing("=", with: "=3D").replacing(",", with: "=2C")
    guard bare[0] == "n=\(user)" else { return fail("not-authorized") }
    let nonce = bare[1].dropFirst(2) + script.serverNonce
    var first = "r=\(nonce),s=\(text(script.salt)),i=\(script.iterations)"
    if script.signsOffer { first += ",h=\(text(script.offerHash(hash)))" }
    sasl = SASLPhase(
      hash: hash, bindingInput: Array("\(parts[0]),,".utf8) + data, clientFirstBare: parts[2], serverFirst: first,
      nonce: String(nonce))
    challenge(first)
    return .more
  }

  private func finish(_ phase: SASLPhase, _ message: String) -> DecoderVerdict {
    let password = Array(script.password.utf8).withUnsafeBytes { SecretBytes($0) }
    let withoutProof = "c=\(text(phase.bindingInput)),r=\(phase.nonce)"
    guard
      message.hasPrefix(withoutProof + ",p="),
      let proof = Base64.decode(message.dropFirst(withoutProof.count + 3).utf8),
      let keys = DerivedKeys.keys(
        of: SCRAMDerivation(
          hash: phase.hash, password: password, salt: script.salt, iterations: script.iterations)),
      let storedKey = SCRAMCrypto.digest(phase.hash, keys.clientKey)
    else { return fail("not-authorized") }
    let authMessage = Array("\(phase.clientFirstBare),\(phase.serverFirst),\(withoutProof)".utf8)
    guard
      let clientSignature = SCRAMCrypto.hmac(phase.hash, key: storedKey, authMessage),
      let serverSignature = SCRAMCrypto.hmac(phase.hash, key: keys.serverKey, authMessage)
    else { return fail("temporary-auth-failure") }
    let clientKey = SCRAMCrypto.xor(proof.withUnsafeBytes { SecretBytes($0) }, clientSignature)
    guard
      proof.count == clientSignature.count,
      clientKey.withUnsafeBytes({ SCRAMCrypto.digest(phase.hash, SecretBytes($0)) }) == storedKey
    else { return fail("not-authorized") }
    let signature = "v=" + text(serverSignature.withUnsafeBytes { Array($0) })
    guard script.signsInChallenge else { return succeed(signature) }
    sasl?.isVerified = true
    challenge(signature)
    return .more
  }

  private func challenge(_ message: String) {
    send("<challenge xmlns='\(Namespace.sasl)'>\(text(Array(message.utf8)))</challenge>")
  }

  private func succeed(_ message: String) -> DecoderVerdict {
    sasl = nil
    phase = .authenticated
    send("<success xmlns='\(Namespace.sasl)'>\(text(Array(message.utf8)))</success>")
    return .stop
  }

  private func fail(_ condition: String) -> DecoderVerdict {
    sasl = nil
    send("<failure xmlns='\(Namespace.sasl)'><\(condition)/></failure>")
    return .more
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: Base64.encode(bytes), as: UTF8.self) }
}
