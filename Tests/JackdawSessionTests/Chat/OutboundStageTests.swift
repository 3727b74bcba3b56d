// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Messages of ours between the log and the wire, by a feature that seals them.
@Client @Suite("A message of ours passes the features' stages", .onLoop) struct OutboundStageTests {
  /// Adds a hint to each message, and seals what is in it; how is for the test to say.
  final class Sealer: Feature {
    nonisolated static let about = FeatureDescription("RFC 6121 0", "Sealer", scope: "seals")
    var seal: @Client (Message) -> Preparation = { .ready(Sealer.sealed($0)) }

    init(_ context: FeatureContext) {}

    func install(in routes: RouteTable) {
      routes.onSending(.encrypt) { [unowned self] in seal($0) }
      routes.onSending(.prepare) {
        var message = $0
        message.payloads.append(Element("store", "urn:xmpp:hints"))
        return .ready(message)
      }
    }

    static func sealed(_ message: Message) -> Message {
      var message = message
      message.payloads = [Element("sealed", "urn:example", text: "\(message.body ?? "") + \(message.payloads.count)")]
      message.body = nil
      return message
    }
  }

  private let store = AccountStore.inMemory()
  private let streams = ScriptedServer.ManagedStreams()
  private let rig: LiveRig
  private let bob: JID

  init() throws {
    bob = try JID("bob@example.net")
    rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages, streams: store.streams),
      features: SessionFixture.core + [Sealer.self])
    rig.fixture.managedStreams = streams
  }

  private var sealer: Sealer { rig.fixture.session.features[Sealer.self] }
  private var delivery: Delivery { rig.fixture.session.delivery }
  private var taken: [String] { streams.taken.compactMap { $0.child("sealed", "urn:example")?.text } }
  private var states: [String] { rig.fixture.events(MessageStateChanged.self).map { "\($0.state.name)" } }

  /// Five seconds a message.
  private func sealSlowly() {
    sealer.seal = { [clock = rig.fixture.clock] message in
      .later {
        try? await clock.sleep(for: .seconds(5))
        return .ready(Sealer.sealed(message))
      }
    }
  }

  @Test("in their order, whichever was registered first, and the log has what was written")
  func order() async throws {
    try await rig.start()
    _ = try delivery.send("one", to: bob)
    await rig.fixture.clock.settle()
    #expect(taken == ["one + 1"])
    #expect(streams.taken.allSatisfy { (try? Message($0))?.body == nil })
    #expect(states == ["sent", "server"])
  }

  @Test("and waits for one that takes its time, with those behind it")
  func later() async throws {
    try await rig.start()
    sealSlowly()
    for body in ["one", "two", "three"] { try delivery.send(body, to: bob) }
    await rig.fixture.clock.settle()
    #expect(taken.isEmpty)
    #expect(try store.messages.outbox().map(\.state) == [.waiting, .waiting, .waiting])
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(taken == ["one + 1"])
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(taken == ["one + 1", "two + 1", "three + 1"])
    #expect(try store.messages.outbox().isEmpty)
  }

  @Test("and waits with those to the same person only")
  func laterToOne() async throws {
    try await rig.start()
    sealSlowly()
    for body in ["one", "two"] { try delivery.send(body, to: bob) }
    try delivery.send("three", to: JID("carol@example.net"))
    await rig.fixture.clock.settle()
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(Set(taken) == ["one + 1", "three + 1"])
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(taken.last == "two + 1")
  }

  @Test("and fails where one does not end, while the others go")
  func endless() async throws {
    try await rig.start()
    sealer.seal = { [clock = rig.fixture.clock] message in
      guard message.body == "one" else { return .ready(Sealer.sealed(message)) }
      return .later {
        try? await clock.sleep(for: .seconds(300))
        return .ready(Sealer.sealed(message))
      }
    }
    for body in ["one", "two"] { try delivery.send(body, to: bob) }
    await rig.fixture.clock.settle()
    #expect(taken.isEmpty)
    await rig.fixture.clock.elapse(.seconds(30))
    #expect(taken == ["two + 1"])
    #expect(states == ["failed", "sent", "server"])
    await rig.fixture.clock.elapse(.seconds(300))
    #expect(taken == ["two + 1"])
    #expect(try store.messages.outbox().isEmpty)
  }

  @Test("and fails where one says so, while the others go")
  func failed() async throws {
    try await rig.start()
    sealer.seal = { $0.body == "two" ? .failed(reason: "there is no key") : .ready(Sealer.sealed($0)) }
    for body in ["one", "two", "three"] { try delivery.send(body, to: bob) }
    await rig.fixture.clock.settle()
    #expect(taken == ["one + 1", "three + 1"])
    let failed = rig.fixture.events(MessageStateChanged.self).filter { $0.state == .failed(reason: "there is no key") }
    #expect(failed.count == 1)
    #expect(try store.messages.outbox().isEmpty)
  }

  @Test("and goes with the next stream when this one is cut meanwhile")
  func cut() async throws {
    try await rig.start()
    sealSlowly()
    try delivery.send("one", to: bob)
    await rig.fixture.clock.settle()
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(rig.live.state == .resumed)
    #expect(taken.isEmpty)
    await rig.fixture.clock.elapse(.seconds(1))
    #expect(taken == ["one + 1"])
  }

  @Test("and does not go when it is withdrawn meanwhile")
  func withdrawn() async throws {
    try await rig.start()
    sealSlowly()
    let ids = try ["one", "two"].map { try delivery.send($0, to: bob) }
    await rig.fixture.clock.settle()
    #expect(try delivery.withdraw(ids[0]) == .withdrawn(to: bob))
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(taken == ["two + 1"])
    #expect(ids.allSatisfy { delivery.outbox[$0]?.prepared == nil })
  }

  @Test("once for a stream: what is sent again on it is what was sealed, with its stamp")
  func resumed() async throws {
    try await rig.start()
    streams.isTaking = false
    try delivery.send("one", to: bob)
    await rig.fixture.clock.settle()
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.settle()
    streams.isTaking = true
    await rig.fixture.clock.elapse(.seconds(2))
    let again = try #require(streams.taken.last)
    #expect(again.child("sealed", "urn:example")?.text == "one + 1")
    #expect(again.child("delay", "urn:xmpp:delay") != nil)
    #expect(again.child("body", "jabber:client") == nil)
  }
}
