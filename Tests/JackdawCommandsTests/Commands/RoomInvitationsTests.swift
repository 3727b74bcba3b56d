// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawSession

/// Invitations into rooms: sent, listed and answered.
@Client @Suite("Invitations into rooms", .onLoop)
struct RoomInvitationsTests: RoomSuite {
  let rig: ApplicationRig
  let host: RoomHost

  init() throws {
    rig = try ApplicationRig()
    host = RoomHost(rig)
  }

  @Test("invite goes directly into an open room, and through one that is for members")
  func invite() async throws {
    #expect(try await rooms("invite", tea, "bob@example.org", "--reason", "Cake") == .success)
    #expect(host.asked.isEmpty)
    #expect(rig.fixture.server.received.contains { $0.child("x", "jabber:x:conference") != nil })
    let other = try ApplicationRig()
    let second = RoomHost(other)
    second.features = ["muc_membersonly"]
    #expect(try await other.run("rooms", "invite", tea, "bob@example.org") == .success)
    #expect(second.asked.first?.contains("<invite to='bob@example.org'/>") == true)
  }

  @Test("One that goes directly stands in the history as it is sent, and is known where the archive gives it again")
  func isLogged() async throws {
    #expect(try await rooms("invite", tea, "bob@example.org", "--reason", "Cake") == .success)
    let logged = try rig.store.log.page(LogQuery(), after: nil).messages
    #expect(logged.map(\.state) == [.server])
    #expect(logged.first?.conversation == (try JID("bob@example.org")) && logged.first?.isOutgoing == true)
    let content = logged.first?.event.payload?.content
    #expect(content?.kind == .invitation && content?.address == tea && content?.text == "Cake")
    var copy = try #require(logged.first).event
    copy.carbon = .sent
    let arrived = ArrivedMessage(
      copy, archiveID: "a1", hasUniqueID: false, mayBeRepeated: true, time: Timestamp(milliseconds: 1_000))
    #expect(try rig.store.messages.record([arrived], archiveCursor: nil) == [.known])
    #expect(try rig.store.messages.unpresented(to: "screen", after: nil, limit: 10).isEmpty)
  }

  @Test("One of which the server does not say that it has it has failed: nothing sends it again")
  func isUnconfirmed() async throws {
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      (try? IQ(element))?.payload?.matches("ping", "urn:xmpp:ping") == true ? [] : answer(element)
    }
    let run = try await rig.start("rooms", "invite", tea, "bob@example.org")
    await rig.fixture.clock.elapse(.seconds(40))
    #expect(run.value == .tryAgain)
    let state = try rig.store.log.page(LogQuery(), after: nil).messages.first?.state
    guard case .failed? = state else {
      Issue.record("\(state as Any)")
      return
    }
  }

  @Test(
    "invite from within an open room goes directly, so that it is known who invites; not where the room has a password that is not known here",
    arguments: [([], false), (["muc_passwordprotected"], true)])
  func inviteFromWithin(features: [String], isThroughRoom: Bool) async throws {
    let rig = try ApplicationRig(TypedLines("/rooms join \(tea)\n/rooms invite tea bob@example.org"))
    let host = RoomHost(rig)
    host.features = features
    #expect(try await rig.run() == .success)
    #expect(host.asked.contains { $0.contains("<invite to='bob@example.org'/>") } == isThroughRoom)
    #expect(rig.fixture.server.received.contains { $0.child("x", "jabber:x:conference") != nil } == !isThroughRoom)
  }

  @Test(
    "accept and decline answer an invitation that has come, by the room's address or what it is called there, and no other",
    arguments: ["accept", "decline"], ["tea@rooms.example.org", "Tea"])
  func invitations(answer: String, room: String) async throws {
    #expect(try await rig.run("rooms", answer, room) == .noUser)
    let invitation =
      "<message from='\(tea)' to='alice@example.org' id='i1'><x xmlns='http://jabber.org/protocol/muc#user'>"
      + "<invite from='bob@example.org/x'><reason>Cake</reason></invite></x></message>"
    let lines = TypedLines(isOpen: true)
    let other = try ApplicationRig(lines)
    let second = RoomHost(other)
    let running = try await other.start("run", "-")
    lines.type("/rooms")
    await other.fixture.clock.settle()
    await other.fixture.receive(invitation)
    lines.type("/rooms \(answer) \(room)")
    await other.fixture.clock.settle()
    lines.end()
    await other.fixture.clock.elapse(.seconds(10))
    #expect(running.value == .success)
    if answer == "accept" {
      #expect(second.bookmarks.map(\.jid) == [tea])
    } else {
      #expect(second.asked.first?.contains("<decline to='bob@example.org'/>") == true)
    }
  }

  @Test("of two rooms that are called alike the one is meant whose invitation is open, and none where both are")
  func calledAlike() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let host = RoomHost(rig)
    _ = try await rig.start()
    for room in [tea, "tea@other.example.org"] {
      await rig.fixture.receive(
        "<message from='\(room)' to='alice@example.org' id='\(room)'><x xmlns='http://jabber.org/protocol/muc#user'>"
          + "<invite from='bob@example.org/x'/></x></message>")
    }
    await rig.fixture.clock.elapse(.milliseconds(200))
    for word in ["tea", "tea@other.example.org", "tea"] {
      rig.prompt.type("/rooms decline \(word)")
      await rig.fixture.clock.elapse(.milliseconds(200))
    }
    let told = "/rooms decline tea: Which 'tea' do you mean: tea@other.example.org, \(tea)?"
    #expect(rig.output.failures.map(\.text) == [told])
    // The other is a room of another server.
    #expect(host.asked.count { $0.contains("<decline") } == 1, "\(host.asked)")
  }

  @Test("decline leaves nothing unread of one that the room handed on, and all else")
  func declinedIsRead() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let host = RoomHost(rig)
    host.rooms["cake"] = ["Eve"]
    _ = try await rig.start()
    await rig.fixture.receive(
      "<message from='\(tea)' to='alice@example.org' id='i1'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<invite from='bob@example.org/x'/></x></message>")
    for (id, more) in [
      ("m1", "<body>hi</body>"), ("i2", "<x xmlns='jabber:x:conference' jid='cake@rooms.example.org'/>"),
    ] {
      await rig.fixture.receive("<message from='bob@example.org/x' to='alice@example.org' id='\(id)'>\(more)</message>")
    }
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(try rig.store.log.unread().messages == 3)
    for room in [tea, "cake@rooms.example.org"] {
      rig.prompt.type("/rooms decline \(room)")
      await rig.fixture.clock.elapse(.milliseconds(200))
      #expect(try rig.store.log.unread().messages == 2, "\(rig.output.failures)")
    }
    #expect(rig.output.failures.isEmpty, "\(rig.output.failures)")
  }

  @Test("decline tells whoever invited the user once, and again only of another invitation")
  func declinedOnce() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let host = RoomHost(rig)
    _ = try await rig.start()
    func invited(_ id: String) async {
      await rig.fixture.receive(
        "<message from='\(tea)' to='alice@example.org' id='\(id)'><x xmlns='http://jabber.org/protocol/muc#user'>"
          + "<invite from='bob@example.org/x'/></x></message>")
      await rig.fixture.clock.elapse(.milliseconds(200))
    }
    func declines() async -> Int {
      rig.prompt.type("/rooms decline \(tea)")
      await rig.fixture.clock.elapse(.milliseconds(200))
      return host.asked.count { $0.contains("<decline to='bob@example.org'/>") }
    }
    await invited("i1")
    let first = await declines()
    #expect(rig.output.failures.isEmpty, "\(rig.output.failures)")
    let again = await declines()
    let told = "/rooms decline \(tea): You have answered the invitation into \(tea) already."
    #expect(rig.output.failures.map(\.text) == [told])
    await invited("i2")
    let another = await declines()
    #expect([first, again, another] == [1, 1, 2])
  }

  @Test("accept uses the password that stands in the invitation, and invitations shows no more what was declined")
  func passwordAndAnswer() async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines)
    let host = RoomHost(rig)
    host.password = "geheim"
    host.rooms["cake"] = ["Eve"]
    let running = try await rig.start("run", "-")
    lines.type("/rooms")
    await rig.fixture.clock.settle()
    for (id, room) in [("i1", tea), ("i2", "cake@rooms.example.org")] {
      await rig.fixture.receive(
        "<message from='bob@example.org/x' to='alice@example.org' id='\(id)'>"
          + "<x xmlns='jabber:x:conference' jid='\(room)' password='geheim'/></message>")
    }
    lines.type("/rooms decline cake@rooms.example.org")
    lines.type("/rooms invitations")
    lines.type("/rooms accept \(tea)")
    await rig.fixture.clock.settle()
    lines.end()
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(running.value == .success)
    let rows = rig.output.rows.compactMap { ($0.row as? RoomInvitationRow)?.invitation }
    #expect(rows.map(\.room.localpart) == ["tea"])
    #expect(host.bookmarks.map(\.jid) == [tea])
  }

  @Test("an invitation is answered by entering the room in another way, and is not open once that is left")
  func joined() async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines)
    _ = RoomHost(rig)
    let running = try await rig.start("run", "-")
    lines.type("/rooms")
    await rig.fixture.clock.settle()
    await rig.fixture.receive(
      "<message from='bob@example.org/x' to='alice@example.org' id='i1'><x xmlns='jabber:x:conference' jid='\(tea)'/></message>"
    )
    for command in ["invitations", "join \(tea)", "leave \(tea)", "invitations"] { lines.type("/rooms \(command)") }
    await rig.fixture.clock.settle()
    lines.end()
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(running.value == .success)
    #expect(rig.output.rows.count { $0.row is RoomInvitationRow } == 1)
  }

  @Test("invitations shows the newest into each room that is not the user's yet")
  func openInvitations() async throws {
    func invitation(_ room: String, _ inviter: String, _ reason: String) -> String {
      "<message from='\(room)' to='alice@example.org' id='\(reason)'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<invite from='\(inviter)'><reason>\(reason)</reason></invite></x></message>"
    }
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines)
    _ = RoomHost(rig)
    let running = try await rig.start("run", "-")
    lines.type("/rooms")
    await rig.fixture.clock.settle()
    for (room, inviter, reason) in [
      (tea, "bob@example.org/x", "one"), (tea, "carol@example.org", "two"),
      ("cake@rooms.example.org", "eve@example.net", "three"),
    ] { await rig.fixture.receive(invitation(room, inviter, reason)) }
    lines.type("/rooms invitations")
    lines.type("/rooms accept \(tea)")
    lines.type("/rooms invitations")
    await rig.fixture.clock.settle()
    lines.end()
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(running.value == .success)
    let rows = rig.output.rows.compactMap { ($0.row as? RoomInvitationRow)?.invitation }
    #expect(
      rows.map { "\($0.room.localpart ?? "") \($0.inviter) \($0.reason ?? "")" } == [
        "cake eve@example.net three", "tea carol@example.org two", "cake eve@example.net three",
      ])
  }

  @Test("decline answers a person's own invitation into a room that knows nothing of it, or is not there")
  func declinedDirectly() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    _ = RoomHost(rig)
    _ = try await rig.start()
    await rig.fixture.receive(
      "<message from='bob@example.org/x' to='alice@example.org' id='i1'>"
        + "<x xmlns='jabber:x:conference' jid='nowhere@rooms.example.org'/></message>")
    await rig.fixture.clock.elapse(.milliseconds(200))
    rig.prompt.type("/rooms decline nowhere@rooms.example.org")
    await rig.fixture.clock.elapse(.milliseconds(200))
    rig.prompt.type("/rooms invitations")
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(rig.output.failures.isEmpty, "\(rig.output.failures)")
    let words = rig.output.rows.flatMap { $0.row.cells.map(\.text) }
    #expect(
      words.contains {
        $0.hasPrefix(
          "You declined the invitation into nowhere@rooms.example.org. bob@example.org is not told: There is nothing with this"
        )
      }, "\(words)")
    #expect(!rig.output.rows.contains { $0.row is RoomInvitationRow })
  }

  @Test("what is said to a whole room with the form of an invitation invites nobody, and is shown as it was said")
  func saidToAll() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    _ = RoomHost(rig)
    _ = try await rig.start()
    rig.prompt.type("/rooms join \(tea)")
    await rig.fixture.clock.settle()
    await rig.fixture.receive(
      "<message from='\(tea)/Bob' to='alice@example.org' type='groupchat' id='m1'><body>Come!</body>"
        + "<x xmlns='jabber:x:conference' jid='evil@rooms.example.org' reason='Free cake'/></message>")
    await rig.fixture.clock.elapse(.milliseconds(200))
    let told = rig.output.events.compactMap { $0 as? MessageArrived }
    #expect(told.map(\.body) == ["Come!"] && told.last?.isInvitation == false)
    rig.prompt.type("/rooms invitations")
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(!rig.output.rows.contains { $0.row is RoomInvitationRow })
  }
}
