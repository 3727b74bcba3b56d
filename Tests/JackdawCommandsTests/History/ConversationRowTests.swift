// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("A conversation in the list of them")
struct ConversationRowTests {
  @Test(
    "shows the first line of what was said last, and an action as it is shown where it was said",
    arguments: [
      ("hello\nbob", true, "me: hello"), ("hello", false, "hello"), ("/me waves", true, "* me waves"),
      ("/me waves", false, "* Bob waves"), ("/meeting at two", true, "me: /meeting at two"),
    ])
  func last(_ body: String, _ isOutgoing: Bool, _ shown: String) throws {
    let bob = try JID("bob@example.org")
    let event = MessageArrived(id: "1", from: bob, to: bob, kind: .chat, body: body)
    let last = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: isOutgoing, state: nil)
    let row = ConversationRow(
      summary: ConversationSummary(conversation: bob, last: last, unread: 0, readThrough: 1), name: "Bob", time: "09:30"
    )
    #expect(row.cells.map(\.text) == ["Bob", "bob@example.org", "09:30", "", shown])
  }

  @Test("shows the beginning of a message that is long")
  func longLast() throws {
    let bob = try JID("bob@example.org")
    let event = MessageArrived(id: "1", from: bob, to: bob, kind: .chat, body: String(repeating: "é", count: 40_000))
    let last = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: false)
    let row = ConversationRow(
      summary: ConversationSummary(conversation: bob, last: last, unread: 0, readThrough: 1), time: "09:30")
    #expect(row.cells.last?.text == String(repeating: "é", count: CommandLimits.listedText) + "…")
  }

  @Test("names who does something in a room, and not the room")
  func lastInRoom() throws {
    let room = try JID("tea@rooms.example.org")
    let event = MessageArrived(
      id: "1", from: try room.with(resource: "bobby"), to: room, kind: .groupchat, body: "/me waves")
    let last = LoggedMessage(number: 1, conversation: room, event: event, isOutgoing: false)
    let row = ConversationRow(
      summary: ConversationSummary(conversation: room, last: last, unread: 0, readThrough: 1), time: "09:30")
    #expect(row.cells.last?.text == "* bobby waves")
  }

  @Test(
    "shows a message that was corrected as it reads now, and of one that was taken back that it was",
    arguments: [(false, "me: at nine"), (true, "me: (taken back)")])
  func lastChanged(isRetracted: Bool, _ shown: String) throws {
    let bob = try JID("bob@example.org")
    let event = MessageArrived(id: "1", from: bob, to: bob, kind: .chat, body: "at nein")
    var last = LoggedMessage(number: 1, conversation: bob, event: event, isOutgoing: true)
    (last.fate.correction, last.fate.isRetracted) = ("at nine", isRetracted)
    let row = ConversationRow(
      summary: ConversationSummary(conversation: bob, last: last, unread: 0, readThrough: 1), time: "09:30")
    #expect(row.cells.last?.text == shown)
    let line = try row.jsonLine(of: "history show", at: Timestamp(milliseconds: 0), account: nil)
    #expect(
      String(decoding: line, as: UTF8.self).hasSuffix(
        #""body":"at nein","corrected":"at nine","retracted":\#(isRetracted),"reacted":[]}"# + "\n"))
  }
}
