// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Receipts, markers and errors for a message of another device that is not in the log yet.
@Client @Suite("Reports before the message is in the log", .onLoop) struct EarlyReportTests {
  private let store = AccountStore.inMemory()
  private let log: LockableStore
  private let archive = ArchiveServer()
  private let features: [any Feature.Type] =
    SessionFixture.core + [
      MessageArchive.self, StanzaIDs.self, MessageCarbons.self, DeliveryReceipts.self, ChatMarkers.self,
    ]

  init() throws {
    log = LockableStore(store.messages)
    try store.messages.keepArchiveCursor("a3")
    archive.bodies = ["one", "two", "three"]
  }

  private func rig() throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: log, log: store.log), features: features)
    archive.serve(rig.fixture)
    return rig
  }

  /// What another device sent to Bob.
  private nonisolated static let ours =
    "<message xmlns='jabber:client' from='alice@example.org/phone' to='bob@example.net' type='chat' id='m1'>"
    + "<body>hello</body></message>"

  /// What Bob's device says of it.
  private nonisolated static func report(_ state: DeliveryState) -> String {
    let content =
      switch state {
      case .displayed: "<displayed xmlns='urn:xmpp:chat-markers:0' id='m1'/>"
      default: "<received xmlns='urn:xmpp:receipts' id='m1'/>"
      }
    return "<message xmlns='jabber:client' from='bob@example.net/x' to='alice@example.org' type='chat' id='r1'>"
      + "\(content)</message>"
  }

  private nonisolated static let error =
    "<message xmlns='jabber:client' from='bob@example.net' to='alice@example.org/phone' type='error' id='m1'>"
    + "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"

  private nonisolated static func forwarded(_ message: String) -> String {
    "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-11-20T10:00:00Z'/>\(message)"
      + "</forwarded>"
  }

  private nonisolated static func copy(_ message: String, _ way: String = "sent", type: String = "chat") -> String {
    "<message from='alice@example.org' to='alice@example.org/here' type='\(type)'>"
      + "<\(way) xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded>"
      + "</\(way)></message>"
  }

  private static func isQuery(_ element: Element) -> Bool {
    (try? IQ(element))?.payload?.matches("query", MessageArchive.namespace) == true
  }

  /// Messages and the states of ours beyond the server's, in the order in which they were posted.
  private func posted(_ fixture: SessionFixture) -> [String] {
    fixture.posted.compactMap { event -> String? in
      switch event {
      case let message as MessageArrived: message.body
      case let change as MessageStateChanged: "\(change.id) \(change.state.name)"
      default: nil
      }
    }
  }

  private func states() throws -> [String?] {
    try store.log.page(LogQuery(), after: nil).messages.map { $0.state?.name }
  }

  // MARK: On the stream

  @Test(
    "a report that comes in one read with the copy of its message counts, and is posted behind that",
    arguments: [DeliveryState.delivered, .displayed])
  func inOneRead(state: DeliveryState) async throws {
    let rig = try rig()
    try await rig.start()
    await rig.fixture.receive(Self.copy(Self.ours) + Self.report(state))
    #expect(posted(rig.fixture) == ["hello", "m1 \(state.name)"])
    #expect(try states() == [state.name])
  }

  @Test(
    "a report that comes before the copy of its message counts once that is there, once, and no state goes back",
    arguments: [
      ([DeliveryState.delivered, .delivered, .displayed], ["hello", "m1 delivered", "m1 displayed"]),
      ([DeliveryState.displayed, .delivered], ["hello", "m1 displayed"]),
    ])
  func beforeItsCopy(reports: [DeliveryState], expected: [String]) async throws {
    let rig = try rig()
    try await rig.start()
    for state in reports { await rig.fixture.receive(Self.report(state)) }
    #expect(posted(rig.fixture) == [])
    await rig.fixture.receive(Self.copy(Self.ours))
    #expect(posted(rig.fixture) == expected)
    #expect(try states() == ["displayed"])
  }

  @Test("a report counts that comes with the copy of its message while another program has the log locked")
  func inALockedLog() async throws {
    let rig = try rig()
    try await rig.start()
    log.isLocked = true
    await rig.fixture.receive(Self.copy(Self.ours) + Self.report(.delivered))
    #expect(posted(rig.fixture) == [])
    log.isLocked = false
    await rig.fixture.clock.elapse(SessionLimits.logPause)
    #expect(posted(rig.fixture) == ["hello", "m1 delivered"])
    #expect(try states() == ["delivered"])
  }

  @Test("a report of long ago does not count for a message that is given the same id")
  func longAgo() async throws {
    let fixture = try SessionFixture(
      role: .script(Presence()), stores: SessionStores(messages: log, log: store.log), features: features)
    archive.serve(fixture)
    try await fixture.settleIn()
    await fixture.receive(Self.report(.delivered))
    await fixture.clock.elapse(SessionLimits.earlyReportAge * 2)
    #expect(fixture.session.delivery.earlyReports.isEmpty)
    await fixture.receive(Self.copy(Self.ours))
    #expect(posted(fixture) == ["hello"])
    #expect(try states() == ["server"])
  }

  // MARK: With the archive

  @Test(
    "a report counts that is on one page of the archive with its message",
    arguments: [DeliveryState.delivered, .displayed])
  func onOnePage(state: DeliveryState) async throws {
    archive.lie = { iq, query in
      guard query.child("set", ResultSetRequest.namespace)?.text(of: "after", ResultSetRequest.namespace) == "a3" else {
        return [ArchiveServer.end(of: iq, isComplete: true, last: nil)]
      }
      return [
        ArchiveServer.result(iq.id, "a4", Self.forwarded(Self.ours)),
        ArchiveServer.result(iq.id, "a5", Self.forwarded(Self.report(state))),
        ArchiveServer.end(of: iq, isComplete: true, first: "a4", last: "a5"),
      ]
    }
    let rig = try rig()
    try await rig.start()
    #expect(try states() == [state.name])
    #expect(Set(posted(rig.fixture)) == ["hello", "m1 \(state.name)"])
  }

  @Test(
    "a report counts that comes while its message is deferred, as the archive is being read",
    arguments: [
      (report(.delivered), "delivered"), (report(.displayed), "displayed"),
      (copy(error, "received", type: "error"), "failed"),
    ])
  func whileDeferred(report: String, state: String) async throws {
    let rig = try rig()
    let answer = rig.fixture.answer
    var query: Element?
    rig.fixture.answer = { element in
      guard Self.isQuery(element) else { return answer(element) }
      query = element
      return []
    }
    try await rig.start()
    await rig.fixture.receive(Self.copy(Self.ours))
    await rig.fixture.receive(report)
    #expect(try store.messages.postponed() == ["hello"])
    for element in answer(try #require(query)) {
      rig.fixture.connector.transport?.deliver(rig.fixture.server.bytes(of: element))
    }
    await rig.fixture.clock.settle()
    #expect(posted(rig.fixture) == ["hello", "m1 \(state)"])
    #expect(try states() == [state])
  }

  @Test("a report counts, and is not posted, where the archive is read backwards past it to its message")
  func backwards() async throws {
    archive.lie = { iq, query in
      let before = query.child("set", ResultSetRequest.namespace)?.text(of: "before", ResultSetRequest.namespace)
      switch before ?? "" {
      case "a3":
        return [
          ArchiveServer.result(iq.id, "a2", Self.forwarded(Self.report(.delivered))),
          ArchiveServer.end(of: iq, isComplete: false, first: "a2", last: "a2"),
        ]
      case "a2":
        return [
          ArchiveServer.result(iq.id, "a1", Self.forwarded(Self.ours)),
          ArchiveServer.end(of: iq, isComplete: true, first: "a1", last: "a1"),
        ]
      default: return [ArchiveServer.end(of: iq, isComplete: true, last: nil)]
      }
    }
    let fixture = try SessionFixture(
      role: .interactive(Presence()),
      stores: SessionStores(messages: log, streams: store.streams, log: store.log, earlier: store.earlier),
      archive: .everything, features: features)
    archive.serve(fixture)
    fixture.session.begin()
    try await fixture.settleIn()
    await fixture.clock.elapse(.seconds(60))
    #expect(try states() == ["delivered"])
    #expect(posted(fixture) == [])
  }
}

/// The reports that are kept, as a value.
@Suite("Reports that are kept until their message is in the log") struct EarlyReportsTests {
  private let bob: JID
  private let carol: JID

  init() throws {
    bob = try JID("bob@example.net")
    carol = try JID("carol@example.net")
  }

  private func report(_ id: String, _ state: DeliveryState = .delivered) -> MessageReport {
    MessageReport(id: id, peer: bob, state: state, origin: .stream)
  }

  @Test("those about a message are given once, each state once, in their order, and to nobody else's message")
  func given() {
    var reports = EarlyReports(limit: 10)
    for state in [DeliveryState.displayed, .delivered, .displayed] { reports.keep(report("a", state)) }
    let others = reports.take("a", with: carol) + reports.take("b", with: bob)
    let first = reports.take("a", with: bob)
    let second = reports.take("a", with: bob)
    #expect(others.isEmpty && second.isEmpty && reports.isEmpty)
    #expect(first.map(\.state) == [.displayed, .delivered])
  }

  @Test("many of them take no more room than some do, and the last ones are kept")
  func limit() {
    var reports = EarlyReports(limit: 8)
    for number in 1...1_000 { reports.keep(report("m\(number)")) }
    let kept = (1...1_000).filter { !reports.take("m\($0)", with: bob).isEmpty }
    #expect(kept.count <= 16 && kept.suffix(8) == Array(993...1_000)[...])
  }

  @Test("they are forgotten with time, and not before it")
  func age() {
    var reports = EarlyReports(limit: 8)
    reports.keep(report("a"))
    reports.age()
    #expect(!reports.isEmpty)
    reports.age()
    #expect(reports.isEmpty)
  }
}
