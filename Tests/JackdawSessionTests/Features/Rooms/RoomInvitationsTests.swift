// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Invitations that are sent, and declined.
@Client @Suite("An invitation", .onLoop) struct RoomInvitationsTests {
  private let bob: JID
  private let user = "http://jabber.org/protocol/muc#user"

  init() throws { bob = try JID("bob@example.net") }

  /// A room that answers questions, and messages with what `error` makes of their ids.
  private func room(answers: RoomRig.Answer? = .empty, _ error: @escaping @Client (String) -> String? = { _ in nil })
    async throws -> RoomRig
  {
    let rig = try await RoomRig()
    rig.answers = { _, payload in
      if case .empty? = answers { return .result("<query xmlns='\(DiscoveryInformation.namespace)'/>") }
      return answers
    }
    let others = rig.fixture.answer
    rig.fixture.answer = { element in
      guard element.name == "message" else { return others(element) }
      let text = error(element.attribute("id") ?? "")
      return text.flatMap { try? Element(parsing: $0) }.map { [$0] } ?? []
    }
    return rig
  }

  private func bounce(_ id: String, from sender: String = "tea@rooms.example.org") -> String {
    "<message type='error' id='\(id)' from='\(sender)' to='alice@example.org/here'><error type='auth'>"
      + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
  }

  private func invitations(_ rig: RoomRig) -> RoomInvitations { rig.fixture.session.features[RoomInvitations.self] }

  @Test("goes through the room, which has dealt with it when it answers what came behind")
  func mediated() async throws {
    let rig = try await room()
    try await invitations(rig).invite(bob, through: rig.room, reason: "Tea & cake")
    try await invitations(rig).decline(rig.room, to: bob)
    let sent = rig.fixture.sent().filter { $0.name == "message" }
    #expect(sent.map { $0.attribute("to") } == ["tea@rooms.example.org", "tea@rooms.example.org"])
    #expect(sent.allSatisfy { $0.attribute("type") == nil })
    #expect(
      sent.compactMap { $0.firstChild?.description } == [
        "<x xmlns='\(user)'><invite to='bob@example.net'><reason>Tea &amp; cake</reason></invite></x>",
        "<x xmlns='\(user)'><decline to='bob@example.net'/></x>",
      ])
    #expect(Set(rig.asked).count == 1 && rig.asked.count == 2)
  }

  @Test("that the room refuses is an error of its own, and none of a message", arguments: [false, true])
  func refused(answersQuestions: Bool) async throws {
    let rig = try await room(answers: answersQuestions ? .empty : .error("item-not-found")) { bounce($0) }
    let error = await #expect(throws: RequestError.self) { try await invitations(rig).invite(bob, through: rig.room) }
    #expect(error?.stanzaError?.condition == "forbidden")
    #expect(!rig.fixture.remarks.contains { $0.contains("an error for a message that was not sent") })
  }

  @Test("is refused by nobody but the room")
  func impostors() async throws {
    let rig = try await room { bounce($0, from: "mallory@example.org") }
    try await invitations(rig).invite(bob, through: rig.room)
    let other = try await room { _ in bounce("guessed") }
    try await invitations(other).invite(bob, through: other.room)
    #expect(other.fixture.remarks.contains { $0.contains("an error for a message that was not sent") })
  }

  @Test("to a room that is none fails, and so does one whose room never answers")
  func unanswered() async throws {
    let none = try await room(answers: .error("item-not-found"))
    let error = await #expect(throws: RequestError.self) { try await invitations(none).invite(bob, through: none.room) }
    #expect(error?.stanzaError?.condition == "item-not-found")
    let silent = try await room(answers: nil)
    let inviting = silent.fixture.start { try await invitations(silent).invite(bob, through: silent.room) }
    await silent.fixture.clock.elapse(.seconds(31))
    #expect(inviting.hasEnded)
    #expect((inviting.error as? RequestError)?.code == .timedOut)
  }

  @Test("that another device has a room hand on is none of ours, and one that comes is")
  func copies() async throws {
    let rig = try await RoomRig()
    let invite = "<x xmlns='\(user)'><invite to='bob@example.net' from='eve@example.net'/></x>"
    let sent =
      "<message xmlns='jabber:client' from='alice@example.org/phone' to='tea@rooms.example.org' id='i1'>\(invite)</message>"
    await rig.fixture.receive(
      "<message from='alice@example.org' to='alice@example.org/here'><sent xmlns='urn:xmpp:carbons:2'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'>\(sent)</forwarded></sent></message>")
    #expect(rig.fixture.events(MessageArrived.self).isEmpty)
    await rig.fixture.receive(
      "<message from='tea@rooms.example.org' to='alice@example.org/here' id='i2'>\(invite)</message>")
    let content = rig.fixture.events(MessageArrived.self).first?.payload?.content
    #expect(content?.address == "tea@rooms.example.org" && content?.person == "eve@example.net")
  }

  @Test(
    "has what lets the user into the room with it, whoever sends it, and no JSON shows that",
    arguments: [
      "<x xmlns='jabber:x:conference' jid='tea@rooms.example.org' password='geheim'/>",
      "<x xmlns='http://jabber.org/protocol/muc#user'><invite from='bob@example.net'/><password>geheim</password></x>",
    ])
  func password(payload: String) async throws {
    let rig = try await RoomRig()
    await rig.fixture.receive(
      "<message from='tea@rooms.example.org' to='alice@example.org/here' id='i1'>\(payload)</message>")
    let event = try #require(rig.fixture.events(MessageArrived.self).first)
    #expect(event.payload?.content?.address == "tea@rooms.example.org")
    #expect(event.payload?.roomPassword == "geheim")
    let line = try JSONLineEncoder.line(of: event)
    #expect(!String(decoding: line, as: UTF8.self).contains("geheim"))
  }

  @Test("that is declined is told to who sent it, where it is a room of theirs that says so")
  func declined() async throws {
    let rig = try await RoomRig()
    let decline =
      "<message from='tea@rooms.example.org' to='alice@example.org/here'><x xmlns='\(user)'>"
      + "<decline from='bob@example.net/x'><reason>no time</reason></decline></x></message>"
    await rig.fixture.receive(decline)
    #expect(rig.fixture.notices.isEmpty)
    rig.fixture.session.features[Groupchat.self].learn(rig.room)
    await rig.fixture.receive(decline)
    #expect(
      rig.fixture.notices == ["bob@example.net declined your invitation into tea@rooms.example.org: no time."])
  }

  @Test("that is declined is told once where the room says so in words of its own")
  func declinedInWords() async throws {
    let rig = try await RoomRig()
    rig.fixture.session.features[Groupchat.self].learn(rig.room)
    await rig.fixture.receive(
      "<message from='tea@rooms.example.org' to='alice@example.org/here' id='d1'><x xmlns='\(user)'>"
        + "<decline from='bob@example.net/x'><reason>no time</reason></decline></x>"
        + "<body>bob@example.net/x declined your invite (no time)</body></message>")
    #expect(rig.fixture.notices.isEmpty)
    #expect(rig.fixture.events(MessageArrived.self).map(\.body) == ["bob@example.net/x declined your invite (no time)"])
  }

  @Test("goes to the person directly, with what lets them in")
  func direct() async throws {
    let rig = try await RoomRig()
    rig.answers = { _, _ in .empty }
    try await invitations(rig).inviteDirectly(bob, into: rig.room, password: "p'", reason: "Tea")
    let message = try #require(rig.fixture.sent().first { $0.name == "message" })
    #expect(message.attribute("to") == "bob@example.net" && message.attribute("type") == nil)
    #expect(
      message.firstChild
        == Element(
          "x", "jabber:x:conference", ["jid": "tea@rooms.example.org", "password": "p'", "reason": "Tea"]))
    #expect(RoomInvitations.invitation(in: try Message(message), to: bob)?.address == "tea@rooms.example.org")
  }
}
