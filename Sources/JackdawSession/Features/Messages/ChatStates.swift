// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Chat states: who is typing.
///
/// Only the two that people see are told: typing, and no more. They go to those whose client has told any, or announces that it knows
/// them (XEP-0085 5.1), and whom ``Disclosures`` allows it.
@Client package final class ChatStates: Feature {
  package nonisolated static let namespace = "http://jabber.org/protocol/chatstates"
  package nonisolated static let about = FeatureDescription(
    "XEP-0085", "Chat State Notifications", version: "2.1", discoFeatures: [namespace],
    scope: "typing, paused and active are told and shown; inactive and gone are understood")

  private let context: FeatureContext
  /// Those who type, by their full addresses, until they would have to say it again. Bounded by ``FeatureLimits/typists``.
  private var typists: [JID: LoopTimer] = [:]
  /// People whose clients tell such things. Bounded by ``FeatureLimits/typists``.
  private var knowing: Set<JID> = []
  private var own = Typing.nothing
  private var pause: LoopTimer?

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
    routes.onSending(.prepare) { [unowned self] in .ready(prepared($0)) }
    routes.onMessage(.deliver) { [unowned self] inbound in
      take(inbound)
      return .pass
    }
    routes.onPresence { [unowned self] presence in
      if presence.kind == .unavailable, let from = presence.from { stopped(from, as: .gone) }
    }
  }

  package func streamLost() {
    for typist in typists.keys { stopped(typist, as: .gone) }
    (own, pause, knowing) = (.nothing, nil, [])
  }

  package func sessionEnded() { streamLost() }

  // MARK: Theirs

  /// Whether somebody is typing, on any of their devices.
  package func isTyping(_ jid: JID) -> Bool { typists.keys.contains { $0.bare == jid.bare } }

  private func take(_ inbound: InboundMessage) {
    // What comes late says nothing of now.
    guard inbound.carbon == nil, inbound.delayed == nil, let from = inbound.message.from, from.bare != account,
      inbound.message.kind == .chat || inbound.message.kind == .normal
    else { return }
    let state = inbound.message.payloads.lazy.filter { $0.namespace == Self.namespace }
      .compactMap { TypingChanged.State(rawValue: $0.name) }.first
    if state != nil, knowing.count < FeatureLimits.typists { knowing.insert(from.bare) }
    switch state {
    case .composing where inbound.message.body == nil: started(from)
    case let state?: stopped(from, as: state)
    // Who has sent what they typed types no more.
    case nil: if inbound.message.body != nil { stopped(from, as: .active) }
    }
  }

  private var account: JID { context.identity.account }

  private func started(_ jid: JID) {
    guard
      context.links.maySeePresence(jid) || context.links.showsPresence(jid)
        || context.disclosures.allows(.typing, to: jid)
    else { return }
    let isNews = typists[jid] == nil
    guard !isNews || typists.count < FeatureLimits.typists else { return }
    typists[jid] = context.clock.schedule(after: FeatureLimits.typingEnd) { [weak self] in
      self?.stopped(jid, as: .paused)
    }
    if isNews { context.events.post(TypingChanged(from: jid, state: .composing)) }
  }

  private func stopped(_ jid: JID, as state: TypingChanged.State) {
    guard typists.removeValue(forKey: jid) != nil else { return }
    context.events.post(TypingChanged(from: jid, state: state))
  }

  // MARK: The user's

  /// The user has pressed a key.
  /// - Parameter jid: who would get what stands on the input line as a message; nil: nobody.
  package func typed(to jid: JID?) {
    let jid = jid?.bare
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

  private func stop() {
    guard let jid = own.jid else { return }
    (own, pause) = (.nothing, nil)
    if mayTell(jid) { tell("active", jid) }
  }

  private func mayTell(_ jid: JID) -> Bool {
    guard context.links.isAvailable, jid != account else { return false }
    guard knowing.contains(jid) || context.links.anySupports?(Self.namespace, jid) == true else { return false }
    return context.disclosures.allows(.typing, to: jid)
  }

  private func tell(_ state: String, _ jid: JID) {
    let message = Message(
      kind: .chat, id: context.freshID(), to: jid, body: nil,
      payloads: [Element(state, Self.namespace), Element("no-store", Hints.namespace)])
    // Without a stream there is nobody to be told.
    try? context.stanzas.send(message.element)
  }

  /// A message says that its sender is there (XEP-0085 5.3), and that what was typed is sent.
  private func prepared(_ message: Message) -> Message {
    guard message.isText, let to = message.to, context.disclosures.allows(.typing, to: to) else { return message }
    if own.jid == to.bare { (own, pause) = (.nothing, nil) }
    var message = message
    message.payloads.append(Element("active", Self.namespace))
    return message
  }
}
