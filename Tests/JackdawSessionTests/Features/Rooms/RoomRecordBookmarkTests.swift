// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@testable import JackdawSession

/// A bookmark as a value.
@Suite("A bookmark") struct RoomRecordBookmarkTests {
  private static let namespace = "urn:xmpp:bookmarks:1"

  private static func conference(_ attributes: String, _ content: String = "") -> String {
    "<conference xmlns='\(namespace)' \(attributes)>\(content)</conference>"
  }

  private func read(_ payload: String, _ attributes: String = "id='tea@rooms.example.org'") throws -> RoomRecord? {
    let item = PubSubItem(
      try Element(parsing: "<item xmlns='\(PubSubEvent.namespace)' \(attributes)>\(payload)</item>"))
    return RoomRecord(item, of: try JID("alice@example.org"))
  }

  @Test("is read and written as the specification has it")
  func bothWays() throws {
    let extensions = "<extensions><state xmlns='http://myclient.example/bookmark/state' minimized='true'/></extensions>"
    let text = Self.conference(
      "name='The Orchard' autojoin='true'", "<nick>JC</nick><password> s </password>" + extensions)
    let room = try #require(try read(text))
    #expect((room.name, room.nick, room.password) == ("The Orchard", "JC", " s "))
    #expect(room.autojoin && room.isBookmarked)
    #expect(room.bookmark.id == "tea@rooms.example.org")
    #expect(room.bookmark.payload == (try Element(parsing: text)))
    #expect(try read(try #require(room.bookmark.payload).description) == room)
  }

  @Test("may say nothing but where the room is")
  func minimal() throws {
    let room = try #require(try read(Self.conference("", "<nick/><x xmlns='urn:x'/>")))
    #expect((room.name, room.nick, room.password, room.extensions) == (nil, nil, nil, nil))
    #expect(!room.autojoin)
    #expect(room.bookmark.payload?.description == "<conference xmlns='\(Self.namespace)' autojoin='false'/>")
  }

  @Test(
    "joins by 'true' and '1' alone",
    arguments: [("true", true), ("1", true), ("TRUE", false), ("yes", false), ("", false)])
  func autojoin(value: String, joins: Bool) throws {
    #expect(try read(Self.conference("autojoin='\(value)'"))?.autojoin == joins)
  }

  nonisolated static let malformed: [(payload: String, attributes: String)] = [
    ("", "id='tea@rooms.example.org'"),
    (conference(""), ""),
    (conference(""), "id=''"),
    (conference(""), "id='@'"),
    (conference(""), "id='rooms.example.org'"),
    (conference(""), "id='tea@rooms.example.org/nick'"),
    (conference("") + conference(""), "id='tea@rooms.example.org'"),
    (conference(""), "id='tea@rooms.example.org' publisher='mallory@example.org'"),
    ("<conference xmlns='storage:bookmarks'/>", "id='tea@rooms.example.org'"),
    ("<conference xmlns='urn:xmpp:bookmarks:0'/>", "id='tea@rooms.example.org'"),
    ("<room xmlns='\(namespace)'/>", "id='tea@rooms.example.org'"),
    (conference("name='\(String(repeating: "n", count: 16_384))'"), "id='tea@rooms.example.org'"),
  ]

  @Test("that is not as it has to be is none", arguments: malformed.indices)
  func refused(_ index: Int) throws {
    let (payload, attributes) = Self.malformed[index]
    #expect(try read(payload, attributes) == nil)
  }

  @Test("of old clients: a list of which each is read once, and of no end is read as far as others")
  func legacy() throws {
    func rooms(_ content: String, _ name: String = "storage") throws -> [RoomRecord] {
      LegacyBookmarks.rooms(
        in: try Element(parsing: "<\(name) xmlns='storage:bookmarks'>\(content)</\(name)>"))
    }
    let one = "<conference jid='tea@rooms.example.org/x' name='T'/>"
    #expect(try rooms(one + one).map(\.name) == ["T"])
    #expect(try rooms(one, "store").isEmpty)
    #expect(LegacyBookmarks.rooms(in: nil).isEmpty)
    let long = "<conference jid='a@rooms.example.org' name='\(String(repeating: "n", count: 16_384))'/>"
    #expect(try rooms(long).isEmpty)
    let many = (0...FeatureLimits.bookmarks).map { "<conference jid='r\($0)@rooms.example.org'/>" }.joined()
    #expect(try rooms(many).count == FeatureLimits.bookmarks)
  }
}
