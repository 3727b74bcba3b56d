// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What was said in rooms meanwhile, where their archives are not read to the end, or they have none.
@Client @Suite(.onLoop) struct MissedRoomMessageTests {
  private static let refusal = StanzaError(kind: .wait, condition: "resource-constraint")

  private func archived(_ bodies: String...) -> [(id: String, from: String, stanza: String, body: String)] {
    bodies.enumerated().map { (id: "r\($0 + 1)", from: "bob", stanza: "m\($0 + 1)", body: $1) }
  }

  private func say(_ body: String, _ number: Int, in rig: GroupchatRig) async {
    await rig.say(
      body, id: "m\(number)", "<stanza-id xmlns='urn:xmpp:sid:0' by='\(RoomServer.address)' id='r\(number)'/>")
  }

  /// An earlier run has heard the first message of a room.
  private func storeOfAnEarlierRun() async throws -> AccountStore {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    try await rig.enter()
    await say("one", 1, in: rig)
    return store
  }

  @Test(
    "what an archive did not give comes after a pause, or in the next run, whatever was said since",
    arguments: [true, false])
  func refusedReading(isSameRun: Bool) async throws {
    let store = try await storeOfAnEarlierRun()
    var rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = archived("one", "two", "three", "live")
    try await rig.fixture.settleIn()
    let answers = HeldAnswers(rig)
    try await answers.enter()
    await say("live", 4, in: rig)
    try await answers.refuse(Self.refusal)
    #expect(rig.told.map(\.body) == ["live"], "nobody waits for what does not come")
    if isSameRun {
      await rig.fixture.clock.elapse(RoomLimits.firstPause)
    } else {
      rig = try GroupchatRig(store, features: RoomServer.features)
      rig.room.archive = archived("one", "two", "three", "live")
      try await rig.enter()
    }
    #expect(rig.told.map(\.body) == (isSameRun ? ["live"] : []) + ["two", "three"])
    #expect(try store.rooms.position(in: rig.jid)?.archiveGap == nil)
  }

  @Test("where a reading stopped after some pages the next run goes on")
  func someOfThePages() async throws {
    let store = try await storeOfAnEarlierRun()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = archived("one", "two", "three", "four")
    let answer = rig.fixture.answer
    var isFirst = true
    rig.fixture.answer = { element in
      guard element.attribute("to", equals: RoomServer.address), element.description.contains(MessageArchive.namespace),
        let iq = try? IQ(element)
      else { return answer(element) }
      var answers: [Element] = []
      var end = iq.failure(Self.refusal)
      if isFirst, let page = try? IQ(ArchiveServer.end(of: iq, isComplete: false, last: "r2")) {
        answers = Array(answer(element).prefix(1))
        end = page
      }
      isFirst = false
      end.from = iq.to
      return answers + [end.element]
    }
    try await rig.enter()
    #expect(rig.told.map(\.body) == ["two"])
    #expect(try store.rooms.position(in: rig.jid)?.archiveGap == "r2")
    await say("live", 5, in: rig)
    let next = try GroupchatRig(store, features: RoomServer.features)
    next.room.archive = archived("one", "two", "three", "four", "live")
    try await next.enter()
    #expect(next.told.map(\.body) == ["three", "four"])
  }

  @Test("however much was missed, each part of it comes as long after the one before")
  func inParts() async throws {
    let store = try await storeOfAnEarlierRun()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = archived("one", "two", "three", "four", "five")
    rig.groupchat.readAtOnce = 1
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      let answers = answer(element)
      guard answers.count > 2, let iq = try? IQ(element), iq.payload?.namespace == MessageArchive.namespace,
        let last = answers[0].child("result", MessageArchive.namespace)?.attribute("id"),
        var end = try? IQ(ArchiveServer.end(of: iq, isComplete: false, last: last))
      else { return answers }
      end.from = iq.to
      return [answers[0], end.element]
    }
    try await rig.enter()
    var bodies = ["two"]
    #expect(rig.told.map(\.body) == bodies)
    for body in ["three", "four", "five"] {
      await rig.fixture.clock.elapse(RoomLimits.firstPause)
      bodies.append(body)
      #expect(rig.told.map(\.body) == bodies)
    }
    #expect(try store.rooms.position(in: rig.jid)?.archiveGap == nil)
  }

  /// An archive does not have the message any more that it calls so.
  private func lose(_ id: String, in rig: GroupchatRig) {
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.to?.description == RoomServer.address,
        iq.payload?.child("set", ResultSetRequest.namespace)?.text(of: "after", ResultSetRequest.namespace) == id
      else { return answer(element) }
      var failure = iq.failure(StanzaError(kind: .cancel, condition: "item-not-found"))
      failure.from = iq.to
      return [failure.element]
    }
  }

  @Test("where the archive lost the last that is known, what was said before the log's beginning is no news")
  func expiredSoon() async throws {
    let store = AccountStore.inMemory()
    let first = try GroupchatRig(store, features: RoomServer.features)
    first.room.archive = archived("one", "two", "three")
    try await first.enter()
    #expect(first.told.map(\.body) == ["one", "two", "three"])
    let next = try GroupchatRig(store, features: RoomServer.features)
    next.room.archive = archived("one", "two", "three", "four")
    next.room.archive.remove(at: 2)
    lose("r3", in: next)
    try await next.enter()
    #expect(next.told.map(\.body) == ["four"])
    let start = try #require(next.room.archivedAt)
    #expect(next.room.queries.last?.description.contains(start.description) == true)
  }

  /// Archives keep what was said for a week, say, or lose what a moderator took back.
  @Test("what was said since the last that is known comes, however much, where the archive has that one no more")
  func expired() async throws {
    let store = try await storeOfAnEarlierRun()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    let said = (2...2 * RoomLimits.firstMessages).map {
      (id: "r\($0)", from: "bob", stanza: "m\($0)", body: "number \($0)")
    }
    rig.room.archive = said
    lose("r1", in: rig)
    try await rig.enter()
    #expect(rig.told.map(\.body) == said.map(\.body))
    // Not from the beginning of its years on.
    let start = Timestamp(milliseconds: rig.fixture.date.milliseconds - RoomLimits.agedMilliseconds)
    #expect(rig.room.queries.last?.description.contains(start.description) == true)
    #expect(try store.rooms.position(in: rig.jid)?.archiveGap == nil)
  }

  @Test("what is said while the archive is read, and the user leaves, comes again in its place")
  func leavingWhileItIsRead() async throws {
    let store = try await storeOfAnEarlierRun()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = archived("one", "two", "live")
    try await rig.fixture.settleIn()
    let answers = HeldAnswers(rig)
    try await answers.enter()
    await say("live", 3, in: rig)
    await rig.fixture.session.leave()
    await rig.fixture.clock.settle()
    #expect(rig.told.isEmpty)
    let next = try GroupchatRig(store, features: RoomServer.features)
    next.room.archive = archived("one", "two", "live")
    try await next.enter()
    #expect(next.told.map(\.body) == ["two", "live"])
  }

  @Test("of a room that is new here the last messages are read again where that failed, whatever was said since")
  func newHere() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory(), features: RoomServer.features)
    rig.room.archive = archived("one", "two", "live")
    try await rig.fixture.settleIn()
    let answers = HeldAnswers(rig)
    try await answers.enter()
    await say("live", 3, in: rig)
    try await answers.refuse(Self.refusal)
    #expect(rig.told.map(\.body) == ["live"])
    await rig.fixture.clock.elapse(RoomLimits.firstPause)
    #expect(rig.told.map(\.body) == ["live", "one", "two"])
  }

  @Test(
    "what the log could not take for too long is logged from the archive, in this run or the next",
    arguments: [true, false])
  func lockedLog(isSameRun: Bool) async throws {
    let store = try await storeOfAnEarlierRun()
    let log = LockableStore(store.messages)
    let rig = try GroupchatRig(store, features: RoomServer.features, messages: log)
    rig.room.archive = archived("one")
    try await rig.enter()
    log.isLocked = true
    await say("missed", 2, in: rig)
    await rig.fixture.clock.elapse(SessionLimits.logPatience + SessionLimits.logPause)
    #expect(rig.told.map(\.body) == ["missed"])
    log.isLocked = false
    await say("after", 3, in: rig)
    #expect(rig.told.map(\.body) == ["missed", "after"])
    if isSameRun {
      rig.room.archive = archived("one", "missed", "after")
      await rig.fixture.clock.elapse(RoomLimits.firstPause)
      #expect(rig.told.map(\.body) == ["missed", "after"], "it was told")
    } else {
      await rig.fixture.session.leave()
      await rig.fixture.clock.settle()
      #expect(try store.rooms.position(in: rig.jid)?.archiveGap == "r1")
      let next = try GroupchatRig(store, features: RoomServer.features)
      next.room.archive = archived("one", "missed", "after")
      try await next.enter()
    }
    let page = try store.log.page(LogQuery(conversation: rig.jid), after: nil)
    #expect(page.messages.map(\.event.body) == ["one", "after", "missed"])
    #expect(try store.rooms.position(in: rig.jid)?.archiveGap == nil)
  }

  @Test("what is read while the log is locked is read again, and what came meanwhile is told")
  func lockedWhileReading() async throws {
    let store = try await storeOfAnEarlierRun()
    let log = LockableStore(store.messages)
    let rig = try GroupchatRig(store, features: RoomServer.features, messages: log)
    rig.room.archive = archived("one", "two", "live")
    try await rig.fixture.settleIn()
    let answers = HeldAnswers(rig)
    try await answers.enter()
    await say("live", 3, in: rig)
    log.isLocked = true
    await answers.releaseAll()
    await rig.fixture.clock.elapse((SessionLimits.logPatience + SessionLimits.logPause) * 2)
    #expect(rig.told.map(\.body) == ["live"])
    log.isLocked = false
    await rig.fixture.clock.elapse(RoomLimits.firstPause * 2)
    #expect(rig.told.map(\.body) == ["live", "two"])
    #expect(try store.rooms.position(in: rig.jid)?.archiveGap == nil)
  }

  /// The archive gives these messages as well, the first of them with the id of this number, in one page.
  private func give(_ messages: [String], from number: Int, in rig: GroupchatRig) {
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      guard element.attribute("to", equals: RoomServer.address), element.description.contains(MessageArchive.namespace),
        let iq = try? IQ(element)
      else { return answer(element) }
      let results = messages.enumerated().map { place, message in
        RoomServer.xml(
          "<message from='\(RoomServer.address)' to='alice@example.org/here'>"
            + "<result xmlns='urn:xmpp:mam:2' queryid='\(iq.id)' id='r\(number + place)'>"
            + "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-11-20T10:00:00Z'/>"
            + message + "</forwarded></result></message>")
      }
      return results + answer(element)
    }
  }

  @Test("what is said of a message of the same page of an archive is said of that, by whatever id the room knows it")
  func onePage() async throws {
    let store = try await storeOfAnEarlierRun()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = archived("one")
    func said(_ id: String, _ content: String, by nick: String) -> String {
      "<message xmlns='jabber:client' from='\(RoomServer.address)/\(nick)' type='groupchat' id='\(id)'>\(content)</message>"
    }
    give(
      [
        said("m2", "<body>two</body>", by: "bob"),
        said("m3", "<reactions xmlns='urn:xmpp:reactions:0' id='r2'><reaction>👍</reaction></reactions>", by: "carol"),
        said("m4", "<body>three</body><reply xmlns='urn:xmpp:reply:0' id='r2'/>", by: "carol"),
        said("m5", "<retract xmlns='urn:xmpp:message-retract:1' id='r2'/>", by: "bob"),
      ], from: 2, in: rig)
    try await rig.enter()
    let fate = try store.log.message(ofID: "m2", in: rig.jid, isOutgoing: false)?.fate
    #expect(fate?.isRetracted == true)
    #expect(fate?.reactions.map(\.from.resource) == ["carol"])
    #expect(rig.told.compactMap(\.answeredID) == ["m2"])
  }

  @Test("a moderator's retraction is read from the archive")
  func aModeratorsTakingBackIsReadFromTheArchive() async throws {
    let store = try await storeOfAnEarlierRun()
    let rig = try GroupchatRig(store, features: RoomServer.features)
    rig.room.archive = archived("one")
    give(
      [
        "<message xmlns='jabber:client' from='\(RoomServer.address)' type='groupchat' id='m2'>"
          + "<retract xmlns='urn:xmpp:message-retract:1' id='r1'><moderated xmlns='urn:xmpp:message-moderate:1'/>"
          + "</retract></message>"
      ], from: 2, in: rig)
    try await rig.enter()
    #expect(try store.log.message(ofID: "m1", in: rig.jid, isOutgoing: false)?.fate.isRetracted == true)
  }

  // MARK: Without archive

  @Test("what was said before the user's own waiting message is displayed when a room without an archive sends it")
  func whatWasSaidBeforeTheUsersOwnWaitingMessageIsSentByARoomWithoutArchive() async throws {
    let rig = try GroupchatRig(AccountStore.inMemory())
    let memory = RoomMemory(rig)
    try await rig.enter()
    await rig.say("one", id: "m1")
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    let start = rig.fixture.date.milliseconds
    memory.said.append(("bob", "m2", "two", Timestamp(milliseconds: start + 300_000)))
    rig.fixture.date = Timestamp(milliseconds: start + 600_000)
    _ = try rig.delivery.send("mine", to: rig.jid)
    await rig.fixture.clock.settle()
    rig.fixture.date = Timestamp(milliseconds: start + 900_000)
    try await rig.fixture.settleIn()
    #expect(rig.told.filter { $0.carbon == nil }.map(\.body) == ["one", "two"])
  }

  /// What is deleted, or not kept at all, is in no log that would know it again.
  @Test("a message that was deleted is not displayed again when a room without an archive sends it again")
  func whatWasDeletedIsNotSentAgainByARoomWithoutArchive() async throws {
    let store = AccountStore.inMemory()
    let rig = try GroupchatRig(store)
    let second = Timestamp(milliseconds: rig.fixture.date.milliseconds - 5_000)
    let earlier = Timestamp(milliseconds: second.milliseconds - 5_000)
    let memory = RoomMemory(rig)
    memory.said = [("bob", "m1", "one", earlier), ("carol", "m1", "two", second)]
    try await rig.enter()
    #expect(rig.told.map(\.body) == ["one", "two"])
    await rig.fixture.clock.elapse(RoomLimits.positionPause)
    let last = RoomPosition.Heard(time: second, nick: "carol", id: "m1")
    #expect(try store.rooms.position(in: rig.jid)?.heard == last)
    _ = try store.log.remove(rig.jid, before: nil)
    let next = try GroupchatRig(store)
    let later = RoomMemory(next)
    // It was said in the same second.
    later.said = memory.said
    later.said.append(("bob", "m3", "three", second))
    try await next.enter()
    #expect(next.told.map(\.body) == ["three"])
  }
}

/// A room that sends what it remembers to whoever enters, as far as they ask for it.
@Client private final class RoomMemory {
  var said: [(nick: String, id: String, body: String, time: Timestamp)] = []

  init(_ rig: GroupchatRig) {
    let answer = rig.fixture.answer
    rig.fixture.answer = { [self] element in
      guard element.name == "presence", let x = element.child("x", RoomPresence.namespace) else {
        return answer(element)
      }
      let request = x.child("history", RoomPresence.namespace)
      let since = request?.attribute("since").flatMap { Timestamp($0) } ?? Timestamp(milliseconds: 0)
      let messages = said.filter { $0.time >= since }.map { message in
        RoomServer.xml(
          "<message from='\(RoomServer.address)/\(message.nick)' type='groupchat' id='\(message.id)'>"
            + "<body>\(message.body)</body>"
            + "<delay xmlns='urn:xmpp:delay' from='\(RoomServer.address)' stamp='\(message.time)'/></message>")
      }
      let answers = answer(element)
      // The topic comes last.
      return Array(answers.dropLast()) + messages + answers.suffix(1)
    }
  }
}
