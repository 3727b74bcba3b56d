// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support

@testable import JackdawSession

/// A session in memory whose server has a room.
@Client struct GroupchatRig {
  let fixture: SessionFixture
  let room = RoomServer()
  let jid: JID

  static let features: [any Feature.Type] =
    SessionFixture.core + [
      Groupchat.self, MessageArchive.self, StanzaIDs.self, MessageReplies.self, MessageReactions.self,
      MessageRetraction.self, FallbackTexts.self,
      RoomMessageIDs.self, MessageCorrection.self, DeliveryReceipts.self, ChatMarkers.self, ChatStates.self,
      UnknownContents.self,
    ]

  init(
    _ store: AccountStore? = nil, role: SessionRole = .interactive(Presence()), features: [String]? = nil,
    discloses: Set<Disclosure> = [], messages: (any MessageStore)? = nil
  ) throws {
    let stores = SessionStores(
      messages: messages ?? store?.messages, log: store?.log, readMarks: store?.readMarks, rooms: store?.rooms)
    fixture = try SessionFixture(role: role, stores: stores, discloses: discloses, features: Self.features)
    jid = try JID(RoomServer.address)
    if let features { room.features = features }
    room.serve(fixture)
  }

  var groupchat: Groupchat { fixture.session.features[Groupchat.self] }
  var delivery: Delivery { fixture.session.delivery }

  /// Logged in, and in the room.
  func enter() async throws {
    try await fixture.settleIn()
    try await groupchat.join(jid)
    await fixture.clock.settle()
    _ = fixture.sent()
  }

  func receive(_ element: Element) async { await fixture.receive(element.description) }

  /// Something is said in the room.
  func say(_ body: String, by nick: String = "bob", id: String = "m1", _ more: String = "") async {
    await fixture.receive(
      "<message from='\(RoomServer.address)/\(nick)' type='groupchat' id='\(id)'><body>\(body)</body>\(more)</message>")
  }

  var told: [MessageArrived] { fixture.events(MessageArrived.self) }
  var changes: [RoomChanged] { fixture.events(RoomChanged.self) }
  func states(of id: String) -> [DeliveryState] {
    fixture.events(MessageStateChanged.self).filter { $0.id == id }.map(\.state)
  }
}
