// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support

/// The rooms of a server in memory: `tea@rooms.example.org` with Bob in it, others as a test has them made. It keeps bookmarks too.
@Client final class RoomHost {
  private static let service = "rooms.example.org"
  private static let user = "http://jabber.org/protocol/muc#user"
  private static let admin = "http://jabber.org/protocol/muc#admin"
  private static let owner = "http://jabber.org/protocol/muc#owner"
  static let pubsub = "http://jabber.org/protocol/pubsub"

  /// Rooms by name: who is in them, besides the user.
  var rooms: [String: [String]] = ["tea": ["Bob"]]
  /// Bookmarks by the rooms' addresses.
  var bookmarks: [(jid: String, content: String)] = []
  /// The server has no bookmarks.
  var refusesBookmarks = false
  /// What all administration is refused with.
  var refusal: String?
  /// A room asks for this password.
  var password: String?
  /// Rooms that have gone elsewhere, by name.
  var moved: [String: String] = [:]
  /// Rooms whose server does not answer just then, by name.
  var unreachable: Set<String> = []
  /// Rooms that somebody else is making.
  var locked: Set<String> = []
  /// Features of each room besides those of all.
  var features: [String] = []
  /// They are channels of IRC behind a gateway.
  var isOnIRC = false
  /// What was asked of rooms and their administration, in order.
  var asked: [String] = []
  private var configured: Set<String> = []
  /// What was configured, of all rooms, by the settings' names.
  private var settings: [String: String] = [:]
  /// Settings that stay as they are, whatever they are set to.
  var ignoredSettings: Set<String> = []

  init(_ rig: ApplicationRig) {
    rig.fixture.answer = { [self] in answer($0) }
  }

  func answer(_ element: Element) -> [Element] {
    if element.name == "presence" { return presence(element) }
    if element.name == "message" { return message(element) }
    guard let iq = try? IQ(element), let payload = iq.payload, iq.kind == .get || iq.kind == .set else { return [] }
    var answer: IQ
    switch payload.namespace {
    case ServiceDiscovery.information: answer = information(iq)
    case ServiceDiscovery.items: answer = items(iq)
    case Self.pubsub: answer = stored(iq, payload)
    case Self.admin, Self.owner, RegistrationForm.namespace: answer = administered(iq, payload)
    case "urn:xmpp:message-moderate:1":
      asked.append("\(payload)")
      answer = iq.result()
    default: return SessionFixture.manners(element)
    }
    answer.from = iq.to
    return [answer.element]
  }

  func element(_ text: String) -> Element {
    guard let element = try? Element(parsing: text) else { preconditionFailure("a test's answer: \(text)") }
    return element
  }

  private func information(_ iq: IQ) -> IQ {
    switch (iq.to?.localpart, iq.to?.domain) {
    case (nil, Self.service):
      return iq.result(
        DiscoveryInformation(
          identities: [.init(category: "conference", type: "text")], features: ["http://jabber.org/protocol/muc"]
        ).element())
    case (let name?, Self.service):
      guard rooms[name] != nil else { return failure(iq, "item-not-found") }
      let form = DataForm(
        kind: .result,
        fields: [
          .init("FORM_TYPE", .hidden, values: ["http://jabber.org/protocol/muc#roominfo"]),
          .init("muc#roominfo_occupants", values: ["\(rooms[name]?.count ?? 0)"]),
          .init("muc#roominfo_subject", values: ["Green or black?"]),
        ])
      return iq.result(
        DiscoveryInformation(
          identities: [.init(category: "conference", type: isOnIRC ? "irc" : "text", name: name.uppercased())],
          features: ["http://jabber.org/protocol/muc"] + features, forms: [form]
        ).element())
    default:
      return iq.result(DiscoveryInformation(features: ["\(Self.pubsub)#publish-options"]).element())
    }
  }

  private func items(_ iq: IQ) -> IQ {
    let names: [String] =
      switch (iq.to?.localpart, iq.to?.domain) {
      case (nil, Self.service): rooms.keys.sorted().map { "\($0)@\(Self.service)" }
      case (let name?, Self.service): (rooms[name] ?? []).map { "\(name)@\(Self.service)/\($0)" }
      default: [Self.service]
      }
    return iq.result(
      Element(
        "query", ServiceDiscovery.items, names.map { Element("item", ServiceDiscovery.items, ["jid": $0]) }))
  }

  private func failure(_ iq: IQ, _ condition: String) -> IQ {
    iq.failure(StanzaError(kind: .cancel, condition: condition))
  }

  private func stored(_ iq: IQ, _ payload: Element) -> IQ {
    guard !refusesBookmarks else { return failure(iq, "feature-not-implemented") }
    if let item = payload.child("retract", Self.pubsub)?.child("item", Self.pubsub) {
      bookmarks.removeAll { $0.jid == item.attribute("id") }
      return iq.result()
    }
    if let item = payload.child("publish", Self.pubsub)?.child("item", Self.pubsub), let content = item.firstChild {
      let jid = item.attribute("id") ?? ""
      bookmarks = bookmarks.filter { $0.jid != jid } + [(jid, content.description)]
      return iq.result()
    }
    let items = bookmarks.map { "<item id='\($0.jid)'>\($0.content)</item>" }.joined()
    return iq.result(
      element("<pubsub xmlns='\(Self.pubsub)'><items node='urn:xmpp:bookmarks:1'>\(items)</items></pubsub>"))
  }

  private func administered(_ iq: IQ, _ payload: Element) -> IQ {
    let room = iq.to?.localpart ?? ""
    asked.append("\(iq.kind) \(room) \(payload.firstChild?.description ?? "")")
    if let refusal { return failure(iq, refusal) }
    guard iq.kind == .get else {
      if payload.namespace == Self.owner {
        if payload.child("destroy", Self.owner) != nil { rooms[room] = nil } else { configured.insert(room) }
        if let form = payload.child("x", DataForm.namespace).flatMap({ try? DataForm($0) }) {
          for case let (name?, value) in form.fields.map({ ($0.name, $0.values.first) })
          where !ignoredSettings.contains(name) {
            settings[name] = value
          }
        }
      }
      return iq.result()
    }
    func field(_ name: String, _ type: String, _ standard: String) -> String {
      let value = settings["muc#roomconfig_\(name)"] ?? standard
      return "<field var='muc#roomconfig_\(name)' type='\(type)'><value>\(value)</value></field>"
    }
    let fields = [field("roomname", "text-single", ""), "<field var='muc#roomconfig_roomsecret' type='text-single'/>"]
    let flags = ["persistentroom", "publicroom", "membersonly"].map { field($0, "boolean", "0") }
    let content =
      switch payload.namespace {
      case Self.admin:
        "<item affiliation='\(payload.firstChild?.attribute("affiliation") ?? "")' jid='bob@example.org' nick='Bob'>"
          + "<reason>Spam</reason></item>"
      case Self.owner: "<x xmlns='jabber:x:data' type='form'>\((fields + flags).joined())</x>"
      default:
        "<x xmlns='jabber:x:data' type='form'><field var='muc#register_roomnick' type='text-single'><required/></field></x>"
      }
    return iq.result(element("<query xmlns='\(payload.namespace)'>\(content)</query>"))
  }

  private func presence(_ element: Element) -> [Element] {
    guard let to = (try? element.jid("to")) ?? nil, let name = to.localpart, to.domain == Self.service else {
      return []
    }
    let me = "alice@example.org/here"
    if element.attribute("type") == "unavailable" {
      return [
        self.element(
          "<presence from='\(to)' to='\(me)' type='unavailable'><x xmlns='\(Self.user)'><item affiliation='none' role='none'/>"
            + "<status code='110'/></x></presence>")
      ]
    }
    let given = element.child("x", "http://jabber.org/protocol/muc")?.text(
      of: "password", "http://jabber.org/protocol/muc")
    let stanzas = "urn:ietf:params:xml:ns:xmpp-stanzas"
    let refusal: String? =
      if password != nil, given != password {
        "<error type='auth'><not-authorized xmlns='\(stanzas)'/></error>"
      } else if let place = moved[name] {
        "<error type='cancel'><gone xmlns='\(stanzas)'>xmpp:\(place)?join</gone></error>"
      } else if unreachable.contains(name) {
        "<error type='wait'><remote-server-timeout xmlns='\(stanzas)'/></error>"
      } else if locked.contains(name) {
        "<error type='cancel'><item-not-found xmlns='\(stanzas)'/></error>"
      } else {
        nil
      }
    if let refusal {
      let id = element.attribute("id").map { " id='\($0)'" } ?? ""
      return [self.element("<presence from='\(to)' to='\(me)' type='error'\(id)>\(refusal)</presence>")]
    }
    let isNew = rooms[name] == nil
    rooms[name] = rooms[name] ?? []
    let others = (rooms[name] ?? []).map { nick in
      self.element(
        "<presence from='\(to.bare)/\(nick)' to='\(me)'><x xmlns='\(Self.user)'><item affiliation='member' "
          + "role='participant' jid='\(nick.lowercased())@example.org/x'/></x></presence>")
    }
    let own = self.element(
      "<presence from='\(to)' to='\(me)'><x xmlns='\(Self.user)'><item affiliation='owner' role='moderator'/>"
        + "<status code='110'/>\(isNew ? "<status code='201'/>" : "")</x></presence>")
    let subject = self.element(
      "<message from='\(to.bare)' to='\(me)' type='groupchat'><subject>Tea</subject></message>")
    return others + [own, subject]
  }

  /// A topic is reflected.
  private func message(_ element: Element) -> [Element] {
    guard let to = (try? element.jid("to")) ?? nil, to.domain == Self.service else { return [] }
    asked.append("message \(to.localpart ?? "") \(element.firstChild?.description ?? "")")
    guard element.attribute("type") == "groupchat" else { return [] }
    return [element.settingAttribute("from", "\(to)/alice").settingAttribute("to", "alice@example.org/here")]
  }
}
