// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

@Client @Suite("The kept rooms", .onLoop) struct RoomTableTests {
  private let store = AccountStore.inMemory().rooms

  /// Rooms that differ in everything that is kept of one.
  private static func samples() throws -> [RoomRecord] {
    let plain = RoomRecord(try JID("plain@rooms.example.org/somebody"))
    var full = RoomRecord(try JID("full@rooms.example.org"), nick: "Alice")
    full.name = "Tea\u{1B}[2J\n'; DROP TABLE room; --"
    full.password = ""
    full.isBookmarked = true
    full.autojoin = true
    full.extensions = "<extensions xmlns='urn:xmpp:bookmarks:1'><x xmlns='urn:x'/></extensions>"
    full.notify = .never
    full.tellsOccupants = false
    var loud = RoomRecord(try JID("loud@rooms.example.org"), nick: "")
    loud.notify = .always
    loud.tellsOccupants = true
    return [full, loud, plain]
  }

  @Test("are none at first, and then each as it was kept, by address")
  func kept() throws {
    #expect(try store.rooms() == [])
    let samples = try Self.samples()
    for room in samples.reversed() { try store.keep(room) }
    #expect(try store.rooms() == samples)
    for room in samples { #expect(try store.room(room.jid) == room) }
    #expect(try store.room(try JID("full@rooms.example.org/Alice")) == samples[0], "by the room, whoever is in it")
    #expect(try store.room(try JID("other@rooms.example.org")) == nil)
  }

  @Test("are each exchanged as a whole, and forgotten alone")
  func exchanged() throws {
    for room in try Self.samples() { try store.keep(room) }
    let jid = try JID("full@rooms.example.org")
    try store.keep(RoomRecord(jid))
    #expect(try store.room(jid) == RoomRecord(jid))
    try store.forget(try jid.with(resource: "Alice"))
    try store.forget(try JID("other@rooms.example.org"))
    #expect(try store.rooms() == Array(try Self.samples().dropFirst()))
  }

  @Test("keep how far they are known when they are exchanged, and until they are forgotten")
  func positions() throws {
    let room = try Self.samples()[0]
    var position = RoomPosition()
    position.archiveCursor = ""
    position.archiveGap = "r7"
    position.heard = RoomPosition.Heard(time: Timestamp(milliseconds: 1_800_000_000_123), nick: "Bob", id: nil)
    try store.keep(position, in: room.jid)
    #expect(try store.position(in: room.jid) == nil, "of what is not kept nothing is known")
    #expect(try store.rooms() == [])
    try store.keep(room)
    #expect(try store.position(in: room.jid) == RoomPosition())
    try store.keep(position, in: room.jid.with(resource: "Bob"))
    try store.keep(RoomRecord(room.jid))
    #expect(try store.position(in: room.jid) == position)
    try store.forget(room.jid)
    try store.keep(room)
    #expect(try store.position(in: room.jid) == RoomPosition())
  }

  @Test("of which one has an address that is none any more are shown without it")
  func unreadable() throws {
    let database = AccountDatabase(file: nil, busyTimeout: 0) { _ in }
    let store = AccountStore(database: database).rooms
    for room in try Self.samples() { try store.keep(room) }
    try database.perform { database throws(DatabaseError) in
      try database.run("UPDATE room SET jid = '@', notify = 'shouting' WHERE nick = 'Alice'")
      try database.run("UPDATE room SET notify = 'shouting' WHERE nick = ''")
    }
    #expect(try store.rooms().map(\.jid.localpart) == ["loud", "plain"])
    #expect(try store.rooms().first?.notify == nil)
  }
}
