// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// One-to-one messages (RFC 6121 5): sent with an id, followed until the server has them; received and told.
@Client package final class Chat: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 6121 5", "One-to-one messages", scope: "chat and normal messages with ids, errors matched to what they answer")

  private let context: FeatureContext
  private var sent = SentMessages(limit: SessionLimits.rememberedMessages)
  /// Asks the server for messages that nobody asks for.
  private var confirmation: LoopTimer?

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.verify) { [unowned self] in verify($0.message) }
    routes.onMessage(.deliver) { [unowned self] in deliver($0) }
    routes.onAcknowledged { [unowned self] in acknowledged($0) }
  }

  package func phaseChanged(to phase: SessionPhase) {
    guard phase == .suspended || phase == .ended else { return }
    confirmation = nil
    for message in sent.lose() {
      context.events.post(
        MessageStateChanged(id: message.id, to: message.to, state: .failed, error: Self.lossText(message.to)))
    }
  }

  // MARK: Ours

  /// Writes a message to `to`. Its fate is told by ``MessageStateChanged`` events.
  /// - Returns: its id.
  /// - Throws: when there is no connection, or the text holds what XML cannot carry.
  @discardableResult package func send(_ body: String, to: JID) throws -> String {
    let id = context.freshID()
    try context.stanzas.send(Message(kind: .chat, id: id, to: to, body: body).element)
    sent.add(id: id, to: to)
    context.events.post(MessageStateChanged(id: id, to: to, state: .sent))
    confirmSoon()
    return id
  }

  /// Waits until the server has every message so far.
  /// - Throws: ``RequestError`` when no answer comes; what ``failure(of:)`` says of the first of `ids` that failed.
  package func confirm(_ ids: [String]) async throws {
    if sent.hasUnconfirmed { try await confirmAll() }
    for id in ids {
      if let error = failure(of: id) { throw error }
    }
  }

  /// Why a message of this session is known not to have arrived: ``MessageBounced``, or ``ConnectionError`` when the
  /// connection was lost before the server confirmed it. Nil: nothing speaks against it.
  package func failure(of id: String) -> (any Error)? {
    guard let message = sent[id] else { return nil }
    return switch message.state {
    case .sent, .server: nil
    case .bounced(let error): MessageBounced(id: id, to: message.to, error: error)
    case .lost: ConnectionError(.lost, Self.lossText(message.to))
    }
  }

  private func confirmAll() async throws {
    confirmation = nil
    let count = sent.count
    do throws(RequestError) {
      try await context.confirm(context.timeout)
    } catch {
      if sent.hasUnconfirmed { confirmSoon() }
      throw error
    }
    tell(sent.confirm(upTo: count))
  }

  /// The server has a stanza of ours.
  private func acknowledged(_ stanza: Element) {
    guard stanza.name == "message", let id = stanza.attribute("id") else { return }
    tell(sent.confirm(id: id))
    if !sent.hasUnconfirmed { confirmation = nil }
  }

  private func tell(_ confirmed: [SentMessages.Entry]) {
    for message in confirmed {
      context.events.post(MessageStateChanged(id: message.id, to: message.to, state: .server))
    }
  }

  private func confirmSoon() {
    guard confirmation == nil else { return }
    confirmation = context.clock.schedule(after: SessionLimits.confirmationDelay) { [weak self] in
      EventLoop.main.start { try? await self?.confirmAll() }
    }
  }

  private static func lossText(_ to: JID) -> String {
    "the connection was lost before the server confirmed the message to \(to)"
  }

  // MARK: Theirs

  /// Errors end here: they are never a message from somebody, and never answered (RFC 6120 8.3.1).
  private func verify(_ message: Message) -> StageVerdict {
    switch message.kind {
    case .error:
      cameBack(message)
      return .drop
    case .groupchat:
      context.remark("ignored a message of a room that was never entered")
      return .drop
    case .normal, .chat, .headline:
      return .pass
    }
  }

  /// An error may come from whom the message was sent to, from their server and from ours.
  private func cameBack(_ message: Message) {
    let error = message.error ?? .undefined
    guard let id = message.id, let to = sent[id]?.to, let from = message.from,
      from.bare == to.bare || from == to.server || context.identity.isOwnServer(from),
      sent.bounce(id: id, error)
    else { return context.remark("ignored an error for a message that was not sent") }
    context.events.post(MessageStateChanged(id: id, to: to, state: .failed, error: error.description))
  }

  private func deliver(_ inbound: InboundMessage) -> StageVerdict {
    let message = inbound.message
    guard let body = message.body, let from = message.from else { return .pass }
    context.events.post(
      MessageArrived(
        id: message.id, from: from, to: message.to ?? context.identity.account, kind: message.kind, body: body,
        delayed: inbound.delayed, carbon: inbound.carbon))
    return .pass
  }
}
