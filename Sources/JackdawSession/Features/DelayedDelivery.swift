// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Delayed delivery: when a message was sent that our server kept for us. What comes while we are there has just been said: a stamp
/// on it is its sender's.
@Client package final class DelayedDelivery: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0203", "Delayed Delivery", version: "2.0", namespaces: [Delay.namespace],
    scope: "stamps of our own server and account are read, those of anybody else ignored")

  private let context: FeatureContext
  /// When the stream began or went on.
  private var began: MonotonicTime?
  /// The first request behind what has the server bring what it kept; nil: it has not been asked for it on this stream.
  private var firstRequestBehind: UInt64?
  /// When something last came that the server had kept.
  private var lastStored: MonotonicTime?

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.unwrap, holding: Delay.namespaces) { [unowned self] inbound in
      if inbound.delayed == nil { inbound.delayed = stamp(of: inbound.message) }
      return .pass
    }
    context.links.onShown { [unowned self] presence in shown(presence) }
  }

  package func streamBegan() { (began, firstRequestBehind) = (context.clock.now, nil) }

  package func streamResumed() { (began, firstRequestBehind) = (context.clock.now, context.requests.nextSerial) }

  /// What is stored comes to whoever is available for the first time with a priority that is not negative (RFC 6121 8.5.2.2).
  private func shown(_ presence: Presence) {
    guard firstRequestBehind == nil, presence.kind == .available, presence.priority >= 0 else { return }
    firstRequestBehind = context.requests.nextSerial
  }

  /// Anybody can write a stamp (XEP-0203 7), and a sender could even write one in our server's name, in either form; what our server
  /// adds stands behind it. None is from the future.
  private func stamp(of message: Message) -> Timestamp? {
    guard let stamp = ownServersStamp(message.payloads), mayBeStored else { return nil }
    lastStored = context.clock.now
    return stamp.clamped(notAfter: context.calendar())
  }

  /// The legacy form counts only where there is no other: no server writes it behind one that it writes as XEP-0203 says.
  private func ownServersStamp(_ payloads: [Element]) -> Timestamp? {
    let own = Delay.all(in: payloads).filter { $0.from.map(context.identity.isOwnServer) ?? false }
    return (own.last { !$0.isLegacy } ?? own.last)?.stamp
  }

  /// What is kept comes in one go, however long that takes, and before the answer to whatever was asked behind it. Where nothing was,
  /// whoever writes a stamp each minute must not hold it open for ever.
  private var mayBeStored: Bool {
    if let firstRequestBehind, let answered = context.requests.lastAnswered, answered >= firstRequestBehind {
      return false
    }
    guard let start = [began, context.links.availableSince].compactMap({ $0 }).max() else { return true }
    let now = context.clock.now
    return now - max(start, lastStored ?? start) <= SessionLimits.storedMessagesPatience
      && now - start <= SessionLimits.storedMessagesTime
  }
}
