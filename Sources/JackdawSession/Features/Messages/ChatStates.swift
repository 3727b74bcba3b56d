// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Chat states: who is typing.
///
/// Only the two that people see are told: typing, and no more. They go to those whose client has told any, or announces that it knows
/// them (XEP-0085 5.1), and whom ``Disclosures`` allows it; in rooms to all who are there (XEP-0085 5.5).
@Client package final class ChatStates: Feature {
  package nonisolated static let namespace = "http://jabber.org/protocol/chatstates"
  /// What says that its sender is there. The same in every message: made once.
  private static let active = Element("active", namespace)
  package nonisolated static let about = FeatureDescription(
    "XEP-0085", "Chat State Notifications", version: "2.1", discoFeatures: [namespace],
    scope: "typing, paused and active are told and shown, in rooms too; inactive and gone are understood")

  private let context: FeatureContext
  /// Those who type, until they would have to say it again. Bounded by twice ``FeatureLimits/typists``: whoever is in a room takes no
  /// friend's place.
  private var typists: [Typist: LoopTimer] = [:]
  /// People whose clients tell such things. Bounded by ``FeatureLimits/typists`` strangers, the contacts, and those to whom the user
  /// has written.
  private var knowing: Set<JID> = []
  private var own = Typing.nothing
  private var pause: LoopTimer?

  private struct Typist: Hashable {
    var from: JID
    /// For all who are in a room, and not for the user alone.
    var isForRoom: Bool
  }

  /// What was last told of the user.
  private enum Typing: Equatable {
    case nothing
    case composing(JID)
    case paused(JID)

    /// Whom it was told.
    var jid: JID? {
      switch self {
      case .nothing: nil
      case .composing(let jid), .paused(let jid): jid
      }
    }
  }

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onSending(.prepare) { [unowned self] message in
      say(in: &message)
      return nil
    }
    routes.onMessage(.deliver) { [unowned self] inbound in
      // Most hold nothing at all, while nobody types.
      if !typists.isEmpty || !inbound.message.payloads.isEmpty { take(inbound) }
      return .pass
    }
    routes.onPresence { [unowned self] presence in
      if presence.kind == .unavailable, let from = presence.from {
        stopped(Typist(from: from, isForRoom: false), as: .gone)
      }
    }
  }

  package func streamLost() {
    for typist in typists.keys { stopped(typist, as: .gone) }
    (own, pause, knowing) = (.nothing, nil, [])
  }

  package func sessionEnded() { streamLost() }

  // MARK: Theirs

  /// Those who are typing in a conversation: a person's devices; of a room, those who are in it.
  package func typists(in conversation: JID) -> [JID] {
    let isRoom = isRoom(conversation)
    let found = typists.keys.lazy.filter { typist in
      // Private words in a room are with one who is there.
      isRoom && conversation.resource != nil
        ? typist.from == conversation && !typist.isForRoom
        : typist.from.bare == conversation.bare && typist.isForRoom == isRoom
    }
    return found.map(\.from).sorted { $0.description < $1.description }
  }

  private func isRoom(_ jid: JID) -> Bool { context.links.rooms?.isRoom(jid.bare) ?? false }

  private func take(_ inbound: InboundMessage) {
    // What comes late says nothing of now.
    guard inbound.carbon == nil, inbound.delayed == nil, let from = inbound.message.from, from.bare != account else {
      return
    }
    let typist: Typist
    switch inbound.message.kind {
    case .chat, .normal: typist = Typist(from: from, isForRoom: false)
    case .groupchat where from.resource != nil && isRoom(from): typist = Typist(from: from, isForRoom: true)
    case .groupchat, .headline, .error: return
    }
    let state = Self.state(in: inbound.message.payloads)
    if state != nil, !typist.isForRoom, knowing.count < FeatureLimits.typists || isTold(from) {
      knowing.insert(from.bare)
    }
    switch state {
    case .composing where inbound.message.body == nil: started(typist)
    // A message says that what was typed is sent, were it to say as well that more is being typed.
    case let state?: stopped(typist, as: state == .composing ? .active : state)
    // Who has sent what they typed types no more.
    case nil: if inbound.message.body != nil { stopped(typist, as: .active) }
    }
  }

  private static func state(in payloads: [Element]) -> TypingChanged.State? {
    // A loop: closures would check the actor at each call.
    for payload in payloads where payload.namespace == namespace {
      if let state = TypingChanged.State(rawValue: payload.name) { return state }
    }
    return nil
  }

  private var account: JID { context.identity.account }

  /// It is told of them that they type, and may be told to them of the user: strangers they are not.
  private func isTold(_ jid: JID) -> Bool {
    context.links.maySeePresence(jid) || context.links.showsPresence(jid)
      || context.disclosures.allows(.typing, to: jid)
  }

  private func started(_ typist: Typist) {
    let jid = typist.from
    let isOfRoom = isRoom(jid)
    guard typist.isForRoom || isOfRoom || isTold(jid) else { return }
    let isNews = typists[typist] == nil
    guard !isNews || typists.keys.count(where: { isRoom($0.from) == isOfRoom }) < FeatureLimits.typists else { return }
    typists[typist] = context.clock.schedule(after: FeatureLimits.typingEnd) { [weak self] in
      self?.stopped(typist, as: .paused)
    }
    if isNews { context.events.post(TypingChanged(from: jid, state: .composing)) }
  }

  private func stopped(_ typist: Typist, as state: TypingChanged.State) {
    // Mostly nobody is.
    guard !typists.isEmpty, typists.removeValue(forKey: typist) != nil else { return }
    context.events.post(TypingChanged(from: typist.from, state: state))
  }

  // MARK: The user's

  /// The user has pressed a key.
  /// - Parameter jid: who would get what stands on the input line as a message; nil: nobody.
  package func typed(to jid: JID?) {
    let jid = jid.map(recipient)
    if own.jid != jid { stop() }
    guard let jid, mayTell(jid) else { return }
    if own != .composing(jid) {
      own = .composing(jid)
      tell("composing", jid)
    }
    pause = context.clock.schedule(after: FeatureLimits.typingPause) { [weak self] in
      guard let self, own == .composing(jid) else { return }
      own = .paused(jid)
      tell("paused", jid)
    }
  }

  /// Whom what is typed would go to: everybody there, somebody there, or all of a person's devices.
  private func recipient(_ jid: JID) -> JID { isRoom(jid) ? jid : jid.bare }

  private func stop() {
    guard let jid = own.jid else { return }
    (own, pause) = (.nothing, nil)
    if mayTell(jid) { tell("active", jid) }
  }

  private func mayTell(_ jid: JID) -> Bool {
    guard context.links.isAvailable, jid != account else { return false }
    if isRoom(jid) { return context.disclosures.allows(.typing, to: jid) }
    guard knowing.contains(jid) || context.links.anySupports?(Self.namespace, jid) == true else { return false }
    return context.disclosures.allows(.typing, to: jid)
  }

  private func tell(_ state: String, _ jid: JID) {
    let isRoom = isRoom(jid)
    var message = Message(
      kind: isRoom && jid.isBare ? .groupchat : .chat, id: context.freshID(), to: jid, body: nil,
      payloads: [Element(state, Self.namespace), Element("no-store", Hints.namespace)])
    // It is for one who is there (XEP-0045 7.5).
    if isRoom, !jid.isBare { message.payloads.append(Element("x", Namespace.roomUser)) }
    // Without a stream there is nobody to be told.
    try? context.stanzas.send(message.element)
  }

  /// A message says that its sender is there (XEP-0085 5.3), and that what was typed is sent.
  private func say(in message: inout Message) {
    guard message.isText, let to = message.to, context.disclosures.allows(.typing, to: to) else { return }
    if let told = own.jid, told == recipient(to) { (own, pause) = (.nothing, nil) }
    message.payloads.append(Self.active)
  }
}
