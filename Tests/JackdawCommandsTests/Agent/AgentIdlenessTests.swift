// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("An agent that nobody needs", .onLoop)
struct AgentIdlenessTests {
  /// What it did, and when.
  @Client private final class Doings {
    private(set) var all: [String] = []
    private let clock = ManualClock()
    private let start: MonotonicTime
    private var idleness: AgentIdleness?

    init(_ server: AgentServer, limit: Duration?) {
      start = clock.now
      idleness = AgentIdleness(
        of: server, limit: limit, clock: clock, rest: { [unowned self] in note("rests") },
        end: { [unowned self] in note("ends") })
    }

    var isWaiting: Bool { clock.pendingTimers > 0 }

    func pass(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

    private func note(_ what: String) { all.append("\(what) after \((clock.now - start).components.seconds)") }
  }

  private func watched(
    limit: Duration?, _ body: @escaping @Client (Doings, AgentFolder) async throws -> Void
  ) async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      try await body(Doings(try #require(rig.application.agent), limit: limit), folder)
      rig.application.interrupted(by: SIGINT)
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .success)
    }
  }

  @Test("gives back memory once, and ends when it may")
  func alone() async throws {
    try await watched(limit: .seconds(600)) { doings, _ in
      doings.pass(599)
      #expect(doings.all == ["rests after 10"])
      doings.pass(1_000)
      #expect(doings.all == ["rests after 10", "ends after 600"])
      #expect(!doings.isWaiting, "nothing wakes it up for more")
    }
  }

  @Test("stays without a limit, and sleeps")
  func staying() async throws {
    try await watched(limit: nil) { doings, _ in
      doings.pass(1_000_000)
      #expect(doings.all == ["rests after 10"])
      #expect(!doings.isWaiting)
    }
  }

  @Test("is needed again by each client, as long as it is there")
  func clients() async throws {
    try await watched(limit: .seconds(600)) { doings, folder in
      doings.pass(5)
      let client = try AgentClient(folder)
      await AgentClient.settle()
      #expect(!doings.isWaiting)
      doings.pass(10_000)
      let second = try AgentClient(folder)
      await AgentClient.settle()
      await client.close()
      doings.pass(10_000)
      #expect(doings.all.isEmpty)
      await second.close()
      doings.pass(599)
      #expect(doings.all == ["rests after 20015"])
      doings.pass(1)
      #expect(doings.all.last == "ends after 20605")
    }
  }
}
