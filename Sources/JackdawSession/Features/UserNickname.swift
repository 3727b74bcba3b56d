// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// User nicknames: what people call themselves, in requests, first messages and their account's node.
///
/// A name proves nothing about who somebody is, so it never stands in the place of an address.
@Client package final class UserNickname: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0172", "User Nickname", version: "1.1", discoFeatures: [Nickname.namespace],
    scope: "read in requests, in messages and from the accounts of contacts; none is sent", isPartial: true)

  private let links: FeatureLinks
  /// Bounded by ``FeatureLimits/nicknames``, and the contacts.
  private var names: [JID: String] = [:]

  /// It hands on what nodes tell.
  package nonisolated static var needs: [any Feature.Type] { [PersonalEvents.self] }

  /// Remembers nothing until the first nickname comes.
  package init(_ context: FeatureContext) {
    links = context.links
    links.nodes.on(Nickname.namespace, of: .contacts) { [weak self] in self?.take($0) }
  }

  package func install(in routes: RouteTable) {
    // In other presence it does not count (XEP-0172 4.1).
    routes.onPresence { [unowned self] presence in
      if presence.kind == .subscribe { take(presence.payloads, from: presence.from) }
    }
    routes.onMessage(.deliver, holding: [Nickname.namespace]) { [unowned self] inbound in
      if inbound.carbon == nil { take(inbound.message.payloads, from: inbound.message.from) }
      return .pass
    }
  }

  /// What this person calls themselves, as far as it was heard in this session. From the network: to be shown through the
  /// escaper only, and together with the address.
  package func name(of jid: JID) -> String? { names[jid.bare] }

  private func take(_ event: PubSubEvent) {
    switch event.change {
    case .items(let items, _):
      guard let payload = items.last?.payload else { return }
      if let name = Nickname(payload) {
        keep(name, of: event.publisher)
      } else if payload.matches("nick", Nickname.namespace) {
        names[event.publisher.bare] = nil
      }
    case .purged, .deleted: names[event.publisher.bare] = nil
    }
  }

  private func take(_ payloads: [Element], from jid: JID?) {
    guard let jid, let name = payloads.lazy.compactMap({ Nickname($0) }).first else { return }
    keep(name, of: jid)
  }

  private func keep(_ name: Nickname, of jid: JID) {
    guard
      names[jid.bare] != nil || names.count < FeatureLimits.nicknames || links.friends?.subscription(of: jid) != nil
    else { return }
    let text = name.text
    names[jid.bare] =
      text.utf8.count <= FeatureLimits.nicknameText
      ? text : String(text.unicodeScalars.prefix(FeatureLimits.nicknameText))
  }
}
