// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Delivery receipts: whether a message has come to a device of theirs, and of ours.
///
/// Who is told is for ``Disclosures`` to say. Each message is answered when it is told as news, once, whichever way it came; what is
/// read of times before is not.
@Client package final class DeliveryReceipts: Feature {
  package nonisolated static let namespace = "urn:xmpp:receipts"
  /// What asks to be told that a message has arrived. The same in every message: made once.
  private static let question = Element("request", namespace)
  package nonisolated static let about = FeatureDescription(
    "XEP-0184", "Message Delivery Receipts", version: "1.4.0", discoFeatures: [namespace],
    scope:
      "asked for with each message that has a text; answered to contacts, and where the user has written before")

  private let context: FeatureContext
  private var arrivals: Subscription?

  /// Hears from then on of messages that are news.
  package init(_ context: FeatureContext) {
    self.context = context
    arrivals = context.events.on(MessageArrived.self) { [weak self] in
      // Asked first: most messages do not ask for one, and to follow a weak reference takes longer.
      if $0.questions.contains(.receipt) { self?.answer($0) }
    }
  }

  package func install(in routes: RouteTable) {
    routes.onSending(.prepare) { [unowned self] message in
      context.disclosures.ask(.receipts, by: Self.question, in: &message)
      return nil
    }
    routes.onMessage(.interpret, holding: [Self.namespace]) { [unowned self] inbound in
      for payload in inbound.message.payloads where payload.namespace == Self.namespace {
        switch payload.name {
        case "request": inbound.questions.insert(.receipt)
        case "received": take(payload, in: inbound)
        default: break
        }
      }
      return .pass
    }
  }

  private func take(_ receipt: Element, in inbound: InboundMessage) {
    // What another device of ours has told them says nothing of a message of ours.
    guard inbound.carbon != .sent, inbound.message.kind != .groupchat, let from = inbound.message.from,
      let id = MessageRelation.id(of: receipt)
    else {
      return
    }
    context.delivery.heard(of: id, from: from, .delivered, inbound.reportOrigin)
  }

  private func answer(_ message: MessageArrived) {
    guard message.carbon == nil, let id = message.id,
      message.kind == .chat || message.kind == .normal, context.disclosures.allows(.receipts, to: message.from)
    else { return }
    if let sent = message.delayed, context.calendar().milliseconds - sent.milliseconds > FeatureLimits.receiptAge {
      return
    }
    let receipt = Message(
      kind: message.kind, id: context.freshID(), to: message.from, body: nil,
      payloads: [Element("received", Self.namespace, ["id": id]), Element("store", Hints.namespace)])
    // Without room, or a stream, the sender has to do without.
    try? context.stanzas.answer(receipt.element, isForStranger: !context.links.maySeePresence(message.from))
  }
}

/// Hints for servers on what to do with a message (XEP-0334).
enum Hints {
  static let namespace = "urn:xmpp:hints"
}

extension Disclosures {
  /// Asks in a message of ours for what we tell ourselves, where it has a text and the user wants that.
  func ask(_ what: Disclosure, by question: Element, in message: inout Message) {
    guard message.isText, let to = message.to, !message.isForOccupant else { return }
    if message.kind == .groupchat {
      guard allows(what, to: to) else { return }
    } else {
      guard isWanted(what, writingTo: to) else { return }
    }
    message.payloads.append(question)
  }
}

extension Message {
  /// It is private in a room (XEP-0045 7.5).
  fileprivate var isForOccupant: Bool {
    payloads.contains { $0.matches("x", Namespace.roomUser) }
  }

  /// It has a text of ours, and does not only say something of an earlier message.
  var isText: Bool {
    body != nil && (kind == .chat || kind == .normal || kind == .groupchat)
      && !payloads.contains { $0.matches("retract", MessageRelation.Namespace.retraction) }
  }
}
