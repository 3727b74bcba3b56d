// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// Delayed delivery: when a message was sent that our server kept for us.
@Client package final class DelayedDelivery: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0203", "Delayed Delivery", version: "2.0", namespaces: [Delay.namespace],
    scope: "stamps of our own server and account are read, those of anybody else ignored")

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.unwrap) { [unowned self] inbound in
      if inbound.delayed == nil { inbound.delayed = stamp(of: inbound.message) }
      return .pass
    }
  }

  /// Anybody can write a stamp (XEP-0203 7), and a sender could even write one in our server's name; what our server
  /// adds stands behind it. None is from the future.
  private func stamp(of message: Message) -> Timestamp? {
    guard !message.payloads.isEmpty else { return nil }
    return Delay.all(in: message.payloads)
      .last { $0.from.map(context.identity.isOwnServer) ?? false }?
      .stamp.clamped(notAfter: context.calendar())
  }
}
