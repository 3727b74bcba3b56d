// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawTransport
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// What is in sight of commands that wait for the network, and what they say without a connection.
@Client @Suite("A command that takes long", .onLoop)
struct RunningCommandsTests {
  private func rigWithSilentFriend() throws -> ApplicationRig {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      element.attribute("to") == "slow@example.org" ? [] : SessionFixture.manners(element)
    }
    return rig
  }

  @Test("is named at the prompt after a second, and so is one that waits behind it; a quick one is not")
  func visible() async throws {
    let rig = try rigWithSilentFriend()
    let run = try await rig.start()
    rig.prompt.type("/ping")
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(rig.output.notices.isEmpty)
    rig.prompt.type("/ping  slow@example.org")
    rig.prompt.type("/ping")
    await rig.fixture.clock.elapse(.milliseconds(900))
    #expect(rig.output.notices.isEmpty)
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(
      rig.output.notices == [
        "/ping slow@example.org is still running. Ctrl-C stops it.",
        "/ping waits until /ping slow@example.org is done.",
      ])
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("is not named while it asks the user something, but where it takes long after that")
  func asking() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let typed = TypedSecrets()
    let commands = RunningCommands(output: rig.output, clock: rig.fixture.clock, secrets: typed)
    let done = Latch(clock: rig.fixture.clock)
    typed.isAsking = true
    commands.add("/account password") { try? await done.wait(for: nil) }
    await rig.fixture.clock.elapse(.seconds(3))
    #expect(rig.output.notices.isEmpty)
    typed.isAsking = false
    await rig.fixture.clock.elapse(.seconds(1))
    #expect(rig.output.notices == ["/account password is still running. Ctrl-C stops it."])
    done.open()
    await rig.fixture.clock.settle()
    #expect(!commands.isBusy && rig.fixture.clock.pendingTimers == 0)
  }

  @Test("names itself where it fails at the prompt")
  func named() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start()
    rig.prompt.type("/friends remove nobody@example.org")
    await rig.fixture.clock.settle()
    #expect(
      rig.output.failures.map(\.text) == [
        "/friends remove nobody@example.org: nobody@example.org is not on your contact list."
      ])
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("has no password in its label, and is cut where it is long")
  func label() {
    #expect(
      RunningCommands.label(of: "/account password x", command: "account password", mayHoldPassword: true)
        == "/account password")
    let long = RunningCommands.label(
      of: "/ping " + String(repeating: "x", count: 500), command: "ping", mayHoldPassword: false)
    #expect(long.count == CommandLimits.lineLabel && long.hasSuffix("…"))
    #expect(RunningCommands.label(of: "/ping a\nb", command: "ping", mayHoldPassword: false) == "/ping a b")
  }

  @Test("without a connection fails at once at the prompt, and the contact list is shown with its age")
  func offline() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("bob@example.org", "Bob", [])])
    let run = try await rig.start()
    rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "nobody there")) }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    // The first tries come close behind each other, and are waited for: the fifth comes after 62 seconds at the latest, the sixth
    // after 94 at the earliest.
    await rig.fixture.clock.elapse(.seconds(70))
    rig.prompt.type("/ping")
    await rig.fixture.clock.settle()
    let failure = try #require(rig.output.failures.last)
    #expect(failure.code == .tryAgain && failure.text.hasPrefix("/ping: You are offline, and this needs a connection."))
    rig.prompt.type("/friends list")
    await rig.fixture.clock.settle()
    #expect(rig.output.notices.contains { $0.hasPrefix("You are offline. This is as of ") }, "\(rig.output.notices)")
    let row = try #require(rig.output.rows(FriendRow.self).last)
    #expect(row.item.name == "Bob" && row.presence == nil)
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }

  @Test(
    "in a run that never had a connection says of when its answer is, from an earlier run", arguments: [true, false])
  func offlineFromTheStart(_ isKnown: Bool) async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.storeRoster([("bob@example.org", "Bob")])
    let earlier = Timestamp(milliseconds: rig.fixture.date.milliseconds - 86_400_000)
    if isKnown {
      try rig.store.roster.confirmRoster(at: earlier)
      try rig.store.blocked.keepBlocked(BlockSnapshot(jids: [try JID("eve@example.net")], time: earlier))
    }
    rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "nobody there")) }
    let run = try await rig.start()
    // No try is due so soon that it is waited for.
    await rig.fixture.clock.elapse(.seconds(70))
    let age = "You are offline. This is as of \(LocalTime.system.recent(earlier, now: rig.fixture.date))."
    rig.prompt.type("/friends list")
    await rig.fixture.clock.settle()
    #expect(
      rig.output.notices.last == (isKnown ? age : "You are offline. This is what was known when you were last online."))
    #expect(rig.output.rows(FriendRow.self).map(\.item.name) == ["Bob"])
    let before = rig.output.notices.count
    rig.prompt.type("/blocked")
    await rig.fixture.clock.settle()
    if isKnown {
      #expect(rig.output.notices[before...] == [age])
      #expect(rig.output.rows(BlockedRow.self).map(\.jid.description) == ["eve@example.net"])
    } else {
      #expect(
        rig.output.failures.last?.text.hasPrefix("/blocked: You are offline, and this needs a connection.") == true)
    }
    rig.prompt.delegate?.promptEnded()
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }

  @Test("from the shell says each second that it waits, and takes that away when it is done")
  func shell() async throws {
    let rig = try rigWithSilentFriend()
    let run = try await rig.start("ping", "slow@example.org")
    await rig.fixture.clock.elapse(.milliseconds(900))
    #expect(rig.output.progress.isEmpty)
    await rig.fixture.clock.elapse(.milliseconds(1_200))
    #expect(rig.output.progress == ["ping: waiting for an answer (1 s)", "ping: waiting for an answer (2 s)"])
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(run.value == .tryAgain && rig.output.progress.last == .some(nil))
    #expect(rig.fixture.clock.pendingTimers == 0)
  }
}
