// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// A prompt and 'listen' of one account share the store: what one of them changed stands there before the other hears of it.
@Client @Suite("Bookmarks that another program on the same store changes", .onLoop) struct SharedBookmarksTests {
  private let store = AccountStore.inMemory().rooms
  private let server = BookmarkServer()
  private let tea = "tea@rooms.example.org"

  private func online() async throws -> (fixture: SessionFixture, witness: RoomWitness) {
    let fixture = try SessionFixture(
      stores: SessionStores(rooms: store),
      features: SessionFixture.core + [PubSub.self, PersonalEvents.self, RoomBookmarks.self, RoomWitness.self])
    server.serve(fixture)
    server.items = [(tea, try conference("Al"))]
    try await fixture.settleIn()
    return (fixture, fixture.session.features[RoomWitness.self])
  }

  private func conference(_ nick: String) throws -> Element {
    try Element(
      parsing: "<conference xmlns='\(BookmarkServer.node)' autojoin='true'><nick>\(nick)</nick></conference>")
  }

  private func room(_ nick: String) throws -> RoomRecord {
    var room = RoomRecord(try JID(tea))
    (room.isBookmarked, room.autojoin, room.nick) = (true, true, nick)
    return room
  }

  private func changed(_ nick: String) -> String {
    BookmarkServer.changed(BookmarkServer.item(tea, "autojoin='true'", "<nick>\(nick)</nick>"))
  }

  @Test("are followed, each once")
  func changes() async throws {
    let (fixture, witness) = try await online()
    try store.keep(try room("Bo"))
    await fixture.receive(changed("Bo"))
    await fixture.receive(changed("Bo"))
    #expect(witness.heard == ["read tea+", "changed tea+"])
    #expect(witness.record(of: try JID(tea))?.nick == "Bo")
  }

  @Test("are followed behind a change of our own, whose echo is no news")
  func changesBehindOurs() async throws {
    let (fixture, witness) = try await online()
    try await fixture.session.features[RoomBookmarks.self].keep(try room("Cy"))
    await fixture.receive(changed("Cy"))
    #expect(witness.heard == ["read tea+"])
    server.items = [(tea, try conference("Bo"))]
    try store.keep(try room("Bo"))
    await fixture.receive(changed("Bo"))
    #expect(witness.heard == ["read tea+", "changed tea+"])
    #expect(witness.record(of: try JID(tea))?.nick == "Bo")
  }

  @Test("and removes have the room left")
  func removal() async throws {
    let (fixture, witness) = try await online()
    try store.forget(try JID(tea))
    await fixture.receive(BookmarkServer.changed("<retract id='\(tea)'/>"))
    #expect(witness.heard == ["read tea+", "removed tea"])
  }
}
