// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What messages of rooms are called when others are about them: by the id that the room gave them (XEP-0461 3, XEP-0444 3.1, XEP-0424 3),
/// as those of their senders may be anybody's. In the log they have their senders' ids, as everywhere.
@Client package final class RoomMessageIDs: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0425", "Moderated Message Retraction", version: "0.3.0",
    namespaces: [
      "urn:xmpp:message-moderate:1", "urn:xmpp:message-moderate:0", "urn:xmpp:fasten:0", "urn:xmpp:message-retract:0",
    ],
    scope:
      "what a room retracts is shown as retracted, whoever said it; moderators ask for it in the form that the room speaks"
  )

  /// What names an earlier message, and is to do so by the room's id.
  private nonisolated static let names = [
    "reply": MessageRelation.Namespace.reply, "reactions": MessageRelation.Namespace.reactions,
    "retract": MessageRelation.Namespace.retraction,
  ]

  private let context: FeatureContext
  /// The senders' ids of messages on their way into the log, by the rooms': those of one page of an archive, which may be about one
  /// another, come there together. Bounded by ``FeatureLimits/roomMessagesUnderWay``.
  private var underWay: [String: String] = [:]
  /// Those before them. Bounded as they are.
  private var underWayBefore: [String: String] = [:]

  /// Messages of ours that the room has not sent back, and that others of ours are about: who waits is told what the room calls them, or
  /// that nobody knows. Bounded by the rooms, in each of which one message at a time is made ready.
  private var awaited: [String: WaitingList<String?>] = [:]
  private var failures: Subscription?

  /// Hears from then on which of our messages fail (XEP-0045 7.9): no room calls those anything.
  package init(_ context: FeatureContext) {
    self.context = context
    failures = context.events.on(MessageStateChanged.self) { [weak self] in
      if case .failed = $0.state { self?.isKnown($0.id, as: nil) }
    }
  }

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, of: [.groupchat]) { [unowned self] inbound in
      if let archived = inbound.archiveID, let id = inbound.message.id { remember(id, by: archived) }
      if inbound.carbon == .sent, let id = inbound.message.id, let room = inbound.message.to?.bare {
        isKnown(id, as: inbound.archiveID.flatMap { StanzaID.ofRoom(room, $0) })
      }
      guard !inbound.relations.isEmpty else { return .pass }
      let room = (inbound.carbon == .sent ? inbound.message.to : inbound.message.from)?.bare
      if let room { inbound.relations = inbound.relations.map { bySender($0, in: room) } }
      return .pass
    }
    routes.onSending(.prepare) { [unowned self] message in
      message.kind == .groupchat ? prepared(message) : nil
    }
  }

  private func remember(_ id: String, by archived: String) {
    // Longer ones are looked up in the log, or name nothing.
    guard id.utf8.count + archived.utf8.count <= 2 * StanzaLimits.relatedIDBytes else { return }
    // As in the log, an id stays with the first message that has it.
    guard underWay[archived] == nil, underWayBefore[archived] == nil else { return }
    if underWay.count >= FeatureLimits.roomMessagesUnderWay { (underWayBefore, underWay) = (underWay, [:]) }
    underWay[archived] = id
  }

  private func bySender(_ relation: MessageRelation, in room: JID) -> MessageRelation {
    switch relation {
    // It is about one of the sender's own (XEP-0308 5).
    case .replaces: relation
    case .retracts(let id): .retracts(senders(id, in: room))
    case .replies(let id, let quote): .replies(to: senders(id, in: room), quote: quote)
    case .reacts(let id, let with): .reacts(to: senders(id, in: room), with: with)
    }
  }

  private func senders(_ id: String, in room: JID) -> String {
    let archived = StanzaID.stored(id, in: room)
    if let known = underWay[archived] ?? underWayBefore[archived] { return known }
    context.intake.logArrivals()
    // The store has reported its error; one that is not here may have been meant by its sender's id.
    return (try? context.stores.log?.id(ofArchived: id, in: room)) ?? id
  }

  /// What is about a message of ours that the room has not sent back yet waits for what the room calls that.
  private func prepared(_ message: Message) -> Preparation {
    guard message.kind == .groupchat, let room = message.to?.bare else { return .ready(message) }
    // A single command looks at nothing that comes from a room.
    guard !context.delivery.isForOneCommand else { return .ready(byRoom(message, in: room)) }
    let open = message.payloads.lazy.compactMap { Self.named(by: $0) }
      .first { [context] in context.delivery.awaitsReflection($0, in: room) }
    guard let open else { return .ready(byRoom(message, in: room)) }
    return .later { [weak self] in
      guard let self else { return .ready(message) }
      let archived = await reflection(of: open, in: room)
      return .ready(byRoom(message, in: room, knowing: archived.map { [open: $0] } ?? [:]))
    }
  }

  /// - Returns: what the room calls it; nil: it does not say.
  private func reflection(of id: String, in room: JID) async -> String? {
    guard context.delivery.awaitsReflection(id, in: room) else {
      // It came in this very moment, and is on its way into the log.
      context.intake.logArrivals()
      return nil
    }
    let list = awaited[id] ?? WaitingList()
    awaited[id] = list
    let archived = try? await list.wait(for: FeatureLimits.reflectionAwaited, on: context.clock) {
      CancellationError()
    }
    if awaited[id] === list, list.count == 0 { awaited[id] = nil }
    return archived ?? nil
  }

  private func isKnown(_ id: String, as archived: String?) { awaited.removeValue(forKey: id)?.end(.success(archived)) }

  /// The id of the earlier message that something of a message names, where it is to be the room's.
  private static func named(by payload: Element) -> String? {
    names[payload.name] == payload.namespace ? payload.attribute("id") : nil
  }

  /// - Parameter known: what the room calls messages, by their senders' ids, beside what the log knows.
  private func byRoom(_ message: Message, in room: JID, knowing known: [String: String] = [:]) -> Message {
    var message = message
    for (place, payload) in message.payloads.enumerated() {
      guard let id = Self.named(by: payload),
        let archived = known[id] ?? (try? context.stores.log?.archiveID(ofMessage: id, in: room)) ?? nil
      else { continue }
      message.payloads[place] = Element(
        payload.name, payload.namespace, ["id": archived, "to": payload.attribute("to")], Array(payload.children))
    }
    return message
  }
}
