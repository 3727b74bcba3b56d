// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
package import JackdawXML

/// Takes each stanza of a ready stream to whom it belongs: answers to the IQ tracker, requests, presence and messages by
/// the route table. Nothing that a peer sends can trap here; what cannot be read is answered or dropped as RFC 6120
/// 8 and 10.3 say.
@Client package final class Router {
  private let routes: RouteTable
  private let messages: InboundPipeline
  private let requests: IQTracker
  private let stanzas: any StanzaSending
  private let identity: SessionIdentity
  private let maySeePresence: @Client (JID?) -> Bool
  /// Of the last message.
  private var lastAddresses = Message.Addresses()
  /// Answers were dropped since the last one went out.
  private var isOverrun = false
  private let remark: @Client (String) -> Void

  init(
    routes: RouteTable, messages: InboundPipeline, requests: IQTracker, stanzas: any StanzaSending,
    identity: SessionIdentity, maySeePresence: @escaping @Client (JID?) -> Bool,
    remark: @escaping @Client (String) -> Void
  ) {
    self.routes = routes
    self.messages = messages
    self.requests = requests
    self.stanzas = stanzas
    self.identity = identity
    self.maySeePresence = maySeePresence
    self.remark = remark
  }

  /// One stanza came in. That it is in the namespace of stanzas is known.
  package func route(_ stanza: Element) {
    switch stanza.name {
    case "message": routeMessage(stanza)
    case "presence": routePresence(stanza)
    case "iq": routeIQ(stanza)
    default: remark("Ignored <\(stanza.name)/>, which is not a stanza.")
    }
  }

  /// A stanza was left out, as it exceeds a limit. A request is answered all the same (RFC 6120 8.2.3), and an answer ends the
  /// request that it is for.
  /// - Parameters:
  ///   - envelope: its own tag.
  ///   - reason: which limit, as one sentence.
  func route(leftOut envelope: Element, reason: String) {
    switch envelope.name {
    case "message": routes.messageLeftOut(envelope)
    case "iq": answer(leftOut: envelope, reason)
    default: break
    }
  }

  private func answer(leftOut envelope: Element, _ reason: String) {
    switch envelope.attribute("type") {
    case "get", "set":
      guard let id = envelope.attribute("id"), !id.isEmpty, let from = try? envelope.jid("from") ?? identity.account
      else { return }
      let error = isStranger(from) ? StanzaError.serviceUnavailable : .policyViolation
      reply(IQ(kind: .error, id: id, to: envelope.attribute("from") == nil ? nil : from, error: error))
    case "result", "error":
      if !requests.resolve(leftOut: envelope, reason: reason) {
        remark("Ignored an answer that nobody waits for, or from somebody else.")
      }
    case .some, nil: break
    }
  }

  private func routeMessage(_ stanza: Element) {
    do throws(StanzaFormatError) {
      // RFC 6120 8.1.2.1: what has no sender comes from our own account.
      messages.take(InboundMessage(try Message.read(stanza, last: &lastAddresses, sender: identity.account)))
    } catch {
      remark("Ignored a message: \(error)")
    }
  }

  private func routePresence(_ stanza: Element) {
    do throws(StanzaFormatError) {
      var presence = try Presence(stanza)
      if presence.from == nil { presence.from = identity.account }
      routes.deliver(presence)
    } catch {
      remark("Ignored a presence: \(error)")
    }
  }

  private func routeIQ(_ stanza: Element) {
    // Answers are never answered (RFC 6120 8.2.3), whatever is wrong with them.
    if stanza.attribute("type", equals: "result") || stanza.attribute("type", equals: "error") {
      if !requests.resolve(stanza) { remark("Ignored an answer that nobody waits for, or from somebody else.") }
      return
    }
    do throws(StanzaFormatError) {
      answer(try IQ(stanza))
    } catch {
      remark("Refused a request: \(error)")
      guard var answer = error.answer else { return }
      // A stranger is not told either that somebody is there who found fault with it.
      if isStranger(answer.to) { answer.error = .serviceUnavailable }
      reply(answer)
    }
  }

  private func answer(_ request: IQ) {
    // RFC 6120 8.4: a request that nobody here understands must be answered so. And no questions are understood but those of our
    // server and of people who may see that we are here (RFC 6120 13.10.2): any other answer would show it.
    guard request.kind != .get || !isStranger(request.from), let handler = routes.handler(for: request) else {
      return reply(request.failure(.serviceUnavailable))
    }
    if let answer = handler(request) { reply(answer) }
  }

  private func isStranger(_ sender: JID?) -> Bool {
    guard let sender, !identity.isOwnServer(sender) else { return false }
    return !maySeePresence(sender)
  }

  private func reply(_ answer: IQ) {
    do {
      try stanzas.answer(answer.element, isForStranger: isStranger(answer.to))
      isOverrun = false
    } catch let error as ConnectionError where error.code == .stalled {
      // One remark for a flood.
      if !isOverrun { remark("Requests stay unanswered: \(error)") }
      isOverrun = true
    } catch {
      remark("Could not answer a request: \(error)")
    }
  }
}
