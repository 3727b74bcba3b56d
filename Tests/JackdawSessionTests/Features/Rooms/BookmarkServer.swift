// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support

@testable import JackdawSession

/// The places for bookmarks of a server in memory.
@Client final class BookmarkServer {
  /// The node of XEP-0402, by the items' ids; nil: there is none.
  var items: [(id: String, payload: Element)]?
  /// The content of the node of XEP-0048, and of private storage.
  var legacyNode: Element?
  var privateStorage: Element?
  /// What our account can do, as it says.
  var features = [PublishOptions.formType]
  /// What everything about the node of XEP-0402 is answered with.
  var refusal: StanzaError?
  /// The node's whole configuration is refused with an item, as by ejabberd 23.01.
  var refusesConfiguration = false
  /// What came, in order.
  private(set) var heard: [String] = []

  static let node = "urn:xmpp:bookmarks:1"

  func serve(_ fixture: SessionFixture) { fixture.answer = { [self] in answer($0) } }

  private func answer(_ element: Element) -> [Element] {
    guard let iq = try? IQ(element), let payload = iq.payload else { return SessionFixture.manners(element) }
    var answer: IQ
    switch (payload.name, payload.namespace) {
    case ("query", ServiceDiscovery.information) where iq.to == (try? JID("alice@example.org")):
      answer = iq.result(DiscoveryInformation(features: features).element())
    case ("query", "jabber:iq:private"):
      heard.append("private")
      let content = privateStorage ?? Element("storage", "storage:bookmarks")
      answer = iq.result(Element("query", "jabber:iq:private", [content]))
    case ("pubsub", PubSub.namespace): answer = pubsub(iq, payload)
    case ("pubsub", PubSub.ownerNamespace):
      heard.append("configure")
      answer = iq.result()
    default: return SessionFixture.manners(element)
    }
    answer.from = iq.to
    return [answer.element]
  }

  private func pubsub(_ iq: IQ, _ payload: Element) -> IQ {
    let missing = iq.failure(StanzaError(kind: .cancel, condition: "item-not-found"))
    if let list = payload.child("items", PubSub.namespace) {
      let node = list.attribute("node") ?? ""
      heard.append("items \(node)")
      if node == "storage:bookmarks" {
        guard let legacyNode else { return missing }
        return iq.result(Self.list(node, [("current", legacyNode)]))
      }
      if let refusal { return iq.failure(refusal) }
      return items.map { iq.result(Self.list(node, $0)) } ?? missing
    }
    if let refusal { return iq.failure(refusal) }
    if let item = payload.child("retract", PubSub.namespace)?.child("item", PubSub.namespace) {
      let id = item.attribute("id") ?? ""
      heard.append("retract \(id)")
      guard items?.contains(where: { $0.id == id }) == true else { return missing }
      items?.removeAll { $0.id == id }
      return iq.result()
    }
    let options = payload.child("publish-options", PubSub.namespace)?.child("x", DataForm.namespace)
      .flatMap { try? DataForm($0) }
    guard let item = payload.child("publish", PubSub.namespace)?.child("item", PubSub.namespace),
      let content = item.firstChild, options?.value(of: "pubsub#access_model") == "whitelist"
    else { return iq.failure(.badRequest) }
    if refusesConfiguration, options?.value(of: "pubsub#max_items") == "max" {
      heard.append("refused")
      return iq.failure(StanzaError(kind: .wait, condition: "resource-constraint"))
    }
    let id = item.attribute("id") ?? ""
    heard.append("publish \(id)")
    items = (items ?? []).filter { $0.id != id } + [(id, content)]
    return iq.result()
  }

  private static func list(_ node: String, _ items: [(id: String, payload: Element)]) -> Element {
    let items = items.map { Element("item", PubSub.namespace, ["id": $0.id], [$0.payload]) }
    return Element("pubsub", PubSub.namespace, [Element("items", PubSub.namespace, ["node": node], items)])
  }

  /// What the server sends of its own accord when another device changed the node.
  static func event(_ content: String, from sender: String = "alice@example.org") -> String {
    "<message from='\(sender)' to='alice@example.org/here' type='headline'><event xmlns='\(PubSubEvent.namespace)'>"
      + content + "</event></message>"
  }

  static func changed(_ content: String) -> String { event("<items node='\(node)'>\(content)</items>") }

  static func item(_ id: String, _ attributes: String = "autojoin='1'", _ content: String = "") -> String {
    "<item id='\(id)'><conference xmlns='\(node)' \(attributes)>\(content)</conference></item>"
  }
}

/// Stands for the rooms that the user is in, and notes what it is told.
@Client final class RoomWitness: Feature, RoomDirectory {
  nonisolated static let about = FeatureDescription("XEP-0045", "Rooms", version: "1", scope: "notes")
  private(set) var heard: [String] = []
  /// Those that were read last.
  private(set) var read: [RoomRecord] = []
  private var records: [JID: RoomRecord] = [:]

  init(_ context: FeatureContext) { context.links.rooms = self }

  func isRoom(_ jid: JID) -> Bool { false }
  func isPrivate(_ jid: JID) -> Bool { false }
  func isBeingEntered(_ jid: JID) -> Bool { false }
  func record(of jid: JID) -> RoomRecord? { records[jid.bare] }

  func bookmarksWereRead(_ rooms: [RoomRecord], removed: [JID]) {
    for jid in removed { bookmarkRemoved(jid) }
    for room in rooms { records[room.jid] = room }
    read = rooms
    heard.append("read \(rooms.map { ($0.jid.localpart ?? "") + ($0.autojoin ? "+" : "") }.joined(separator: " "))")
  }

  func bookmarkChanged(_ room: RoomRecord) {
    records[room.jid] = room
    heard.append("changed \(room.jid.localpart ?? "")\(room.autojoin ? "+" : "")")
  }

  func bookmarkRemoved(_ jid: JID) {
    records[jid.bare] = nil
    heard.append("removed \(jid.localpart ?? "")")
  }
}
