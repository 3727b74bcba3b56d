// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// XEP-0191.
@Client @Suite(.onLoop) struct BlockingTests {
  /// A server that keeps a list and tells of its changes, as XEP-0191 3 has it.
  @Client private final class Server {
    var list: Set<String>
    /// Whether the answer comes before the push or after it.
    var pushesFirst = false

    init(_ list: Set<String> = []) { self.list = list }

    func answer(_ element: Element) -> [Element] {
      guard let iq = try? IQ(element), let payload = iq.payload, payload.namespace == Blocking.namespace else {
        return SessionFixture.manners(element)
      }
      let items = payload.children.compactMap { $0.attribute("jid") }
      switch payload.name {
      case "blocklist": return [iq.result(Blocking.element("blocklist", list.sorted())).element]
      case "block": list.formUnion(items)
      default: if items.isEmpty { list = [] } else { list.subtract(items) }
      }
      let push = IQ(kind: .set, id: "push", payload: payload).element
      let answer = iq.result().element
      return pushesFirst ? [push, answer] : [answer, push]
    }
  }

  private func online(_ server: Server) async throws -> (SessionFixture, Blocking) {
    let fixture = try SessionFixture()
    fixture.answer = { server.answer($0) }
    try await fixture.settleIn()
    return (fixture, fixture.session.features[Blocking.self])
  }

  private func jids(_ texts: String...) throws -> [JID] { try texts.map { try JID($0) } }

  /// The payloads of our requests in the namespace.
  private func commands(_ fixture: SessionFixture) -> [Element] {
    fixture.sent().compactMap { $0.firstChild }.filter { $0.namespace == Blocking.namespace }
  }

  @Test("The block list is fetched at the log-in and not again")
  func theListIsFetchedAtLoginAndNotAgain() async throws {
    let (fixture, blocking) = try await online(Server(["spam.example", "eve@example.net"]))
    #expect(blocking.known == (try jids("eve@example.net", "spam.example")))
    #expect(try await blocking.blocked() == jids("eve@example.net", "spam.example"))
    #expect(commands(fixture).isEmpty)
    #expect(fixture.events(BlockChanged.self).isEmpty)
  }

  @Test("Without the log-in's task the block list is fetched when it is asked for")
  func withoutALoginTaskTheListIsFetchedWhenItIsAskedFor() async throws {
    let fixture = try SessionFixture()
    let server = Server(["eve@example.net"])
    fixture.answer = { server.answer($0) }
    try await fixture.logIn()
    let blocking = fixture.session.features[Blocking.self]
    let both = [fixture.start { try await blocking.blocked() }, fixture.start { try await blocking.blocked() }]
    await fixture.clock.settle()
    #expect(try both.map(\.value) == Array(repeating: jids("eve@example.net"), count: 2))
    #expect(commands(fixture) == [Element("blocklist", Blocking.namespace)])
  }

  @Test("Several addresses are blocked by one request and reported once", arguments: [false, true])
  func severalAreBlockedInOneAndToldOnce(pushesFirst: Bool) async throws {
    let server = Server(["eve@example.net"])
    server.pushesFirst = pushesFirst
    let (fixture, blocking) = try await online(server)
    let new = try await blocking.block(jids("eve@example.net", "mallory@example.net/phone", "spam.example"))
    await fixture.clock.settle()
    #expect(new == Set(try jids("mallory@example.net/phone", "spam.example")))
    #expect(commands(fixture) == [Blocking.element("block", ["mallory@example.net/phone", "spam.example"])])
    #expect(
      fixture.events(BlockChanged.self)
        == (try jids("mallory@example.net/phone", "spam.example").map { BlockChanged(jid: $0, change: .blocked) }))
    #expect(server.list == ["eve@example.net", "mallory@example.net/phone", "spam.example"])
  }

  @Test("An address that is blocked already is not blocked again")
  func whoIsBlockedAlreadyIsNotBlockedAgain() async throws {
    let (fixture, blocking) = try await online(Server(["eve@example.net"]))
    #expect(try await blocking.block(jids("eve@example.net")).isEmpty)
    #expect(commands(fixture).isEmpty)
  }

  @Test("Some of the blocked addresses are unblocked") func someAreUnblocked() async throws {
    let server = Server(["eve@example.net", "spam.example"])
    let (fixture, blocking) = try await online(server)
    try await blocking.unblock(jids("eve@example.net", "bob@example.net"))
    #expect(commands(fixture) == [Blocking.element("unblock", ["eve@example.net"])])
    #expect(try await blocking.blocked() == jids("spam.example"))
    #expect(
      fixture.events(BlockChanged.self) == [BlockChanged(jid: try JID("eve@example.net"), change: .unblocked)])
  }

  @Test("Unblocking no address does not unblock all") func unblockingNobodyDoesNotUnblockEverybody() async throws {
    let server = Server(["eve@example.net"])
    let (fixture, blocking) = try await online(server)
    try await blocking.unblock(jids("bob@example.net"))
    try await blocking.unblock([])
    #expect(commands(fixture).isEmpty)
    #expect(server.list == ["eve@example.net"])
  }

  @Test("All addresses are unblocked") func everybodyIsUnblocked() async throws {
    let server = Server(["eve@example.net", "spam.example"])
    let (fixture, blocking) = try await online(server)
    #expect(try await blocking.unblockAll() == jids("eve@example.net", "spam.example"))
    #expect(commands(fixture) == [Element("unblock", Blocking.namespace)])
    #expect(server.list.isEmpty)
    #expect(try await blocking.blocked().isEmpty)
  }

  @Test(
    "The user can block neither themselves nor their server",
    arguments: ["alice@example.org", "alice@example.org/phone", "example.org"])
  func weCannotBlockOurselvesOrOurServer(_ text: String) async throws {
    let (fixture, blocking) = try await online(Server())
    let error = await #expect(throws: FeatureError.self) { try await blocking.block(jids("eve@example.net", text)) }
    #expect(error?.code == .badInput)
    #expect(commands(fixture).isEmpty)
  }

  @Test(
    "A server without blocking is not a failure of the log-in",
    arguments: ["service-unavailable", "feature-not-implemented"])
  func aServerThatCannotIsNoFault(_ condition: String) async throws {
    let fixture = try SessionFixture()
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == Blocking.namespace else {
        return SessionFixture.manners(element)
      }
      return [iq.failure(StanzaError(kind: .cancel, condition: condition)).element]
    }
    try await fixture.settleIn()
    #expect(!fixture.remarks.contains { $0.contains(Blocking.about.title) })
    let blocking = fixture.session.features[Blocking.self]
    for step in [{ _ = try await blocking.blocked() }, { try await blocking.block([JID("eve@example.net")]) }]
      as [@Client () async throws -> Void]
    {
      let error = await #expect(throws: FeatureError.self) { try await step() }
      #expect(error?.code == .notOffered)
      #expect(error?.description == "example.org cannot block anybody for you.")
    }
    #expect(commands(fixture).isEmpty)
  }

  // MARK: Pushes

  private func push(
    _ fixture: SessionFixture, _ name: String, _ items: [String], from: String? = "alice@example.org"
  ) async throws -> IQ {
    _ = fixture.sent()
    let sender = from.map { " from='\($0)'" } ?? ""
    await fixture.receive("<iq type='set' id='p1'\(sender)>\(Blocking.element(name, items))</iq>")
    return try IQ(try #require(fixture.sent().first))
  }

  @Test("A block push from another device is applied and answered", arguments: ["alice@example.org", nil])
  func anotherDevicesChangeIsTakenAndAnswered(_ from: String?) async throws {
    let (fixture, blocking) = try await online(Server(["spam.example"]))
    #expect(try await push(fixture, "block", ["eve@example.net", "@@"], from: from).kind == .result)
    #expect(blocking.known == (try jids("eve@example.net", "spam.example")))
    #expect(try await push(fixture, "unblock", [], from: from).kind == .result)
    #expect(blocking.known.isEmpty)
    #expect(fixture.events(BlockChanged.self).map(\.change) == [.blocked, .unblocked, .unblocked])
    #expect(fixture.events(BlockChanged.self)[0].topic?.description == "eve@example.net")
  }

  @Test(
    "A forged push is refused and changes nothing",
    arguments: [
      "mallory@example.net", "alice@example.org/here", "alice@example.org/phone", "example.org", "alice@example.net",
    ])
  func aForgedPushIsRefusedAndChangesNothing(_ from: String) async throws {
    let (fixture, blocking) = try await online(Server(["mallory@example.net"]))
    for (name, items) in [("unblock", ["mallory@example.net"]), ("unblock", []), ("block", ["bob@example.net"])] {
      let answer = try await push(fixture, name, items, from: from)
      #expect(answer.error == .serviceUnavailable)
    }
    #expect(blocking.known == (try jids("mallory@example.net")))
    #expect(fixture.events(BlockChanged.self).isEmpty)
  }

  @Test("A push that cannot be read unblocks nobody") func whatCannotBeReadUnblocksNobody() async throws {
    let (fixture, blocking) = try await online(Server(["eve@example.net"]))
    _ = try await push(fixture, "unblock", ["@@"])
    #expect(blocking.known == (try jids("eve@example.net")))
  }

  @Test("A push that comes before the list is newer than the list")
  func aPushThatComesWithTheListIsNewerThanTheList() async throws {
    let fixture = try SessionFixture()
    let list = Blocking.element("blocklist", ["eve@example.net"])
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get, iq.payload?.namespace == Blocking.namespace else {
        return SessionFixture.manners(element)
      }
      return [
        iq.result(list).element,
        IQ(kind: .set, id: "p1", payload: Blocking.element("block", ["mallory@example.net"])).element,
      ]
    }
    try await fixture.settleIn()
    #expect(fixture.session.features[Blocking.self].known == (try jids("eve@example.net", "mallory@example.net")))
  }

  @Test("Changes made while we were offline are reported") func whatChangedWhileWeWereAwayIsTold() async throws {
    let server = Server(["eve@example.net"])
    let (fixture, blocking) = try await online(server)
    server.list = ["spam.example"]
    fixture.session.drop(ConnectionError(.lost, "gone"))
    #expect(blocking.known == (try jids("eve@example.net")))
    try await fixture.settleIn()
    #expect(
      fixture.events(BlockChanged.self) == [
        BlockChanged(jid: try JID("spam.example"), change: .blocked),
        BlockChanged(jid: try JID("eve@example.net"), change: .unblocked),
      ])
  }

  /// A block list in memory.
  @Client private final class Store: BlockStore {
    var kept: BlockSnapshot?
    func loadBlocked() throws -> BlockSnapshot? { kept }
    func keepBlocked(_ snapshot: BlockSnapshot) throws { kept = snapshot }
  }

  @Test("the list is kept with the time up to which the server told of each change")
  func kept() async throws {
    let server = Server(["spam.example"])
    let store = Store()
    let fixture = try SessionFixture(stores: SessionStores(blocked: store))
    fixture.answer = { server.answer($0) }
    let blocking = fixture.session.features[Blocking.self]
    #expect(blocking.recall() == nil)
    try await fixture.settleIn()
    #expect(store.kept == BlockSnapshot(jids: [try JID("spam.example")], time: fixture.date))
    fixture.date = Timestamp(milliseconds: fixture.date.milliseconds + 1_000)
    try await blocking.block(try jids("eve@example.net"))
    #expect(store.kept?.jids.count == 2 && store.kept?.time == fixture.date)
    fixture.date = Timestamp(milliseconds: fixture.date.milliseconds + 1_000)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    #expect(blocking.recall()?.time == fixture.date && blocking.recall()?.jids.count == 2)
    // Nothing is known of what happens from now on.
    fixture.date = Timestamp(milliseconds: fixture.date.milliseconds + 1_000)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    #expect(store.kept?.time != fixture.date)
  }

  @Test("A server that does not answer times out and is asked again later")
  func silenceEndsByTheDeadlineAndIsAskedAgainLater() async throws {
    let fixture = try SessionFixture(timeout: .seconds(5))
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let blocking = fixture.session.features[Blocking.self]
    let asked = fixture.start { try await blocking.blocked() }
    await fixture.clock.elapse(.seconds(5))
    #expect((asked.error as? RequestError)?.code == .timedOut)
    let server = Server(["eve@example.net"])
    fixture.answer = { server.answer($0) }
    #expect(try await blocking.blocked() == jids("eve@example.net"))
  }
}

extension Blocking {
  fileprivate nonisolated static func element(_ name: String, _ items: [String]) -> Element {
    Element(name, namespace, items.map { Element("item", namespace, ["jid": $0]) })
  }
}
