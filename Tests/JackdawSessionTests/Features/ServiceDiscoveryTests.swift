// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

@Client @Suite(.onLoop) struct ServiceDiscoveryTests {
  private func discovery(_ fixture: SessionFixture) -> ServiceDiscovery {
    fixture.session.features[ServiceDiscovery.self]
  }

  // MARK: Answered

  @Test("Our information lists the features that are declared")
  func ourInformationIsWhatTheFeatureListSays() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let answer = try await fixture.ask("<query xmlns='\(ServiceDiscovery.information)'/>", from: "alice@example.org/x")
    let information = try DiscoveryInformation(try #require(answer.payload))
    #expect(information.identities == [.init(category: "client", type: "console", name: "Jackdaw")])
    let announced = Set(FeatureList.all.flatMap { $0.about.discoFeatures })
    #expect(announced.isSubset(of: information.features))
    #expect(information.features == information.features.sorted())
    // The nodes that features want to hear of.
    #expect(information.supports(Nickname.namespace + "+notify"))
  }

  @Test("The node of our capabilities is answered with the same node")
  func theNodeOfOurCapabilitiesIsAnsweredAndMirrored() async throws {
    let fixture = try SessionFixture()
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: Presence())
    await fixture.clock.settle()
    let presence = try #require(fixture.sent().first { $0.name == "presence" })
    let c = try #require(presence.child("c", Capabilities.namespace).flatMap { Capabilities($0) })
    let answer = try await fixture.ask(
      "<query xmlns='\(ServiceDiscovery.information)' node='\(c.discoveryNode)'/>", from: "alice@example.org/x")
    #expect(answer.payload?.attribute("node") == c.discoveryNode)
    #expect(c.hash.isTrue(of: try DiscoveryInformation(try #require(answer.payload))))
  }

  @Test(
    "Unknown nodes are answered with item-not-found",
    arguments: [ServiceDiscovery.information, ServiceDiscovery.items], ["nonsense", "\(Capabilities.ownNode)#old"])
  func otherNodesAreNotFound(_ namespace: String, _ node: String) async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let answer = try await fixture.ask("<query xmlns='\(namespace)' node='\(node)'/>", from: "alice@example.org/x")
    #expect(answer.error?.condition == "item-not-found")
  }

  @Test("Our items are an empty list", arguments: ["", " node=''"])
  func weHaveNoItems(_ node: String) async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let answer = try await fixture.ask("<query xmlns='\(ServiceDiscovery.items)'\(node)/>", from: "alice@example.org/x")
    #expect(answer.kind == .result)
    #expect(answer.payload == Element("query", ServiceDiscovery.items))
  }

  // MARK: Asked

  @Test("Information and items of others are queried") func informationAndItemsOfOthers() async throws {
    let fixture = try SessionFixture()
    fixture.befriend([:]) { iq in
      switch iq.payload?.namespace {
      case ServiceDiscovery.information:
        DiscoveryInformation(
          identities: [.init(category: "conference", type: "text", name: iq.payload?.attribute("node"))]
        ).element(node: iq.payload?.attribute("node"))
      case ServiceDiscovery.items:
        try? Element(
          parsing:
            "<query xmlns='\(ServiceDiscovery.items)'><item jid='a@b'/><item jid='@'/><item jid='c@b' name='C'/></query>"
        )
      default: nil
      }
    }
    try await fixture.settleIn()
    let rooms = try JID("rooms.example.org")
    #expect(try await discovery(fixture).information(of: rooms, node: "n").identities.first?.name == "n")
    let items = try await discovery(fixture).items(of: rooms)
    #expect(items == [DiscoveryItem(jid: try JID("a@b")), DiscoveryItem(jid: try JID("c@b"), name: "C")])
  }

  @Test("Errors and malformed answers throw") func errorsAndNonsenseAreErrors() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let jid = try JID("x.example.org")
    let refused = await #expect(throws: RequestError.self) { try await discovery(fixture).information(of: jid) }
    #expect(refused?.stanzaError?.condition == "service-unavailable")
    fixture.befriend([:]) { _ in Element("query", "urn:other") }
    let odd = await #expect(throws: RequestError.self) { try await discovery(fixture).information(of: jid) }
    #expect(odd?.code == .malformedReply)
    let odder = await #expect(throws: RequestError.self) { try await discovery(fixture).items(of: jid) }
    #expect(odder?.code == .malformedReply)
  }

  // MARK: Our server

  private static let server = DiscoveryInformation(
    identities: [.init(category: "server", type: "im")], features: ["urn:xmpp:carbons:2"])

  @Test("The server is queried once a stream") func theServerIsAskedOnceAStream() async throws {
    let fixture = try SessionFixture()
    var questions = 0
    fixture.befriend([:]) { iq in
      guard iq.payload?.namespace == ServiceDiscovery.information, iq.to?.localpart == nil else { return nil }
      questions += 1
      return Self.server.element()
    }
    try await fixture.settleIn()
    #expect(questions == 1)
    let askers = (0..<3).map { _ in fixture.start { try await self.discovery(fixture).server() } }
    await fixture.clock.settle()
    #expect(askers.allSatisfy { $0.value == Self.server })
    #expect(questions == 1)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.settleIn()
    #expect(try await discovery(fixture).server() == Self.server)
    #expect(questions == 2)
  }

  @Test("A server that announces a known hash is not queried")
  func aServerThatAnnouncesWhatIsKnownIsNotAsked() async throws {
    let fixture = try SessionFixture()
    let hash = try #require(CapabilityHash(of: Self.server))
    fixture.script.moreFeatures = Capabilities(node: "urn:server", hash: hash).element.description
    var questions = 0
    fixture.befriend([:]) { iq in
      guard iq.payload?.namespace == ServiceDiscovery.information, iq.to?.localpart == nil else { return nil }
      questions += 1
      return Self.server.element()
    }
    try await fixture.settleIn()
    #expect(try await discovery(fixture).server() == Self.server)
    #expect(questions == 1)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.settleIn()
    #expect(try await discovery(fixture).server() == Self.server)
    #expect(questions == 1)
  }

  @Test("A server that does not answer is queried again when it matters")
  func aServerThatDoesNotAnswerIsAskedAgainWhenItMatters() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    await #expect(throws: RequestError.self) { try await discovery(fixture).server() }
    fixture.befriend([:]) { _ in Self.server.element() }
    #expect(try await discovery(fixture).server() == Self.server)
  }
}
