// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Nicks and devices that servers allow, and the rules of addresses (RFC 7622) do not.
@Client @Suite("Nicks that break the rules", .onLoop) struct OddNickTests {
  private let store = AccountStore.inMemory()

  private func senders() throws -> [String] {
    try store.log.page(LogQuery(), after: nil).messages.map(\.event.from.description)
  }

  @Test(
    "who is called so in a room is there, and what they say is kept and told",
    arguments: ["Bob \u{B7} he/him", "kat\u{30FB}", "\u{1100}"])
  func inARoom(_ nick: String) async throws {
    let rig = try GroupchatRig(store)
    try await rig.enter()
    let occupant = "\(RoomServer.address)/\(nick)"
    await rig.fixture.receive(
      "<presence from='\(occupant)'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<item affiliation='none' role='participant' jid='kat@example.net/\(nick)'/></x></presence>")
    #expect(rig.groupchat.room(rig.jid)?.occupant(nick)?.jid?.resource == nick)
    await rig.say("hello", by: nick)
    #expect(rig.told.map(\.from.description) == [occupant])
    #expect(try senders() == [occupant])
  }

  @Test("what comes of a device that is called so is kept and told")
  func aDevice() async throws {
    let rig = try GroupchatRig(store)
    try await rig.enter()
    let device = "bob@example.net/kat\u{30FB}"
    await rig.fixture.receive("<message from='\(device)' type='chat' id='m1'><body>hi</body></message>")
    #expect(rig.told.map(\.from.description) == [device])
    #expect(try senders() == [device])
    #expect(!rig.fixture.remarks.contains { $0.contains("is not an address") })
  }

  @Test("a nick that another client chose for the user is asked for as it is")
  func ownNick() async throws {
    let rig = try GroupchatRig(store)
    try await rig.fixture.settleIn()
    try await rig.groupchat.join(rig.jid, nick: "Al \u{B7} she/her")
    #expect(rig.room.entries.last?.attribute("to") == "\(RoomServer.address)/Al \u{B7} she/her")
  }
}
