// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("A message that waits, in the list of them")
struct OutboxRowTests {
  @Test(
    "says what a reaction and a retraction do, which have no text, and shows a subject that stands alone",
    arguments: [
      ("one\ntwo", nil, [], "one"), ("at nine", nil, [.replaces("1")], "at nine"), ("", "Lunch", [], "Lunch"),
      ("", nil, [.reacts(to: "1", with: ["👍", "🎉"])], "reacted 👍 🎉"),
      ("", nil, [.retracts("1")], "took a message back"),
      ("", nil, [.reacts(to: "1", with: [])], "took a reaction back"),
    ] as [(String, String?, [MessageRelation], String)])
  func words(_ body: String, _ subject: String?, _ relations: [MessageRelation], _ shown: String) throws {
    let message = OutgoingMessage(
      id: "1", to: try JID("bob@example.org"), body: body, time: Timestamp(milliseconds: 0), relations: relations,
      subject: subject)
    let row = OutboxRow(item: OutboxItem(message: message, state: .waiting))
    #expect(row.cells.map(\.text) == ["1", "waiting", "bob@example.org", shown])
  }

  @Test("of one that is withdrawn it is said whether it may have arrived", arguments: [true, false])
  func withdrawn(_ mayHaveArrived: Bool) throws {
    let row = WithdrawnRow(id: "1", to: try JID("bob@example.org"), mayHaveArrived: mayHaveArrived)
    let doubt = mayHaveArrived ? " It had been sent, and may have arrived." : ""
    #expect(row.cells.map(\.text) == ["Withdrew the message to bob@example.org." + doubt])
  }

  @Test("tells programs what a reaction and a retraction are about, and that it was corrected or taken back itself")
  func json() throws {
    var fate = MessageFate()
    (fate.correction, fate.isRetracted) = ("at nine", true)
    let message = OutgoingMessage(
      id: "2", to: try JID("bob@example.org"), body: "", time: Timestamp(milliseconds: 0),
      relations: [.reacts(to: "1", with: ["👍"])], subject: "Lunch")
    let row = OutboxRow(item: OutboxItem(message: message, state: .waiting), fate: fate)
    let line = try row.jsonLine(of: "outbox list", at: Timestamp(milliseconds: 0), account: nil)
    #expect(
      String(decoding: line, as: UTF8.self).hasSuffix(
        #""body":"","subject":"Lunch","replaces":null,"retracts":null,"reply_to":null,"quoted":null,"reacts_to":"1","#
          + #""reactions":["👍"],"corrected":"at nine","retracted":true,"reacted":[]}"# + "\n"))
  }
}
