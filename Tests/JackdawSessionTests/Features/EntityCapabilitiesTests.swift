// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

@Client @Suite(.onLoop) struct EntityCapabilitiesTests {
  static let client = CapabilityHashTests.complex

  private func presence(_ from: String, _ information: DiscoveryInformation = client) throws -> String {
    let hash = try #require(CapabilityHash(of: information))
    return "<presence from='\(from)'>\(Capabilities(node: "urn:psi", hash: hash).element)</presence>"
  }

  /// A session with friends who answer as `answers` says.
  private func fixture(
    friends: Int = 3, store: FakeCapabilityStore? = nil, answers: @escaping @Client (IQ) -> Element? = { _ in nil }
  ) async throws -> SessionFixture {
    let fixture = try SessionFixture(stores: SessionStores(capabilities: store))
    var subscriptions: [String: String] = [:]
    for number in 0..<friends { subscriptions["f\(number)@example.org"] = "both" }
    fixture.befriend(subscriptions, answers: answers)
    try await fixture.settleIn()
    return fixture
  }

  private func questions(_ fixture: SessionFixture) -> [IQ] {
    fixture.sent().compactMap { try? IQ($0) }.filter { $0.payload?.namespace == ServiceDiscovery.information }
  }

  private func known(_ fixture: SessionFixture, _ jid: String) throws -> DiscoveryInformation? {
    fixture.session.features[EntityCapabilities.self].information(of: try JID(jid))
  }

  // MARK: Ours

  @Test("Every available presence that we send has our capabilities")
  func everyAvailablePresenceOfOursHasOurCapabilities() async throws {
    let fixture = try await fixture()
    let board = fixture.session.features[PresenceBoard.self]
    for presence in [Presence(), Presence(show: .away, status: "lunch"), Presence(priority: -1)] {
      try board.announce(presence)
    }
    try board.announce(Presence(kind: .unavailable))
    await fixture.clock.settle()
    let sent = fixture.sent().filter { $0.name == "presence" }
    #expect(sent.map { $0.child("c", Capabilities.namespace) != nil } == [true, true, true, false])
    #expect(Set(sent.compactMap { $0.child("c", Capabilities.namespace)?.attribute("ver") }).count == 1)
    // What is shown to people is without it.
    try board.announce(Presence())
    #expect(board.own == Presence())
  }

  // MARK: Theirs

  @Test("A hash that many announce is queried once") func aHashIsLookedIntoOnceAmongManyWhoAnnounceIt() async throws {
    let fixture = try await fixture(friends: 50) { $0.payload?.attribute("node") == nil ? nil : Self.client.element() }
    for number in 0..<50 { await fixture.receive(try presence("f\(number)@example.org/psi")) }
    #expect(questions(fixture).isEmpty)
    await fixture.clock.elapse(FeatureLimits.capabilityDelay)
    let asked = questions(fixture)
    #expect(asked.count == 1)
    #expect(asked.first?.to == (try JID("f0@example.org/psi")))
    #expect(asked.first?.payload?.attribute("node") == "urn:psi#q07IKJEyjvHSyhy//CH0CxmKi8w=")
    for number in 0..<50 { #expect(try known(fixture, "f\(number)@example.org/psi") == Self.client) }
  }

  @Test("Only a few contacts are queried at a time") func onlyAFewAreAskedAtATime() async throws {
    let fixture = try await fixture(friends: 20)
    // Nobody answers at all.
    fixture.answer = { _ in [] }
    for number in 0..<20 {
      let information = DiscoveryInformation(
        identities: [.init(category: "client", type: "pc")], features: ["urn:\(number)"])
      await fixture.receive(try presence("f\(number)@example.org/x", information))
    }
    await fixture.clock.elapse(FeatureLimits.capabilityDelay)
    #expect(questions(fixture).count == FeatureLimits.capabilityRequests)
    await fixture.clock.elapse(.seconds(31))
    #expect(questions(fixture).count == FeatureLimits.capabilityRequests)
  }

  /// Whoever makes hashes up, with a true answer behind each, costs little.
  @Test("Of one contact only a few new hashes are queried")
  func ofOneContactOnlyAFewNewHashesAreLookedInto() async throws {
    let fixture = try await fixture { _ in nil }
    func announce(_ numbers: Range<Int>) async throws -> Int {
      var asked = 0
      for number in numbers {
        let information = DiscoveryInformation(
          identities: [.init(category: "client", type: "pc")], features: ["urn:\(number)"])
        fixture.befriend(["f0@example.org": "both"]) {
          $0.payload?.attribute("node") == nil ? nil : information.element()
        }
        await fixture.receive(try presence("f0@example.org/x", information))
        await fixture.clock.elapse(FeatureLimits.capabilityDelay)
        asked += questions(fixture).count
      }
      return asked
    }
    #expect(try await announce(0..<20) == DiscoveryLimits.newCapabilitiesOfContact)
    #expect(try known(fixture, "f0@example.org/x") == nil)
    await fixture.clock.elapse(DiscoveryLimits.capabilityWindow)
    #expect(try await announce(20..<21) == 1)
    #expect(try known(fixture, "f0@example.org/x") != nil)
  }

  @Test("Strangers' hashes are not queried") func strangersAreNotLookedInto() async throws {
    let fixture = try SessionFixture()
    fixture.befriend(["from@example.org": "from", "none@example.org": "none"])
    try await fixture.settleIn()
    for name in ["mallory", "from", "none"] { await fixture.receive(try presence("\(name)@example.org/x")) }
    await fixture.clock.elapse(.seconds(60))
    #expect(questions(fixture).isEmpty)
    #expect(try known(fixture, "mallory@example.org/x") == nil)
  }

  @Test("Caps poisoning: an answer that does not match its hash does not get into the cache")
  func capsPoisoningDoesNotGetIntoTheCache() async throws {
    let lie = DiscoveryInformation(identities: [.init(category: "client", type: "pc")], features: ["urn:evil"])
    let store = FakeCapabilityStore()
    let fixture = try await fixture(store: store) { iq in
      guard iq.payload?.attribute("node") != nil else { return nil }
      return (iq.to?.localpart == "f0" ? lie : Self.client).element()
    }
    await fixture.receive(try presence("f0@example.org/liar"))
    await fixture.clock.elapse(FeatureLimits.capabilityDelay)
    #expect(questions(fixture).count == 1)
    #expect(try known(fixture, "f0@example.org/liar") == nil)
    #expect(store.kept.isEmpty)
    #expect(fixture.remarks.contains { $0.contains("f0@example.org/liar") })
    // Saying it again does not make it asked again; somebody else is believed.
    await fixture.receive(try presence("f0@example.org/liar2"))
    await fixture.receive(try presence("f1@example.org/honest"))
    await fixture.clock.elapse(FeatureLimits.capabilityDelay)
    #expect(questions(fixture).map(\.to) == [try JID("f1@example.org/honest")])
    #expect(try known(fixture, "f1@example.org/honest") == Self.client)
    #expect(store.kept.count == 1)
  }

  @Test("What the store knows is not queried") func whatTheStoreKnowsIsNotAskedFor() async throws {
    let store = FakeCapabilityStore()
    CapabilityCache(store: store) { _ in }.learn(Self.client, as: try #require(CapabilityHash(of: Self.client)))
    let fixture = try await fixture(store: store)
    await fixture.receive(try presence("f0@example.org/psi"))
    #expect(try known(fixture, "f0@example.org/psi") == Self.client)
    await fixture.clock.elapse(.seconds(60))
    #expect(questions(fixture).isEmpty)
  }

  @Test("Another device with our own capabilities is known without a query")
  func anotherDeviceWithOurOwnCapabilitiesIsKnown() async throws {
    let fixture = try await fixture()
    let own = try #require(fixture.server.received.lazy.compactMap { $0.child("c", Capabilities.namespace) }.first)
    await fixture.receive("<presence from='alice@example.org/other'>\(own)</presence>")
    #expect(
      fixture.session.features[EntityCapabilities.self].supports(Ping.namespace, at: try JID("alice@example.org/other"))
        == true)
  }

  @Test("An announcement ends with its presence") func whatIsAnnouncedEndsWithThePresence() async throws {
    let fixture = try await fixture { $0.payload?.attribute("node") == nil ? nil : Self.client.element() }
    await fixture.receive(try presence("f0@example.org/a"))
    await fixture.receive(try presence("f0@example.org/b"))
    await fixture.clock.elapse(FeatureLimits.capabilityDelay)
    #expect(try known(fixture, "f0@example.org/a") != nil)
    await fixture.receive("<presence from='f0@example.org/a' type='unavailable'/>")
    #expect(try known(fixture, "f0@example.org/a") == nil)
    #expect(try known(fixture, "f0@example.org/b") != nil)
    await fixture.receive("<presence from='f0@example.org/b'/>")
    #expect(try known(fixture, "f0@example.org/b") == nil)
    await fixture.receive(try presence("f0@example.org/b"))
    await fixture.receive("<presence from='f0@example.org' type='unavailable'/>")
    #expect(try known(fixture, "f0@example.org/b") == nil)
  }

  @Test("The end of the connection ends the queries") func theEndOfTheConnectionEndsTheQuestions() async throws {
    let fixture = try await fixture()
    fixture.answer = { _ in [] }
    await fixture.receive(try presence("f0@example.org/a"))
    fixture.session.drop(ConnectionError(.lost, "gone"))
    await fixture.clock.settle()
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test("One-shot commands query nothing") func oneShotCommandsAskNothing() async throws {
    let fixture = try await fixture()
    await fixture.receive(try presence("f0@example.org/a"))
    await fixture.clock.elapse(.seconds(1))
    #expect(questions(fixture).isEmpty)
  }
}
