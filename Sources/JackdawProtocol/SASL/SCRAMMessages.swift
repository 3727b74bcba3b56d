// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The server's first message (RFC 5802 5.1, 7).
struct SCRAMServerFirst: Sendable {
  /// The message as it came, for the signature.
  var message: [UInt8]
  /// The client's nonce with the server's part after it.
  var nonce: [UInt8]
  var salt: [UInt8]
  var iterations: Int32
  /// XEP-0474's hash.
  var downgradeHash: [UInt8]?

  /// - Throws: a protocol violation when the message departs from the syntax, the nonce is not `clientNonce` and more,
  ///   or the count is outside the limits.
  init(_ message: [UInt8], clientNonce: [UInt8]) throws(StreamFailure) {
    let attributes = try SCRAMAttribute.list(message)
    guard attributes.count >= 3, attributes[0].name == "r", attributes[1].name == "s", attributes[2].name == "i" else {
      throw .violation("The server's SCRAM challenge lacks its nonce, salt or iteration count.")
    }
    let nonce = Array(attributes[0].value)
    guard
      nonce.count > clientNonce.count, nonce.starts(with: clientNonce), nonce.allSatisfy({ 0x21...0x7E ~= $0 })
    else {
      throw .violation("The server's SCRAM nonce does not continue ours: its answer is not to this log-in.")
    }
    guard let salt = Base64.decode(attributes[1].value), !salt.isEmpty else {
      throw .violation("The salt in the server's SCRAM challenge is not base 64.")
    }
    guard let iterations = Self.iterations(attributes[2].value) else {
      throw .violation("The iteration count in the server's SCRAM challenge is not a number.")
    }
    guard StreamLimits.scramIterations.contains(iterations) else {
      throw .violation(
        "The server asks for \(Self.words(iterations)) SCRAM iterations; fewer than \(StreamLimits.scramIterations.lowerBound) "
          + "would give the password away, more than \(StreamLimits.scramIterations.upperBound) only cost time.")
    }
    if let hash = attributes.first(where: { $0.name == "h" }) {
      guard let decoded = Base64.decode(hash.value) else {
        throw .violation("The downgrade hash in the server's SCRAM challenge is not base 64.")
      }
      downgradeHash = decoded
    }
    self.message = message
    self.nonce = nonce
    self.salt = salt
    self.iterations = iterations
  }

  /// `posit-number`: no sign, no leading zero; nil for anything else. One that does not fit is the highest that does.
  static func iterations(_ digits: some Collection<UInt8>) -> Int32? {
    guard let first = digits.first, first != UInt8(ascii: "0") else { return nil }
    var number: Int32 = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int32(digit - UInt8(ascii: "0")))
      guard !overflow, !carry else { return .max }
      number = sum
    }
    return number
  }

  /// A number of ``iterations(_:)`` for people.
  static func words(_ iterations: Int32) -> String {
    iterations < .max ? "\(iterations)" : "\(iterations) or more"
  }
}

/// The server's final message (RFC 5802 5.1, 7).
enum SCRAMServerFinal: Sendable {
  /// The server's signature, still to be checked.
  case signature([UInt8])
  /// `server-error-value`. From the network.
  case error(String)

  init(_ message: [UInt8]) throws(StreamFailure) {
    let attributes = try SCRAMAttribute.list(message)
    switch attributes.first?.name {
    case "v":
      guard let signature = Base64.decode(attributes[0].value) else {
        throw .violation("The server's SCRAM signature is not base 64.")
      }
      self = .signature(signature)
    case "e":
      self = .error(String(decoding: attributes[0].value, as: UTF8.self))
    case .some, nil:
      throw .violation("The server's last SCRAM message holds no signature.")
    }
  }
}

/// `attr-val`: one letter, `=`, a value.
private struct SCRAMAttribute {
  var name: Unicode.Scalar
  var value: ArraySlice<UInt8>

  /// The attributes of a message: each once, each with a value, none of them the mandatory extension `m`.
  static func list(_ message: [UInt8]) throws(StreamFailure) -> [SCRAMAttribute] {
    guard String(validating: message, as: UTF8.self) != nil, !message.contains(0) else {
      throw .violation("A SCRAM message of the server is not text.")
    }
    var attributes: [SCRAMAttribute] = []
    var seen: Set<Unicode.Scalar> = []
    for part in message.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard
        part.count >= 3, part[part.startIndex + 1] == UInt8(ascii: "="),
        case let name = Unicode.Scalar(part[part.startIndex]), name.properties.isAlphabetic, name.isASCII
      else {
        throw .violation("A SCRAM message of the server breaks the syntax.")
      }
      guard name != "m" else {
        throw .violation("The server demands a SCRAM extension that this client does not know.")
      }
      guard seen.insert(name).inserted else { throw .violation("A SCRAM message of the server says one thing twice.") }
      attributes.append(SCRAMAttribute(name: name, value: part.dropFirst(2)))
    }
    return attributes
  }
}

/// What the client writes in SCRAM (RFC 5802 5.1, 7).
enum SCRAMClientMessage {
  /// `saslname`: a comma and an equals sign would end the name.
  static func escaped(_ username: String) -> [UInt8] {
    var output: [UInt8] = []
    for byte in username.utf8 {
      switch byte {
      case UInt8(ascii: ","): output += "=2C".utf8
      case UInt8(ascii: "="): output += "=3D".utf8
      case _: output.append(byte)
      }
    }
    return output
  }

  /// `client-first-message-bare`.
  static func first(username: String, nonce: [UInt8]) -> [UInt8] {
    Array("n=".utf8) + escaped(username) + Array(",r=".utf8) + nonce
  }

  /// `client-final-message-without-proof`.
  static func final(binding: SCRAMBinding, nonce: [UInt8]) -> [UInt8] {
    Array("c=".utf8) + Base64.encode(binding.header + binding.data) + Array(",r=".utf8) + nonce
  }
}

/// What the client says about channel binding (`gs2-cbind-flag`, RFC 5802 6).
enum SCRAMBinding: Hashable, Sendable {
  /// `p=`: bound to the TLS connection.
  case bound(ChannelBinding)
  /// `y`: we could, and believe that the server cannot. One that can has to refuse: its offer was tampered with.
  case notOffered
  /// `n`: we cannot, with this server.
  case impossible

  /// `gs2-header`; an authorization identity is never sent.
  var header: [UInt8] {
    switch self {
    case .bound(let binding): Array("p=\(binding.kind.rawValue),,".utf8)
    case .notOffered: Array("y,,".utf8)
    case .impossible: Array("n,,".utf8)
    }
  }

  var data: [UInt8] {
    switch self {
    case .bound(let binding): binding.data
    case .notOffered, .impossible: []
    }
  }
}
