// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// The extensible profile of SASL (XEP-0388): with the log-in a resource is bound (XEP-0386) or a stream that was cut goes on (XEP-0198), a
/// token for the next log-in is asked for (XEP-0484), and no stream is opened behind it.
extension StreamMachine {
  /// `<authenticate/>`, with all that is to be done in one.
  static func authenticate(
    _ mechanism: String, _ message: [UInt8], _ authentication: Authentication, _ offer: ExtensibleOffer
  ) -> Element {
    let login = authentication.login
    let namespace = ExtensibleOffer.namespace
    var children = [
      Element(
        "initial-response", namespace,
        text: message.isEmpty ? "=" : String(decoding: Base64.encode(message), as: UTF8.self))
    ]
    if let agent = login.memory.agent {
      let software = login.extras.software.map { [Element("software", namespace, text: $0)] } ?? []
      children.append(Element("user-agent", namespace, ["id": agent], software))
    }
    if let upgrade = authentication.upgrade {
      children.append(Element("upgrade", SCRAMUpgrade.namespace, text: upgrade.task))
    }
    if case .token = authentication.exchange {
      children.append(
        Element("fast", ExtensibleOffer.tokenNamespace, login.extras.revokesToken ? ["invalidate": "true"] : [:]))
    } else if let wanted = authentication.tokenMechanism(of: offer) {
      children.append(Element("request-token", ExtensibleOffer.tokenNamespace, ["mechanism": wanted]))
    }
    if offer.resumes, let resumption = login.resumption { children.append(resumeRequest(resumption)) }
    if let tag = login.tag(for: offer), let bind = offer.bind { children.append(bindRequest(tag, login, bind)) }
    return Element("authenticate", namespace, ["mechanism": mechanism], children)
  }

  private static func bindRequest(_ tag: String, _ login: Login, _ offered: Set<String>) -> Element {
    var children = [Element("tag", ExtensibleOffer.bindNamespace, text: tag)]
    for namespace in login.extras.switchesOn where offered.contains(namespace) {
      children.append(Element("enable", namespace))
    }
    if let management = login.extras.management, offered.contains(StreamManagement.namespace) {
      children.append(
        Element("enable", StreamManagement.namespace, management == .resumable ? ["resume": "true"] : [:]))
    }
    switch login.toldActivity(offered) {
    case .active: break
    case .inactive: children.append(Element("inactive", Namespace.clientState))
    }
    return Element("bind", ExtensibleOffer.bindNamespace, [:], children)
  }

  /// The server has proved itself: what else it did is in its `<success/>`.
  mutating func boundWith(
    _ success: Element, _ authentication: Authentication, _ offer: ExtensibleOffer, _ result: LoginResult
  ) throws(StreamFailure) -> [Action] {
    let login = authentication.login
    guard let text = success.text(of: "authorization-identifier", ExtensibleOffer.namespace),
      let jid = try? JID(received: text)
    else { throw .violation("The server ended the log-in without saying who logged in.") }
    guard jid.bare == login.account.bare else {
      throw .violation("The server logged in another account than the one that was asked for.")
    }
    var binding = Binding(login, result)
    binding.memory.isExtensible = true
    if login.extras.revokesToken {
      binding.memory.token = nil
    } else if let token = success.child("token", ExtensibleOffer.tokenNamespace),
      let mechanism = authentication.tokenMechanism(of: offer)
    {
      binding.memory.token = LoginToken(token, for: mechanism) ?? binding.memory.token
    }
    if offer.resumes, let resumption = binding.resumption {
      if let resumed = success.child("resumed", StreamManagement.namespace) {
        return self.resumed(resumed, binding, resumption, features: nil)
      }
      guard let failed = success.child("failed", StreamManagement.namespace) else {
        throw .violation("The server did not say whether the stream goes on.")
      }
      binding.resumption = nil
      // A number that cannot be read is as good as none: the stream is lost either way.
      binding.continuation = .lost(handled: try? StreamManagement.count(in: failed))
    }
    if login.tag(for: offer) != nil, let bound = success.child("bound", ExtensibleOffer.bindNamespace) {
      guard jid.resource != nil else {
        throw .violation("The server bound something that is not a full address.")
      }
      var outcome = LoginOutcome(
        jid: jid, continuation: binding.continuation, mechanism: binding.mechanism,
        channelBinding: binding.channelBinding, upgrade: binding.upgrade, memory: binding.memory,
        warning: binding.warning, remarks: binding.remarks)
      outcome.management = bound.child("enabled", StreamManagement.namespace)
      outcome.switchedOn = Set(
        login.extras.switchesOn.filter { bound.child("enabled", $0) != nil })
      outcome.activity = login.toldActivity(offer.bind ?? [])
      state = .bound(outcome)
      return []
    }
    return askOnSameStream(binding)
  }

  /// No other stream is opened: what comes next are the features, and the answer.
  private mutating func askOnSameStream(_ binding: Binding) -> [Action] {
    var bytes: [UInt8] = []
    do throws(XMLWriteError) {
      try StanzaWriter.append(binding.resumption.map(Self.resumeRequest) ?? Self.bindRequest(binding), to: &bytes)
    } catch {
      return leave(
        StreamFailure(.refused, sentence: "The resource '\(binding.account.resource ?? "")' cannot be sent."))
    }
    state = .awaitingLastFeatures(binding)
    return [.send(bytes)]
  }

  /// A resource is bound: only the features are missing.
  mutating func lastFeatures(_ element: Element, _ outcome: LoginOutcome) -> [Action] {
    guard element.matches("features", Namespace.streams) else {
      // A question of XEP-0198 is asked again.
      return element.namespace == StreamManagement.namespace ? [] : unexpected(element)
    }
    var outcome = outcome
    outcome.features = element
    return loggedIn(outcome)
  }
}

extension StreamMachine.Login {
  /// What a resource that is bound with the log-in is to begin with; nil: none is. A stream that was cut comes before another resource.
  func tag(for offer: ExtensibleOffer) -> String? {
    guard offer.bind != nil, resumption == nil || offer.resumes else { return nil }
    return extras.tag
  }

  /// What the server is told as it binds the resource, with what it `offered` to switch on then (XEP-0352).
  func toldActivity(_ offered: Set<String>) -> ClientActivity {
    offered.contains(Namespace.clientState) ? extras.activity : .active
  }

  /// The exchange with the token of the last log-in; nil: there is none that can be used on this connection. A token of the time when
  /// the log-ins were bound can be taken back by itself alone.
  func usableToken(of offer: ExtensibleOffer, _ bindings: [ChannelBinding]) -> TokenExchange? {
    guard bindsChannel || extras.revokesToken, memory.agent != nil, let token = memory.token,
      offer.tokenMechanisms.contains(token.mechanism)
    else { return nil }
    return TokenExchange(token, username: username, bindings: bindings)
  }
}
