// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// From the end of SASL to the stream that is ready (RFC 6120 7).
extension StreamMachine {
  /// What a log-in came to.
  struct LoginResult {
    var mechanism: String
    var channelBinding: String?
    var memory: LoginMemory
    var warning: String?
    var remarks: [String]
    var upgrade: String?
  }

  mutating func openBound(_ login: Login, _ result: LoginResult) -> [Action] {
    let binding = Binding(login, result)
    var bytes = StanzaWriter.streamHeader(
      to: login.account.domain, from: login.account.bare.description, language: login.language)
    do throws(XMLWriteError) {
      try StanzaWriter.append(binding.resumption.map(Self.resumeRequest) ?? Self.bindRequest(binding), to: &bytes)
    } catch {
      return leave(StreamFailure(.refused, sentence: "The resource '\(login.account.resource ?? "")' cannot be sent."))
    }
    state = .openingBound(binding)
    return [.restartDecoder, .send(bytes)]
  }

  static func bindRequest(_ binding: Binding) -> Element {
    let resource = binding.isResourceAsked ? binding.account.resource : nil
    return Element(
      "iq", Namespace.client, ["type": "set", "id": binding.id],
      [
        Element(
          "bind", Namespace.bind, [:], resource.map { [Element("resource", Namespace.bind, [:], text: $0)] } ?? [])
      ])
  }

  mutating func lastFeatures(_ element: Element, _ binding: Binding) -> [Action] {
    if element.matches("features", Namespace.streams) {
      state =
        binding.resumption.map { .resuming(binding, $0, features: element) } ?? .binding(binding, features: element)
      return []
    }
    guard reply(element, id: binding.id, account: binding.account.bare) == nil,
      element.namespace != StreamManagement.namespace
    else {
      return violate("The server answered what was asked behind the log-in before it sent its features.")
    }
    var binding = binding
    guard disregard(element, &binding) else { return unexpected(element) }
    state = .awaitingLastFeatures(binding)
    return []
  }

  /// Drops what comes before the end of bind; false where it must not be there at all.
  func disregard(_ element: Element, _ binding: inout Binding) -> Bool {
    let namespace = element.namespace
    guard Self.isStanzaName(element.name) else { return namespace != Namespace.sasl && namespace != Namespace.tls }
    binding.dropped += 1
    return namespace == Namespace.client
  }

  static func isStanzaName(_ name: String) -> Bool { name == "message" || name == "presence" || name == "iq" }

  mutating func bind(_ element: Element, _ binding: Binding, features: Element) -> [Action] {
    switch reply(element, id: binding.id, account: binding.account.bare) {
    case nil:
      var binding = binding
      guard disregard(element, &binding) else { return unexpected(element) }
      state = .binding(binding, features: features)
      return []
    case .result:
      return bound(element, binding, features: features)
    case .error(let error):
      guard error.condition == "conflict", binding.isResourceAsked else {
        return leave(Self.refusal("The server refused to open a session for this device", error))
      }
      return bindWithoutResource(binding, features: features)
    }
  }

  /// The resource is taken and the server neither ends its holder nor picks another: have it pick, once (RFC 6120
  /// 7.7.2.2).
  private mutating func bindWithoutResource(_ binding: Binding, features: Element) -> [Action] {
    var binding = binding
    binding.isResourceAsked = false
    binding.id += ".2"
    binding.remarks.append(
      "The resource '\(binding.account.resource ?? "")' is taken: the server was asked for another.")
    return askForResource(binding, features: features)
  }

  /// Asks for a resource on a stream whose features are known.
  mutating func askForResource(_ binding: Binding, features: Element) -> [Action] {
    var bytes: [UInt8] = []
    do throws(XMLWriteError) {
      try StanzaWriter.append(Self.bindRequest(binding), to: &bytes)
    } catch {
      return leave(StreamFailure(.refused, sentence: "The request for a resource cannot be written: \(error)"))
    }
    state = .binding(binding, features: features)
    return [.send(bytes)]
  }

  private mutating func bound(_ result: Element, _ binding: Binding, features: Element) -> [Action] {
    guard let text = result.child("bind", Namespace.bind)?.text(of: "jid", Namespace.bind) else {
      return violate("The server bound a resource without saying which.")
    }
    guard let jid = try? JID(received: text), jid.resource != nil else {
      return violate("The server bound something that is not a full address.")
    }
    guard jid.bare == binding.account.bare else {
      return violate("The server bound an address of another account than the one that logged in.")
    }
    var remarks = binding.remarks
    if binding.dropped > 0 {
      remarks.append("\(binding.dropped) stanzas that came before the resource was bound were dropped.")
    }
    let outcome = LoginOutcome(
      jid: jid, continuation: binding.continuation, mechanism: binding.mechanism,
      channelBinding: binding.channelBinding, features: features, upgrade: binding.upgrade, memory: binding.memory,
      warning: binding.warning, remarks: remarks)
    guard StreamFeatures.demandsSession(features) else { return loggedIn(outcome) }

    let id = binding.id + ".session"
    var bytes: [UInt8] = []
    do throws(XMLWriteError) {
      let request = Element(
        "iq", Namespace.client, ["type": "set", "id": id], [Element("session", Namespace.session)])
      try StanzaWriter.append(request, to: &bytes)
    } catch {
      return leave(StreamFailure(.refused, sentence: "The request for a session cannot be written: \(error)"))
    }
    state = .startingSession(outcome, id: id)
    return [.send(bytes)]
  }

  mutating func startSession(_ element: Element, _ outcome: LoginOutcome, id: String) -> [Action] {
    switch reply(element, id: id, account: outcome.jid) {
    case nil:
      return element.namespace == Namespace.sasl || element.namespace == Namespace.tls ? unexpected(element) : []
    case .result:
      return loggedIn(outcome)
    case .error(let error):
      return leave(Self.refusal("The server refused to open a session", error))
    }
  }

  /// - Parameter sentence: what was refused, without its full stop; why stands behind it, as mostly the server adds no words.
  private static func refusal(_ sentence: String, _ error: StanzaError) -> StreamFailure {
    StreamFailure(
      .refused, condition: error.condition, sentence: "\(sentence). \(error.meaning).",
      peerText: error.text.map(PeerText.cut), mayRetry: error.kind == .wait)
  }

  mutating func loggedIn(_ outcome: LoginOutcome) -> [Action] {
    state = .ready
    var outcome = outcome
    outcome.roundTrips = roundTrips
    return [.loggedIn(outcome)]
  }

  private enum Reply {
    case result
    case error(StanzaError)
  }

  /// Nil unless `element` answers the request `id`, which had no `to`.
  private func reply(_ element: Element, id: String, account: JID) -> Reply? {
    guard element.matches("iq", Namespace.client), element.attribute("id") == id else { return nil }
    let sender: JID?
    do {
      sender = try element.jid("from")
    } catch {
      return nil
    }
    guard OwnAddresses(account).acceptsAnswer(from: sender, to: nil) else { return nil }
    switch element.attribute("type") {
    case "result": return .result
    case "error":
      return .error(
        element.child("error", Namespace.client).map { StanzaError($0) }
          ?? StanzaError(kind: .cancel, condition: "undefined-condition"))
    case .some, nil: return nil
    }
  }

  /// An element was left out. One that others may have written costs no more than itself; what the server itself says in the
  /// negotiation, or of the stream, cannot be gone on without.
  mutating func received(_ leftOut: LeftOutStanza) -> Reception {
    switch state {
    case .ready, .closing(delivering: true):
      if let envelope = leftOut.envelope, envelope.namespace == Namespace.client, Self.isStanzaName(envelope.name) {
        return .leftOut(envelope, reason: leftOut.reason)
      }
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound,
      .startingSession,
      .closing(delivering: false), .ended:
      break
    }
    return .actions(decodingFailed(leftOut.reason.condition, leftOut.reason.description))
  }

  /// An element of a stream that is ready.
  mutating func receivedWhenReady(_ element: Element) -> Reception {
    if element.matches("message", Namespace.client) || element.matches("presence", Namespace.client)
      || element.matches("iq", Namespace.client)
    {
      return .stanza(element)
    }
    switch element.namespace {
    case Namespace.streams:
      // Behind a stream that goes on they come late.
      if element.name == "features" { return .other(element) }
      return .actions(element.name == "error" ? streamErrorReceived(element) : [])
    case Namespace.sasl, Namespace.tls, ExtensibleOffer.namespace:
      return .actions(unexpected(element))
    case _:
      return .other(element)
    }
  }
}
