// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// A database that turns out damaged, or was put out of the way by another program, while messages wait.
@Client @Suite(.onLoop) struct ReplacedStoreTests {
  private let streams = ScriptedServer.ManagedStreams()
  private let account: JID
  private let bob: JID

  init() throws {
    account = try JID("alice@example.org")
    bob = try JID("bob@example.net")
  }

  private var taken: [String] { streams.taken.compactMap { try? Message($0).body } }

  private func open(_ folder: TestDirectory, _ warn: @escaping @Client (StoreWarning) -> Void = { _ in })
    -> AccountStore
  {
    AccountStore(directory: folder.path, account: account, isOneShot: false, warn: warn)
  }

  private func run(_ store: AccountStore) throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages, streams: store.streams))
    rig.fixture.managedStreams = streams
    return rig
  }

  private func damage(_ folder: TestDirectory) throws {
    try folder.write(String(repeating: "no database ", count: 1000), to: DatabaseFile.name(for: account))
  }

  @Test("Waiting messages are put into the new database in their order")
  func whatWaitsIsPutIntoTheNewOneInItsOrder() async throws {
    try await TestDirectory.with { @Sendable in try await waitThroughDamage(in: $0) }
  }

  private func waitThroughDamage(in folder: TestDirectory) async throws {
    // A run ends with the last reference to anything of it.
    do {
      var warnings: [StoreWarning] = []
      let store = open(folder) { warnings.append($0) }
      let first = try run(store)
      let chat = first.fixture.session.delivery
      for body in ["one", "two"] { _ = try chat.send(body, to: bob) }
      chat.flush()
      store.close()
      try damage(folder)
      // The damage is found when the next one is kept.
      _ = try chat.send("three", to: bob)
      chat.flush()
      #expect(warnings.count == 1)
      #expect(try store.messages.outbox().map(\.message.body) == ["one", "two", "three"])
    }
    let later = open(folder)
    let second = try run(later)
    try await second.start()
    #expect(taken == ["one", "two", "three"])
    await second.fixture.clock.settle()
    #expect(try later.messages.outbox().isEmpty)
  }

  @Test("Messages on their way are put into the new database with their positions")
  func whatIsOnItsWayIsPutIntoTheNewOneWithItsPlace() async throws {
    try await TestDirectory.with { @Sendable in try await sendThroughDamage(in: $0) }
  }

  private func sendThroughDamage(in folder: TestDirectory) async throws {
    do {
      let store = open(folder)
      let first = try run(store)
      try await first.start()
      streams.answersQuestions = false
      let chat = first.fixture.session.delivery
      _ = try chat.send("one", to: bob)
      await first.fixture.clock.settle()
      store.close()
      try damage(folder)
      streams.isTaking = false
      _ = try chat.send("two", to: bob)
      await first.fixture.clock.settle()
      #expect(try store.messages.outbox().map(\.state) == [.sent, .sent])
      first.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    }
    (streams.answersQuestions, streams.isTaking) = (true, true)
    let second = try run(open(folder))
    try await second.start()
    #expect(second.live.state == .resumed, "the stream is in it too")
    #expect(taken == ["one", "two"], "the one that had arrived is not sent again")
  }

  /// The numbers of those in the old one are others' in the new one.
  @Test("What was displayed from the old database hides nothing of the new one")
  func whatIsReadOfTheOldOneHidesNothingOfTheNewOne() async throws {
    try await TestDirectory.with { @Sendable in try await readThroughDamage(in: $0) }
  }

  private func readThroughDamage(in folder: TestDirectory) async throws {
    let store = open(folder)
    let rig = try run(store)
    try await rig.start()
    let chat = rig.fixture.session.delivery
    var old = ""
    for body in ["one", "two", "three"] { old = try chat.send(body, to: bob) }
    await rig.fixture.clock.settle()
    store.close()
    try damage(folder)
    let new = try chat.send("four", to: bob)
    await rig.fixture.clock.settle()
    for id in [old, new] { chat.heard(of: id, from: bob, .displayed) }
    let displayed = rig.fixture.events(MessageStateChanged.self).filter { $0.state == .displayed }
    #expect(displayed.map(\.id) == [old, new])
  }

  @Test("Messages that wait for the archive are put into the new database")
  func whatWaitsForTheArchiveIsPutIntoTheNewOne() async throws {
    try await TestDirectory.with { @Sendable in try await holdThroughDamage(in: $0) }
  }

  private func holdThroughDamage(in folder: TestDirectory) async throws {
    let store = open(folder)
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    let archive = ArchiveServer()
    try store.messages.keepArchiveCursor("a1")
    archive.serve(rig.fixture)
    archive.lie = { _, _ in [] }
    try await rig.start()
    for body in ["one", "two"] {
      await rig.fixture.receive("<message from='bob@example.net/x' type='chat'><body>\(body)</body></message>")
      store.close()
      try damage(folder)
    }
    await rig.fixture.receive("<message from='bob@example.net/x' type='chat'><body>three</body></message>")
    #expect(try store.messages.postponed() == ["one", "two", "three"])
    #expect(try store.messages.archiveCursor() == "a1")
  }

  /// Another program found the damage first: what is written to the file that was set aside would be lost with it.
  @Test("A file that another program put aside is left alone")
  func aFileThatAnotherProgramPutAsideIsLeft() async throws {
    try await TestDirectory.with { @Sendable in try await loseFile(in: $0) }
  }

  private func loseFile(in folder: TestDirectory) async throws {
    let store = open(folder)
    let rig = try run(store)
    let chat = rig.fixture.session.delivery
    for body in ["one", "two"] { _ = try chat.send(body, to: bob) }
    chat.flush()
    #expect(try DatabaseFile(directory: folder.path, account: account).setAside().hasSuffix(".corrupt-1"))
    let other = open(folder)
    #expect(try other.messages.outbox().isEmpty)
    _ = try chat.send("three", to: bob)
    chat.flush()
    #expect(try other.messages.outbox().map(\.message.body) == ["one", "two", "three"])
  }
}
