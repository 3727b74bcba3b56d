// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Proposals of calls (XEP-0353): that somebody calls is said, once a call. What becomes of it afterwards is silent, but a call that
/// another device of ours has answered, or refused, is not unread.
@Client package final class CallProposals: Feature {
  private nonisolated static let namespace = "urn:xmpp:jingle-message:0"
  private nonisolated static let media = "urn:xmpp:jingle:apps:rtp:1"

  package nonisolated static let about = FeatureDescription(
    "XEP-0353", "Jingle Message Initiation", version: "0.8.0", namespaces: [namespace, media],
    scope:
      "that somebody calls is said, once a call, and unread until another device answers; there are no calls, and none is proposed",
    isPartial: true)

  /// What a device of ours says that takes a call, refuses it, or has ended it.
  private static let answers: Set<String> = ["proceed", "accept", "reject", "finish"]

  private struct Call: Hashable {
    var person: JID
    var id: String
  }

  private let context: FeatureContext
  /// Once any has been answered: else it would be asked about each message that comes.
  private var arrivals: Subscription?
  /// Bounded by ``FeatureLimits/calls``.
  private var known: Set<Call> = []
  /// The ids of calls that another device has seen to: of a page of the archive the answer is known before the proposal is in the log.
  /// Bounded by ``FeatureLimits/calls``.
  private var answered: Set<String> = []

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Self.namespace]) { [unowned self] inbound in
      if isOwn(inbound) {
        takeAnswer(inbound)
        return .pass
      }
      guard let person = inbound.message.from?.bare, let call = Self.call(in: inbound.message.payloads) else {
        return .pass
      }
      if known.count >= FeatureLimits.calls { known = [] }
      guard known.insert(Call(person: person, id: call.id ?? "")).inserted else { return .pass }
      inbound.carry(call)
      return .pass
    }
    routes.onComingAgain { [unowned self] inbound in
      guard let call = inbound.payload?.content, call.kind == .call, let person = inbound.message.from?.bare else {
        return
      }
      known.remove(Call(person: person, id: call.id ?? ""))
    }
  }

  /// Another device of ours wrote it: to whoever calls, or, before version 0.4 of the specification, to all of our devices.
  private func isOwn(_ inbound: InboundMessage) -> Bool {
    inbound.carbon == .sent || inbound.message.from?.bare == context.identity.account
  }

  private func takeAnswer(_ inbound: InboundMessage) {
    for payload in inbound.message.payloads
    where payload.namespace == Self.namespace && Self.answers.contains(payload.name) {
      guard let id = payload.attribute("id").nonEmpty?.cut(toBytes: PayloadLimits.nameBytes) else { continue }
      if answered.count >= FeatureLimits.calls { answered = [] }
      answered.insert(id)
      arrivals = arrivals ?? context.events.on(MessageArrived.self) { [weak self] in self?.arrived($0) }
      let other = inbound.message.to?.bare
      let caller = other == context.identity.account ? known.first { $0.id == id }?.person : other
      guard let caller else { continue }
      context.intake.logArrivals()
      note(id, of: caller)
    }
  }

  private func arrived(_ message: MessageArrived) {
    guard message.carbon != .sent, let call = message.payload?.content, call.kind == .call,
      let id = call.id, answered.contains(id)
    else { return }
    note(id, of: message.from)
  }

  private func note(_ id: String, of caller: JID) {
    // The store has reported its error.
    guard (try? context.stores.readMarks?.callWasAnswered(id, of: caller)) == true else { return }
    context.links.whenSeenElsewhere?()
  }

  static func call(in payloads: [Element]) -> MessageContent? {
    for payload in payloads where payload.matches("propose", namespace) {
      guard let id = payload.attribute("id").nonEmpty else { continue }
      var call = MessageContent(.call)
      call.id = id.cut(toBytes: PayloadLimits.nameBytes)
      var kinds: [String] = []
      for child in payload.children where child.matches("description", media) && kinds.count < PayloadLimits.items {
        if let kind = child.attribute("media").nonEmpty, !kinds.contains(kind) { kinds.append(kind) }
      }
      call.type = kinds.isEmpty ? nil : kinds.joined(separator: ", ")
      return call
    }
    return nil
  }
}
