// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Displayed markers: up to which message they have read, and the user has.
///
/// What is read is noted in the log by whoever shows it, in any run of the program; who wrote it is told a moment later, or when there
/// is a stream. Whom that is told is for ``Disclosures`` to say.
@Client package final class ChatMarkers: Feature {
  package nonisolated static let namespace = "urn:xmpp:chat-markers:0"
  /// What asks to be told that a message is read. The same in every message: made once.
  private static let question = Element("markable", namespace)
  package nonisolated static let about = FeatureDescription(
    "XEP-0333", "Displayed Markers", version: "1.0.0", discoFeatures: [namespace],
    scope:
      "asked for with each message that has a text; the last one that was read is told, by conversation, in small rooms of members too"
  )

  private let context: FeatureContext
  private let store: (any PrivacyStore)?
  private var timer: LoopTimer?
  private var entering: Subscription?
  /// While anything is awaited: else it would be asked about each message that comes.
  private var arrivals: Subscription?
  /// Of each conversation, the message that another device of ours has read last, where that is not in the log yet: a page of the
  /// archive has it together with the marker. Bounded by ``FeatureLimits/awaitedMarkers``.
  private var awaited: [JID: String] = [:]
  /// Of each room, who has said that they have read the last message of ours that anybody has read. Bounded by the rooms, and each by
  /// ``FeatureLimits/readers``.
  private var readers: [JID: (message: String, nicks: Set<String>)] = [:]
  /// Called when what another device has read was noted in the log.
  package var onApplied: (@Client () -> Void)?

  /// Hears from then on what is read here; does nothing about it where no log is kept.
  package init(_ context: FeatureContext) {
    self.context = context
    store = context.stores.log?.privacy
    context.stores.readMarks?.whenMarked { [weak self] in self?.tellSoon() }
    context.links.whenSeenElsewhere = { [weak self] in self?.onApplied?() }
    entering = context.events.on(RoomChanged.self) { [weak self] in if $0.change == .joined { self?.tellSoon() } }
  }

  package func install(in routes: RouteTable) {
    routes.onSending(.prepare) { [unowned self] message in
      context.disclosures.ask(.markers, by: Self.question, in: &message)
      return nil
    }
    routes.onMessage(.interpret, holding: [Self.namespace]) { [unowned self] inbound in
      for payload in inbound.message.payloads where payload.namespace == Self.namespace {
        switch payload.name {
        case "markable": inbound.questions.insert(.marker)
        case "received": take(payload, in: inbound, .delivered)
        // Who has done something about a message has seen it (XEP-0333 before its version 1.0).
        case "displayed", "acknowledged": take(payload, in: inbound, .displayed)
        default: break
        }
      }
      return .pass
    }
  }

  private func take(_ marker: Element, in inbound: InboundMessage, _ state: DeliveryState) {
    guard let from = inbound.message.from, let id = MessageRelation.id(of: marker) else { return }
    if inbound.message.kind == .groupchat {
      if state == .displayed { take(id, inRoom: inbound, from) }
    } else if inbound.carbon == .sent {
      if state == .displayed { wasRead(id, by: inbound.message.to) }
    } else {
      context.delivery.heard(of: id, from: from, state, inbound.reportOrigin)
    }
  }

  /// In rooms messages are named by what the room calls them, and many may have read one.
  private func take(_ archived: String, inRoom inbound: InboundMessage, _ from: JID) {
    // What came before we were there has been read by whoever was.
    guard inbound.delayed == nil, let nick = from.resource, let log = context.stores.log else { return }
    context.intake.logArrivals()
    // The store has reported its error.
    let id = (try? log.id(ofArchived: archived, in: from.bare)) ?? archived
    if inbound.carbon == .sent { return wasRead(id, by: from) }
    guard (try? log.message(ofID: id, in: from.bare, isOutgoing: true)) != nil else { return }
    var readers = readers[from.bare] ?? (id, [])
    if readers.message != id { readers = (id, []) }
    guard readers.nicks.count < FeatureLimits.readers, readers.nicks.insert(nick).inserted else { return }
    self.readers[from.bare] = readers
    context.delivery.wasRead(id, in: from.bare, by: from)
  }

  /// Another device of ours has told somebody that we have read a message: so it is read, and they know.
  private func wasRead(_ id: String, by sender: JID?) {
    guard let conversation = sender?.bare, let log = context.stores.log else { return }
    context.intake.logArrivals()
    // The store has reported its error.
    if let number = (try? log.number(ofID: id, in: conversation)) ?? nil {
      noteRead(conversation, through: number)
    } else {
      if awaited.count >= FeatureLimits.awaitedMarkers { awaited = [:] }
      awaited[conversation] = id
      arrivals = arrivals ?? context.events.on(MessageArrived.self) { [weak self] in self?.arrived($0) }
    }
  }

  private func arrived(_ message: MessageArrived) {
    guard message.carbon != .sent, let id = message.id, awaited[message.conversation] == id,
      let place = message.place
    else { return }
    awaited[message.conversation] = nil
    if awaited.isEmpty { arrivals = nil }
    noteRead(message.conversation, through: place.seq)
  }

  private func noteRead(_ conversation: JID, through number: Int64) {
    guard let store, number > 0 else { return }
    // The store has reported its error.
    try? store.wasSent(UnsentMarker(conversation: conversation, question: nil, number: number), isRead: true)
    onApplied?()
  }

  // MARK: What was read here

  /// What an earlier run, or one without a connection, has left.
  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in self?.tellSoon() }
  }

  package func streamResumed() { tellSoon() }
  package func leaving() async { tell() }
  package func sessionEnded() { timer = nil }

  private func tellSoon() {
    guard timer == nil, store != nil else { return }
    timer = context.clock.schedule(after: FeatureLimits.markerDelay) { [weak self] in
      self?.timer = nil
      self?.tell()
    }
  }

  private func tell() {
    // The store has reported its error; what is to be told stays there.
    guard context.links.isAvailable, let store,
      let markers = try? store.unsentMarkers(limit: FeatureLimits.markersAtOnce)
    else { return }
    var isStuck = false
    for marker in markers {
      // It is told once we are there.
      if marker.question?.isInRoom == true, context.links.rooms?.isBeingEntered(marker.conversation) == true {
        isStuck = true
        continue
      }
      if let question = marker.question, context.disclosures.allows(.markers, to: marker.conversation) {
        // To that device, as it may be a command that waits for it and takes nothing else; the others get copies.
        let message = Message(
          kind: question.isInRoom ? .groupchat : .chat, id: context.freshID(), to: question.sender, body: nil,
          payloads: [Element("displayed", Self.namespace, ["id": question.id]), Element("store", Hints.namespace)])
        // Without a stream it is told on the next one.
        guard (try? context.stanzas.send(message.element)) != nil else { return }
      }
      guard (try? store.wasSent(marker)) != nil else { return }
    }
    if markers.count == FeatureLimits.markersAtOnce, !isStuck { tellSoon() }
  }
}
