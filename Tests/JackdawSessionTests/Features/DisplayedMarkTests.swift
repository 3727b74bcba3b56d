// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Testing

@testable import JackdawSession

/// What is published of a conversation that was read, as a value.
@Suite("A displayed mark") struct DisplayedMarkTests {
  private static let id = "<stanza-id xmlns='urn:xmpp:sid:0' id='i1' by='alice@example.org'/>"

  private static func displayed(_ content: String) -> String {
    "<displayed xmlns='urn:xmpp:mds:displayed:0'>\(content)</displayed>"
  }

  private func item(_ content: String, _ attributes: String = "id='bob@example.org'") throws -> PubSubItem {
    PubSubItem(try Element(parsing: "<item xmlns='\(PubSubEvent.namespace)' \(attributes)>\(content)</item>"))
  }

  @Test("is read and written as the specification has it")
  func bothWays() throws {
    let account = try JID("alice@example.org")
    let mark = DisplayedMark(conversation: try JID("bob@example.org"), archiveID: "i1")
    #expect(DisplayedMark(try item(Self.displayed(Self.id)), of: account, isRoom: { _ in false }) == mark)
    #expect(
      mark.item(of: account)
        == PubSubItem(id: "bob@example.org", payload: try Element(parsing: Self.displayed(Self.id))))
    #expect(DisplayedMark(mark.item(of: account), of: account, isRoom: { _ in false }) == mark)
    // The same address, written otherwise; what else is there does not count.
    #expect(
      DisplayedMark(
        try item(
          Self.displayed("<x xmlns='urn:x'/>" + Self.id), "id='BOB@example.org' publisher='alice@example.org/x'"),
        of: account, isRoom: { _ in false }) == mark)
  }

  nonisolated static let malformed: [(content: String, attributes: String)] = [
    ("", "id='bob@example.org'"),
    (displayed(""), "id='bob@example.org'"),
    (displayed(id + id), "id='bob@example.org'"),
    (displayed(id) + displayed(id), "id='bob@example.org'"),
    (displayed(id), ""),
    (displayed(id), "id=''"),
    (displayed(id), "id='@'"),
    (displayed(id), "id='room@example.org/nick'"),
    (displayed(id), "id='bob@example.org' publisher='mallory@example.org'"),
    ("<displayed xmlns='urn:xmpp:chat-markers:0'>\(id)</displayed>", "id='bob@example.org'"),
    (displayed("<stanza-id xmlns='urn:xmpp:sid:0' id='i1' by='bob@example.org'/>"), "id='bob@example.org'"),
    (displayed("<stanza-id xmlns='urn:xmpp:sid:0' id='i1' by='alice@example.org/x'/>"), "id='bob@example.org'"),
    (displayed("<stanza-id xmlns='urn:xmpp:sid:0' id='i1'/>"), "id='bob@example.org'"),
    (displayed("<stanza-id xmlns='urn:xmpp:sid:0' id='' by='alice@example.org'/>"), "id='bob@example.org'"),
    (displayed("<stanza-id xmlns='urn:x' id='i1' by='alice@example.org'/>"), "id='bob@example.org'"),
    (
      displayed(
        "<stanza-id xmlns='urn:xmpp:sid:0' id='\(String(repeating: "i", count: 1_025))' by='alice@example.org'/>"),
      "id='bob@example.org'"
    ),
  ]

  @Test("that is not as it has to be is none", arguments: malformed.indices)
  func refused(_ index: Int) throws {
    let (content, attributes) = Self.malformed[index]
    #expect(
      DisplayedMark(try item(content, attributes), of: try JID("alice@example.org"), isRoom: { _ in false }) == nil)
  }

  @Test("of a room is named by the room's own id, of what is private there by our archive's")
  func rooms() throws {
    let account = try JID("alice@example.org")
    let room = try JID("tea@rooms.example.org")
    let isRoom = { (jid: JID) in jid == room }
    let mark = DisplayedMark(conversation: room, archiveID: StanzaID.stored("r1", in: room))
    let content = Self.displayed("<stanza-id xmlns='urn:xmpp:sid:0' id='r1' by='tea@rooms.example.org'/>")
    #expect(DisplayedMark(try item(content, "id='tea@rooms.example.org'"), of: account, isRoom: isRoom) == mark)
    #expect(mark.item(of: account) == PubSubItem(id: room.description, payload: try Element(parsing: content)))
    let priv = DisplayedMark(conversation: try room.with(resource: "bob"), archiveID: "i1")
    #expect(
      DisplayedMark(try item(Self.displayed(Self.id), "id='tea@rooms.example.org/bob'"), of: account, isRoom: isRoom)
        == priv)
    #expect(DisplayedMark(priv.item(of: account), of: account, isRoom: isRoom) == priv)
    // The id of another room's.
    let other = Self.displayed("<stanza-id xmlns='urn:xmpp:sid:0' id='r1' by='cake@rooms.example.org'/>")
    #expect(DisplayedMark(try item(other, "id='tea@rooms.example.org'"), of: account, isRoom: isRoom) == nil)
  }
}

/// When what was read is published, as a value.
@Suite("Publishing what was read") struct PublishingPaceTests {
  @Test("begins when it is known what others published, with what an earlier run left")
  func opening() {
    var pace = PublishingPace()
    #expect(pace.marked() == .nothing)
    #expect(pace.timerFired() == .nothing)
    #expect(pace.open() == .publish)
    #expect(pace.open() == .nothing)
    #expect(pace.published(isComplete: true) == .nothing)
  }

  @Test("is joined: many marks are one publication a while later")
  func joined() {
    var pace = PublishingPace()
    _ = pace.open()
    _ = pace.published(isComplete: true)
    #expect([pace.marked(), pace.marked(), pace.marked()] == [.startTimer, .nothing, .nothing])
    #expect(pace.timerFired() == .publish)
    // Read while that is under way.
    #expect([pace.marked(), pace.marked()] == [.nothing, .nothing])
    #expect(pace.published(isComplete: true) == .startTimer)
    #expect(pace.timerFired() == .publish)
    #expect(pace.published(isComplete: false) == .startTimer)
  }

  @Test("waits for nothing when the session is left, and ends with its stream")
  func leaving() {
    var pace = PublishingPace()
    #expect(pace.leave() == .nothing, "what others published is not known")
    pace = PublishingPace()
    _ = pace.open()
    #expect(pace.leave() == .nothing)
    #expect(pace.published(isComplete: true) == .publish, "something may have been read meanwhile")
    #expect(pace.published(isComplete: true) == .nothing)
    pace = PublishingPace()
    _ = pace.open()
    _ = pace.published(isComplete: true)
    _ = pace.marked()
    #expect(pace.leave() == .publish)
    pace.close()
    #expect(pace.marked() == .nothing)
    #expect(pace.published(isComplete: false) == .nothing)
  }
}
