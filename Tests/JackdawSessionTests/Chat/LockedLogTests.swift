// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Another program of the account has the log locked for a moment: what comes and what is written is in it all the same, in its order.
@Client @Suite(.onLoop) struct LockedLogTests {
  private let store = AccountStore.inMemory()
  private let log: LockableStore
  private let archive = ArchiveServer()
  private let streams = ScriptedServer.ManagedStreams()
  private let bob: JID

  init() throws {
    bob = try JID("bob@example.net")
    log = LockableStore(store.messages)
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = ["old"]
  }

  private func rig() throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: log, streams: store.streams),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    rig.fixture.managedStreams = streams
    archive.serve(rig.fixture)
    return rig
  }

  private func live(_ number: Int) -> String {
    "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m\(number)'><body>live \(number)</body>"
      + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='l\(number)'/></message>"
  }

  /// A message that the archive has, too, under its number.
  private func archived(_ number: Int) -> String {
    "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m\(number - 1)'>"
      + "<body>\(archive.bodies[number - 1])</body>"
      + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a\(number)'/></message>"
  }

  /// The session ends, and the log is locked for some seconds of that.
  private func leave(_ rig: LiveRig) async {
    let leaving = rig.fixture.start { await rig.live.leave() }
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(!leaving.hasEnded)
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause * 2)
    #expect(leaving.hasEnded)
  }

  private func told(_ rig: LiveRig) -> [String] { rig.fixture.events(MessageArrived.self).map(\.body) }
  private var sent: [String] { streams.taken.compactMap { try? Message($0).body } }
  private func logged() throws -> [String] { try store.messages.unpresented() }
  /// What was written, and how far it came.
  private func written() throws -> [String] {
    try store.log.page(LogQuery(conversation: bob, limit: 10), before: nil).messages.reversed().map {
      "\($0.event.body): \($0.state?.name ?? "nothing")"
    }
  }

  @Test("what came before a cut comes again on the stream that goes on, as it may be lost before the log takes it")
  func overACut() async throws {
    let rig = try rig()
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    await rig.fixture.receive(live(1) + "<r xmlns='urn:xmpp:sm:3'/>")
    await rig.fixture.clock.settle()
    let logged1 = try #require(streams.clientsCount)
    log.isLocked = true
    await rig.fixture.receive(live(2))
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
    #expect(streams.clientsCount == logged1)
    await rig.fixture.receive(live(2))
    await rig.fixture.receive(live(3) + "<r xmlns='urn:xmpp:sm:3'/>")
    #expect(told(rig) == ["live 1"])
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    #expect(told(rig) == ["live 1", "live 2", "live 3"])
    #expect(try logged() == ["live 1", "live 2", "live 3"])
  }

  @Test("what came before a cut is logged, once, where the stream does not go on", arguments: [true, false])
  func overALostStream(isLockedForLong: Bool) async throws {
    let rig = try rig()
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    log.isLocked = true
    await rig.fixture.receive(live(1))
    streams.holds = false
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    if !isLockedForLong { log.isLocked = false }
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .online)
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause * 10)
    #expect(told(rig) == ["live 1"])
    #expect(try logged() == ["live 1"])
  }

  @Test("what the archive has is logged before what comes")
  func whileTheArchiveIsRead() async throws {
    archive.bodies = ["old", "missed"]
    let rig = try rig()
    rig.fixture.edit = { [log] _, reply in
      if reply.contains("<fin") { log.isLocked = true }
      return .says(reply)
    }
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.receive(live(1))
    #expect(told(rig).isEmpty)
    rig.fixture.edit = { .says($1) }
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    await rig.fixture.receive(live(2))
    #expect(told(rig) == ["missed", "live 1", "live 2"])
    #expect(try logged() == told(rig))
  }

  @Test(
    "what waited for its place gets it in this run, however long that takes, and what comes meanwhile stands behind it",
    arguments: [2, 13])
  func whileItIsReleased(_ vainReleases: Int) async throws {
    archive.bodies = ["old", "missed"]
    let rig = try rig()
    let answer = rig.fixture.answer
    var isSilent = true
    rig.fixture.answer = { element in
      let isQuery = (try? IQ(element))?.payload?.matches("query", MessageArchive.namespace) == true
      return isQuery && isSilent ? [] : answer(element)
    }
    try await rig.start()
    await rig.fixture.receive(live(1))
    isSilent = false
    streams.holds = false
    log.vainReleases = vainReleases
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(ConnectionKeeperLimits.firstWait)
    await rig.fixture.receive(live(2))
    #expect(told(rig) == ["missed"])
    await rig.fixture.clock.elapse(vainReleases == 2 ? SessionLimits.logPause * 2 : SessionLimits.logPatience * 4)
    #expect(told(rig) == ["missed", "live 1", "live 2"])
    #expect(try logged() == told(rig))
    #expect(try store.messages.postponed().isEmpty)
  }

  @Test("what is written is in it before it goes out, in its order; what cannot be for ever goes out all the same")
  func ours() async throws {
    let rig = try rig()
    try await rig.start()
    let chat = rig.fixture.session.delivery
    log.isLocked = true
    try chat.send("first", to: bob)
    await rig.fixture.clock.settle()
    try chat.send("second", to: bob)
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(sent.isEmpty)
    log.isLocked = false
    let third = try chat.send("third", to: bob)
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    try await chat.confirm([third])
    #expect(sent == ["first", "second", "third"])
    #expect(try written() == sent.map { $0 + ": server" })
    #expect(try store.messages.outbox().isEmpty)
    log.isLocked = true
    let last = try chat.send("last", to: bob)
    await rig.fixture.clock.elapse(SessionLimits.logPatience + SessionLimits.logPause)
    try await chat.confirm([last])
    #expect(sent.last == "last")
  }

  @Test("what is sent in other ways waits for what was written before it; for ever it does not")
  func othersBehindOurs() async throws {
    let rig = try rig()
    try await rig.start()
    let chat = rig.fixture.session.delivery
    log.isLocked = true
    try await chat.letGo()
    try chat.send("first", to: bob)
    let going = rig.fixture.start { try await chat.letGo() }
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(!going.hasEnded && sent.isEmpty)
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause * 2)
    #expect(going.value != nil && sent == ["first"])
    log.isLocked = true
    try chat.send("second", to: bob)
    let last = rig.fixture.start { try await chat.letGo() }
    await rig.fixture.clock.elapse(SessionLimits.logPatience + SessionLimits.logPause * 2)
    #expect(last.value != nil && sent == ["first", "second"])
  }

  @Test("what is given up while it waits stands in it as that, and waits for no other run")
  func givenUp() async throws {
    let rig = try rig()
    try await rig.start()
    let chat = rig.fixture.session.delivery
    log.isLocked = true
    let id = try chat.send("out", to: bob)
    await rig.fixture.clock.settle()
    let failed = chat.outbox.fail(id: id, reason: "You left.")
    chat.tell(try #require(failed))
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    #expect(try written() == ["out: failed"] && sent.isEmpty)
    #expect(try store.messages.outbox().isEmpty)
    #expect(rig.fixture.events(MessageStateChanged.self).map(\.state) == [.failed(reason: "You left.")])
  }

  @Test("what waited for a stream waits for it, too, and stands on that stream for the next run")
  func placed() async throws {
    let rig = try rig()
    let chat = rig.fixture.session.delivery
    try await chat.queue("early", to: bob)
    rig.fixture.edit = { [log] _, reply in
      if reply.contains("<jid>") { log.isLocked = true }
      return .says(reply)
    }
    streams.answersQuestions = false
    rig.live.start()
    await rig.fixture.clock.settle()
    #expect(log.isLocked && sent.isEmpty)
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    #expect(sent == ["early"])
    #expect(try written() == ["early: sent"])
  }

  @Test(
    "what became of a message is noted when it is unlocked, or the disk has room, and not sent again by the next run",
    arguments: [false, true])
  func outcomes(isFull: Bool) async throws {
    let rig = try rig()
    try await rig.start()
    let chat = rig.fixture.session.delivery
    streams.answersQuestions = false
    let id = try chat.send("out", to: bob)
    await rig.fixture.clock.settle()
    (log.isLocked, log.isFull) = (!isFull, isFull)
    streams.answersQuestions = true
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(4))
    try await chat.confirm([id])
    #expect(try store.messages.outbox().count == 1)
    #expect(rig.fixture.session.hasUnnoted != isFull, "a full disk is not waited for")
    (log.isLocked, log.isFull) = (false, false)
    await rig.fixture.clock.elapse(isFull ? SessionLimits.logPatience : SessionLimits.logPause)
    #expect(try store.messages.outbox().isEmpty)
  }

  @Test(
    "what could not be logged for too long is logged from the archive as soon as the log takes something, and told once",
    arguments: [true, false])
  func missed(isPresented: Bool) async throws {
    let rig = try rig()
    rig.fixture.session.intake.hasCopies = true
    let consumer = try #require(rig.fixture.session.intake.consumer(.screen))
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    log.isLocked = true
    archive.bodies.append("missed")
    await rig.fixture.receive(archived(2))
    await rig.fixture.clock.elapse(SessionLimits.logPatience + SessionLimits.logPause)
    #expect(told(rig) == ["missed"])
    if isPresented { consumer.presentedUnlogged(rig.fixture.events(MessageArrived.self)[0]) }
    log.isLocked = false
    #expect(try store.messages.archiveCursor() == "a1", "the next run would read it")
    archive.bodies.append("after")
    await rig.fixture.receive(archived(3))
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["missed", "after"])
    #expect(rig.fixture.events(CaughtUp.self).isEmpty)
    #expect(try logged().sorted() == (isPresented ? ["after"] : ["after", "missed"]))
    #expect(try store.messages.archiveCursor() == "a3")
    archive.bodies.append("later")
    await rig.fixture.receive(archived(4))
    #expect(try store.messages.archiveCursor() == "a4", "what comes is the archive's next message again")
  }

  @Test("what could not be logged for too long is logged once it is unlocked, though nothing more comes")
  func missedAndAlone() async throws {
    let rig = try rig()
    let consumer = try #require(rig.fixture.session.intake.consumer(.screen))
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    log.isLocked = true
    archive.bodies.append("missed")
    await rig.fixture.receive(archived(2))
    await rig.fixture.clock.elapse(SessionLimits.logPatience + SessionLimits.logPause * 3)
    #expect(told(rig) == ["missed"])
    consumer.presentedUnlogged(rig.fixture.events(MessageArrived.self)[0])
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    #expect(try written() == ["missed: nothing"])
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["missed"])
    #expect(try logged().isEmpty, "it was presented")
    #expect(try store.messages.archiveCursor() == "a2")
  }

  @Test("a receipt that comes meanwhile is told and noted when it is unlocked")
  func receipt() async throws {
    let rig = try rig()
    try await rig.start()
    let chat = rig.fixture.session.delivery
    let id = try chat.send("out", to: bob)
    try await chat.confirm([id])
    await rig.fixture.clock.settle()
    log.isLocked = true
    chat.heard(of: id, from: bob, .delivered)
    await rig.fixture.clock.settle()
    #expect(rig.fixture.events(MessageStateChanged.self).last?.state == .server)
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    #expect(rig.fixture.events(MessageStateChanged.self).count { $0.state == .delivered } == 1)
    #expect(try written() == ["out: delivered"])
  }

  @Test("what became of a message is noted before the session ends, and it is not sent again by the next run")
  func outcomeAtTheEnd() async throws {
    let rig = try rig()
    try await rig.start()
    let chat = rig.fixture.session.delivery
    streams.answersQuestions = false
    let id = try chat.send("out", to: bob)
    await rig.fixture.clock.settle()
    log.isLocked = true
    let confirmed = chat.outbox.confirm(id: id)
    chat.confirmed(confirmed)
    await leave(rig)
    #expect(try written() == ["out: server"])
    #expect(try store.messages.outbox().isEmpty)
  }

  @Test("what was presented is noted before the session ends, and is not presented again by the next run")
  func presentedAtTheEnd() async throws {
    let rig = try rig()
    try await rig.start()
    let consumer = try #require(rig.fixture.session.intake.consumer(.screen))
    await rig.fixture.receive(live(1))
    #expect(try logged() == ["live 1"])
    log.isLocked = true
    consumer.presented(rig.fixture.events(MessageArrived.self).compactMap(\.place))
    await leave(rig)
    #expect(try logged().isEmpty)
  }

  @Test("without a stream a message waits for it to be unlocked, in its order; for ever it does not")
  func offline() async throws {
    let rig = try rig()
    let chat = rig.fixture.session.delivery
    log.isLocked = true
    let queueing = Task { @Client in
      for text in ["first", "second"] { try await chat.queue(text, to: bob) }
    }
    await rig.fixture.clock.elapse(.seconds(3))
    #expect(try store.messages.outbox().isEmpty)
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    try await queueing.value
    #expect(try store.messages.outbox().map(\.message.body) == ["first", "second"])
    log.isLocked = true
    let vain = Task { @Client in try await chat.queue("third", to: bob) }
    await rig.fixture.clock.elapse(SessionLimits.logPatience + SessionLimits.logPause)
    await #expect(throws: MessageNotStored.self) { try await vain.value }
  }

  @Test("who is told to end while a message waits for it says that it was locked")
  func interrupted() async throws {
    let rig = try rig()
    log.isLocked = true
    let queueing = Task { @Client in try await rig.fixture.session.delivery.queue("first", to: bob) }
    await rig.fixture.clock.elapse(.seconds(1))
    queueing.cancel()
    let failure = await #expect(throws: MessageNotStored.self) { try await queueing.value }
    #expect(failure?.description == "You are offline, and it cannot be saved: The log is locked by another program.")
  }
}
