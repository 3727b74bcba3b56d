// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What is said in rooms.
@Client @Suite(.onLoop) struct RoomMessageTests {
  @Test("a message in a room is of the type groupchat and from an occupant") func fromOccupant() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    await rig.say("hello, Alice!")
    #expect(rig.told.map(\.from.description) == ["lunch@rooms.example.org/bob"])
    #expect(rig.told.first?.conversation == rig.jid)
    #expect(rig.told.first?.kind == .groupchat)
    #expect(rig.told.first?.payload?.isMention == true)
  }

  @Test("a mention is counted until the message is read") func mentions() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store)
    try await rig.enter()
    await rig.say("hello, Alice!", id: "m1")
    await rig.say("hello, all! \"mention\":true", id: "m2", "<thread>\"mention\":true</thread>")
    await rig.say("alice?", id: "m3")
    #expect(try store.log.unreadMentions(in: rig.jid) == 2)
    let first = try #require(try store.log.number(ofID: "m1", in: rig.jid))
    try store.log.markRead(rig.jid, through: first)
    #expect(try store.log.unreadMentions(in: rig.jid) == 1)
  }

  @Test("a message with an empty text in a room is not displayed") func emptyText() async throws {
    let rig = try GroupchatRig(
      AccountStore.inMemory(), features: RoomServer.features + [RoomPresence.occupantIDNamespace])
    try await rig.enter()
    await rig.say("", "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='b5c0'/>")
    #expect(rig.told.isEmpty)
  }

  @Test("a message of a room that was never joined is dropped") func neverJoined() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.fixture.settleIn()
    await rig.say("hello")
    #expect(rig.told.isEmpty)
  }

  // MARK: Ours

  @Test("our message has arrived when the room reflects it, and not before") func reflected() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.reflects = false
    rig.fixture.managedStreams = ScriptedServer.ManagedStreams()
    try await rig.enter()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    rig.fixture.clock.advance(by: .seconds(5))
    await rig.fixture.clock.settle()
    #expect(rig.states(of: id) == [.sent], "our server has it")
    await rig.say("hi", by: "alice", id: id)
    #expect(rig.states(of: id) == [.sent, .server])
    #expect(rig.told.isEmpty, "it is not news")
  }

  @Test("a message waits until the room is joined for it") func aMessageWaitsUntilTheRoomIsEnteredForIt() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.fixture.settleIn()
    rig.groupchat.learn(rig.jid)
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 1)
    #expect(rig.states(of: id).last == .server)
  }

  /// The server of a room may be away for days.
  @Test("a message that waits for a room does not hold up messages to people") func besidePeople() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.refusal = StanzaError(kind: .wait, condition: "remote-server-timeout")
    rig.fixture.managedStreams = ScriptedServer.ManagedStreams()
    try await rig.fixture.settleIn()
    rig.groupchat.learn(rig.jid)
    let waiting = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    let id = try rig.delivery.send("hello", to: JID("bob@example.org"))
    let confirming = rig.fixture.start { try await rig.delivery.confirm([id]) }
    await rig.fixture.clock.settle()
    #expect(confirming.hasEnded && confirming.error == nil)
    #expect(rig.delivery.openCount == 1 && rig.states(of: waiting).allSatisfy { $0 == .waiting })
    let other = rig.fixture.start { try await rig.delivery.confirm([waiting], within: .seconds(5)) }
    await rig.fixture.clock.elapse(.milliseconds(4_900))
    #expect(!other.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(other.error.map { "\($0)" } == "1 message is still unsent: The server did not confirm it in time.")
  }

  @Test("a message to a room that refuses the user fails with the reason") func refusingRoom() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.refusal = StanzaError(kind: .auth, condition: "registration-required")
    try await rig.fixture.settleIn()
    rig.groupchat.learn(rig.jid)
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    let reason = "lunch@rooms.example.org is for members only."
    #expect(rig.states(of: id).last == .failed(reason: reason))
    // A command that sent it says why, too.
    let failure = rig.delivery.failure(of: id) as? MessageBounced
    #expect(failure?.description == "The message to lunch@rooms.example.org was refused: \(reason)")
  }

  @Test("a message to a room that is gone does not create it, unless the user wants to join") func gone() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.hasEnded = true
    try await rig.fixture.settleIn()
    rig.groupchat.learn(rig.jid)
    let id = try rig.delivery.send("anybody?", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.isEmpty && rig.room.hasEnded)
    let reason = "There is no room lunch@rooms.example.org, or nobody may enter it yet."
    #expect(rig.states(of: id).last == .failed(reason: reason))
    try await rig.groupchat.join(rig.jid)
    #expect(!rig.room.hasEnded)
  }

  @Test("a bookmark creates the room though a message waited for it first") func bookmarkedLate() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.hasEnded = true
    try await rig.fixture.settleIn()
    rig.groupchat.learn(rig.jid)
    let id = try rig.delivery.send("anybody?", to: rig.jid)
    var record = RoomRecord(rig.jid)
    record.autojoin = true
    rig.groupchat.bookmarkChanged(record)
    await rig.fixture.clock.settle()
    #expect(!rig.room.hasEnded && rig.states(of: id).last == .server)
  }

  @Test("messages that the room sends before it confirms the leaving are accepted") func whileLeaving() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.reflects = false
    try await rig.enter()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    let answer = rig.fixture.answer
    rig.fixture.answer = { [jid = rig.jid] element in
      guard element.attribute("type") == "unavailable" else { return answer(element) }
      let said = [("alice", id, "hi"), ("bob", "m1", "Bye!")].map { nick, id, body in
        RoomServer.xml(
          "<message xmlns='jabber:client' from='\(jid)/\(nick)' type='groupchat' id='\(id)'><body>\(body)</body></message>"
        )
      }
      return said + answer(element)
    }
    try await rig.groupchat.leave(rig.jid)
    #expect(rig.states(of: id).last == .server)
    #expect(rig.told.map(\.body).contains("Bye!"))
  }

  @Test("when the user is removed a message that was not reflected is reported as failed") func removed() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.reflects = false
    try await rig.enter()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    await rig.receive(RoomServer.presence("alice", codes: [307, 110], type: "unavailable", role: "none"))
    #expect(rig.states(of: id).last == .failed(reason: "You are no longer in lunch@rooms.example.org."))
  }

  @Test("a user who is removed does not join again for messages that still waited") func staysRemoved() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.reflects = false
    try await rig.enter()
    // None of these is written before the user is removed: each waits behind the one that is in doubt.
    for number in 1...3 { try rig.delivery.send("hi \(number)", to: rig.jid) }
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    rig.room.refusal = StanzaError(kind: .auth, condition: "forbidden")
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 2, "once before, and once on the new stream")
    #expect(rig.delivery.openCount == 0)
  }

  @Test("somebody else's message with our ID confirms nothing") func foreignMessage() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    rig.room.reflects = false
    try await rig.enter()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    await rig.say("hi", by: "bob", id: id)
    #expect(rig.states(of: id) == [.sent])
    #expect(rig.told.map(\.from.resource) == ["bob"])
  }

  @Test("a message of another device of ours in the room counts as ours") func otherDevice() async throws {
    let rig = try GroupchatRig(
      AccountStore.inMemory(), features: RoomServer.features + [RoomPresence.occupantIDNamespace])
    rig.room.occupantID = "me"
    try await rig.enter()
    let own = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='me'/>"
    await rig.say("from my phone", by: "alice", id: "p1", own)
    await rig.say("not me", by: "alice", id: "p2", "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='other'/>")
    #expect(rig.told.map(\.carbon) == [.sent, nil])
  }

  @Test("an earlier message by somebody who had our nick counts as theirs") func earlierNick() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    await rig.say(
      "old", by: "alice", id: "o1",
      "<delay xmlns='urn:xmpp:delay' from='\(RoomServer.address)' stamp='2026-11-20T10:00:00Z'/>")
    #expect(rig.told.map(\.carbon) == [nil])
  }

  // MARK: Private

  @Test("a private message belongs to the occupant's conversation, not to a contact's") func occupant() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store)
    try await rig.enter()
    await rig.fixture.receive(
      "<message from='\(RoomServer.address)/bob' to='alice@example.org/here' type='chat' id='p1'><body>psst</body>"
        + "<x xmlns='http://jabber.org/protocol/muc#user'/><request xmlns='urn:xmpp:receipts'/></message>")
    #expect(rig.told.map(\.conversation.description) == ["lunch@rooms.example.org/bob"])
    #expect(try store.log.conversations().map(\.conversation.description) == ["lunch@rooms.example.org/bob"])
    #expect(!rig.fixture.sent().contains { $0.description.contains("received") }, "nobody is told that it came")
    let id = try rig.delivery.send("yes?", to: JID("lunch@rooms.example.org/bob"))
    await rig.fixture.clock.settle()
    let sent = try #require(rig.fixture.sent().first { $0.name == "message" })
    #expect(sent.attribute("type") == "chat")
    #expect(sent.attribute("to") == "lunch@rooms.example.org/bob")
    #expect(sent.child("x", Namespace.roomUser) != nil)
    #expect(sent.child("request", DeliveryReceipts.namespace) == nil)
    #expect(try store.log.message(ofID: id, in: JID("lunch@rooms.example.org/bob"), isOutgoing: true) != nil)
  }

  @Test("a contact who writes the element of a room's private message is still that contact") func fake() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    await rig.fixture.receive(
      "<iq type='set' id='push1'><query xmlns='jabber:iq:roster'><item jid='carol@example.net' subscription='both'/></query></iq>"
    )
    for sender in ["carol@example.net/x", "mallory@example.net/x"] {
      await rig.fixture.receive(
        "<message from='\(sender)' type='chat' id='\(sender)'><body>hi</body>"
          + "<x xmlns='http://jabber.org/protocol/muc#user'/></message>")
    }
    #expect(rig.told.map(\.conversation.description) == ["carol@example.net", "mallory@example.net/x"])
  }

  // MARK: Ids

  @Test("a stanza ID that somebody else assigned is not the room's") func foreignStanzaID() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    try await rig.enter()
    await rig.say("one", id: "m1", "<stanza-id xmlns='urn:xmpp:sid:0' by='mallory@example.org' id='x1'/>")
    await rig.say("two", id: "m2", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='x1'/>")
    #expect(try store.log.archiveID(ofMessage: "m1", in: rig.jid) == nil)
    #expect(try store.log.archiveID(ofMessage: "m2", in: rig.jid) == "x1")
  }

  @Test("a room's stanza ID is stored where our own server vouches for IDs") func trustedIDs() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.accountFeatures = [StanzaID.namespace, MessageArchive.namespace]
    try await rig.enter()
    await rig.say("one", id: "m1", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r1'/>")
    #expect(try store.log.archiveID(ofMessage: "m1", in: rig.jid) == "r1")
  }

  @Test("stanza IDs of a room do not move the cursor of our own archive") func ownCursor() async throws {
    let store = AccountStore.inMemory()
    try store.messages.keepArchiveCursor("a7")
    let rig = try GroupchatRig(store, features: RoomServer.features)
    try await rig.enter()
    await rig.say("one", id: "m1", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r9'/>")
    #expect(try store.messages.archiveCursor() == "a7")
  }

  // MARK: What is said of others

  @Test("reactions and replies name the room's stanza ID") func reactionsAndRepliesNameTheRoomsID() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    try await rig.enter()
    await rig.say("one", id: "m1", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r1'/>")
    try rig.delivery.send("", to: rig.jid, saying: [.reacts(to: "m1", with: ["👍"])])
    await rig.fixture.clock.settle()
    let sent = try #require(rig.fixture.sent().first { $0.name == "message" })
    #expect(sent.child("reactions", MessageRelation.Namespace.reactions)?.attribute("id") == "r1")
    await rig.say(
      "", by: "carol", id: "m2", "<reactions xmlns='urn:xmpp:reactions:0' id='r1'><reaction>👎</reaction></reactions>")
    let message = try #require(try store.log.message(ofID: "m1", in: rig.jid, isOutgoing: false))
    #expect(message.fate.reactions.map(\.from.resource).contains("carol"))
  }

  @Test("only its sender or the room retracts a message") func onlyItsSenderOrTheRoomTakesAMessageBack() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    try await rig.enter()
    func isRetracted() throws -> Bool? {
      try store.log.message(ofID: "m1", in: rig.jid, isOutgoing: false)?.fate.isRetracted
    }
    let retraction = "<retract xmlns='urn:xmpp:message-retract:1' id='r1'/>"
    await rig.say("one", id: "m1", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r1'/>")
    await rig.say("", by: "mallory", id: "m2", retraction)
    await rig.say(
      "", by: "mallory", id: "m3",
      "<retract xmlns='urn:xmpp:message-retract:1' id='r1'><moderated xmlns='urn:xmpp:message-moderate:1'/></retract>")
    #expect(try isRetracted() == false)
    await rig.fixture.receive(
      "<message from='\(RoomServer.address)' type='groupchat' id='m4'><retract xmlns='urn:xmpp:message-retract:1' id='r1'>"
        + "<moderated xmlns='urn:xmpp:message-moderate:1'/><reason>spam</reason></retract></message>")
    #expect(try isRetracted() == true)
  }

  @Test("somebody else's correction is a message of its own") func foreignCorrection() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store)
    try await rig.enter()
    await rig.say("one", id: "m1")
    await rig.say("hacked", by: "mallory", id: "m2", "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/>")
    await rig.say("two", id: "m3", "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/>")
    let page = try store.log.page(LogQuery(conversation: rig.jid), after: nil)
    #expect(page.messages.map { $0.fate.correction ?? $0.event.body } == ["two", "hacked"])
  }

  @Test("the first topic of a room that was just created is reported") func firstTopic() async throws {
    let rig = try GroupchatRig()
    rig.room.isEmpty = true
    try await rig.enter()
    #expect(rig.changes.map(\.change) == [.joined])
    try await rig.groupchat.setTopic("Green or black?", in: rig.jid)
    #expect(rig.changes.last?.change == .topic && rig.changes.last?.text == "Green or black?")
  }

  @Test("setting the same topic succeeds though the room sends nothing") func sameTopic() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    rig.room.reflects = false
    let same = StartedTask { try await rig.groupchat.setTopic("Food", in: rig.jid) }
    await rig.fixture.clock.settle()
    #expect(same.hasEnded && same.error == nil)
    let other = StartedTask { try await rig.groupchat.setTopic("Drinks", in: rig.jid) }
    await rig.fixture.clock.settle()
    #expect(!other.hasEnded, "the room has not said that it took it")
    await rig.receive(rig.room.topic("Drinks", from: rig.room.nick))
    await rig.fixture.clock.settle()
    #expect(other.hasEnded && other.error == nil)
  }

  @Test("the room's topic is known, and reported when it changes") func changedTopic() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    await rig.receive(rig.room.topic("Drinks", from: "carol"))
    #expect(rig.told.isEmpty, "it is not a message")
    #expect(rig.changes.last?.change == .topic)
    #expect(rig.changes.last?.text == "Drinks")
    #expect(rig.changes.last?.nick == "carol")
    await rig.fixture.receive(
      "<message from='\(RoomServer.address)/bob' type='groupchat' id='t'><subject>Not it</subject><body>hello</body></message>"
    )
    #expect(rig.groupchat.room(rig.jid)?.topic?.text == "Drinks")
    await rig.fixture.receive("<message from='eve@example.net' type='groupchat'><subject>Evil</subject></message>")
    #expect(rig.groupchat.room(rig.jid)?.topic?.text == "Drinks")
  }

  @Test("what is said while a room's configuration changes is known by the id that the room gave it")
  func configured() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    try await rig.enter()
    rig.fixture.answer = { _ in [] }
    await rig.fixture.receive(
      "<message from='\(RoomServer.address)' type='groupchat'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<status code='104'/></x></message>"
        + "<message from='\(RoomServer.address)/bob' type='groupchat' id='m1'><body>hi</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r9'/></message>")
    #expect(try store.log.archiveID(ofMessage: "m1", in: rig.jid) == "r9")
  }

  @Test("however often a room says that it was configured, it is asked one question at a time what it is now")
  func configuredOften() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    let notice =
      "<message from='\(RoomServer.address)' type='groupchat'><x xmlns='http://jabber.org/protocol/muc#user'>"
      + "<status code='104'/></x></message>"
    rig.fixture.answer = { _ in [] }
    await rig.fixture.receive(String(repeating: notice, count: 10))
    #expect(rig.fixture.sent().count { $0.name == "iq" } == 1)
    #expect(rig.changes.count { $0.change == .configuration } == 10)
  }
}
