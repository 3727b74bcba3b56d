// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// What a room says of one of its occupants (XEP-0045 7): their presence, and why they went.
package struct RoomPresence: Sendable {
  /// The namespace of who wants to enter.
  package static let namespace = "http://jabber.org/protocol/muc"

  /// Codes of XEP-0045 15.6 that are acted on.
  enum Status: Int {
    case showsAddresses = 100
    case isSelf = 110
    case isNew = 201
    case hasOtherNick = 210
    case banned = 301
    case renamed = 303
    case kicked = 307
    case lostAffiliation = 321
    case becameMembersOnly = 322
    case serviceStops = 332
    case technical = 333
  }

  /// A room that is no more (XEP-0045 10.9).
  struct Destruction: Sendable, Equatable {
    /// Where its occupants may go.
    var alternative: JID?
    var reason: String?
  }

  /// As it is after this.
  var occupant: Occupant
  /// They are there.
  var isAvailable: Bool
  /// Known codes that it has. Bounded by these.
  var statuses: Set<Status> = []
  /// What they are called from now on, with ``Status/renamed``.
  var newNick: String?
  /// Who did it to them, by nick or address.
  var actor: String?
  var reason: String?
  var destruction: Destruction?

  /// Reads the presence of an occupant.
  /// - Returns: nil for one without nick, or that is no word on being there.
  init?(_ presence: Presence) {
    guard let nick = presence.from?.resource else { return nil }
    switch presence.kind {
    case .available: isAvailable = true
    case .unavailable: isAvailable = false
    default: return nil
    }
    occupant = Occupant(nick: nick)
    occupant.show = presence.show
    for payload in presence.payloads {
      if payload.matches("x", Namespace.roomUser) { read(payload) }
      if payload.matches("occupant-id", Self.occupantIDNamespace) {
        let id = payload.attribute("id") ?? ""
        if !id.isEmpty, id.utf8.count <= RoomLimits.occupantID { occupant.id = id }
      }
    }
  }

  /// XEP-0421.
  package static let occupantIDNamespace = "urn:xmpp:occupant-id:0"

  private mutating func read(_ extension: Element) {
    for child in `extension`.children where child.namespace == Namespace.roomUser {
      switch child.name {
      case "item": read(item: child)
      case "status":
        if let status = child.attribute("code").flatMap({ Int($0) }).flatMap(Status.init) { statuses.insert(status) }
      case "destroy":
        destruction = Destruction(
          alternative: (try? child.jid("jid"))?.bare, reason: child.text(of: "reason", Namespace.roomUser).nonEmpty)
      default: break
      }
    }
  }

  private mutating func read(item: Element) {
    occupant.role = item.attribute("role").flatMap(RoomRole.init) ?? .none
    occupant.affiliation = item.attribute("affiliation").flatMap(RoomAffiliation.init) ?? .none
    occupant.jid = try? item.jid("jid")
    newNick = item.attribute("nick").nonEmpty
    reason = item.text(of: "reason", Namespace.roomUser).nonEmpty
    guard let actor = item.child("actor", Namespace.roomUser) else { return }
    self.actor = (actor.attribute("nick") ?? actor.attribute("jid")).nonEmpty
  }

  /// What is sent to enter a room (XEP-0045 7.2).
  /// - Parameters:
  ///   - place: the room with the wanted nick.
  ///   - show: how the user is shown elsewhere.
  ///   - history: what the room is to send of before.
  static func entering(
    _ place: JID, id: String, show: Presence.Show?, password: String?, history: RoomHistoryRequest
  ) -> Presence {
    let x = Element(
      "x", namespace,
      [history.element] + (password.map { [Element("password", namespace, text: $0)] } ?? []))
    return Presence(id: id, to: place, show: show, payloads: [x])
  }
}

/// How much of what was said before a room is to send (XEP-0045 7.2.15).
enum RoomHistoryRequest: Sendable, Equatable {
  /// Its archive is asked.
  case none
  case newest(Int)
  case since(Timestamp)

  var element: Element {
    switch self {
    case .none: Element("history", RoomPresence.namespace, ["maxstanzas": "0"])
    case .newest(let count): Element("history", RoomPresence.namespace, ["maxstanzas": String(count)])
    case .since(let time): Element("history", RoomPresence.namespace, ["since": time.description])
    }
  }
}
