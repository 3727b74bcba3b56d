// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Message carbons: what our other devices send and get comes here too.
///
/// A carbon puts words into the mouths of others, and into ours, so that only our own server may send one, in the name of
/// our account; one from anybody else is dropped whole, and counted.
@Client package final class MessageCarbons: Feature {
  package nonisolated static let namespace = Carbon.namespace
  package nonisolated static let about = FeatureDescription(
    "XEP-0280", "Message Carbons", version: "1.0.1", namespaces: [namespace, Forwarded.namespace],
    scope: "enabled at log-in; copies unwrapped and marked as such; all that we send may be copied")

  /// What is wrapped counts, and not what it is wrapped in.
  package nonisolated static var before: [any Feature.Type] {
    [StanzaIDs.self, DelayedDelivery.self, PersonalEvents.self]
  }

  package nonisolated static var switchedOnAtBind: [String] { [namespace] }

  private let context: FeatureContext

  /// The server sends us copies on this stream.
  package private(set) var isEnabled = false {
    didSet { context.intake.hasCopies = isEnabled }
  }
  /// Copies that were dropped: from somebody who may not send any, or malformed.
  package private(set) var refusedCount = 0

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.unwrap, holding: [Self.namespace]) { [unowned self] in unwrap(&$0) }
  }

  package nonisolated static var askedAtLogin: String { "copies of what your other devices send and get" }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in try await self?.enable() }
  }

  package func streamLost() { isEnabled = false }

  // MARK: Enabling

  /// Has the server send us copies, if it can.
  ///
  /// Whether it can is its word in service discovery, which is asked for at the same time. Where it announces what is known
  /// already (XEP-0115 6.3) there is nothing to wait for. Elsewhere the request goes out unseen: one that knows no carbons
  /// answers with an error, which does no harm, while waiting for its word first would cost every log-in a round trip.
  private func enable() async throws(RequestError) {
    guard !context.identity.switchedOn.contains(Self.namespace) else { return isEnabled = true }
    if let known = context.knownServer, !known.supports(Self.namespace) { return }
    let request = IQ(kind: .set, payload: Element("enable", Self.namespace))
    do {
      _ = try await context.requests.request(request, timeout: .after(context.timeout))
      isEnabled = true
    } catch {
      if !error.meansNotOffered { throw error }
    }
  }

  // MARK: Unwrapping

  private struct Refusal: Error { let reason: String }

  private func unwrap(_ inbound: inout InboundMessage) -> StageVerdict {
    guard Carbon.isHeld(by: inbound.message) else { return .pass }
    do throws(Refusal) {
      let unwrapped = try copy(in: inbound)
      guard unwrapped.message.kind != .error else {
        cameBack(unwrapped.message)
        return .drop
      }
      inbound = unwrapped
      return .pass
    } catch {
      refusedCount += 1
      let sender = inbound.message.from?.description ?? "nobody"
      context.remark("Ignored a carbon from \(sender): \(error.reason)")
      return .drop
    }
  }

  /// Something that another device sent came back to it.
  private func cameBack(_ message: Message) {
    // The copy of what was sent may have come just before.
    context.intake.logArrivals()
    guard !context.delivery.bouncedElsewhere(message) else { return }
    context.remark("An error came for a message that is not in the log, or has arrived.")
  }

  /// What was said on another device. The message around it says nothing itself.
  private func copy(in wrapper: InboundMessage) throws(Refusal) -> InboundMessage {
    // CVE-2017-5589 and its like: anybody else could say anything in anybody's name. Not even our own devices may.
    guard context.identity.isOwnAccount(wrapper.message.from) else {
      throw Refusal(reason: "only our own account may send one")
    }
    let carbons = wrapper.message.payloads.filter { Carbon.isOne($0) }
    guard carbons.count == 1 else { throw Refusal(reason: "there are several in one") }
    let forwarded: Forwarded
    do throws(StanzaFormatError) {
      forwarded = try Forwarded(in: carbons[0])
    } catch {
      throw Refusal(reason: error.description)
    }
    let direction: MessageArrived.Carbon = carbons[0].name == "sent" ? .sent : .received
    try check(forwarded.message, direction)
    var copy = InboundMessage(forwarded.message)
    copy.carbon = direction
    // Only our server wrote this: its stamp counts whatever its `from`. The outer one tells of the copy's own way.
    copy.delayed = forwarded.stamp?.clamped(notAfter: context.calendar())
    return copy
  }

  private func check(_ message: Message, _ direction: MessageArrived.Carbon) throws(Refusal) {
    guard let from = message.from, let to = message.to else {
      throw Refusal(reason: "it lacks a sender or an addressee")
    }
    switch message.kind {
    case .chat, .normal, .headline: break
    // What another device sent came back to it: its id is known here by the copy of what was sent.
    case .error where direction == .received: break
    // Nobody sends errors to anybody by hand, and rooms tell each device themselves.
    case .error, .groupchat: throw Refusal(reason: "messages of type '\(message.kind.rawValue)' are not copied")
    }
    guard !Carbon.isHeld(by: message) else { throw Refusal(reason: "it holds another one") }
    guard !message.payloads.contains(where: { $0.matches("private", Self.namespace) }) else {
      throw Refusal(reason: "the message was not to be copied")
    }
    let account = context.identity.account
    switch direction {
    case .sent:
      guard from.bare == account else { throw Refusal(reason: "we did not send what it says that we sent") }
      guard from != context.identity.bound else { throw Refusal(reason: "it was sent from here") }
    case .received:
      guard to.bare == account else { throw Refusal(reason: "what it says that we got is for somebody else") }
      guard to != context.identity.bound else { throw Refusal(reason: "the message itself comes here") }
    }
  }
}
