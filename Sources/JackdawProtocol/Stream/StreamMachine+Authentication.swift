// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// SASL (RFC 6120 6).
extension StreamMachine {
  mutating func mechanismsReceived(_ features: Element, _ login: Login, _ bindings: [ChannelBinding]) -> [Action] {
    let plain = SASLOffer(features)
    let extensible = ExtensibleOffer(features).flatMap { isPreferred($0, to: plain, login) ? $0 : nil }
    let offer = extensible?.offer ?? plain
    guard !offer.mechanisms.isEmpty || !StreamFeatures.offersBind(features) else {
      return violate("The server skipped the log-in.")
    }
    guard extensible != nil || !login.memory.isExtensible else { return leave(Self.profileWithdrawn) }
    do throws(StreamFailure) {
      let choice = try MechanismChoice(
        offer: offer, bindings: bindings, memory: login.memory, bindsChannel: login.bindsChannel)
      let authentication = Authentication(
        login: login, profile: extensible.map { .extensible($0) } ?? .plain, offer: offer, bindings: bindings,
        current: nil, exchange: .plain, others: choice.attempts[...])
      if let extensible, let token = login.usableToken(of: extensible, bindings) {
        return attempt(token, authentication)
      }
      return attempt(authentication)
    } catch {
      return leave(error)
    }
  }

  /// The bare password goes to no server that takes SCRAM by the other profile. Where the last log-in was by this one no other is used.
  private func isPreferred(_ extensible: ExtensibleOffer, to plain: SASLOffer, _ login: Login) -> Bool {
    login.memory.isExtensible || extensible.offer.offersSCRAM || !plain.offersSCRAM
  }

  private static let profileWithdrawn = StreamFailure.violation(
    "The server does not offer the profile of the last log-in any more (SASL2, XEP-0388): possible man in the middle. If the "
      + "server did change, remove the account (jackdaw account remove) and add it again.")

  /// Begins the first of the attempts that are left.
  private mutating func attempt(_ before: Authentication) -> [Action] {
    var next = before
    guard let first = next.others.popFirst() else { return leave(.noCrypto) }
    let login = next.login
    next.current = first
    next.upgrade = next.upgrade(for: first)
    let message: [UInt8]
    switch first {
    case .scram(let hash, let binding, _):
      // A nonce serves one exchange (RFC 5802 5.1); what is added keeps them apart.
      let nonce = next.refused == 0 ? login.nonce : "\(login.nonce).\(next.refused)"
      let scram = SCRAMExchange(hash, binding: binding, username: login.username, nonce: nonce)
      next.exchange = .scram(scram)
      message = scram.initialResponse
    case .plain:
      guard let password = login.password else { return leave(SASLFailures.staleKeys(nil)) }
      next.exchange = .plain
      message = PlainMessage.text(username: login.username, password: password)
    }
    return begin(first.mechanism.name, message, next)
  }

  /// Begins with the token of the last log-in.
  private mutating func attempt(_ token: TokenExchange, _ before: Authentication) -> [Action] {
    var next = before
    next.exchange = .token(token)
    return begin(token.mechanism, token.initialResponse, next)
  }

  private mutating func begin(_ mechanism: String, _ message: [UInt8], _ next: Authentication) -> [Action] {
    switch next.profile {
    case .plain:
      state = .authenticating(next)
      var bytes = Array("<auth xmlns='\(Namespace.sasl)' mechanism='\(mechanism)'>".utf8)
      bytes += Base64.encode(message)
      bytes += "</auth>".utf8
      return [.send(bytes)]
    case .extensible(let offer):
      var bytes: [UInt8] = []
      do throws(XMLWriteError) {
        try StanzaWriter.append(Self.authenticate(mechanism, message, next, offer), to: &bytes)
      } catch {
        return leave(StreamFailure(.refused, sentence: "The log-in cannot be written: \(error)"))
      }
      state = .authenticating(next)
      return [.send(bytes)]
    }
  }

  mutating func authenticate(_ element: Element, _ authentication: Authentication) -> [Action] {
    // Features once more change nothing: the choice is made.
    if element.matches("features", Namespace.streams) { return [] }
    let namespace = authentication.namespace
    do throws(StreamFailure) {
      if case .extensible = authentication.profile, element.matches("continue", namespace) {
        return try continued(element, authentication)
      }
      if let upgrade = authentication.upgrade, upgrade.isUnderWay, element.namespace == namespace,
        element.name != "success"
      {
        return try upgrading(element, authentication, upgrade)
      }
      if element.matches("challenge", namespace) {
        return try challenged(try Self.payload(element.text) ?? [], authentication)
      }
      if element.matches("success", namespace) { return try succeeded(element, authentication) }
    } catch {
      return leave(error)
    }
    if element.matches("failure", namespace) { return refused(element, authentication) }
    return unexpected(element)
  }

  /// What a SASL element carries: nil for nothing, no bytes for `=` (RFC 6120 6.4.2).
  private static func payload(_ text: String) throws(StreamFailure) -> [UInt8]? {
    guard text.utf8.count <= StreamLimits.saslText else {
      throw .violation(
        "The server's part of the log-in is longer than any mechanism needs.", condition: "policy-violation")
    }
    guard !text.isEmpty else { return nil }
    guard text != "=" else { return [] }
    guard let payload = Base64.decode(text.utf8) else {
      throw .violation("The server's part of the log-in is not base 64.")
    }
    return payload
  }

  /// What the mechanism's last message is, where the profile has it beside other things.
  static func additionalData(of element: Element) throws(StreamFailure) -> [UInt8]? {
    try payload(String(Base64.trimmed(element.text(of: "additional-data", ExtensibleOffer.namespace) ?? "")))
  }

  private mutating func challenged(
    _ message: [UInt8], _ authentication: Authentication
  ) throws(StreamFailure) -> [Action] {
    switch authentication.exchange {
    case .plain, .token:
      throw .violation("The server sent a SASL challenge where none can be.")
    case .scram(var exchange):
      let needsOfferProof =
        switch authentication.current {
        case .scram(_, _, let needsOfferProof): needsOfferProof
        case .plain, nil: false
        }
      let step = try exchange.challenged(
        message, password: authentication.login.password, cached: authentication.usableKeys,
        offer: authentication.offer, needsOfferProof: needsOfferProof)
      var next = authentication
      next.exchange = .scram(exchange)
      state = .authenticating(next)
      switch step {
      case .derive(let derivation): return [.deriveKeys(derivation)]
      case .respond(let response): return [Self.response(response, authentication.namespace)]
      }
    }
  }

  private static func response(_ message: [UInt8], _ namespace: String) -> Action {
    var bytes = Array("<response xmlns='\(namespace)'>".utf8)
    bytes += Base64.encode(message)
    bytes += "</response>".utf8
    return .send(bytes)
  }

  mutating func keysDerived(_ keys: SCRAMKeys) -> [Action] {
    switch state {
    case .authenticating(var authentication):
      if let actions = upgradeDerived(keys, authentication) { return actions }
      switch authentication.exchange {
      case .plain, .token: return []
      case .scram(var exchange):
        do throws(StreamFailure) {
          guard let response = try exchange.keysDerived(keys) else { return [] }
          authentication.exchange = .scram(exchange)
          state = .authenticating(authentication)
          return [Self.response(response, authentication.namespace)]
        } catch {
          return leave(error)
        }
      }
    // The stream may have ended, or the server may have refused, while the keys were made.
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession, .ready,
      .closing,
      .ended:
      return []
    }
  }

  mutating func keyDerivationFailed() -> [Action] {
    switch state {
    case .authenticating:
      return leave(isUpgrading ? SCRAMUpgrade.failure(StreamFailure.noCrypto.sentence) : .noCrypto)
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession, .ready,
      .closing,
      .ended:
      return []
    }
  }

  private mutating func succeeded(_ element: Element, _ authentication: Authentication) throws(StreamFailure)
    -> [Action]
  {
    let message: [UInt8]? =
      switch authentication.profile {
      case .plain: try Self.payload(element.text)
      // The mechanism's last word came with `<continue/>`: what comes with the end of a task is that task's.
      case .extensible where authentication.isUpgrading: nil
      case .extensible: try Self.additionalData(of: element)
      }
    var result = try Self.result(message, authentication)
    if let upgrade = authentication.upgrade, upgrade.isSent {
      result.upgrade = upgrade.mechanism
      result.remarks.append("The server has been given keys for \(upgrade.mechanism), as it asked for them.")
    }
    switch authentication.profile {
    case .plain: return openBound(authentication.login, result)
    case .extensible(let offer): return try boundWith(element, authentication, offer, result)
    }
  }

  /// What the log-in came to, when the server has proved itself.
  private static func result(
    _ message: [UInt8]?, _ authentication: Authentication
  ) throws(StreamFailure) -> LoginResult {
    let login = authentication.login
    guard let current = authentication.current else {
      guard case .token(let token) = authentication.exchange else { throw .noCrypto }
      try token.succeeded(message)
      // What the token was given for stays what the next log-in without one has to do.
      return LoginResult(
        mechanism: token.mechanism, channelBinding: nil, memory: login.memory, warning: nil, remarks: [])
    }
    var memory = login.memory
    memory.mechanism = current.mechanism.name
    memory.keys = nil
    if case .extensible = authentication.profile { memory.isExtensible = true }
    if !login.bindsChannel, let before = login.memory.mechanism, before.hasSuffix("-PLUS") {
      // Once it is on again the server has to do as before.
      memory.mechanism = before
    }
    let isLessSafe = !login.bindsChannel && authentication.offer.mechanisms.contains { $0.hasSuffix("-PLUS") }
    var channelBinding: String?
    var remarks: [String] = []
    var warning = isLessSafe ? bindingIsOff : nil
    if case .scram(let exchange) = authentication.exchange { memory.keys = try exchange.succeeded(message) }
    switch current {
    case .scram(_, .bound(let binding), _):
      channelBinding = binding.kind.rawValue
    case .scram(_, .notOffered, _):
      if authentication.offer.mechanisms.contains(where: { $0.hasSuffix("-PLUS") }) {
        remarks.append(
          "The server offers channel binding without saying of what kind, and takes none that this client can do: the "
            + "log-in is not bound to the TLS connection.")
      }
    case .scram(_, .impossible, _) where !login.bindsChannel:
      break
    case .scram(_, .impossible, _):
      remarks.append("The log-in is not bound to the TLS connection: there is no kind that both sides can do.")
    case .plain where login.memory.mechanism == nil:
      // Whether it could do better nobody knows. From then on it is as it was.
      warning = onlyPlain
    case .plain:
      remarks.append(onlyPlain)
    }
    return LoginResult(
      mechanism: current.mechanism.name, channelBinding: channelBinding, memory: memory, warning: warning,
      remarks: remarks)
  }

  private static let onlyPlain = "The server offers PLAIN only: it was sent the password itself, within TLS."

  private static let bindingIsOff =
    "Channel binding is off for this account (channel_binding in the configuration), though the server offers it: "
    + "whoever has a certificate for its domain can be in the middle unnoticed."

  private mutating func refused(_ failure: Element, _ authentication: Authentication) -> [Action] {
    let condition = Self.condition(of: failure)
    let proofSent =
      switch authentication.exchange {
      case .plain, .token: true
      case .scram(let exchange): exchange.hasSentProof
      }
    if !proofSent, !authentication.others.isEmpty, SASLFailures.mayConcernBinding(condition) {
      var next = authentication
      next.refused += 1
      return attempt(next)
    }
    guard let current = authentication.current else { return leave(SASLFailures.staleToken(condition)) }
    var refusal = refusal(failure, condition, authentication, current, proofSent: proofSent)
    if case .plain = current, authentication.login.memory.mechanism == nil { refusal.warning = Self.onlyPlain }
    guard case .scram(let exchange) = authentication.exchange, exchange.reliesOnKeptKeys,
      refusal.code == .authentication
    else { return leave(refusal) }
    return leave(SASLFailures.staleKeys(condition))
  }

  static func condition(of failure: Element) -> String {
    failure.children.first { $0.namespace == Namespace.sasl && $0.name != "text" }?.name ?? "unknown"
  }

  /// The server's own.
  static func words(of failure: Element, _ authentication: Authentication) -> String? {
    failure.text(of: "text", authentication.namespace) ?? failure.text(of: "text", Namespace.sasl)
  }

  private func refusal(
    _ failure: Element, _ condition: String, _ authentication: Authentication, _ current: SASLAttempt, proofSent: Bool
  ) -> StreamFailure {
    SASLFailures.failure(
      condition, text: Self.words(of: failure, authentication).map(PeerText.cut), after: current, proofSent: proofSent)
  }
}
