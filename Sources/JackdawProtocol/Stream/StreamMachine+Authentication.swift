// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// SASL (RFC 6120 6).
extension StreamMachine {
  mutating func mechanismsReceived(_ features: Element, _ login: Login, _ bindings: [ChannelBinding]) -> [Action] {
    let offer = SASLOffer(features)
    guard !offer.mechanisms.isEmpty || !StreamFeatures.offersBind(features) else {
      return violate("The server skipped the log-in.")
    }
    do throws(StreamFailure) {
      let choice = try MechanismChoice(
        offer: offer, bindings: bindings, memory: login.memory, bindsChannel: login.bindsChannel)
      return attempt(choice.attempts[...], login, offer, refused: 0)
    } catch {
      return leave(error)
    }
  }

  /// Begins the first of `attempts`.
  private mutating func attempt(
    _ attempts: ArraySlice<SASLAttempt>, _ login: Login, _ offer: SASLOffer, refused: Int
  ) -> [Action] {
    guard let first = attempts.first else { return leave(.noCrypto) }
    let exchange: Authentication.Exchange
    let message: [UInt8]
    switch first {
    case .scram(let hash, let binding, _):
      // A nonce serves one exchange (RFC 5802 5.1); what is added keeps them apart.
      let nonce = refused == 0 ? login.nonce : "\(login.nonce).\(refused)"
      let scram = SCRAMExchange(hash, binding: binding, username: login.username, nonce: nonce)
      exchange = .scram(scram)
      message = scram.initialResponse
    case .plain:
      exchange = .plain
      message = PlainMessage.text(username: login.username, password: login.password)
    }
    state = .authenticating(
      Authentication(
        login: login, offer: offer, current: first, exchange: exchange, others: attempts.dropFirst(), refused: refused))
    var bytes = Array("<auth xmlns='\(Namespace.sasl)' mechanism='\(first.mechanism.name)'>".utf8)
    bytes += Base64.encode(message)
    bytes += "</auth>".utf8
    return [.send(bytes)]
  }

  mutating func authenticate(_ element: Element, _ authentication: Authentication) -> [Action] {
    // Features once more change nothing: the choice is made.
    if element.matches("features", Namespace.streams) { return [] }
    do throws(StreamFailure) {
      if element.matches("challenge", Namespace.sasl) {
        return try challenged(try Self.payload(of: element) ?? [], authentication)
      }
      if element.matches("success", Namespace.sasl) {
        return try succeeded(try Self.payload(of: element), authentication)
      }
    } catch {
      return leave(error)
    }
    if element.matches("failure", Namespace.sasl) { return refused(element, authentication) }
    return unexpected(element)
  }

  /// What a SASL element carries: nil for nothing, no bytes for `=` (RFC 6120 6.4.2).
  private static func payload(of element: Element) throws(StreamFailure) -> [UInt8]? {
    let text = element.text
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

  private mutating func challenged(
    _ message: [UInt8], _ authentication: Authentication
  ) throws(StreamFailure) -> [Action] {
    switch authentication.exchange {
    case .plain:
      throw .violation("The server sent a SASL challenge where none can be.")
    case .scram(var exchange):
      let needsOfferProof =
        switch authentication.current {
        case .scram(_, _, let needsOfferProof): needsOfferProof
        case .plain: false
        }
      let step = try exchange.challenged(
        message, password: authentication.login.password, cached: authentication.login.memory.keys,
        offer: authentication.offer, needsOfferProof: needsOfferProof)
      var next = authentication
      next.exchange = .scram(exchange)
      state = .authenticating(next)
      switch step {
      case .derive(let derivation): return [.deriveKeys(derivation)]
      case .respond(let response): return [Self.response(response)]
      }
    }
  }

  private static func response(_ message: [UInt8]) -> Action {
    var bytes = Array("<response xmlns='\(Namespace.sasl)'>".utf8)
    bytes += Base64.encode(message)
    bytes += "</response>".utf8
    return .send(bytes)
  }

  mutating func keysDerived(_ keys: SCRAMKeys) -> [Action] {
    switch state {
    case .authenticating(var authentication):
      switch authentication.exchange {
      case .plain: return []
      case .scram(var exchange):
        do throws(StreamFailure) {
          guard let response = try exchange.keysDerived(keys) else { return [] }
          authentication.exchange = .scram(exchange)
          state = .authenticating(authentication)
          return [Self.response(response)]
        } catch {
          return leave(error)
        }
      }
    // The stream may have ended, or the server may have refused, while the keys were made.
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .openingBound, .awaitingLastFeatures, .resuming, .binding, .startingSession, .ready, .closing,
      .ended:
      return []
    }
  }

  mutating func keyDerivationFailed() -> [Action] {
    switch state {
    case .authenticating:
      return leave(.noCrypto)
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .openingBound, .awaitingLastFeatures, .resuming, .binding, .startingSession, .ready, .closing,
      .ended:
      return []
    }
  }

  private mutating func succeeded(
    _ message: [UInt8]?, _ authentication: Authentication
  ) throws(StreamFailure) -> [Action] {
    var memory = LoginMemory(mechanism: authentication.current.mechanism.name)
    let login = authentication.login
    if !login.bindsChannel, let before = login.memory.mechanism, before.hasSuffix("-PLUS") {
      // Once it is on again the server has to do as before.
      memory.mechanism = before
    }
    let isLessSafe = !login.bindsChannel && authentication.offer.mechanisms.contains { $0.hasSuffix("-PLUS") }
    var channelBinding: String?
    var remarks: [String] = []
    switch authentication.exchange {
    case .plain:
      remarks.append("The server offers PLAIN only: it was sent the password itself, within TLS.")
    case .scram(let exchange):
      memory.keys = try exchange.succeeded(message)
    }
    switch authentication.current {
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
    case .plain:
      break
    }
    return openBound(
      login,
      mechanism: authentication.current.mechanism.name, channelBinding: channelBinding, memory: memory,
      warning: isLessSafe ? Self.bindingIsOff : nil, remarks: remarks
    )
  }

  private static let bindingIsOff =
    "Channel binding is off for this account (channel_binding in the configuration), though the server offers it: "
    + "whoever has a certificate for its domain can be in the middle unnoticed."

  private mutating func refused(_ failure: Element, _ authentication: Authentication) -> [Action] {
    let condition =
      failure.children.first { $0.namespace == Namespace.sasl && $0.name != "text" }?.name ?? "unknown"
    let proofSent =
      switch authentication.exchange {
      case .plain: true
      case .scram(let exchange): exchange.hasSentProof
      }
    if !proofSent, !authentication.others.isEmpty, SASLFailures.mayConcernBinding(condition) {
      return attempt(
        authentication.others, authentication.login, authentication.offer, refused: authentication.refused + 1)
    }
    return leave(
      SASLFailures.failure(
        condition, text: failure.text(of: "text", Namespace.sasl).map(PeerText.cut), after: authentication.current,
        proofSent: proofSent))
  }
}
