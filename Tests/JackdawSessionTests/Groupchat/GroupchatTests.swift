// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Rooms: entered, left, kept.
@Client @Suite(.onLoop) struct GroupchatTests {
  @Test("joining a room ends with the user inside, the occupants and the topic known") func joining() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    let room = try #require(rig.groupchat.room(rig.jid))
    #expect(room.isInside)
    #expect(room.nick == "alice")
    #expect(room.occupants.map(\.nick) == ["alice", "bob"])
    #expect(room.topic == RoomTopic(text: "Food", nick: "bob"))
    #expect(rig.changes.map(\.change) == [.joined], "the topic that was there is no news")
  }

  @Test("a room is joined only if that is wanted, and again on the next stream") func wantedRoom() async throws {
    let rig = try GroupchatRig()
    try await rig.fixture.settleIn()
    #expect(rig.room.entries.isEmpty)
    try await rig.groupchat.join(rig.jid)
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.isInside == false)
    try await rig.fixture.settleIn()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
    #expect(rig.room.entries.count == 2)
  }

  @Test("a bookmarked room is joined at the log-in, which does not wait for it") func bookmarkedRoom() async throws {
    let store = AccountStore.inMemory()
    var record = RoomRecord(try JID(RoomServer.address), nick: "Ali")
    record.autojoin = true
    try store.rooms.keep(record)
    let rig = try GroupchatRig(store)
    try await rig.fixture.logIn()
    try await rig.fixture.session.settleIn(showing: Presence())
    #expect(rig.groupchat.room(rig.jid)?.isInside == false)
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.nick == "Ali")
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test("a nick that is taken gets a longer one, unless the user chose it") func takenNick() async throws {
    let rig = try GroupchatRig()
    rig.room.taken = ["bob", "alice"]
    try await rig.fixture.settleIn()
    let error = await #expect(throws: RequestError.self) { try await rig.groupchat.join(rig.jid, nick: "alice") }
    #expect(error?.stanzaError?.condition == "conflict")
    #expect(error?.description == "Somebody else is called 'alice' in lunch@rooms.example.org.")
    try await rig.groupchat.join(rig.jid)
    #expect(rig.groupchat.room(rig.jid)?.nick == "alice_")
  }

  @Test(
    "a refused join is reported with its reason",
    arguments: [
      ("registration-required", "lunch@rooms.example.org is for members only."),
      ("forbidden", "You are banned from lunch@rooms.example.org."),
      ("not-authorized", "lunch@rooms.example.org asks for a password."),
      (
        "remote-server-not-found",
        "lunch@rooms.example.org cannot be reached: The recipient's server does not exist or cannot be found."
      ),
    ])
  func whoIsNotLetInIsToldWhy(condition: String, text: String) async throws {
    let rig = try GroupchatRig()
    rig.room.refusal = StanzaError(kind: .auth, condition: condition)
    try await rig.fixture.settleIn()
    let error = await #expect(throws: RequestError.self) { try await rig.groupchat.join(rig.jid) }
    #expect(error?.description == text)
    #expect(rig.groupchat.room(rig.jid) == nil)
  }

  @Test(
    "a room that has moved is reported with its new address",
    arguments: [
      ("xmpp:tea@rooms.example.org?join", "tea@rooms.example.org"), ("tea@rooms.example.org", "tea@rooms.example.org"),
      ("xmpp:lunch@rooms.example.org?join", nil), ("http://example.org", nil), ("xmpp:example.org", nil), (nil, nil),
    ])
  func aRoomThatHasMovedSaysWhereTo(location: String?, place: String?) async throws {
    let rig = try GroupchatRig()
    rig.room.refusal = StanzaError(kind: .cancel, condition: "gone", location: location)
    try await rig.fixture.settleIn()
    let error = await #expect(throws: RequestError.self) { try await rig.groupchat.join(rig.jid) }
    let gone = "The room lunch@rooms.example.org does not exist any more."
    #expect(error?.description == (place.map { "The room lunch@rooms.example.org has moved to \($0)." } ?? gone))
    #expect(rig.changes.map(\.change) == [.refused])
    #expect(rig.changes.first?.alternative?.description == place)
  }

  @Test("a room that does not answer times out") func aRoomThatDoesNotAnswerIsNotWaitedForForEver() async throws {
    let rig = try GroupchatRig()
    try await rig.fixture.settleIn()
    rig.fixture.answer = { _ in [] }
    let joining = StartedTask { try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    for _ in 0..<4 {
      rig.fixture.clock.advance(by: .seconds(20))
      await rig.fixture.clock.settle()
    }
    #expect((joining.error as? RequestError)?.code == .timedOut)
  }

  @Test("leaving a room ends when the room confirms it") func whoLeavesIsOutsideWhenTheRoomHasSaidSo() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    try await rig.groupchat.leave(rig.jid, saying: "bye")
    #expect(rig.groupchat.room(rig.jid) == nil)
    #expect(rig.changes.map(\.change) == [.joined, .left])
    #expect(rig.fixture.sent().first?.description.contains("bye") == true)
  }

  @Test("another nick counts when the room has confirmed it") func anotherNickIsTakenWhenTheRoomGivesIt() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    try await rig.groupchat.rename(in: rig.jid, to: "Ali")
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.nick == "Ali")
    #expect(rig.groupchat.room(rig.jid)?.occupants.map(\.nick) == ["Ali", "bob"])
    #expect(rig.changes.map(\.change) == [.joined, .nick])
    let error = await #expect(throws: RequestError.self) { try await rig.groupchat.rename(in: rig.jid, to: "bob") }
    #expect(error?.stanzaError?.condition == "conflict")
    #expect(rig.groupchat.room(rig.jid)?.nick == "Ali")
  }

  @Test("a nick that is refused is not taken, whatever else comes of the user meanwhile, and the refusal names it")
  func refusedNick() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      let answers = answer(element)
      guard element.attribute("to") == "\(RoomServer.address)/bob" else { return answers }
      return [RoomServer.presence("alice", codes: [110], role: "moderator")] + answers
    }
    var error = await #expect(throws: RequestError.self) { try await rig.groupchat.rename(in: rig.jid, to: "bob") }
    #expect(error?.description == "Somebody else is called 'bob' in lunch@rooms.example.org.")
    #expect(rig.changes.map(\.change) == [.joined])
    #expect(rig.fixture.events(OccupantChanged.self).map(\.change) == [.role])
    rig.room.refusal = StanzaError(kind: .auth, condition: "forbidden")
    error = await #expect(throws: RequestError.self) { try await rig.groupchat.rename(in: rig.jid, to: "Ali") }
    #expect(error?.description == "You may not be called 'Ali' in lunch@rooms.example.org.")
    #expect(rig.groupchat.room(rig.jid)?.nick == "alice")
  }

  @Test(
    "a bookmark by which the user is not in the room leaves them there when it changes, and one by which they are does not"
  )
  func changedBookmark() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    var record = try #require(rig.groupchat.record(of: rig.jid))
    record.name = "Lunch"
    rig.groupchat.bookmarkChanged(record)
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
    for autojoin in [true, false] {
      record.autojoin = autojoin
      rig.groupchat.bookmarkChanged(record)
    }
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid) == nil)
  }

  /// Back on a new stream, on which it has just been read that another device has left the room.
  private func leftElsewhere() async throws -> GroupchatRig {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    var record = try #require(rig.groupchat.record(of: rig.jid))
    record.autojoin = true
    try rig.groupchat.keep(record)
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    try await rig.fixture.settleIn()
    record.autojoin = false
    rig.groupchat.bookmarksWereRead([record], removed: [])
    return rig
  }

  @Test("a room that another device has left while there was no stream is left here, too")
  func leftElsewhereMeanwhile() async throws {
    let rig = try await leftElsewhere()
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid) == nil && rig.room.nick == nil)
    #expect(rig.changes.map(\.change) == [.joined, .joined, .left])
  }

  @Test(
    "a room that the user enters, or has something to say in, is not left for what bookmarks said before",
    arguments: [false, true])
  func leftElsewhereAndAskedFor(isRemoved: Bool) async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    var record = try #require(rig.groupchat.record(of: rig.jid))
    record.autojoin = true
    try rig.groupchat.keep(record)
    record.autojoin = false
    rig.groupchat.bookmarksWereRead([record], removed: [])
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true, "it was entered on this stream")
    // They are read once more on it, as another device begins them anew.
    record.autojoin = true
    try rig.groupchat.keep(record)
    record.autojoin = false
    rig.groupchat.bookmarksWereRead(isRemoved ? [] : [record], removed: isRemoved ? [rig.jid] : [])
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid) == nil, "what they say now is news")
    try await rig.enter()
    record.autojoin = true
    try rig.groupchat.keep(record)
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    await rig.fixture.clock.settle()
    let id = try rig.delivery.send("hi", to: rig.jid)
    record.autojoin = false
    rig.groupchat.bookmarksWereRead(isRemoved ? [] : [record], removed: isRemoved ? [rig.jid] : [])
    try await rig.fixture.settleIn()
    #expect(rig.states(of: id).last == .server)
  }

  @Test("what is said in a room while it is left, as another device has left it, has the user come back")
  func saidWhileLeftElsewhere() async throws {
    let rig = try await leftElsewhere()
    let id = try rig.delivery.send("hi", to: rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.states(of: id).last == .server && rig.groupchat.room(rig.jid)?.isInside == true)
    #expect(rig.changes.map(\.change) == [.joined, .joined, .joined])
  }

  @Test("who is shown to nobody any more is not told that a room is lost, and is in it again when they are shown")
  func notShown() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    let board = rig.fixture.session.features[PresenceBoard.self]
    try board.announce(Presence(kind: .unavailable))
    await rig.receive(RoomServer.presence("alice", codes: [110], type: "unavailable", role: "none"))
    #expect(rig.changes.map(\.change) == [.joined])
    try board.announce(Presence())
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true && rig.room.entries.count == 2)
  }

  @Test(
    "a user who is removed from a room is told so, and does not join again",
    arguments: [([307], RoomChanged.Change.kicked), ([301], .banned), ([321], .removed), ([322], .removed)])
  func whoIsRemovedIsToldAndDoesNotComeBack(codes: [Int], change: RoomChanged.Change) async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    let more = "<actor nick='bob'/><reason>spam</reason>"
    await rig.receive(RoomServer.presence("alice", codes: codes + [110], type: "unavailable", role: "none", more: more))
    #expect(rig.changes.last?.change == change)
    #expect(rig.changes.last?.text == "spam")
    #expect(rig.changes.last?.actor == "bob")
    rig.fixture.clock.advance(by: .seconds(3_600))
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 1)
  }

  @Test("a room whose service stops is joined again", arguments: [[332], [333, 307]])
  func aServiceThatStopsIsJoinedAgain(codes: [Int]) async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    await rig.receive(RoomServer.presence("alice", codes: codes + [110], type: "unavailable", role: "none"))
    #expect(rig.changes.last?.change == .lost)
    rig.fixture.clock.advance(by: RoomLimits.firstPause)
    await rig.fixture.clock.settle()
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test("a late end of an earlier stay does not end the new one") func earlierStay() async throws {
    let rig = try GroupchatRig()
    try await rig.fixture.settleIn()
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      // As ejabberd does with what a run before left, which is told late.
      guard element.name == "presence", element.attribute("to")?.hasPrefix(RoomServer.address) == true else {
        return answer(element)
      }
      return [RoomServer.presence("alice", codes: [110], type: "unavailable", role: "none")] + answer(element)
    }
    try await rig.groupchat.join(rig.jid)
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test("a room that is destroyed names its replacement") func destroyed() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    await rig.fixture.receive(
      "<presence from='\(RoomServer.address)/alice' type='unavailable'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<item role='none' affiliation='none'/><destroy jid='dinner@rooms.example.org'><reason>late</reason></destroy>"
        + "<status code='110'/></x></presence>")
    #expect(rig.changes.last?.change == .destroyed)
    #expect(rig.changes.last?.alternative?.description == "dinner@rooms.example.org")
    #expect(rig.changes.last?.text == "late")
  }

  @Test("a room that forgot the user is noticed and joined again") func forgottenUser() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    rig.room.seatError = StanzaError(kind: .cancel, condition: "not-acceptable")
    rig.fixture.clock.advance(by: RoomLimits.quiet * 2)
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 2)
    rig.room.seatError = nil
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }

  @Test(
    "an error that does not say that the user is outside changes nothing",
    arguments: ["service-unavailable", "feature-not-implemented", "item-not-found", "remote-server-timeout"])
  func whatDoesNotSayThatTheSeatIsLostChangesNothing(condition: String) async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    rig.room.seatError = StanzaError(kind: .cancel, condition: condition)
    rig.fixture.clock.advance(by: RoomLimits.quiet * 2)
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == 1)
  }

  // MARK: The others

  @Test("occupants who come and go are reported, and not as presence of contacts") func occupants() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    await rig.receive(RoomServer.presence("carol"))
    await rig.receive(RoomServer.presence("carol", codes: [303], type: "unavailable", newNick: "cc"))
    await rig.receive(RoomServer.presence("cc"))
    await rig.receive(RoomServer.presence("cc", role: "moderator"))
    await rig.receive(RoomServer.presence("cc", type: "unavailable", role: "none"))
    let told = rig.fixture.events(OccupantChanged.self)
    #expect(told.map(\.change) == [.joined, .renamed, .role, .left])
    #expect(told.map(\.nick) == ["carol", "carol", "cc", "cc"])
    #expect(rig.fixture.events(PresenceChanged.self).isEmpty)
    #expect(rig.groupchat.room(rig.jid)?.occupants.map(\.nick) == ["alice", "bob"])
  }

  @Test("in a large room occupants are reported only if the user wants it") func largeRoom() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    for number in 0..<30 { await rig.receive(RoomServer.presence("guest\(number)")) }
    let told = rig.fixture.events(OccupantChanged.self).count
    await rig.receive(RoomServer.presence("guest1", type: "unavailable", role: "none"))
    #expect(rig.fixture.events(OccupantChanged.self).count == told)
    var record = try #require(rig.groupchat.record(of: rig.jid))
    record.tellsOccupants = true
    try rig.groupchat.keep(record)
    await rig.receive(RoomServer.presence("guest2", type: "unavailable", role: "none"))
    #expect(rig.fixture.events(OccupantChanged.self).count == told + 1)
  }

  @Test("presence from a room that was never joined is dropped") func neverJoined() async throws {
    let rig = try GroupchatRig()
    try await rig.fixture.settleIn()
    await rig.receive(RoomServer.presence("bob", codes: [110]))
    #expect(rig.groupchat.rooms.isEmpty)
    #expect(rig.changes.isEmpty)
  }

  @Test("status codes in a message change nothing") func codesInAMessageChangeNothing() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    for code in [110, 301, 307, 332] {
      await rig.say("x", "<x xmlns='http://jabber.org/protocol/muc#user'><status code='\(code)'/><destroy/></x>")
    }
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
    #expect(rig.changes.map(\.change) == [.joined])
  }

  @Test("status codes that contradict each other end in one state") func contradictions() async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    await rig.receive(
      RoomServer.presence("alice", codes: [110, 201, 303, 307, 301, 332], type: "unavailable", role: "none"))
    #expect(rig.changes.last?.change == .banned)
    #expect(rig.groupchat.room(rig.jid) == nil)
  }

  @Test(
    "a room that does not take a message because it knows nobody is entered again",
    arguments: [("not-acceptable", 2), ("remote-server-not-found", 2), ("forbidden", 1)])
  func messageOfNobody(condition: String, entries: Int) async throws {
    let rig = try GroupchatRig()
    try await rig.enter()
    await rig.fixture.receive(
      "<message from='\(RoomServer.address)' type='error' id='m1'><error type='cancel'>"
        + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    await rig.fixture.clock.settle()
    #expect(rig.room.entries.count == entries)
    #expect(rig.groupchat.room(rig.jid)?.isInside == true)
  }
}
