// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// Single commands that were killed, and the commands after them.
@Client @Suite(.onLoop) struct LeftoverTests {
  private let streams = ScriptedServer.ManagedStreams()
  private let archive = ArchiveServer()
  private let account: JID
  private let bob: JID

  init() throws {
    account = try JID("alice@example.org")
    bob = try JID("bob@example.net")
  }

  private var taken: [String] { streams.taken.compactMap { try? Message($0).body } }

  /// One run of the program. It is killed by being let go of.
  @Client private final class Run {
    let store: AccountStore
    let log: LockableStore
    let rig: LiveRig
    var chat: Delivery { rig.fixture.session.delivery }
    var states: [String] { rig.fixture.events(MessageStateChanged.self).map(\.state.name) }

    init(_ test: LeftoverTests, _ folder: TestDirectory, _ role: SessionRole) throws {
      let store = AccountStore(directory: folder.path, account: test.account, isOneShot: role.isOneShot) {
        Issue.record("\($0)")
      }
      let log = LockableStore(store.messages)
      (self.store, self.log) = (store, log)
      rig = try LiveRig(
        role,
        stores: SessionStores(messages: log, streams: store.streams),
        features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
      rig.fixture.managedStreams = test.streams
      test.archive.serve(rig.fixture)
    }

    func start() async throws -> Run {
      try await rig.start()
      return self
    }

    /// What the user is told of the messages that earlier commands left; nil: nothing.
    func fate() async -> String? {
      let fate = await chat.settleAdopted(within: .seconds(5))
      return fate.map { fate in
        [("arrived", fate.arrived), ("known", fate.known), ("failed", fate.failed), ("open", fate.open)]
          .filter { $0.1 > 0 }
          .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      }
    }

    /// The line breaks, as the process is gone.
    func kill() async {
      rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
      await rig.fixture.clock.settle()
    }
  }

  private func command(_ folder: TestDirectory) async throws -> Run {
    try await Run(self, folder, .oneShot).start()
  }

  private func inFolder(_ body: @escaping @Client (LeftoverTests, TestDirectory) async throws -> Void) async throws {
    try await TestDirectory.with { @Sendable in try await body(self, $0) }
  }

  /// A command writes a message, and is killed before it knows what became of it.
  private func killOne(_ folder: TestDirectory, arrives: Bool, clockAhead: Int64 = 0) async throws {
    let first = try await command(folder)
    first.rig.fixture.date.milliseconds += clockAhead
    streams.answersQuestions = false
    streams.isTaking = arrives
    _ = try first.chat.send("one", to: bob)
    await first.rig.fixture.clock.settle()
    await first.kill()
    (streams.answersQuestions, streams.isTaking) = (true, true)
  }

  @Test("messages that were not delivered are sent again before anything else")
  func whatDidNotArriveIsSentAgainBeforeAnythingElse() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      let second = try await test.command(folder)
      #expect(second.rig.live.state == .online)
      #expect(!second.rig.fixture.connector.records[0].text.contains("<resume"))
      let id = try second.chat.send("two", to: test.bob)
      try await second.chat.confirm([id])
      #expect(test.taken == ["one", "two"])
      await second.rig.fixture.clock.settle()
      #expect(try second.store.messages.outbox().isEmpty)
    }
  }

  @Test("a database that is locked is waited for before anything is said")
  func lockedAtTheStart() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      let second = try Run(test, folder, .oneShot)
      second.log.isLocked = true
      let starting = second.rig.fixture.start { try await second.start() }
      await second.rig.fixture.clock.elapse(.seconds(3))
      #expect(!starting.hasEnded && second.rig.fixture.connector.plans.isEmpty)
      second.log.isLocked = false
      await second.rig.fixture.clock.elapse(SessionLimits.logPause)
      #expect(starting.hasEnded && second.rig.fixture.notices.isEmpty)
      let id = try second.chat.send("two", to: test.bob)
      try await second.chat.confirm([id])
      #expect(test.taken == ["one", "two"])
    }
  }

  @Test("a database that is locked for too long keeps a command from nothing, and the user is told what waits")
  func lockedForTooLong() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      let second = try Run(test, folder, .oneShot)
      second.log.isLocked = true
      let starting = second.rig.fixture.start { try await second.start() }
      await second.rig.fixture.clock.elapse(SessionLimits.logPatience)
      #expect(starting.hasEnded)
      #expect(
        second.rig.fixture.notices == [
          "The database is locked by another program: what earlier runs left unsent waits for the next command."
        ])
      try second.chat.send("two", to: test.bob)
      await second.rig.fixture.clock.settle()
      #expect(test.taken == ["two"])
      #expect(try second.store.streams.hasLeftovers())
    }
  }

  /// The archive takes its time with the answer.
  @Test("an uncertain message delays its own conversation alone")
  func whatIsUncertainHoldsUpItsOwnConversationAlone() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      test.archive.lie = { _, _ in [] }
      let second = try Run(test, folder, .interactive(Presence()))
      let starting = second.rig.fixture.start { try await second.start() }
      await second.rig.fixture.clock.settle()
      try second.chat.send("two", to: test.bob)
      try second.chat.send("three", to: try JID("carol@example.net"))
      await second.rig.fixture.clock.settle()
      #expect(test.archive.queries.count == 1)
      #expect(test.taken == ["three"])
      #expect(second.chat.sending(to: test.bob) == .waits)
      await second.rig.fixture.clock.elapse(.seconds(120))
      #expect(test.taken == ["three", "one", "two"])
      _ = starting
    }
  }

  /// A command writes something to all in a room, and is killed before anybody says that it is there.
  private func killInRoom(_ folder: TestDirectory, _ room: JID) async throws {
    let first = try await command(folder)
    let message = OutgoingMessage(
      id: "r1", to: room, addressing: .room, body: "one",
      time: Timestamp(milliseconds: first.rig.fixture.date.milliseconds))
    _ = try first.store.messages.keep([OutboxRecord(message, state: .sent)], from: account)
    await first.kill()
  }

  @Test("in a room holds up nobody else's message once the server has it, though the room says nothing")
  func silentRoom() async throws {
    try await inFolder { test, folder in
      let room = try JID("tea@rooms.example.net")
      try await test.killInRoom(folder, room)
      let second = try await test.command(folder)
      second.chat.roomWasRead(room)
      try second.chat.send("two", to: test.bob)
      await second.rig.fixture.clock.settle()
      #expect(test.taken == ["one", "two"])
      #expect(second.states == ["sent", "sent", "server"])
    }
  }

  /// `friends list` sends nothing of its own.
  @Test("a command that sends no message delivers what was left over too")
  func aCommandThatSendsNothingSeesToItAsWell() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      let second = try await test.command(folder)
      #expect(await second.fate() == "arrived 1")
      #expect(test.taken == ["one"])
    }
  }

  @Test("where the stream is gone the archive is asked for the message", arguments: [true, false])
  func whereTheStreamIsGoneTheArchiveIsAskedOfIt(_ archiveHasIt: Bool) async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: true)
      (test.streams.holds, test.streams.rememberedCount) = (false, false)
      try test.archiveHasOne()
      if !archiveHasIt {
        test.archive.lie = { iq, _ in
          let theirs = ArchiveServer.result(iq.id, "a2", ArchiveServer.message("news"))
          return [theirs, ArchiveServer.end(of: iq, isComplete: true, last: "a2")]
        }
      }
      let second = try await test.command(folder)
      #expect(await second.fate() == (archiveHasIt ? "known 1" : "arrived 1"))
      #expect(test.taken == (archiveHasIt ? ["one"] : ["one", "one"]))
      #expect(test.archive.queries.count == 1)
      #expect(DataFormFields.value("with", in: test.archive.queries[0]) == "bob@example.net")
      #expect(DataFormFields.value("start", in: test.archive.queries[0]) != nil)
      #expect(try second.store.messages.archiveCursor() == nil, "what others said stays news")
      let prompt = try Run(test, folder, .interactive(Presence()))
      #expect(try prompt.store.messages.unpresented().isEmpty)
    }
  }

  @Test("one that was written while the clock was ahead is looked for from no day on")
  func clockAhead() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: true, clockAhead: 2 * 86_400_000)
      try test.archiveHasOne()
      let second = try await test.command(folder)
      #expect(await second.fate() == "known 1")
      #expect(DataFormFields.value("start", in: test.archive.queries[0]) == nil && test.taken == ["one"])
    }
  }

  /// The archive's answer when `one` is in it, and somebody else's message before it.
  private func archiveHasOne() throws {
    let id = try #require(streams.taken.last?.attribute("id"))
    archive.lie = { iq, _ in
      let mine =
        "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-11-20T10:05:00Z'/><message "
        + "xmlns='jabber:client' from='alice@example.org/here' to='bob@example.net' type='chat' id='\(id)'>"
        + "<body>one</body></message></forwarded>"
      let theirs = ArchiveServer.result(iq.id, "a2", ArchiveServer.message("news"))
      return [
        theirs, ArchiveServer.result(iq.id, "a3", mine), ArchiveServer.end(of: iq, isComplete: true, last: "a3"),
      ]
    }
  }

  /// The server would not have the stream any more; nobody asks for it.
  @Test("a stream that is too old is not resumed by a command") func aStreamThatIsTooOldIsNotGoneOnWith() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: true)
      try test.archiveHasOne()
      let second = try Run(test, folder, .oneShot)
      second.rig.fixture.date.milliseconds += 601_000
      _ = try await second.start()
      #expect(second.rig.live.state == .online)
      #expect(!second.rig.fixture.server.received.contains { $0.name == "resume" })
      #expect(await second.fate() == "known 1")
      #expect(test.archive.queries.count == 1)
      #expect(test.taken == ["one"])
    }
  }

  /// The stream has another resource than the one that is asked for.
  @Test("a command that asks for a resource is given no other") func whoAsksForAResourceIsGivenNoOther() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: true)
      try test.archiveHasOne()
      let second = try Run(test, folder, .oneShot)
      second.rig.fixture.session.configuration.account = try test.account.with(resource: "desk")
      _ = try await second.start()
      #expect(second.rig.live.state == .online)
      #expect(second.rig.fixture.session.identity.bound?.resource == "desk")
      #expect(await second.fate() == "known 1")
      #expect(test.taken == ["one"])
    }
  }

  /// `account check`.
  @Test("a command that is told not to deliver leftovers leaves them alone")
  func aCommandThatIsToTakeUpNothingLeavesItAlone() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      let second = try Run(test, folder, .probe)
      _ = try await second.start()
      #expect(second.rig.live.state == .online)
      #expect(await second.fate() == nil)
      await second.rig.live.leave()
      #expect(test.taken.isEmpty)
      #expect(try second.store.streams.hasLeftovers())
    }
  }

  @Test("a leftover message that bounces is reported as failed") func whatComesBackIsToldAsFailed() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      let second = try await test.command(folder)
      let id = try #require(test.streams.taken.last?.attribute("id"))
      await second.rig.fixture.receive(
        "<message from='bob@example.net' type='error' id='\(id)'><error type='cancel'>"
          + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
      #expect(await second.fate() == "failed 1")
    }
  }

  @Test("a leftover message that is not confirmed is reported as open")
  func whatIsNotConfirmedIsToldAsOpen() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      test.streams.answersQuestions = false
      let second = try Run(test, folder, .oneShot)
      second.rig.fixture.answer = { _ in [] }
      _ = try await second.start()
      let clock = second.rig.fixture.clock
      let fate = second.rig.fixture.start { await second.fate() }
      await clock.settle()
      await clock.elapse(.seconds(5))
      await clock.settle()
      #expect(fate.value == "open 1")
      #expect(try second.store.messages.outbox().count == 1)
    }
  }

  @Test("messages that a prompt never sent go out, unless it still runs", arguments: [true, false])
  func ofThePrompt(hasEnded: Bool) async throws {
    try await inFolder { test, folder in
      var prompt: Run? = try Run(test, folder, .interactive(Presence()))
      _ = try prompt?.chat.send("the prompt's", to: test.bob)
      prompt?.chat.flush()
      if hasEnded { prompt = nil }
      let second = try await test.command(folder)
      let fate = await second.fate()
      #expect(fate == (hasEnded ? "arrived 1" : nil))
      #expect(test.taken == (hasEnded ? ["the prompt's"] : []))
      let enables = second.rig.fixture.server.received.contains { $0.name == "enable" }
      #expect(enables == hasEnded, "it has nothing to lose where it sends nothing")
      withExtendedLifetime(prompt) {}
    }
  }

  @Test("a message that a command receives is left for a program that displays messages")
  func whatComesToACommandIsForWhoeverShowsIt() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: true)
      var second: Run? = try await test.command(folder)
      await second?.rig.fixture.receive(
        "<message from='bob@example.net/x' type='chat' id='m1'><body>an answer</body></message>")
      #expect(second?.rig.fixture.events(MessageArrived.self).isEmpty == true)
      await second?.rig.live.leave()
      await second?.rig.fixture.clock.settle()
      second = nil
      let prompt = try await Run(test, folder, .interactive(Presence())).start()
      #expect(prompt.rig.fixture.events(MessageArrived.self).map(\.body) == ["an answer"])
    }
  }

  @Test("does not keep one that reads the archive from what came meanwhile")
  func archiveIsReadBehindIt() async throws {
    try await inFolder { test, folder in
      try await test.killOne(folder, arrives: false)
      test.archive.lie = { _, _ in [] }
      test.archive.bodies = ["old", "news"]
      let second = try Run(test, folder, .oneShot)
      try second.store.messages.keepArchiveCursor("a1")
      _ = try await second.start()
      let session = second.rig.fixture.session
      let reading = second.rig.fixture.start { try await session.readArchive(.everything) { _, _ in }.messages }
      await second.rig.fixture.clock.settle()
      test.archive.lie = nil
      await second.rig.fixture.clock.elapse(.seconds(120))
      #expect(reading.value == 1)
      #expect(try second.store.messages.unpresented() == ["news"])
      #expect(test.taken == ["one"])
    }
  }

  /// The usual case costs no more than the look for what is left.
  @Test("a command whose message is acknowledged at once keeps no stream")
  func aCommandWhoseMessageArrivesAtOnceKeepsNoStream() async throws {
    try await inFolder { test, folder in
      let first = try await test.command(folder)
      let id = try first.chat.send("one", to: test.bob)
      try await first.chat.confirm([id])
      await first.rig.live.leave()
      #expect(try first.store.streams.loadStream() == nil)
      #expect(test.taken == ["one"])
      #expect(try first.store.messages.outbox().isEmpty)
    }
  }
}

/// What a query's form says.
enum DataFormFields {
  static func value(_ name: String, in query: Element) -> String? {
    query.child("x", "jabber:x:data")?.children.first { $0.attribute("var") == name }?.text(
      of: "value", "jabber:x:data")
  }
}
