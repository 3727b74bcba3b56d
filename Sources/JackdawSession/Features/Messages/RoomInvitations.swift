// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Invitations into rooms: somebody's own (XEP-0249), and those that a room hands on (XEP-0045 7.8.2).
@Client package final class RoomInvitations: Feature {
  private nonisolated static let direct = "jabber:x:conference"
  private nonisolated static let mediated = Namespace.roomUser

  package nonisolated static let about = FeatureDescription(
    "XEP-0249", "Direct MUC Invitations", version: "1.2", discoFeatures: [direct], namespaces: [mediated],
    scope: "sent and shown, as are those that a room hands on, which are declined through it")

  /// An error for an invitation is none for a message.
  package nonisolated static var before: [any Feature.Type] { [Groupchat.self, Chat.self] }

  private let context: FeatureContext
  /// What was sent and may be answered by an error: by its id, to whom it went, and the error once it is here. Bounded by our own
  /// callers.
  private var unconfirmed: [String: (to: JID, error: StanzaError?)] = [:]

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.verify, of: [.error]) { [unowned self] in took($0.message) ? .drop : .pass }
    routes.onMessage(.verify, holding: [Self.mediated]) { [unowned self] inbound in
      if inbound.message.kind != .error { tookDecline(inbound.message) }
      return .pass
    }
    routes.onMessage(.interpret, holding: [Self.mediated, Self.direct]) {
      [account = context.identity.account] inbound in
      // What is said to a whole room invites nobody: it is shown as it was said.
      guard inbound.message.kind != .groupchat, let invitation = Self.invitation(in: inbound.message, to: account)
      else { return .pass }
      inbound.carry(invitation)
      let password = Self.password(in: inbound.message)
      inbound.carry { $0.roomPassword = password }
      return .pass
    }
  }

  package func streamLost() { unconfirmed = [:] }

  // MARK: Sent

  /// Has a room invite somebody. Returns when the room has taken it.
  /// - Throws: ``RequestError`` with what the room said.
  package func invite(_ jid: JID, through room: JID, reason: String? = nil) async throws(RequestError) {
    try await send("invite", about: jid, to: room, reason)
  }

  /// Has a room tell somebody that their invitation is declined. Returns when the room has taken it.
  /// - Throws: ``RequestError`` with what the room said.
  package func decline(_ room: JID, to inviter: JID, reason: String? = nil) async throws(RequestError) {
    try await send("decline", about: inviter, to: room, reason)
  }

  /// Invites somebody ourselves. Returns when the server has it.
  /// - Parameter password: what lets into the room. They get it as it is.
  package func inviteDirectly(
    _ jid: JID, into room: JID, password: String? = nil, reason: String? = nil
  ) async throws(RequestError) {
    let invitation = Element(
      "x", Self.direct, ["jid": room.bare.description, "password": password, "reason": reason])
    let message = Message(kind: .normal, id: context.freshID(), to: jid, body: nil, payloads: [invitation])
    let number = await log(message, to: jid)
    do {
      try send(message)
      try await context.confirm(context.timeout)
    } catch {
      // Nothing sends it again.
      context.delivery.noteSent(number, id: message.id ?? "", became: .failed(reason: error.description))
      throw error
    }
    context.delivery.noteSent(number, id: message.id ?? "", became: .server)
  }

  /// As the archive will give it.
  private func log(_ message: Message, to jid: JID) async -> Int64? {
    var event = MessageArrived(
      id: message.id, from: context.identity.bound ?? context.identity.account, to: jid, kind: message.kind, body: "")
    event.payload = MessagePayload()
    event.payload?.content = Self.invitation(in: message, to: context.identity.account)?.bounded
    return await context.delivery.keepSent(event)
  }

  private func send(
    _ name: String, about jid: JID, to room: JID, _ reason: String?
  ) async throws(RequestError) {
    let words = reason.map { [Element("reason", Self.mediated, text: $0)] } ?? []
    let payload = Element("x", Self.mediated, [Element(name, Self.mediated, ["to": jid.description], words)])
    let id = context.freshID()
    unconfirmed[id] = (room.bare, nil)
    defer { unconfirmed[id] = nil }
    try send(Message(kind: .normal, id: id, to: room.bare, body: nil, payloads: [payload]))
    // A message is not answered unless it fails. The room has dealt with it when it answers what came behind it (RFC 6120 10.1).
    do {
      _ = try await context.requests.information(of: room.bare, node: nil, timeout: context.timeout)
    } catch {
      // What the room says of the message matters, not what it says of the question; no answer leaves both open.
      guard error.stanzaError != nil else { throw error }
      if unconfirmed[id]?.error == nil { throw error }
    }
    guard let refusal = unconfirmed[id]?.error else { return }
    throw RequestError(.refused, refusal.description, stanzaError: refusal, cause: refusal)
  }

  private func send(_ message: Message) throws(RequestError) {
    do {
      try context.stanzas.send(message.element)
    } catch {
      throw RequestError(.notSent, "The invitation cannot be sent: \(error)", cause: error)
    }
  }

  /// - Returns: whether an error is the answer to an invitation.
  private func took(_ error: Message) -> Bool {
    guard let id = error.id, let sent = unconfirmed[id], sent.error == nil, error.from?.bare == sent.to else {
      return false
    }
    unconfirmed[id]?.error = error.error ?? .undefined
    return true
  }

  // MARK: Received

  /// A room of the user's tells that somebody declines their invitation (XEP-0045 7.8.2). Some rooms, those of Prosody for one, say so in
  /// words of their own, which are a message from the room: that is enough.
  private func tookDecline(_ message: Message) {
    guard message.body?.isEmpty ?? true else { return }
    guard let room = message.from, room.resource == nil, context.links.rooms?.isRoom(room) == true else { return }
    let declines = message.payloads.lazy.compactMap {
      $0.matches("x", Self.mediated) ? $0.child("decline", Self.mediated) : nil
    }
    guard let decline = declines.first else { return }
    let jid = try? decline.jid("from")
    // Where rooms hide who is in them, it is the name that somebody has there.
    let who = jid.map { ($0.bare == room ? $0 : $0.bare).description } ?? "Somebody"
    let reason = decline.text(of: "reason", Self.mediated)?.cut(toBytes: PayloadLimits.textBytes)
    context.notice(Sentence.joined("\(who) declined your invitation into \(room).", reason))
  }

  /// What lets the user into the room, where an invitation says it.
  private static func password(in message: Message) -> String? {
    for payload in message.payloads {
      var password: String?
      if payload.matches("x", direct) {
        password = payload.attribute("password")
      } else if payload.matches("x", mediated), payload.child("invite", mediated) != nil {
        password = payload.text(of: "password", mediated)
      }
      if let password, !password.isEmpty, password.utf8.count <= PayloadLimits.nameBytes { return password }
    }
    return nil
  }

  /// - Parameter account: our own: what another device of ours asks a room to hand on is no invitation of ours.
  static func invitation(in message: Message, to account: JID) -> MessageContent? {
    // A room that hands one on may add the direct form for clients that know no other: who invites stands in its own.
    for payload in message.payloads where message.from?.bare != account {
      if payload.matches("x", mediated), let invite = payload.child("invite", mediated), let room = message.from {
        var invitation = MessageContent(.invitation)
        invitation.address = room.bare.description
        // Where rooms hide who is in them, it is the name that somebody has there.
        invitation.person = (try? invite.jid("from")).map { ($0.bare == room.bare ? $0 : $0.bare).description }
        invitation.text = invite.text(of: "reason", mediated).nonEmpty
        return invitation
      }
    }
    for payload in message.payloads {
      guard payload.matches("x", direct), let room = try? payload.jid("jid") else { continue }
      var invitation = MessageContent(.invitation)
      invitation.address = room.bare.description
      invitation.text = payload.attribute("reason").nonEmpty
      return invitation
    }
    return nil
  }
}
