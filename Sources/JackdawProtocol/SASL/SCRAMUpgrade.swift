// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// One SASL upgrade task (XEP-0480 3): a server that keeps no password, and no keys for a better mechanism, is given the SaltedPassword of
/// that mechanism by a client which has just logged in with the password.
///
/// The SaltedPassword lets whoever has it log in by that mechanism, so it goes only where the log-in showed who is there:
///
/// - SCRAM bound to the TLS connection, and SCRAM with `y` at a server that offers no binding, which a server that can bind refuses
///   (RFC 5802 6). The server's signature comes first, in `<continue/>`.
/// - PLAIN: the server has been sent the password itself.
///
/// Nowhere else: `n`, or a -PLUS that is offered and not used, leave room for a man in the middle, who without this could go no further than
/// the one log-in (XEP-0480, security considerations).
///
/// The upgrade is for the server's next log-ins and not for this one: a failure is ``StreamFailure/Code/failedUpgrade``, after which the
/// log-in is done again without it.
struct SCRAMUpgrade: Sendable {
  /// Of what is offered and asked for.
  static let namespace = "urn:xmpp:sasl:upgrade:0"
  /// Of salt and hash.
  static let dataNamespace = "urn:xmpp:scram-upgrade:0"

  private enum State: Sendable {
    /// The log-in asks for it.
    case asked
    /// `<next/>` is out.
    case awaitingSalt
    case deriving
    /// `<hash/>` is out.
    case sent
  }

  /// Strongest first. SHA-1 is nothing to upgrade to.
  private static let hashes: [SCRAMHash] = [.sha512, .sha256]

  private let hash: SCRAMHash
  private var state = State.asked

  /// The best of the tasks that a server offers to those who log in by `attempt`.
  /// - Parameters:
  ///   - tasks: by their names.
  ///   - offer: what the server can do already.
  /// - Returns: nil where there is nothing better, or the log-in is not safe enough for it.
  init?(tasks: [String], offer: SASLOffer, attempt: SASLAttempt) {
    let better: ArraySlice<SCRAMHash>
    switch attempt {
    case .plain:
      better = Self.hashes[...]
    case .scram(let hash, .bound, _):
      better = Self.hashes.prefix { $0 != hash }
    case .scram(let hash, .notOffered, _):
      guard !offer.mechanisms.contains(where: { $0.hasSuffix("-PLUS") }) else { return nil }
      better = Self.hashes.prefix { $0 != hash }
    case .scram(_, .impossible, _):
      return nil
    }
    let hash = better.first { hash in
      tasks.contains(Self.task(hash)) && ![true, false].contains { offer.offers(.scram(hash, plus: $0)) }
    }
    guard let hash else { return nil }
    self.hash = hash
  }

  private static func task(_ hash: SCRAMHash) -> String { "UPGR-" + Mechanism.scram(hash, plus: false).name }

  /// What is asked for.
  var task: String { Self.task(hash) }

  /// The mechanism that it is for.
  var mechanism: String { Mechanism.scram(hash, plus: false).name }

  /// The log-in itself is done, and only this is left.
  var isUnderWay: Bool {
    switch state {
    case .asked: false
    case .awaitingSalt, .deriving, .sent: true
    }
  }

  /// The server has been given what it needs.
  var isSent: Bool {
    switch state {
    case .sent: true
    case .asked, .awaitingSalt, .deriving: false
    }
  }

  /// What the server is waited for; nil: it waits for us.
  var awaited: String? {
    switch state {
    case .asked, .deriving: nil
    case .awaitingSalt: "the salt of the upgrade to \(mechanism)"
    case .sent: "the end of the upgrade to \(mechanism)"
    }
  }

  /// The server, which has proved itself, wants one of `tasks` to be done before it lets us in.
  /// - Returns: what to send.
  mutating func begin(_ tasks: [String]) throws(StreamFailure) -> [UInt8] {
    switch state {
    case .asked where tasks.contains(task): state = .awaitingSalt
    case .asked: throw Self.failure("The server demands something else than the upgrade to \(mechanism).")
    case .awaitingSalt, .deriving, .sent:
      throw Self.failure("The server demands more than the upgrade to \(mechanism).")
    }
    return Array("<next xmlns='\(ExtensibleOffer.namespace)' task='\(task)'/>".utf8)
  }

  /// The server says how the password is to be salted.
  /// - Parameter password: prepared; the one that was proved.
  mutating func salted(_ data: Element, password: SecretBytes) throws(StreamFailure) -> SCRAMDerivation {
    guard case .awaitingSalt = state else {
      throw Self.failure("The server sent a salt for the upgrade to \(mechanism) where none can be.")
    }
    guard let element = data.child("salt", Self.dataNamespace) else {
      throw Self.failure("The server sent no salt for the upgrade to \(mechanism).")
    }
    let text = Base64.trimmed(element.text)
    guard text.utf8.count <= StreamLimits.saslText, let salt = Base64.decode(text.utf8), !salt.isEmpty else {
      throw Self.failure("The salt for the upgrade to \(mechanism) is not base 64.")
    }
    guard let iterations = SCRAMServerFirst.iterations(Array((element.attribute("iterations") ?? "").utf8)) else {
      throw Self.failure("The iteration count for the upgrade to \(mechanism) is not a number.")
    }
    guard StreamLimits.scramIterations.contains(iterations) else {
      throw Self.failure(
        "The server asks for \(SCRAMServerFirst.words(iterations)) iterations for the upgrade to \(mechanism), which is not between "
          + "\(StreamLimits.scramIterations.lowerBound) and \(StreamLimits.scramIterations.upperBound).")
    }
    state = .deriving
    var derivation = SCRAMDerivation(hash: hash, password: password, salt: salt, iterations: iterations)
    derivation.keepsSaltedPassword = true
    return derivation
  }

  /// What was to be derived is there.
  /// - Returns: what to send; nil: it was not for this.
  mutating func derived(_ keys: SCRAMKeys) -> [UInt8]? {
    guard case .deriving = state, let salted = keys.saltedPassword else { return nil }
    state = .sent
    var bytes = Array("<task-data xmlns='\(ExtensibleOffer.namespace)'><hash xmlns='\(Self.dataNamespace)'>".utf8)
    bytes += salted.withUnsafeBytes { Base64.encode($0) }
    bytes += "</hash></task-data>".utf8
    return bytes
  }

  /// The log-in does as well without.
  static func failure(_ sentence: String, condition: String? = nil, peerText: String? = nil) -> StreamFailure {
    StreamFailure(.failedUpgrade, condition: condition, sentence: sentence, peerText: peerText, mayRetry: true)
  }
}
