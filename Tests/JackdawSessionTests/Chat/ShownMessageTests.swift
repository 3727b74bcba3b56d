// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import Support
import Testing

@testable import JackdawSession

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
    rig.fixture.connector.transport?.deliver(
      Array("<message from='bob@example.net/x' id='1'><body>news</body></message>".utf8))
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
}
