// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// Programs that are killed in the moment in which a message is shown.
@Client @Suite(.onLoop) struct ShownMessageTests {
  private let alice: JID

  init() throws { alice = try JID("alice@example.org") }

  /// A run that gets a message and is killed before it does anything else.
  /// - Parameter goesOut: what was told had gone out by then.
  private func run(in folder: TestDirectory, goesOut: Bool) async throws {
    let store = open(folder)
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: store.messages))
    try await rig.start()
    if !goesOut { rig.fixture.whenShown = { _ in } }
    rig.fixture.connector.transport?.deliver(Array(Self.message(1, "news").utf8))
    rig.fixture.clock.runTurn()
    #expect(rig.fixture.events(MessageArrived.self).map(\.body) == ["news"])
  }

  private func open(_ folder: TestDirectory) -> AccountStore {
    AccountStore(directory: folder.path, account: alice, stays: true) { Issue.record("\($0)") }
  }

  private func next(in folder: TestDirectory) async throws -> [String] {
    let store = open(folder)
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: store.messages))
    rig.live.start()
    return rig.fixture.events(MessageArrived.self).map(\.body)
  }

  @Test func whatHadGoneOutIsNotShownAgain() async throws {
    try await TestDirectory.with { @Sendable folder in
      try await run(in: folder, goesOut: true)
      #expect(try await next(in: folder) == [])
    }
  }

  @Test func whatHadNotGoneOutIsShownByTheNextRun() async throws {
    try await TestDirectory.with { @Sendable folder in
      try await run(in: folder, goesOut: false)
      #expect(try await next(in: folder) == ["news"])
    }
  }

  /// Numbers of a database that is lost are none of the next one's.
  @Test func whatIsToldOfALostDatabaseMarksNothingInTheNextOne() async throws {
    try await TestDirectory.with { @Sendable folder in
      try await loseDatabase(in: folder)
      #expect(try await next(in: folder) == ["news"])
    }
  }

  private func loseDatabase(in folder: TestDirectory) async throws {
    let store = AccountStore(directory: folder.path, account: alice, stays: true) { _ in }
    let rig = try LiveRig(.interactive(Presence()), stores: SessionStores(messages: store.messages))
    try await rig.start()
    var areOut: (@Client () -> Void)?
    rig.fixture.whenShown = { areOut = $0 }
    for number in 1...3 { await rig.fixture.receive(Self.message(number, "old")) }
    store.close()
    try folder.write(String(repeating: "no database ", count: 1000), to: DatabaseFile.name(for: alice))
    // Found when the next one is kept.
    try rig.fixture.session.features[Chat.self].send("mine", to: try JID("bob@example.net"))
    await rig.fixture.clock.settle()
    areOut?()
    rig.fixture.whenShown = { _ in }
    await rig.fixture.receive(Self.message(4, "news"))
  }

  private static func message(_ number: Int, _ body: String) -> String {
    "<message from='bob@example.net/x' id='\(number)'><body>\(body)</body></message>"
  }
}
