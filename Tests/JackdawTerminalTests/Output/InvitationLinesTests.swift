// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

/// Invitations into rooms, as people read them: those of strangers are counted.
@Client @Suite(.onLoop) struct InvitationLinesTests {
  private let fixture = Fixture(columns: 120)

  private func invite(from sender: String, by person: String? = nil, into room: String = "tea@rooms.example.org")
    throws
  {
    var payload = MessagePayload()
    var content = MessageContent(.invitation)
    content.address = room
    content.person = person
    payload.content = content
    fixture.output.show(
      MessageArrived(
        id: "1", from: try JID(sender), to: try JID("me@example.org"), kind: .normal, body: "", payload: payload))
  }

  private func wait(_ time: Duration) async -> String {
    await fixture.clock.elapse(time)
    return fixture.out.take()
  }

  @Test("A friend's invitation is displayed at once") func aFriendsInvitationIsShownAtOnce() async throws {
    try invite(from: "bob@example.org")
    #expect(fixture.out.take().contains("Bob invites you to the room tea@rooms.example.org"))
  }

  @Test("Of a stranger's invitation only its arrival is displayed")
  func aStrangersInvitationIsNotShownButThatItCame() async throws {
    try invite(from: "eve@example.net", into: "casino@rooms.example.org")
    #expect(fixture.out.take() == "")
    #expect(
      await wait(.seconds(1)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        == "12:01 -- eve@example.net, who is not one of your friends, invites you into a room. To see it, type: "
        + "/rooms invitations")
  }

  @Test("An invitation through a room counts as from the person whom the room names")
  func whomARoomNamesIsTheOneWhoInvites() async throws {
    try invite(from: "casino@rooms.example.org", by: "eve@example.net")
    #expect(fixture.out.take() == "")
    try invite(from: "tea@rooms.example.org", by: "bob@example.org")
    #expect(fixture.out.take().contains("tea@rooms.example.org says that Bob invites you there"))
  }

  @Test("A room that names only a nick, or nobody, is not announced as a stranger")
  func aRoomThatTellsOnlyANickIsNoStrangerAndWhoInvitesIsNamedAsItSays() async throws {
    for (nick, words) in [
      ("/bob", "says that bob there invites you, but not whose name that is"),
      (nil, "invites you, and does not say who wants that"),
    ] {
      try invite(
        from: "eve@rooms.example.net", by: nick.map { "eve@rooms.example.net" + $0 }, into: "eve@rooms.example.net")
      let shown = await wait(.seconds(120)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(
        shown.contains("-- The room eve@rooms.example.net \(words). To see it, type: /rooms invitations"), "\(shown)")
    }
  }

  @Test("A flood of invitations is at most two lines a minute") func aFloodIsTwoLinesAMinute() async throws {
    for number in 0..<1_000 { try invite(from: "eve@e\(number).example") }
    #expect(
      await wait(.seconds(1)).hasPrefix(
        "12:01 -- There are 1000 invitations into rooms, none of them known to be from a friend."))
    var shown = ""
    for _ in 0..<60 {
      try invite(from: "eve@example.net")
      shown += await wait(.seconds(1))
    }
    #expect(shown.split(separator: "\n").filter { $0.contains(" -- ") }.count <= 1, "\(shown)")
  }

  @Test("A script gets each invitation as a line") func aScriptHasEachAsALine() async throws {
    let fixture = Fixture(columns: nil, isPrompt: false)
    var payload = MessagePayload()
    payload.content = MessageContent(.invitation)
    payload.content?.address = "tea@rooms.example.org"
    fixture.output.show(
      MessageArrived(
        id: "1", from: try JID("eve@example.net"), to: try JID("me@example.org"), kind: .normal, body: "",
        payload: payload))
    #expect(fixture.out.take().contains("eve@example.net invites you to the room tea@rooms.example.org"))
  }
}
