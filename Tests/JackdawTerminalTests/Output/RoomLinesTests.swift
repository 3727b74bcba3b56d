// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

/// What is said and done in rooms, as people read it.
@Client @Suite(.onLoop) struct RoomLinesTests {
  private let fixture = Fixture(columns: nil)
  private let tea: JID

  init() throws { tea = try JID("tea@rooms.example.org") }

  private func said(
    _ body: String, by nick: String, isOpen: Bool = false, _ fill: (inout MessagePayload) -> Void = { _ in }
  )
    throws -> String
  {
    var payload = MessagePayload()
    fill(&payload)
    fixture.output.conversation = isOpen ? tea : nil
    fixture.output.show(
      MessageArrived(
        id: "1", from: try tea.with(resource: nick), to: try JID("me@example.org"),
        kind: payload.isPrivate ? .chat : .groupchat, body: body, payload: payload))
    return fixture.out.take()
  }

  @Test("are told from what somebody says to the user alone while the room is open")
  func besides() throws {
    let (bob, me) = (try JID("bob@example.org/x"), try JID("me@example.org"))
    fixture.output.conversation = tea
    fixture.output.show(MessageArrived(id: "1", from: bob, to: me, kind: .chat, body: "psst"))
    #expect(fixture.out.take() == "12:01 Bob (private): psst\n")
    fixture.output.conversation = try JID("carol@example.org")
    fixture.output.show(MessageArrived(id: "2", from: bob, to: me, kind: .chat, body: "psst"))
    #expect(fixture.out.take() == "12:01 Bob: psst\n")
  }

  private func told(
    _ change: RoomChanged.Change, nick: String? = nil, text: String? = nil, actor: String? = nil,
    alternative: String? = nil, isNew: Bool = false
  ) throws -> String {
    let alternative = try alternative.map { try JID($0) }
    fixture.output.show(
      RoomChanged(tea, change, nick: nick, text: text, actor: actor, alternative: alternative, isNew: isNew))
    return fixture.out.take()
  }

  @Test("a speaker is named with the room unless that is the open conversation")
  func whoSpeaksIsNamedWithTheRoomUnlessThatIsOpen() throws {
    #expect(try said("hello", by: "bob") == "12:01 bob in tea@rooms.example.org: hello\n")
    #expect(try said("hello", by: "bob", isOpen: true) == "12:01 bob: hello\n")
    #expect(try said("/me waves", by: "bob", isOpen: true) == "12:01 * bob waves\n")
  }

  @Test("a private message is marked as private") func whatIsPrivateSaysSo() throws {
    #expect(
      try said("psst", by: "bob") { $0.isPrivate = true } == "12:01 bob in tea@rooms.example.org, private: psst\n")
  }

  @Test("in words of the program name who sent it, and not the room")
  func wordsOfTheProgram() throws {
    let bob = RosterItem(jid: try JID("bob@example.org"), name: "Bob")
    fixture.roster.occupants["rob"] = OccupantIdentity(contact: bob, isAddressKnown: true)
    let unreadable = "sent an encrypted message (OMEMO) that Jackdaw cannot read.\n"
    let open = try said("", by: "carol", isOpen: true) { $0.encryption = "OMEMO" }
    #expect(open == "12:01 -- carol \(unreadable)")
    let elsewhere = try said("", by: "rob") { $0.encryption = "OMEMO" }
    #expect(elsewhere == "12:01 -- Bob (rob) in tea@rooms.example.org \(unreadable)")
    let alone = try said("", by: "carol") { ($0.encryption, $0.isPrivate) = ("OMEMO", true) }
    #expect(alone == "12:01 -- carol in tea@rooms.example.org, private \(unreadable)")
    let waking = try said("", by: "carol", isOpen: true) { $0.content = MessageContent(.attention) }
    #expect(waking == "12:01 -- carol wants your attention.\n")
    let calling = try said("", by: "carol", isOpen: true) { $0.content = MessageContent(.call) }
    #expect(calling == "12:01 -- carol is calling (Jackdaw has no calls).\n")
  }

  @Test("a nick that looks like another one is marked") func aNickThatLooksLikeAnotherIsMarked() throws {
    #expect(try said("hello", by: "B0b", isOpen: true) == "12:01 B0b (not bob): hello\n")
    #expect(try said("hello", by: "b\u{43E}b", isOpen: true).contains(" (mixes scripts): hello\n"))
  }

  @Test("for a reaction or a retraction the occupant is named, not the room")
  func whoReactsAndTakesBackIsNamedAndNotTheRoom() throws {
    let bob = RosterItem(jid: try JID("bob@example.org"), name: "Bob")
    fixture.roster.occupants["rob"] = OccupantIdentity(contact: bob, isAddressKnown: true)
    func told(_ relation: MessageRelation, by nick: String?, isOpen: Bool) throws -> String {
      fixture.output.conversation = isOpen ? tea : nil
      fixture.output.show(
        MessageArrived(
          id: "2", from: try nick.map { try tea.with(resource: $0) } ?? tea, to: try JID("me@example.org"),
          kind: .groupchat, body: "", relations: [relation]), of: try JID("me@example.org"))
      return fixture.out.take()
    }
    let reaction = MessageRelation.reacts(to: "m1", with: ["👍"])
    #expect(
      try told(reaction, by: "carol", isOpen: true) == "12:01 -- carol reacted 👍 to a message that is not here.\n")
    #expect(
      try told(reaction, by: "rob", isOpen: false)
        == "12:01 -- Bob (rob) in tea@rooms.example.org reacted 👍 to a message that is not here.\n")
    #expect(
      try told(.retracts("m1"), by: "carol", isOpen: true)
        == "12:01 -- carol took back a message that is not here.\n")
    // A moderator's doing comes from the room itself.
    #expect(
      try told(.retracts("m1"), by: nil, isOpen: true)
        == "12:01 -- tea@rooms.example.org took back a message that is not here.\n")
  }

  @Test("what is taken back is named where whoever said it, or the room, takes it back, and by nobody else")
  func takenBack() throws {
    func told(by nick: String?, occupant: String? = nil, isOwn: Bool = false) throws -> String {
      var payload = MessagePayload()
      payload.occupant = "bob's"
      let said = MessageArrived(
        id: "m1", from: try tea.with(resource: "bob"), to: try JID("me@example.org"), kind: .groupchat,
        body: "a secret",
        payload: payload)
      fixture.roster.log["m1"] = LoggedMessage(number: 1, conversation: tea, event: said, isOutgoing: isOwn)
      fixture.output.conversation = tea
      payload.occupant = occupant
      fixture.output.show(
        MessageArrived(
          id: "m2", from: try nick.map { try tea.with(resource: $0) } ?? tea, to: try JID("me@example.org"),
          kind: .groupchat, body: "", relations: [.retracts("m1")], payload: payload), of: try JID("me@example.org"))
      return fixture.out.take()
    }
    let missing = "a message that is not here.\n"
    #expect(try told(by: "bob", occupant: "bob's") == "12:01 -- bob took back \"a secret\".\n")
    #expect(try told(by: "bob") == "12:01 -- bob took back \"a secret\".\n")
    #expect(try told(by: "bob", occupant: "mallory's") == "12:01 -- bob took back " + missing)
    #expect(try told(by: "carol", occupant: "carol's") == "12:01 -- carol took back " + missing)
    for isOwn in [false, true] {
      #expect(try told(by: nil, isOwn: isOwn) == "12:01 -- tea@rooms.example.org took back \"a secret\".\n")
    }
  }

  @Test("a contact is called by the name that the user knows") func aContactIsCalledByTheNameThatTheUserKnows() throws {
    let bob = RosterItem(jid: try JID("bob@example.org"), name: "Bob")
    fixture.roster.occupants["bob"] = OccupantIdentity(contact: bob, isAddressKnown: true)
    fixture.roster.occupants["rob"] = OccupantIdentity(contact: bob, isAddressKnown: true)
    fixture.roster.occupants["B.O.B"] = OccupantIdentity(resembled: bob, isAddressKnown: true)
    #expect(try said("hello", by: "bob", isOpen: true) == "12:01 Bob: hello\n")
    #expect(try said("hello", by: "rob", isOpen: true) == "12:01 Bob (rob): hello\n")
    #expect(try said("hello", by: "B.O.B", isOpen: true) == "12:01 B.O.B (not your contact Bob): hello\n")
  }

  @Test("an occupant who may or may not be a contact is announced once")
  func whoCouldBeAContactAndNeedNotBeIsToldOfOnce() throws {
    let bob = RosterItem(jid: try JID("bob@example.org"), name: "Bob")
    fixture.roster.occupants["bob"] = OccupantIdentity(resembled: bob)
    #expect(
      try said("hello", by: "bob", isOpen: true) == """
        12:01 -- bob in tea@rooms.example.org need not be your contact Bob: the room does not show who is who.
        12:01 bob: hello

        """)
    #expect(try said("hello", by: "bob", isOpen: true) == "12:01 bob: hello\n")
  }

  @Test("a room that has moved is reported with the command that follows it")
  func aRoomThatHasMovedNamesTheCommandThatFollowsIt() throws {
    #expect(
      try told(.refused, text: "The room has moved.", alternative: "cake@rooms.example.org")
        == "12:01 !! The room has moved. To follow it, type: /rooms join cake@rooms.example.org --instead-of tea@rooms.example.org\n"
    )
  }

  @Test("a nick can neither move the cursor nor imitate another line")
  func aNickCannotMoveTheCursorNorPassForAnotherLine() throws {
    #expect(throws: JIDError.self) { try said("hello", by: "bob\u{202E}") }
    #expect(throws: JIDError.self) { try said("hello", by: "bob\u{9B}2J") }
    for (nick, shown) in [
      ("me", "\"me\""), ("Me", "\"Me\""), ("bob: yes", "\"bob: yes\""), ("me → carol", "\"me → carol\""),
      ("-- You", "\"-- You\""), ("* bob", "\"* bob\""), ("!! bob", "\"!! bob\""), ("bob \"B\"", "bob \"B\""),
      ("Ольга", "Ольга"), ("You", "\"You\""), ("Y0u", "\"Y0u\""), ("Jackdaw", "\"Jackdaw\""), ("Yours", "Yours"),
      ("carol left; dave", "\"carol left; dave\""), ("Eve, carol", "\"Eve, carol\""),
      ("eve (private)", "\"eve (private)\""), (" -- You", "\" -- You\""), ("bob ", "\"bob \""), (" ", "\" \""),
      ("-\u{301}- You", "\"-\u{301}- You\""),
      ("Eve Li", "Eve Li"),
    ] {
      #expect(try said("hello", by: nick, isOpen: true) == "12:01 \(shown): hello\n")
    }
    let long = try said("hello", by: String(repeating: "a", count: 1_000), isOpen: true)
    #expect(long.count < 200)
  }

  @Test("a nick that has the form of a contact's with another nick is told from it")
  func nickOfTheFormOfAContact() throws {
    let bob = RosterItem(jid: try JID("bob@example.org"), name: "Bob")
    fixture.roster.occupants["rob"] = OccupantIdentity(contact: bob, isAddressKnown: true)
    #expect(try said("hello", by: "rob", isOpen: true) == "12:01 Bob (rob): hello\n")
    #expect(try said("hello", by: "Bob (rob)", isOpen: true) == "12:01 \"Bob (rob)\": hello\n")
  }

  @Test("what a room itself says stands behind its address, whatever it calls itself")
  func namedLikeAContact() throws {
    fixture.roster.rooms[tea] = "Bob"
    func says(_ kind: Message.Kind) throws -> String {
      fixture.output.show(
        MessageArrived(id: "1", from: tea, to: try JID("me@example.org"), kind: kind, body: "Send me your password"))
      return fixture.out.take()
    }
    for kind in [Message.Kind.groupchat, .normal, .chat] {
      #expect(try says(kind) == "12:01 tea@rooms.example.org: Send me your password\n")
    }
    #expect(try said("hello", by: "eve") == "12:01 eve in Bob: hello\n")
    var past = MessageArrived(id: "1", from: tea, to: try JID("me@example.org"), kind: .groupchat, body: "Pay")
    past.delayed = noon
    let logged = LoggedMessage(number: 1, conversation: tea, event: past, isOutgoing: false)
    fixture.output.show(HistoryRow(logged, part: .exported), of: "history")
    #expect(fixture.out.take() == "2026-11-21 12:01 tea@rooms.example.org: Pay\n")
  }

  @Test("what happened to the user in a room is one sentence") func whatBefellTheUserIsOneSentence() throws {
    #expect(try told(.joined, nick: "Al") == "12:01 -- You are in tea@rooms.example.org as Al.\n")
    #expect(
      try told(.joined, nick: "Al", isNew: true)
        == "12:01 -- There was no room tea@rooms.example.org: you made it, and are in it as Al.\n")
    #expect(
      try told(.kicked, nick: "Al", text: "spam", actor: "bob")
        == "12:01 -- You were removed from tea@rooms.example.org by bob: spam.\n")
    #expect(
      try told(.refused, text: "tea@rooms.example.org is for members only.")
        == "12:01 !! tea@rooms.example.org is for members only.\n")
    #expect(try told(.banned) == "12:01 -- You are banned from tea@rooms.example.org.\n")
    #expect(
      try told(.lost) == "12:01 -- tea@rooms.example.org is not to be reached. It is joined again by itself.\n")
    #expect(
      try told(.topic, nick: "bob", text: "Green") == "12:01 -- bob set the topic of tea@rooms.example.org: Green\n")
    #expect(try told(.topic, nick: "bob", text: "") == "12:01 -- bob took the topic of tea@rooms.example.org away.\n")
    #expect(
      try told(.destroyed, text: "late", alternative: "den@rooms.example.org")
        == "12:01 -- tea@rooms.example.org was closed for good: late. To follow it, type: /rooms join den@rooms.example.org --instead-of tea@rooms.example.org\n"
    )
  }

  @Test("that a room does not let the user in is said once behind a message that failed for that, and again later")
  func refusedOnce() throws {
    let why = "tea@rooms.example.org is for members only."
    fixture.output.show(MessageStateChanged(id: "1", to: tea, state: .failed(reason: why)))
    #expect(
      fixture.out.take() == "12:01 !! ✗ Your message to tea@rooms.example.org was not delivered: \(why)\n")
    #expect(try told(.refused, text: why).isEmpty)
    #expect(try told(.topic, nick: "bob", text: "Green").contains("Green"))
    #expect(try told(.refused, text: why) == "12:01 !! \(why)\n")
    fixture.output.show(MessageStateChanged(id: "1", to: tea, state: .failed(reason: why)))
    _ = fixture.out.take()
    #expect(try told(.refused, text: why, alternative: "den@rooms.example.org").contains("To follow it"))
  }

  @Test("joins and leaves are gathered") func whoCameAndWentIsGathered() throws {
    func changed(_ change: OccupantChanged.Change, _ nick: String) {
      fixture.output.show(OccupantChanged(tea, change, Occupant(nick: nick, role: .participant)))
    }
    changed(.joined, "bob")
    changed(.joined, "carol")
    changed(.left, "carol")
    changed(.left, "dave")
    #expect(fixture.out.take().isEmpty)
    fixture.clock.advance(by: .seconds(3))
    #expect(fixture.out.take() == "12:01 -- bob came; dave left (tea@rooms.example.org)\n")
    changed(.joined, "eve")
    changed(.left, "eve")
    fixture.clock.advance(by: .seconds(3))
    #expect(fixture.out.take().isEmpty, "who does both is worth no line")
  }

  @Test("who came, took another name and left is told in this order, and so is who was removed and came back")
  func order() throws {
    func changed(_ change: OccupantChanged.Change, _ nick: String, newNick: String? = nil) {
      var event = OccupantChanged(tea, change, Occupant(nick: nick, role: .participant))
      event.newNick = newNick
      fixture.output.show(event)
    }
    changed(.joined, "bob")
    changed(.renamed, "bob", newNick: "Robert")
    changed(.left, "Robert")
    fixture.clock.advance(by: .seconds(3))
    #expect(fixture.out.take() == "12:01 -- bob came; bob is Robert now; Robert left (tea@rooms.example.org)\n")
    changed(.kicked, "bob")
    changed(.joined, "bob")
    fixture.clock.advance(by: .seconds(3))
    #expect(fixture.out.take() == "12:01 -- bob was removed; bob came (tea@rooms.example.org)\n")
  }

  @Test(
    "who is made a member, and may do what they could before, is not told of as somebody who may speak now, nor is who was a moderator"
  )
  func affiliations() throws {
    func told(_ role: RoomRole, _ affiliation: RoomAffiliation, before: RoomRole) -> String {
      var event = OccupantChanged(tea, .role, Occupant(nick: "bob", role: role, affiliation: affiliation))
      (event.actor, event.roleBefore) = ("carol", before)
      fixture.output.show(event)
      fixture.clock.advance(by: .seconds(3))
      return fixture.out.take()
    }
    #expect(
      told(.participant, .member, before: .participant)
        == "12:01 -- bob was made a member by carol (tea@rooms.example.org)\n")
    #expect(
      told(.moderator, .owner, before: .moderator)
        == "12:01 -- bob was made an owner by carol (tea@rooms.example.org)\n")
    #expect(
      told(.participant, .none, before: .participant)
        == "12:01 -- bob was removed from the members by carol (tea@rooms.example.org)\n")
    #expect(
      told(.moderator, .admin, before: .participant)
        == "12:01 -- bob was made a moderator by carol (tea@rooms.example.org)\n"
    )
    #expect(
      told(.participant, .none, before: .moderator)
        == "12:01 -- bob was removed from the moderators by carol (tea@rooms.example.org)\n")
    #expect(
      told(.participant, .member, before: .visitor) == "12:01 -- bob was given voice by carol (tea@rooms.example.org)\n"
    )
    #expect(
      told(.visitor, .none, before: .participant) == "12:01 -- bob was muted by carol (tea@rooms.example.org)\n")
  }

  @Test("what changes of the user is told of as theirs, and not as somebody's of that nick")
  func ownRole() throws {
    func told(_ role: RoomRole, _ affiliation: RoomAffiliation, before: RoomRole) -> String {
      var event = OccupantChanged(tea, .role, Occupant(nick: "Al", role: role, affiliation: affiliation))
      (event.roleBefore, event.isOwn) = (before, true)
      fixture.output.show(event)
      fixture.clock.advance(by: .seconds(3))
      return fixture.out.take()
    }
    let room = "(tea@rooms.example.org)\n"
    #expect(told(.visitor, .none, before: .participant) == "12:01 -- You may not speak \(room)")
    #expect(told(.moderator, .none, before: .participant) == "12:01 -- You are a moderator \(room)")
    #expect(told(.participant, .none, before: .moderator) == "12:01 -- You are no longer a moderator \(room)")
    #expect(told(.moderator, .admin, before: .moderator) == "12:01 -- You were made an administrator \(room)")
  }
}
