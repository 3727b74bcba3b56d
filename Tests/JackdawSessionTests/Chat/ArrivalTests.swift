// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Messages that come one behind the other: how many go into the log together, and when the server is told that they came.
@Client @Suite("Arrivals", .onLoop) struct ArrivalTests {
  private let store = AccountStore.inMemory()
  private let streams = ScriptedServer.ManagedStreams()

  private static let question = "<r xmlns='urn:xmpp:sm:3'/>"
  private static func message(_ body: String) -> String {
    "<message from='bob@example.net/x' type='chat' id='\(body)'><body>\(body)</body></message>"
  }

  private func run() async throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages, streams: store.streams))
    rig.fixture.managedStreams = streams
    try await rig.start()
    // What comes behind the first message of a stream may wait for more.
    await rig.fixture.receive(Self.message("first"))
    _ = rig.fixture.sent()
    return rig
  }

  private var kept: [String] { get throws { try store.messages.unpresented() } }

  /// Has the server say each of `pieces` in a turn of its own, one after the other, and calls `between` after each.
  private func receive(
    _ pieces: [String], by rig: LiveRig, between: @escaping @Client (Int) -> Void
  ) async {
    func say(_ number: Int) {
      rig.fixture.connector.transport?.deliver(Array(pieces[number].utf8))
      rig.fixture.clock.nextTurn {
        between(number)
        if number + 1 < pieces.count { say(number + 1) }
      }
    }
    say(0)
    await rig.fixture.clock.settle()
  }

  @Test("that follow each other without a pause are kept together, in order")
  func together() async throws {
    let rig = try await run()
    var keptMeanwhile: [Int] = []
    await receive(["one", "two", "three"].map(Self.message), by: rig) { _ in
      keptMeanwhile.append((try? kept.count) ?? -1)
    }
    #expect(keptMeanwhile == [1, 1, 1])
    #expect(try kept == ["first", "one", "two", "three"])
    #expect(rig.fixture.events(MessageArrived.self).map(\.body) == ["first", "one", "two", "three"])
  }

  @Test("that never pause are kept all the same, after so many turns")
  func endless() async throws {
    let rig = try await run()
    let bodies = (0..<SessionLimits.turnsLoggedAtOnce * 3).map { "m\($0)" }
    var most = 0
    await receive(bodies.map(Self.message), by: rig) { number in
      most = max(most, number + 2 - ((try? kept.count) ?? 0))
    }
    #expect(most <= SessionLimits.turnsLoggedAtOnce + 1)
    #expect(try kept == ["first"] + bodies)
  }

  /// What is kept together is shown in one turn of the loop, for which a typed key waits.
  @Test("where a person types are kept after a read or two, though more come without a pause")
  func betweenKeys() async throws {
    let rig = try await run()
    let reads = (0..<12).map { read in (0..<10).map { "m\(read).\($0)" } }
    var most = 0
    await receive(reads.map { $0.map(Self.message).joined() }, by: rig) { number in
      most = max(most, 1 + (number + 1) * 10 - ((try? kept.count) ?? 0))
    }
    #expect(most <= 20)
    #expect(try kept == ["first"] + reads.joined())
  }

  @Test("are acknowledged when they are kept and not before, with one answer to all questions until then")
  func acknowledged() async throws {
    let rig = try await run()
    await rig.fixture.receive(Self.question)
    let before = try #require(streams.clientsCount.flatMap { Int($0) })
    _ = rig.fixture.sent()
    var answeredMeanwhile: [Bool] = []
    await receive(["one", "two"].map { Self.message($0) + Self.question }, by: rig) { _ in
      answeredMeanwhile.append((try? kept.count) == 1 && streams.clientsCount != String(before))
    }
    #expect(answeredMeanwhile == [false, false])
    #expect(streams.clientsCount == String(before + 2))
    #expect(rig.fixture.sent().filter { $0.name == "a" }.count == 1)
    #expect(try kept == ["first", "one", "two"])
  }

  /// ejabberd hangs up after a minute without an answer.
  @Test("are acknowledged before the messages of ours that wait for a slow line have gone out")
  func acknowledgedAhead() async throws {
    let rig = try await run()
    let transport = try #require(rig.fixture.connector.transport)
    transport.isStuck = true
    try rig.fixture.session.delivery.send("ours", to: JID("bob@example.net"))
    await rig.fixture.clock.settle()
    await rig.fixture.receive(Self.question)
    transport.isStuck = false
    transport.send([0x20])
    await rig.fixture.clock.settle()
    let names = rig.fixture.sent().map(\.name)
    #expect(names.first == "a" && names.contains("message"))
  }

  @Test("are kept before anything else that came behind them is looked at")
  func beforeOthers() async throws {
    let rig = try await run()
    var keptAtPresence: [String]?
    let watch = rig.fixture.session.events.onAny { event in
      if event is PresenceChanged, keptAtPresence == nil { keptAtPresence = try self.kept }
    }
    await rig.fixture.receive(Self.message("one") + "<presence from='alice@example.org/other'/>")
    withExtendedLifetime(watch) {}
    #expect(keptAtPresence == ["first", "one"])
  }
}
