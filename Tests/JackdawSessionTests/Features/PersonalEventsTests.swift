// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// A feature that wants the events of two nodes.
@Client private final class Watcher: Feature {
  nonisolated static let about = FeatureDescription("TEST", "Watcher", scope: "")
  nonisolated static let own = "urn:own"
  nonisolated static let shared = "urn:shared"
  private(set) var events: [PubSubEvent] = []

  init(_ context: FeatureContext) {
    context.links.nodes.on(Self.own, of: .ownAccount) { [weak self] in self?.events.append($0) }
    context.links.nodes.on(Self.shared, of: .contacts) { [weak self] in self?.events.append($0) }
  }
}

@Client @Suite(.onLoop) struct PersonalEventsTests {
  private func fixture() async throws -> (SessionFixture, Watcher) {
    let fixture = try SessionFixture(features: FeatureList.all + [Watcher.self])
    fixture.befriend(["both@example.org": "both", "to@example.org": "to", "from@example.org": "from"])
    try await fixture.settleIn()
    return (fixture, fixture.session.features[Watcher.self])
  }

  private func message(_ from: String?, _ content: String, type: String = "headline", more: String = "") -> String {
    let sender = from.map { " from='\($0)'" } ?? ""
    return "<message\(sender) to='alice@example.org/here' type='\(type)'><event xmlns='\(PubSubEvent.namespace)'>"
      + content + "</event>\(more)</message>"
  }

  private func items(_ node: String) -> String {
    "<items node='\(node)'><item id='1'><p xmlns='urn:p'/></item></items>"
  }

  @Test("The nodes that features subscribe to are announced") func theNodesThatFeaturesWantAreAnnounced() async throws {
    let (fixture, _) = try await fixture()
    let answer = try await fixture.ask("<query xmlns='\(ServiceDiscovery.information)'/>", from: "example.org")
    let information = try DiscoveryInformation(try #require(answer.payload))
    #expect(information.supports("urn:own+notify"))
    #expect(information.supports("urn:shared+notify"))
  }

  /// Sender, and which of the two nodes may be theirs.
  nonisolated static let senders: [(from: String?, own: Bool, shared: Bool)] = [
    (nil, true, true), ("alice@example.org", true, true), ("alice@example.org/other", false, false),
    ("both@example.org", false, true), ("to@example.org", false, true), ("both@example.org/x", false, false),
    ("from@example.org", false, false), ("mallory@example.org", false, false), ("example.org", false, false),
    ("alice@examp1e.org", false, false),
  ]

  @Test("Bookmark injection: an event counts only from the owner of the node", arguments: senders.indices)
  func bookmarkInjectionAndAlikeEventsCountFromTheOwnerOfTheNodeAlone(_ index: Int) async throws {
    let (from, own, shared) = Self.senders[index]
    let (fixture, watcher) = try await fixture()
    await fixture.receive(message(from, items(Watcher.own)))
    #expect(watcher.events.count == (own ? 1 : 0))
    await fixture.receive(message(from, items(Watcher.shared)))
    #expect(watcher.events.count == (own ? 1 : 0) + (shared ? 1 : 0))
    #expect(watcher.events.allSatisfy { $0.publisher == (try? JID(from ?? "alice@example.org")) })
  }

  nonisolated static let changes: [(String, PubSubEvent.Change)] = [
    (
      "<items node='urn:own'><item id='1'><p xmlns='urn:p'/></item><item id='2'/><retract id='3'/><retract/></items>",
      .items([PubSubItem(id: "1", payload: Element("p", "urn:p")), PubSubItem(id: "2")], retracted: ["3"])
    ),
    ("<items node='urn:own'/>", .items([], retracted: [])),
    ("<purge node='urn:own'/>", .purged), ("<delete node='urn:own'/>", .deleted),
  ]

  @Test("Every change of a node is reported", arguments: changes.indices)
  func everyChangeIsTold(_ index: Int) async throws {
    let (xml, change) = Self.changes[index]
    let (fixture, watcher) = try await fixture()
    await fixture.receive(message(nil, xml))
    #expect(watcher.events == [PubSubEvent(publisher: try JID("alice@example.org"), node: "urn:own", change: change)])
  }

  @Test(
    "An event without a change is ignored",
    arguments: [
      "<items/>", "<items node=''/>", "<items node='urn:other'/>", "<configuration node='urn:own'/>",
      "<subscription node='urn:own'/>", "<items xmlns='urn:x' node='urn:own'/>", "",
    ])
  func whatIsNoChangeIsIgnored(_ content: String) async throws {
    let (fixture, watcher) = try await fixture()
    await fixture.receive(message(nil, content))
    await fixture.receive(message(nil, items(Watcher.own), type: "error"))
    #expect(watcher.events.isEmpty)
  }

  @Test("A flood of items is cut") func aFloodOfItemsIsCut() async throws {
    let (fixture, watcher) = try await fixture()
    let many = String(repeating: "<item id='1'/>", count: 5_000)
    await fixture.receive(message(nil, "<items node='urn:own'>\(many)</items>"))
    guard case .items(let items, _)? = watcher.events.first?.change else { return #expect(Bool(false)) }
    #expect(items.count == 1_000)
  }

  @Test("A message with an event is still a message") func aMessageWithAnEventIsStillAMessage() async throws {
    let (fixture, watcher) = try await fixture()
    await fixture.receive(message("mallory@example.org", items(Watcher.own), type: "chat", more: "<body>hello</body>"))
    #expect(watcher.events.isEmpty)
    #expect(fixture.events(MessageArrived.self).map(\.body) == ["hello"])
  }
}

@Client @Suite(.onLoop) struct UserNicknameTests {
  private func fixture() async throws -> SessionFixture {
    let fixture = try SessionFixture()
    fixture.befriend(["bob@example.org": "both"])
    try await fixture.settleIn()
    return fixture
  }

  private func name(_ fixture: SessionFixture, _ jid: String) throws -> String? {
    fixture.session.features[UserNickname.self].name(of: try JID(jid))
  }

  private func nick(_ name: String) -> String { "<nick xmlns='\(Nickname.namespace)'>\(name)</nick>" }

  private func event(_ content: String) -> String {
    "<message from='bob@example.org' type='headline'><event xmlns='\(PubSubEvent.namespace)'>\(content)</event></message>"
  }

  @Test("Nicknames are read from requests, messages and events")
  func namesAreHeardInRequestsMessagesAndEvents() async throws {
    let fixture = try await fixture()
    await fixture.receive("<presence type='subscribe' from='carol@example.org'>\(nick("Carol"))</presence>")
    #expect(try name(fixture, "carol@example.org/x") == "Carol")
    await fixture.receive("<message from='dave@example.org/x'><body>hi</body>\(nick("Dave"))</message>")
    #expect(try name(fixture, "dave@example.org") == "Dave")
    await fixture.receive(event("<items node='\(Nickname.namespace)'><item>\(nick("Bob"))</item></items>"))
    #expect(try name(fixture, "bob@example.org") == "Bob")
  }

  @Test("A nickname can be changed and removed") func aNameCanBeChangedAndTakenBack() async throws {
    let fixture = try await fixture()
    for (xml, expected) in [
      ("<items node='\(Nickname.namespace)'><item>\(nick("Bob"))</item></items>", "Bob"),
      ("<items node='\(Nickname.namespace)'><item>\(nick("Rob"))</item></items>", "Rob"),
      ("<items node='\(Nickname.namespace)'><item>\(nick(""))</item></items>", nil),
      ("<items node='\(Nickname.namespace)'><item>\(nick("Bob"))</item></items>", "Bob"),
      ("<delete node='\(Nickname.namespace)'/>", nil),
    ] {
      await fixture.receive(event(xml))
      #expect(try name(fixture, "bob@example.org") == expected)
    }
  }

  @Test("In other presence a nickname does not count") func inOtherPresenceANameDoesNotCount() async throws {
    let fixture = try await fixture()
    await fixture.receive("<presence from='bob@example.org/x'>\(nick("Eve"))</presence>")
    #expect(try name(fixture, "bob@example.org") == nil)
  }

  @Test("Long nicknames are cut") func longNamesAreCut() async throws {
    let fixture = try await fixture()
    await fixture.receive("<message from='bob@example.org/x'>\(nick(String(repeating: "é", count: 5_000)))</message>")
    #expect(try name(fixture, "bob@example.org")?.unicodeScalars.count == FeatureLimits.nicknameText)
  }

  @Test("A contact's nickname is known however many strangers announce theirs")
  func aContactIsHeardWhateverStrangersCallThemselves() async throws {
    let fixture = try await fixture()
    await fixture.receive(
      (0...FeatureLimits.nicknames).map { "<message from='e\($0)@example.net'>\(nick("Eve"))</message>" }.joined())
    #expect(try name(fixture, "e0@example.net") == "Eve")
    #expect(try name(fixture, "e\(FeatureLimits.nicknames)@example.net") == nil)
    await fixture.receive("<message from='bob@example.org/x'>\(nick("Bob"))</message>")
    #expect(try name(fixture, "bob@example.org") == "Bob")
  }
}
