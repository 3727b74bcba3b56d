// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawTransport
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Stanzas that exceed a limit, and XML that is wrong: neither keeps the account offline.
@Client @Suite(.onLoop) struct LeavingOutTests {
  private static let poison = "<x\((0..<140).map { " a\($0)=''" }.joined())/>"
  private static let wrong = "<p:x/>"

  private func counted(_ rig: ResumptionRig) async -> String? {
    await rig.fixture.receive("<r xmlns='urn:xmpp:sm:3'/>")
    return rig.streams.clientsCount
  }

  @Test("A stanza that is left out counts as handled, and is told once with its sender")
  func counts() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let before = Int(await counted(rig) ?? "") ?? -1
    for _ in 0..<3 { await rig.fixture.receive("<message from='mallory@example.net/x'>\(Self.poison)</message>") }
    await rig.fixture.receive("<presence type='subscribe' from='mallory@example.net'>\(Self.poison)</presence>")
    await rig.fixture.receive("<message from='bob@example.org' type='chat'><body>Hi</body></message>")
    #expect(rig.live.state == .online)
    #expect(await counted(rig) == "\(before + 5)")
    #expect(rig.fixture.events(MessageArrived.self).map(\.body) == ["Hi"])
    #expect(
      rig.fixture.notices == [
        "A message from mallory@example.net was left out. The XML exceeds a limit: the number of attributes."
      ])
    await rig.cut()
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
    #expect(rig.streams.clientsCount == "\(before + 5)")
  }

  @Test("Whoever sends much that is left out does not fill the screen")
  func flood() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    for number in 0..<100 {
      await rig.fixture.receive("<message from='m\(number)@example.net'>\(Self.poison)</message>")
    }
    #expect(rig.fixture.notices.count == SessionLimits.leftOutTold + 1)
    #expect(rig.fixture.notices.last == "More was left out than is shown here; --verbose shows all of it.")
  }

  @Test("A request that is left out is answered, and a stranger learns nothing by it")
  func request() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == Namespace.roster else {
        return SessionFixture.manners(element)
      }
      let item = Element("item", Namespace.roster, ["jid": "bob@example.org", "subscription": "both"])
      return [iq.result(Element("query", Namespace.roster, [:], [item])).element]
    }
    try await fixture.settleIn()
    await fixture.receive("<iq type='get' id='1' from='bob@example.org/x'>\(Self.poison)</iq>")
    await fixture.receive("<iq type='set' id='2' from='mallory@example.net/x'>\(Self.poison)</iq>")
    await fixture.receive("<iq type='get' id='3'>\(Self.poison)</iq>")
    // Nobody could be told.
    await fixture.receive("<iq type='get' from='bob@example.org/x'>\(Self.poison)</iq>")
    await fixture.receive("<iq type='get' id='4' from='@@/'>\(Self.poison)</iq>")
    await fixture.receive("<iq type='result' id='5' from='bob@example.org/x'>\(Self.poison)</iq>")
    let answers = fixture.sent().filter { $0.name == "iq" }
    #expect(answers.map { $0.attribute("id") } == ["1", "2", "3"])
    #expect(answers.allSatisfy { $0.attribute("type") == "error" })
    #expect(
      answers.map { $0.child("error", Namespace.client)?.firstChild?.name } == [
        "policy-violation", "service-unavailable", "policy-violation",
      ])
    #expect(answers.map { $0.attribute("to") } == ["bob@example.org/x", "mallory@example.net/x", nil])
  }

  @Test("An answer that is left out ends its request at once, and nobody else's does")
  func answer() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let bob = try JID("bob@example.org")
    let asking = fixture.start {
      _ = try await fixture.session.requests.request(IQ(kind: .get, to: bob, payload: Element("vCard", "vcard-temp")))
    }
    await fixture.clock.settle()
    let id = try #require(fixture.sent().last?.attribute("id"))
    await fixture.receive("<iq type='result' id='\(id)' from='mallory@example.net'>\(Self.poison)</iq>")
    #expect(!asking.hasEnded)
    await fixture.receive("<iq type='result' id='\(id)' from='bob@example.org'>\(Self.poison)</iq>")
    #expect((asking.error as? RequestError)?.code == .leftOut)
    #expect(fixture.notices.count == 0)
  }

  @Test("A message of the archive that is left out is stepped over, once and for all", arguments: [1, 2, 100])
  func archive(pageSize: Int) async throws {
    let store = AccountStore.inMemory()
    try store.messages.keepArchiveCursor("a1")
    let server = ArchiveServer()
    server.pageSize = pageSize
    server.bodies = ["old", "poison", "two", "poison"]
    server.payload = { $0 == "poison" ? Self.poison : "" }
    func run() async throws -> SessionFixture {
      let fixture = try SessionFixture(
        stores: SessionStores(messages: store.messages),
        features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
      server.serve(fixture)
      fixture.session.begin()
      try await fixture.settleIn()
      await fixture.clock.elapse(.seconds(10))
      return fixture
    }
    let first = try await run()
    #expect(first.session.isOnline)
    #expect(first.events(MessageArrived.self).map(\.body) == ["two"])
    #expect(first.notices == ["A message was left out. The XML exceeds a limit: the number of attributes."])
    #expect(try store.messages.archiveCursor() == "a4")
    let second = try await run()
    #expect(second.notices.isEmpty)
    #expect(second.events(MessageArrived.self).isEmpty)
  }

  // MARK: What ends the stream

  @Test("XML that is wrong ends two streams, and is left out at the third time")
  func faults() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let message = "<message from='mallory@example.net/x'>\(Self.wrong)</message>"
    for round in 0..<2 {
      await rig.fixture.receive(message)
      #expect(rig.live.state == .retrying, "\(round)")
      await rig.fixture.clock.elapse(.seconds(10))
    }
    await rig.fixture.receive(message)
    #expect(rig.live.state != .retrying)
    #expect(rig.fixture.session.isOnline)
    #expect(rig.fixture.notices.count == 1)
    #expect(rig.fixture.notices.first?.hasPrefix("A message from mallory@example.net was left out. ") == true)
  }

  @Test(
    "What is no XML is acknowledged the second time, so that it does not come again", arguments: ["<!-- -->", "\u{1}"])
  func unreadable(content: String) async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    let before = Int(await counted(rig) ?? "") ?? -1
    let message = "<message from='mallory@example.net/x'>\(content)</message>"
    await rig.fixture.receive(message)
    #expect(rig.streams.clientsCount == "\(before)")
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
    #expect(rig.streams.clientsCount == "\(before)")
    await rig.fixture.receive(message)
    #expect(rig.streams.clientsCount == "\(before + 1)")
    #expect(rig.fixture.notices.count == 1)
  }

  @Test("An archive over which two streams ended is not read any more")
  func unreadableArchive() async throws {
    let store = AccountStore.inMemory()
    try store.messages.keepArchiveCursor("a1")
    let server = ArchiveServer()
    server.bodies = ["old", "new"]
    let rig = try LiveRig(
      stores: SessionStores(messages: store.messages),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    server.serve(rig.fixture)
    rig.fixture.edit = { _, reply in .says(reply.replacing("<body>new</body>", with: "<body><!-- --></body>")) }
    rig.live.start()
    await rig.fixture.clock.elapse(.seconds(20))
    #expect(rig.live.state == .online)
    #expect(rig.states.filter { $0 == .retrying }.count == 2)
    #expect(
      rig.fixture.notices == [
        "Your server's archive holds data that broke the connection twice; it is not read any more."
      ])
    #expect(try store.messages.archiveCursor() == "a1")
  }
}
