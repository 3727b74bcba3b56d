// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// From the connection to the list of mechanisms: headers, features, STARTTLS (RFC 6120 4, 5).
extension StreamMachine {
  mutating func connected() -> [Action] {
    switch state {
    case .idle(let request):
      do throws(StreamFailure) {
        let purpose = try Purpose(request)
        state = .openingClear(purpose)
        return [.send(header(purpose, isSecure: false))]
      } catch {
        return end(error)
      }
    case .closing, .ended:
      return []
    case .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound,
      .startingSession,
      .ready:
      preconditionFailure("a stream has one connection")
    }
  }

  mutating func secured(_ channelBindings: [String: [UInt8]], version: String) -> [Action] {
    let bindings = ChannelBinding.usable(of: channelBindings, version: version)
    switch state {
    case .idle(let request):
      do throws(StreamFailure) {
        return openSecure(try Purpose(request), bindings)
      } catch {
        return end(error)
      }
    case .securing(let purpose):
      return openSecure(purpose, bindings)
    case .closing, .ended:
      return []
    case .openingClear, .awaitingTLSOffer, .awaitingProceed, .openingSecure, .awaitingMechanisms, .registering,
      .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession, .ready:
      preconditionFailure("TLS comes up once, and when it is asked for")
    }
  }

  private mutating func openSecure(_ purpose: Purpose, _ bindings: [ChannelBinding]) -> [Action] {
    state = .openingSecure(purpose, bindings)
    return [.send(header(purpose, isSecure: true))]
  }

  /// In the clear the header does not tell who we are (RFC 6120 4.7.1).
  private func header(_ purpose: Purpose, isSecure: Bool) -> [UInt8] {
    StanzaWriter.streamHeader(
      to: purpose.domain, from: isSecure ? purpose.sender?.description : nil, language: purpose.language)
  }

  /// The server's header came. Its `from` and `id` are not used for anything.
  mutating func opened(_ header: Element) -> [Action] {
    switch state {
    case .openingClear(let purpose):
      return accept(header, then: .awaitingTLSOffer(purpose))
    case .openingSecure(let purpose, let bindings):
      return accept(header, then: .awaitingMechanisms(purpose, bindings))
    case .openingBound(let binding):
      return accept(header, then: .awaitingLastFeatures(binding))
    case .idle, .securing, .awaitingTLSOffer, .awaitingProceed, .awaitingMechanisms, .registering, .authenticating,
      .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession, .ready:
      return violate("The server opened a stream within the stream.")
    case .closing, .ended:
      return []
    }
  }

  private mutating func accept(_ header: Element, then next: State) -> [Action] {
    guard header.matches("stream", Namespace.streams) else {
      return end(.violation("What answered is not an XMPP server.", condition: "invalid-namespace"))
    }
    // No version means a server from before RFC 3920, without STARTTLS and SASL (RFC 6120 4.7.5).
    let major = header.attribute("version")?.utf8.prefix { $0 != UInt8(ascii: ".") }
    guard let major, let number = Int(String(decoding: Array(major), as: UTF8.self)), number >= 1 else {
      return violate("The server speaks a version of XMPP without TLS and SASL.", telling: "unsupported-version")
    }
    state = next
    return []
  }

  /// An element came before the stream was ready.
  mutating func negotiate(_ element: Element) -> [Action] {
    switch state {
    case .closing, .ended:
      return []
    case .idle, .securing:
      return end(.violation("The server went on in the clear where TLS had to begin: possible man in the middle."))
    case .openingClear, .awaitingTLSOffer, .awaitingProceed, .openingSecure, .awaitingMechanisms, .registering,
      .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession, .ready:
      break
    }
    if element.matches("error", Namespace.streams) { return streamErrorReceived(element) }

    switch state {
    case .awaitingTLSOffer(let purpose):
      guard element.matches("features", Namespace.streams) else { return unexpected(element) }
      return featuresInTheClear(element, purpose)
    case .awaitingProceed(let purpose):
      return answerToSTARTTLS(element, purpose)
    case .awaitingMechanisms(let purpose, let bindings):
      guard element.matches("features", Namespace.streams) else { return unexpected(element) }
      switch purpose {
      case .logIn(let login): return mechanismsReceived(element, login, bindings)
      case .register(let registration): return askForForm(registration)
      case .reach:
        state = .closing(delivering: false)
        return [.send(StanzaWriter.streamEnd), .reached]
      }
    case .registering(let registration):
      return register(element, registration)
    case .authenticating(let authentication):
      return authenticate(element, authentication)
    case .awaitingLastFeatures(let binding):
      return lastFeatures(element, binding)
    case .resuming(let binding, let resumption, let features):
      return resume(element, binding, resumption, features: features)
    case .binding(let binding, let features):
      return bind(element, binding, features: features)
    case .bound(let outcome):
      return lastFeatures(element, outcome)
    case .startingSession(let outcome, let id):
      return startSession(element, outcome, id: id)
    case .openingClear, .openingSecure, .openingBound, .idle, .securing, .ready, .closing, .ended:
      return unexpected(element)
    }
  }

  private mutating func featuresInTheClear(_ features: Element, _ purpose: Purpose) -> [Action] {
    guard StreamFeatures.offersTLS(features) else {
      return violate(
        "The server, or somebody between, offers no TLS: nothing goes over this connection in the clear.")
    }
    state = .awaitingProceed(purpose)
    return [.send(Array("<starttls xmlns='\(Namespace.tls)'/>".utf8))]
  }

  private mutating func answerToSTARTTLS(_ element: Element, _ purpose: Purpose) -> [Action] {
    if element.matches("proceed", Namespace.tls) {
      state = .securing(purpose)
      return [.restartDecoder, .startTLS]
    }
    if element.matches("failure", Namespace.tls) {
      return violate("The server offered TLS and then refused it: nothing goes over this connection in the clear.")
    }
    // Features once more change nothing.
    return element.matches("features", Namespace.streams) ? [] : unexpected(element)
  }

  /// The gate: an element that has no place before the end of the log-in.
  mutating func unexpected(_ element: Element) -> [Action] {
    let isStanza = element.namespace == Namespace.client && Self.isStanzaName(element.name)
    return violate(
      isStanza
        ? "Protocol violation: the server sent a stanza before the log-in was done."
        : "Protocol violation: the server sent something that has no place at this point of the log-in.")
  }
}
