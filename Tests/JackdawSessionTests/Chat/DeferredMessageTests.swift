// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import Support
import Testing

@testable import JackdawSession

/// Messages that arrive while nobody reads what is shown.
@Client @Suite(.onLoop) struct DeferredMessageTests {
  private let alice: JID

  init() throws { alice = try JID("alice@example.org") }

  private func open(_ folder: TestDirectory) -> AccountStore {
    AccountStore(directory: folder.path, account: alice, stays: true) { Issue.record("\($0)") }
  }

  private func rig(in folder: TestDirectory) throws -> LiveRig {
    try LiveRig(.interactive(Presence()), stores: SessionStores(messages: open(folder).messages))
  }

  private func receive(_ numbers: ClosedRange<Int>, _ rig: LiveRig) async {
    for number in numbers {
      await rig.fixture.receive("<message from='bob@example.net/x' id='\(number)'><body>\(number)</body></message>")
    }
  }

  private func posted(_ rig: LiveRig) -> [Int] { rig.fixture.events(MessageArrived.self).compactMap { Int($0.body) } }

  @Test func `They are posted in order when there is room, and what comes then comes behind them`() async throws {
    try await TestDirectory.with { @Sendable folder in try await inOrder(in: folder) }
  }

  private func inOrder(in folder: TestDirectory) async throws {
    let rig = try rig(in: folder)
    try await rig.start()
    await receive(1...2, rig)
    rig.fixture.hasRoom = false
    await receive(3...60, rig)
    #expect(posted(rig) == [1, 2])
    rig.fixture.hasRoom = true
    await rig.fixture.clock.settle()
    #expect(posted(rig) == Array(1...60))
    await receive(61...62, rig)
    #expect(posted(rig) == Array(1...62))
  }

  @Test func `Room for a few is used for a few`() async throws {
    try await TestDirectory.with { @Sendable folder in try await aFew(in: folder) }
  }

  private func aFew(in folder: TestDirectory) async throws {
    let rig = try rig(in: folder)
    try await rig.start()
    rig.fixture.hasRoom = false
    await receive(1...9, rig)
    let subscription = rig.fixture.session.events.on(MessageArrived.self) { message in
      if message.body == "4" { rig.fixture.hasRoom = false }
    }
    defer { subscription.cancel() }
    rig.fixture.hasRoom = true
    await rig.fixture.clock.settle()
    #expect(posted(rig) == [1, 2, 3, 4])
    await receive(10...10, rig)
    rig.fixture.hasRoom = true
    await rig.fixture.clock.settle()
    #expect(posted(rig) == Array(1...10))
  }

  @Test func `The next run shows those that were never posted, and those whose lines did not go out`() async throws {
    try await TestDirectory.with { @Sendable folder in try await nextRun(in: folder) }
  }

  private func nextRun(in folder: TestDirectory) async throws {
    do {
      let rig = try rig(in: folder)
      try await rig.start()
      var out: [@Client () -> Void] = []
      rig.fixture.whenShown = { out.append($0) }
      await receive(1...5, rig)
      for action in out.prefix(3) { action() }
      rig.fixture.hasRoom = false
      await receive(6...250, rig)
    }
    let next = try rig(in: folder)
    next.live.start()
    await next.fixture.clock.settle()
    #expect(posted(next) == Array(4...250))
  }

  @Test func `A command that cannot show them yet gets them when it can`() async throws {
    try await TestDirectory.with { @Sendable folder in try await pausedCommand(in: folder) }
  }

  private func pausedCommand(in folder: TestDirectory) async throws {
    let rig = try rig(in: folder)
    try await rig.start()
    let chat = rig.fixture.session.features[Chat.self]
    chat.pausePresenting()
    await receive(1...3, rig)
    #expect(posted(rig) == [])
    chat.resumePresenting()
    await rig.fixture.clock.settle()
    #expect(posted(rig) == [1, 2, 3])
  }
}
