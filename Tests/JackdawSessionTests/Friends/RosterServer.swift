// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support

/// The part of a server that keeps alice's roster, as RFC 6121 says, with what differs between servers to be set.
@Client final class RosterServer {
  enum Order: Sendable, CaseIterable { case resultFirst, pushFirst }

  var items: [String: RosterItem] = [:]
  /// Who waits for alice's answer.
  var asking: Set<String> = []
  var order = Order.resultFirst
  /// Pushes nothing.
  var isMute = false
  /// Does nothing with the end of a subscription.
  var ignoresUnsubscribe = false
  /// Answers each roster set with this.
  var refusal: StanzaError?
  /// Counts changes where it versions.
  var version: Int?
  /// What was passed on to others, as `subscribe bob@example.org`.
  private(set) var passedOn: [String] = []
  /// Of roster sets and gets.
  private(set) var requests: [IQ] = []
  private var pushes = 0

  init(_ fixture: SessionFixture) { fixture.answer = { [unowned self] in answer($0) } }

  func answer(_ element: Element) -> [Element] {
    if let presence = try? Presence(element), let to = presence.to { return take(presence.kind, to.description) }
    guard let iq = try? IQ(element), let query = iq.payload, query.matches("query", Namespace.roster) else {
      return SessionFixture.manners(element)
    }
    requests.append(iq)
    guard iq.kind == .set else { return [iq.result(roster(since: query.attribute("ver"))).element] }
    if let refusal { return [iq.failure(refusal).element] }
    guard case let push? = RosterCodec.push(query) else { return [iq.failure(.badRequest).element] }
    let pushed = change(push)
    return order == .resultFirst ? [iq.result().element] + pushed : pushed + [iq.result().element]
  }

  private func roster(since known: String?) -> Element? {
    if let version, known == "\(version)" { return nil }
    return Element(
      "query", Namespace.roster, ["ver": version.map { "\($0)" }],
      items.values.sorted { $0.jid.description < $1.jid.description }.map(Self.element))
  }

  private func change(_ push: RosterPush) -> [Element] {
    let jid = push.jid.description
    switch push.change {
    case .remove:
      items[jid] = nil
      return self.push(Element("item", Namespace.roster, ["jid": jid, "subscription": "remove"]))
    case .set(let new):
      var item = items[jid] ?? RosterItem(jid: new.jid)
      (item.name, item.groups) = (new.name, new.groups)
      return keep(item)
    }
  }

  /// Alice sends a subscription stanza.
  private func take(_ kind: Presence.Kind, _ jid: String) -> [Element] {
    passedOn.append("\(kind.rawValue) \(jid)")
    guard let address = try? JID(jid) else { return [] }
    var item = items[jid] ?? RosterItem(jid: address)
    switch kind {
    case .subscribe:
      item.ask = item.subscription == .none || item.subscription == .from
    case .unsubscribe:
      guard items[jid] != nil, !ignoresUnsubscribe else { return [] }
      item.ask = false
      item.subscription = item.subscription == .both || item.subscription == .from ? .from : .none
    case .subscribed:
      if asking.remove(jid) == nil {
        item.approved = true
      } else {
        item.subscription = item.subscription == .to || item.subscription == .both ? .both : .from
      }
    case .unsubscribed:
      asking.remove(jid)
      guard items[jid] != nil else { return [] }
      item.approved = false
      item.subscription = item.subscription == .both || item.subscription == .to ? .to : .none
      if item == items[jid] { return [] }
    default: return []
    }
    return keep(item)
  }

  /// Keeps an entry, and pushes it.
  func keep(_ item: RosterItem) -> [Element] {
    items[item.jid.description] = item
    return push(Self.element(item))
  }

  func push(_ item: Element, from: String? = nil) -> [Element] {
    if isMute { return [] }
    if let version { self.version = version + 1 }
    pushes += 1
    let query = Element("query", Namespace.roster, ["ver": version.map { "\($0)" }], [item])
    return [Element("iq", Namespace.client, ["type": "set", "id": "push\(pushes)", "from": from], [query])]
  }

  static func element(_ item: RosterItem) -> Element {
    Element(
      "item", Namespace.roster,
      [
        "jid": item.jid.description, "name": item.name, "subscription": item.subscription.rawValue,
        "ask": item.ask ? "subscribe" : nil, "approved": item.approved ? "true" : nil,
      ], item.groups.map { Element("group", Namespace.roster, text: $0) })
  }
}

extension SessionFixture {
  /// The server says these, in one piece.
  func receive(_ elements: [Element]) async { await receive(elements.map(\.description).joined()) }
}
