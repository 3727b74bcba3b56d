// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// Programs that are killed in the moment in which a message is presented.
@Client @Suite(.onLoop) struct LogConsumerTests {
  private let alice: JID

  init() throws { alice = try JID("alice@example.org") }

  private func open(_ folder: TestDirectory) -> AccountStore {
    AccountStore(directory: folder.path, account: alice, isOneShot: false) { Issue.record("\($0)") }
  }

  /// A run that gets a message and is killed before it does anything else.
  private func run(in folder: TestDirectory, presents: Bool) async throws {
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: open(folder).messages))
    try await rig.start()
    let consumer = try #require(rig.fixture.session.intake.consumer(.screen))
    await rig.fixture.receive(Self.message(1, "news"))
    let events = rig.fixture.events(MessageArrived.self)
    #expect(events.map(\.body) == ["news"])
    if presents { consumer.presented(events.compactMap(\.place)) }
  }

  private func next(in folder: TestDirectory) throws -> [String] { try open(folder).messages.unpresented() }

  @Test("what was presented is not presented again, and what was only told is", arguments: [true, false])
  func presented(presents: Bool) async throws {
    try await TestDirectory.with { @Sendable folder in
      try await run(in: folder, presents: presents)
      #expect(try await next(in: folder) == (presents ? [] : ["news"]))
    }
  }

  /// Numbers of a database that is lost are none of the next one's.
  @Test("what a program displayed of a lost database marks nothing as displayed in the next one")
  func whatIsPresentedOfALostDatabaseMarksNothingInTheNextOne() async throws {
    try await TestDirectory.with { @Sendable folder in
      try await loseDatabase(in: folder)
      #expect(try await next(in: folder) == ["news"])
    }
  }

  private func loseDatabase(in folder: TestDirectory) async throws {
    let store = AccountStore(directory: folder.path, account: alice, isOneShot: false) { _ in }
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: store.messages))
    try await rig.start()
    for number in 1...3 { await rig.fixture.receive(Self.message(number, "old")) }
    let places = rig.fixture.events(MessageArrived.self).compactMap(\.place)
    store.close()
    try folder.write(String(repeating: "no database ", count: 1000), to: DatabaseFile.name(for: alice))
    // Found when the next one is kept.
    try rig.fixture.session.delivery.send("mine", to: try JID("bob@example.net"))
    await rig.fixture.clock.settle()
    rig.fixture.session.intake.consumer(.screen)?.presented(places)
    await rig.fixture.receive(Self.message(4, "news"))
  }

  /// All that one turn brings is one transaction, in its order with what is told of messages.
  @Test("messages of one turn are reported in their order") func messagesOfOneTurnAreToldInTheirOrder() async throws {
    let store = AccountStore.inMemory()
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: store.messages))
    try await rig.start()
    await rig.fixture.receive((1...5).map { Self.message($0, "m\($0)") }.joined())
    #expect(rig.fixture.events(MessageArrived.self).map(\.body) == ["m1", "m2", "m3", "m4", "m5"])
    #expect(try store.messages.unpresented() == ["m1", "m2", "m3", "m4", "m5"])
  }

  private func record(_ body: String, in store: AccountStore) throws {
    let event = MessageArrived(
      id: body, from: try JID("bob@example.net/x"), to: alice, kind: .chat, body: body)
    try store.messages.record(
      ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000)))
  }

  @Test("a bot that is new while another program has the log locked is presented what is logged before it can be noted")
  func newWhileOthersWrite() throws {
    let store = AccountStore.inMemory()
    let log = LockableStore(store.messages)
    try record("old", in: store)
    log.isLockedForWriting = true
    let consumer = LogConsumer(.bot("new"), of: log, clock: ManualClock())
    log.isLockedForWriting = false
    try record("waited", in: store)
    #expect(consumer.unpresented(limit: 10)?.messages.map(\.body) == ["waited"])
  }

  @Test("a bot that is new while another program has the log locked begins with what comes after that")
  func newWhileLocked() throws {
    let store = AccountStore.inMemory()
    let log = LockableStore(store.messages)
    try record("old", in: store)
    log.isLocked = true
    let consumer = LogConsumer(.bot("new"), of: log, clock: ManualClock())
    #expect(consumer.unpresented(limit: 10)?.messages.map(\.body) == nil, "it is to be asked again")
    log.isLocked = false
    #expect(consumer.unpresented(limit: 10)?.messages.map(\.body) == [])
    try record("new", in: store)
    #expect(consumer.unpresented(limit: 10)?.messages.map(\.body) == ["new"])
  }

  private static func message(_ number: Int, _ body: String) -> String {
    "<message from='bob@example.net/x' id='\(number)'><body>\(body)</body></message>"
  }
}
