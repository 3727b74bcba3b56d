// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Messages of which nothing is known: that somebody sent something is said, once a minute and person.
@Client package final class UnknownContents: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 6120 8", "Extended content",
    scope: "a message that holds nothing that is known is one line, and one with an empty text is none")

  /// What is for programs, and silent where it stands alone. What begins so is, too.
  private nonisolated static let silent = [
    "jabber:client", "jabber:x:", "urn:xmpp:receipts", "urn:xmpp:chat-markers:",
    "http://jabber.org/protocol/chatstates",
    "urn:xmpp:hints", "http://jabber.org/protocol/pubsub", "urn:xmpp:carbons:", "urn:xmpp:mam:",
    "urn:xmpp:sid:", "urn:xmpp:delay", "urn:xmpp:eme:", "eu.siacs.conversations.axolotl", "urn:xmpp:omemo:",
    "urn:xmpp:jingle-message:", "http://jabber.org/protocol/nick", "http://jabber.org/protocol/address",
    "http://jabber.org/protocol/caps", "http://jabber.org/protocol/muc", "http://jabber.org/protocol/rosterx",
    "http://jabber.org/protocol/ibb", "http://jabber.org/protocol/xhtml-im", "vcard-temp", "urn:xmpp:vcard4",
    "urn:xmpp:avatar:", "urn:xmpp:fallback:", "urn:xmpp:reply:", "urn:xmpp:reactions:", "urn:xmpp:message-",
    "urn:xmpp:fasten:", "urn:xmpp:reference:", "urn:xmpp:push:", "urn:xmpp:bob", "urn:xmpp:idle:", "urn:xmpp:mix:",
    "urn:xmpp:occupant-id:", "urn:xmpp:spoiler:", "urn:xmpp:styling:", "urn:xmpp:order-by:", "urn:xmpp:csi:",
    "urn:xmpp:bookmarks:", "urn:xmpp:mds:", "urn:xmpp:attention:",
  ]

  private let context: FeatureContext
  /// When each person's was last told. Bounded by ``FeatureLimits/unknownSenders``.
  private var told: [JID: MonotonicTime] = [:]

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret) { [unowned self] inbound in
      // Nothing was said.
      if inbound.message.body?.isEmpty == true, inbound.payload?.standsAlone != true, inbound.relations.isEmpty {
        inbound.message.body = nil
      }
      guard inbound.message.body == nil else { return .pass }
      let message = inbound.message
      guard !message.payloads.isEmpty, message.kind == .chat || message.kind == .normal,
        inbound.payload == nil, inbound.relations.isEmpty, inbound.carbon != .sent, let from = message.from?.bare,
        from.localpart != nil, from != context.identity.account
      else { return .pass }
      let unknown = Self.unknown(in: message.payloads)
      guard !unknown.isEmpty, isDue(from) else { return .pass }
      inbound.carry(MessageContent(.unknown, items: unknown))
      return .pass
    }
    routes.onComingAgain { [unowned self] inbound in
      guard inbound.payload?.content?.kind == .unknown, let person = inbound.message.from?.bare else { return }
      told[person] = nil
    }
  }

  /// The namespaces of what is not known, once each.
  static func unknown(in payloads: [Element]) -> [String] {
    var found: [String] = []
    for payload in payloads where found.count < PayloadLimits.items {
      let namespace = payload.namespace
      guard !silent.contains(where: { namespace.hasPrefix($0) }), !found.contains(namespace) else { continue }
      found.append(namespace)
    }
    return found
  }

  private func isDue(_ person: JID) -> Bool {
    let now = context.clock.now
    if let last = told[person], now - last < FeatureLimits.unknownPause { return false }
    if told.count >= FeatureLimits.unknownSenders { told = [:] }
    told[person] = now
    return true
  }
}
