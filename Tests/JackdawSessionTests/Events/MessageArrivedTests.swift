// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

@Suite("A message that arrived") struct MessageArrivedTests {
  @Test("stays as it is when a copy of it is changed") func copies() throws {
    let (bob, me) = (try JID("bob@example.org/phone"), try JID("me@example.org/cli"))
    var payload = MessagePayload()
    payload.subject = "Lunch"
    let message = MessageArrived(id: "1", from: bob, to: me, kind: .chat, body: "hi", payload: payload)
    var copy = message
    copy.place = LogPlace(seq: 1)
    copy.isWaiting = true
    copy.payload?.isPrivate = true
    #expect(copy.place == LogPlace(seq: 1) && copy.isWaiting && copy.isPrivate && copy.payload?.subject == "Lunch")
    #expect(message.place == nil && !message.isWaiting && !message.isPrivate && message.payload == payload)
    #expect(copy.body == "hi" && copy.id == "1" && copy.from == bob && copy.to == me && copy.kind == .chat)
    #expect(copy.conversation == bob && message.conversation == bob.bare)
    copy = message
    copy.place = LogPlace(seq: 2)
    #expect(copy == message)
    copy.body = "ho"
    #expect(copy != message && message.body == "hi")
  }

  @Test("has its place beside the rest, and as any event needs no memory of its own") func place() throws {
    // What an existential has room for.
    #expect(MemoryLayout<MessageArrived>.size <= 3 * MemoryLayout<Int>.size)
    for beginning in [0, 1, 1_000_000, Int(Int32.max)] {
      #expect(LogPlace(seq: .max, beginning: beginning).beginning == beginning)
    }
    #expect(LogPlace(seq: 1, beginning: 1) > LogPlace(seq: 2) && LogPlace(seq: 1) < LogPlace(seq: 2))
  }

  @Test("is encrypted where its payload is, however it is made") func encrypted() throws {
    let me = try JID("me@example.org")
    var payload = MessagePayload()
    payload.encryption = "OMEMO"
    #expect(MessageArrived(id: nil, from: me, to: me, kind: .chat, body: "", payload: payload).encrypted)
    #expect(!MessageArrived(id: nil, from: me, to: me, kind: .chat, body: "", payload: MessagePayload()).encrypted)
    #expect(MessageArrived(id: nil, from: me, to: me, kind: .chat, body: "", encrypted: true).encrypted)
  }
}
