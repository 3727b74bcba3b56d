// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

@Suite("Events as JSON lines of CLI.md")
struct ClientEventJSONTests {
  static let head = #""time":"2026-11-21T08:00:00.123Z","account":"work","#

  static func rows() throws -> [(any ClientEvent, String)] {
    let bob = try JID("bob@example.org/phone")
    let me = try JID("me@example.org/cli")
    let delayed = Timestamp(milliseconds: 1_795_248_000_000)
    var ownRole = OccupantChanged(bob.bare, .role, Occupant(nick: "al", role: .visitor))
    ownRole.isOwn = true
    return [
      (
        ConnectionChanged(state: .retrying, reason: "lost", retryIn: 1.75),
        #"{"event":"connection",\#(head)"state":"retrying","reason":"lost","retry_in":1.75}"#
      ),
      (
        ConnectionChanged(state: .online),
        #"{"event":"connection",\#(head)"state":"online","reason":null,"retry_in":null}"#
      ),
      (
        MessageArrived(id: nil, from: bob, to: me, kind: .chat, body: "hi\n\u{9B}2J"),
        #"{"event":"message",\#(head)"id":null,"from":"bob@example.org/phone","to":"me@example.org/cli","type":"chat","#
          + #""body":"hi\n\u009b2J","delayed":null,"carbon":null,"encrypted":false,"#
          + #""replaces":null,"retracts":null,"reply_to":null,"quoted":null,"reacts_to":null,"reactions":null"#
          + #","subject":null,"thread":null,"language":null,"encryption":null,"links":null,"spoiler":null,"content":null,"unstyled":false,"occupant":null,"private":false,"mention":false}"#
      ),
      (
        MessageArrived(
          id: "1", from: me, to: bob, kind: .normal, body: "", delayed: delayed, carbon: .sent, encrypted: true,
          relations: [.replaces("0"), .replies(to: "a", quote: "> x\n")]),
        #"{"event":"message",\#(head)"id":"1","from":"me@example.org/cli","to":"bob@example.org/phone","type":"normal","#
          + #""body":"","delayed":"2026-11-21T08:00:00.000Z","carbon":"sent","encrypted":true,"#
          + #""replaces":"0","retracts":null,"reply_to":"a","quoted":"> x\n","reacts_to":null,"reactions":null"#
          + #","subject":null,"thread":null,"language":null,"encryption":null,"links":null,"spoiler":null,"content":null,"unstyled":false,"occupant":null,"private":false,"mention":false}"#
      ),
      (
        MessageArrived(
          id: "2", from: bob, to: me, kind: .chat, body: "", relations: [.reacts(to: "1", with: ["👍", "❤"])]),
        #"{"event":"message",\#(head)"id":"2","from":"bob@example.org/phone","to":"me@example.org/cli","type":"chat","#
          + #""body":"","delayed":null,"carbon":null,"encrypted":false,"replaces":null,"retracts":null,"#
          + #""reply_to":null,"quoted":null,"reacts_to":"1","reactions":["👍","❤"]"#
          + #","subject":null,"thread":null,"language":null,"encryption":null,"links":null,"spoiler":null,"content":null,"unstyled":false,"occupant":null,"private":false,"mention":false}"#
      ),
      (
        MessageArrived(id: "3", from: bob, to: me, kind: .chat, body: "", relations: [.retracts("1")]),
        #"{"event":"message",\#(head)"id":"3","from":"bob@example.org/phone","to":"me@example.org/cli","type":"chat","#
          + #""body":"","delayed":null,"carbon":null,"encrypted":false,"replaces":null,"retracts":"1","#
          + #""reply_to":null,"quoted":null,"reacts_to":null,"reactions":null"#
          + #","subject":null,"thread":null,"language":null,"encryption":null,"links":null,"spoiler":null,"content":null,"unstyled":false,"occupant":null,"private":false,"mention":false}"#
      ),
      (
        MessageStateChanged(id: "1", to: bob.bare, state: .failed(reason: "item-not-found")),
        #"{"event":"message-state",\#(head)"id":"1","to":"bob@example.org","state":"failed","by":null,"error":"item-not-found"}"#
      ),
      (
        TypingChanged(from: bob, state: .composing),
        #"{"event":"typing",\#(head)"from":"bob@example.org/phone","state":"composing"}"#
      ),
      (
        PresenceChanged(from: bob, show: "away", status: nil, priority: -1),
        #"{"event":"presence",\#(head)"from":"bob@example.org/phone","show":"away","status":null,"priority":-1}"#
      ),
      (
        FriendChanged(
          item: RosterItem(jid: bob.bare, name: "Bob", subscription: .both, groups: ["a", "b"]), change: .updated),
        #"{"event":"friend",\#(head)"jid":"bob@example.org","name":"Bob","subscription":"both","ask":false,"#
          + #""groups":["a","b"],"change":"updated"}"#
      ),
      (
        FriendChanged(item: RosterItem(jid: bob.bare, ask: true), change: nil),
        #"{"event":"friend",\#(head)"jid":"bob@example.org","name":null,"subscription":"none","ask":true,"#
          + #""groups":[],"change":null}"#
      ),
      (
        FriendRequested(jid: bob.bare, displayName: nil, message: "let me in"),
        #"{"event":"friend-request",\#(head)"jid":"bob@example.org","name":null,"message":"let me in","photo":null}"#
      ),
      (
        BlockChanged(jid: bob.bare, change: .blocked),
        #"{"event":"block",\#(head)"jid":"bob@example.org","change":"blocked"}"#
      ),
      (CaughtUp(messages: 3), #"{"event":"caught-up",\#(head)"messages":3}"#),
      (
        ArchiveRead(messages: 3, oldest: Timestamp(milliseconds: 1_795_248_000_000), complete: true),
        #"{"event":"archive-read",\#(head)"messages":3,"oldest":"2026-11-21T08:00:00.000Z","complete":true}"#
      ),
      (ArchiveRead(), #"{"event":"archive-read",\#(head)"messages":0,"oldest":null,"complete":false}"#),
      (
        RoomChanged(bob.bare, .topic, nick: "eve", text: "lunch"),
        #"{"event":"room",\#(head)"room":"bob@example.org","change":"topic","nick":"eve","text":"lunch","#
          + #""actor":null,"alternative":null,"new":false}"#
      ),
      (
        OccupantChanged(bob.bare, .joined, Occupant(nick: "eve", role: .visitor, affiliation: .member)),
        #"{"event":"occupant",\#(head)"room":"bob@example.org","change":"joined","nick":"eve","new_nick":null,"#
          + #""role":"visitor","affiliation":"member","jid":null,"actor":null,"text":null,"own":false}"#
      ),
      (
        ownRole,
        #"{"event":"occupant",\#(head)"room":"bob@example.org","change":"role","nick":"al","new_nick":null,"#
          + #""role":"visitor","affiliation":"none","jid":null,"actor":null,"text":null,"own":true}"#
      ),
      (
        FriendshipEnded(jid: bob.bare, .refused),
        #"{"event":"friendship-ended",\#(head)"jid":"bob@example.org","reason":"refused","policy":"keep"}"#
      ),
      (
        try ScriptEvent(name: "x-lunch", topic: bob, text: nil),
        #"{"event":"x-lunch",\#(head)"topic":"bob@example.org","text":null}"#
      ),
    ]
  }

  @Test("have exactly these keys in this order")
  func haveTheseKeysInThisOrder() throws {
    let time = Timestamp(milliseconds: 1_795_248_000_123)
    for (event, expected) in try Self.rows() {
      #expect(String(decoding: try event.jsonLine(at: time, account: "work"), as: UTF8.self) == expected + "\n")
    }
  }

  @Test("are all in the catalogue, and all of the catalogue is written here")
  func areAllInTheCatalogue() throws {
    let written = Set(try Self.rows().map { $0.0.name })
    #expect(Set(EventCatalogue.names).isSubset(of: written))
    #expect(Set(EventCatalogue.names).count == EventCatalogue.names.count)
    for name in written { #expect(try EventCatalogue.type(named: name).name == (name == "x-lunch" ? "x-" : name)) }
    for name in ["", "mesage", "x-", "Message", "result"] {
      #expect(throws: EventNameError.self) { try EventCatalogue.type(named: name) }
    }
  }
}
