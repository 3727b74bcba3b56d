// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What was said in rooms before, and when.
@Client @Suite(.onLoop) struct RoomHistoryTests {
  @Test("the room's own stamp is clamped to now, and other stamps are ignored")
  func aStampOfTheRoomsIsNoLaterThanNowAndNobodyElsesCounts() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    func stamp(_ time: String, by sender: String) -> String {
      "<delay xmlns='urn:xmpp:delay' stamp='\(time)' from='\(sender)'/>"
    }
    await rig.say("one", id: "m1", stamp("2099-01-01T00:00:00Z", by: RoomServer.address))
    await rig.say("two", id: "m2", stamp("2020-01-01T00:00:00Z", by: "eve@example.net"))
    await rig.say("three", id: "m3", stamp("2020-01-01T00:00:00Z", by: RoomServer.address))
    let now = rig.fixture.session.environment.calendar()
    #expect(rig.told.map(\.body) == ["one", "two", "three"])
    #expect(rig.told.map { $0.delayed.map { $0 <= now } } == [true, nil, true])
    #expect(rig.told.last?.delayed?.description.hasPrefix("2020") == true)
  }

  @Test("once the room's archive was read the stamp of a live message is ignored")
  func aStampOfTheRoomsCountsNoMoreOnceItsArchiveWasRead() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory(), features: RoomServer.features)
    try await rig.enter()
    await rig.say("now", "<delay xmlns='urn:xmpp:delay' stamp='2020-01-01T00:00:00Z' from='\(RoomServer.address)'/>")
    #expect(rig.told.map(\.body) == ["now"])
    #expect(rig.told.first?.delayed == nil)
  }

  @Test("missed messages are read from the room's archive, once and in their place")
  func whatWasSaidMeanwhileIsReadFromTheRoomsArchiveOnceAndInItsPlace() async throws {
    let store = AccountStore.inMemory()
    let before = try GroupchatRig(store, features: RoomServer.features)
    try await before.enter()
    await before.say("one", id: "m1", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r1'/>")
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = [
      (id: "r1", from: "bob", stanza: "m1", body: "one"), (id: "r2", from: "bob", stanza: "m2", body: "two"),
      (id: "r3", from: "carol", stanza: "m3", body: "three"),
    ]
    try await rig.enter()
    #expect(rig.told.map(\.body) == ["two", "three"])
    await rig.say(
      "three", by: "carol", id: "m3", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r3'/>")
    #expect(rig.told.count == 2, "it came before")
    let page = try store.log.page(LogQuery(conversation: rig.jid), after: nil)
    #expect(page.messages.map(\.event.body) == ["one", "two", "three"])
  }

  @Test("all that was said in a room since it was empty is told, however much, and of one that is new here the last")
  func sinceItWasEmpty() async throws {
    let said = (1...2 * RoomLimits.firstMessages).map {
      (id: "r\($0)", from: "bob", stanza: "m\($0)", body: "number \($0)")
    }
    let store = AccountStore.inMemory()
    let before = try GroupchatRig(store, features: RoomServer.features)
    try await before.enter()
    #expect(try store.rooms.position(in: before.jid)?.archiveCursor == "")
    for isNew in [false, true] {
      let rig = try GroupchatRig(isNew ? AccountStore.inMemory() : store, features: RoomServer.features)
      rig.room.archive = said
      try await rig.enter()
      #expect(rig.told.map(\.body) == said.suffix(isNew ? RoomLimits.firstMessages : said.count).map(\.body))
    }
  }

  @Test("a live message that comes while the archive is read stands behind it")
  func whatComesWhileTheArchiveIsReadStandsBehindIt() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = [(id: "r1", from: "bob", stanza: "m1", body: "old")]
    try await rig.fixture.settleIn()
    let answers = HeldAnswers(rig)
    try await answers.enter()
    await rig.say("live", id: "m2", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r2'/>")
    #expect(rig.told.isEmpty)
    await answers.release()
    #expect(rig.told.map(\.body) == ["old", "live"])
  }

  @Test("what comes while another program has the log locked stands behind what was held and what the archive has")
  func lockedLog() async throws {
    let store = AccountStore.inMemory()
    let log = LockableStore(store.messages)
    let rig = try GroupchatRig(store, features: RoomServer.features, messages: log)
    rig.room.archive = [(id: "r1", from: "bob", stanza: "m1", body: "old")]
    try await rig.fixture.settleIn()
    func say(_ body: String, _ number: Int) async {
      await rig.say(
        body, id: "m\(number)", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r\(number)'/>")
    }
    let answers = HeldAnswers(rig)
    try await answers.enter()
    await say("held", 2)
    await answers.release()
    #expect(rig.told.map(\.body) == ["old", "held"])
    try await rig.groupchat.leave(rig.jid)
    rig.room.archive += [(id: "r2", from: "bob", stanza: "m2", body: "held")]
    try await answers.enter()
    await say("held too", 3)
    log.isLocked = true
    // It has the log tried again before what is read next does.
    await rig.fixture.receive("<message from='carol@example.net/x' id='m0'><body>from elsewhere</body></message>")
    await rig.fixture.clock.elapse(SessionLimits.logPause / 2)
    await answers.release()
    await say("later", 4)
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause * 2)
    await say("last", 5)
    #expect(rig.told.map(\.body) == ["old", "held", "from elsewhere", "held too", "later", "last"])
    let page = try store.log.page(LogQuery(conversation: rig.jid), after: nil)
    #expect(page.messages.map(\.event.body) == ["old", "held", "held too", "later", "last"])
  }

  @Test("a message that comes live and from an archive without IDs is one message")
  func whatComesByItselfAndFromAnArchiveWithoutIDsIsOneMessage() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.keepsIDs = false
    rig.room.archive = [(id: "a1", from: "bob", stanza: "m1", body: "old")]
    try await rig.fixture.settleIn()
    let answer = rig.fixture.answer
    var query: Element?
    rig.fixture.answer = { element in
      guard element.attribute("to", equals: RoomServer.address), element.description.contains(MessageArchive.namespace)
      else { return answer(element) }
      query = element
      return []
    }
    let joining = StartedTask { try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    #expect(joining.error == nil)
    // The archive has what is said meanwhile, too, the user's own words among it.
    let own = try rig.delivery.send("mine", to: rig.jid)
    await rig.fixture.clock.settle()
    for element in answer(try #require(query)) { await rig.receive(element) }
    #expect(rig.told.map(\.body) == ["old"])
    #expect(rig.states(of: own).last == .server)
    let page = try store.log.page(LogQuery(conversation: rig.jid), after: nil)
    #expect(page.messages.map(\.event.body).sorted() == ["mine", "old"])
  }

  @Test("archive results of another room are ignored") func resultsOfAnotherRoomDoNotCount() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory(), features: RoomServer.features)
    rig.room.archive = [(id: "r1", from: "bob", stanza: "m1", body: "true")]
    try await rig.fixture.settleIn()
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      answer(element).map { reply in
        guard reply.name == "message", reply.description.contains("forwarded") else { return reply }
        return RoomServer.xml(
          reply.description.replacing("from='\(RoomServer.address)' to", with: "from='eve@example.net' to"))
      }
    }
    try await rig.groupchat.join(rig.jid)
    await rig.fixture.clock.settle()
    #expect(rig.told.isEmpty)
  }

  @Test("a message that a room without an archive sends again is displayed once")
  func whatARoomWithoutArchiveSendsAgainIsKnown() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    try await rig.enter()
    await rig.say("one", id: "m1")
    let late = "<delay xmlns='urn:xmpp:delay' from='\(RoomServer.address)' stamp='\(rig.fixture.date)'/>"
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    try await rig.fixture.settleIn()
    await rig.say("one", id: "m1", late)
    await rig.say("one", by: "carol", id: "m1", late)
    #expect(rig.told.map(\.from.resource) == ["bob", "carol"], "ids are their senders'")
    let entry = try #require(rig.room.entries.last?.child("x", RoomPresence.namespace))
    let since = Timestamp(milliseconds: rig.fixture.date.milliseconds - RoomLimits.clockDifference)
    #expect(entry.child("history", RoomPresence.namespace)?.attribute("since") == since.description)
  }

  /// biboumi keeps no ids of messages in its archive.
  @Test(
    "a message that was under way when the stream was cut is sent again unless the room has it",
    arguments: [true, false])
  func whatWasUnderWayWhenTheStreamWasCutGoesOutAgainUnlessTheRoomHasIt(keepsIDs: Bool) async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.reflects = false
    rig.room.keepsIDs = keepsIDs
    rig.room.archivedAt = rig.fixture.date
    try await rig.enter()
    let first = try rig.delivery.send("arrived", to: rig.jid)
    let second = try rig.delivery.send("lost", to: rig.jid)
    await rig.fixture.clock.settle()
    rig.room.archive.removeLast()
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    rig.room.reflects = true
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    #expect(rig.room.archive.map(\.body) == ["arrived", "lost"], "neither twice")
    #expect(rig.told.filter { $0.carbon == nil }.isEmpty, "nobody else said it")
    #expect(rig.states(of: first).last == .server)
    #expect(rig.states(of: second).last == .server)
  }

  @Test(
    "what says something of another message is known again in the archive as well, by the text that the room was sent")
  func underWayAboutAnother() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory(), features: RoomServer.features)
    rig.room.reflects = false
    rig.room.archivedAt = rig.fixture.date
    try await rig.enter()
    let ids = [
      try rig.delivery.send("yes", to: rig.jid, saying: [.replies(to: "m1", quote: "> Lunch?\n")]),
      try rig.delivery.send("", to: rig.jid, saying: [.retracts("m2")]),
      try rig.delivery.send("", to: rig.jid, saying: [.reacts(to: "m1", with: ["👍"])]),
    ]
    await rig.fixture.clock.settle()
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    rig.room.reflects = true
    try await rig.fixture.settleIn()
    await rig.fixture.clock.settle()
    #expect(rig.room.archive.map(\.stanza) == ids, "none goes out twice")
    #expect(rig.told.filter { $0.carbon == nil }.isEmpty, "nobody else said it")
    #expect(ids.allSatisfy { rig.states(of: $0).last == .server })
  }
}

/// What archives answer waits until the test lets it come.
@Client final class HeldAnswers {
  private let rig: GroupchatRig
  private var query: Element?
  private var elements: [Element] = []
  private var isHolding = true

  init(_ rig: GroupchatRig) {
    self.rig = rig
    let answer = rig.fixture.answer
    rig.fixture.answer = { [weak self] element in
      guard let self, isHolding, element.name == "iq", element.description.contains(MessageArchive.namespace) else {
        return answer(element)
      }
      query = element
      elements = answer(element)
      return []
    }
  }

  /// The user is in the room, and its archive is being read.
  func enter() async throws {
    let joining = StartedTask { [rig] in try await rig.groupchat.join(rig.jid) }
    await rig.fixture.clock.settle()
    if let error = joining.error { throw error }
  }

  func release() async {
    for element in elements { await rig.receive(element) }
  }

  /// What it answers comes now, and what it is asked from now on at once.
  func releaseAll() async {
    isHolding = false
    await release()
  }

  /// This time the archive does not answer; from now on it does at once.
  func refuse(_ error: StanzaError) async throws {
    isHolding = false
    let asked = try IQ(try #require(query))
    var answer = asked.failure(error)
    answer.from = asked.to
    await rig.receive(answer.element)
  }
}
