// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession
import JackdawTransport
package import JackdawXML

/// A whole session in memory, against a ``ScriptedServer``, under a clock that stands still: alice@example.org.
///
/// ```swift
/// let fixture = try SessionFixture()
/// try await fixture.logIn()
/// await fixture.receive("<message from='bob@example.org'><body>hello</body></message>")
/// #expect(fixture.events(MessageArrived.self).map(\.body) == ["hello"])
/// ```
@Client package final class SessionFixture {
  package let clock = ManualClock()
  package let connector: FakeConnector
  /// What kind of run the session is for; to be set before ``session`` is first asked for.
  package var role: SessionRole
  /// Made when it is first asked for.
  package private(set) lazy var session = makeSession()
  /// What the server is like, at the next connection.
  package var script = ScriptedServer.Script()
  /// What the server keeps of streams that it counts, on every connection; nil: it offers no XEP-0198.
  package var managedStreams: ScriptedServer.ManagedStreams?
  /// What the server answers to stanzas, on every connection; see ``manners(_:)``.
  package var answer: @Client (Element) -> [Element] = SessionFixture.manners
  /// Changes the server's words on their way, at the next connection.
  package var edit: FakeTransportPeer.Edit = { .says($1) }
  package var handshake = FakeTransport.Handshake.succeeds(FakeConnector.security)
  /// The date that the session sees.
  package var date = Timestamp(milliseconds: 1_800_000_000_000)
  /// What `-v` would show.
  package private(set) var remarks: [String] = []
  /// What everybody is told.
  package private(set) var notices: [String] = []
  /// Everything that was posted.
  package private(set) var posted: [any ClientEvent] = []
  /// The server of the last connection.
  package private(set) var server: ScriptedServer

  /// What a session cannot be without: for tests of these that do not want to hear what others send.
  package static let core: [any Feature.Type] = [
    FriendManager.self, PresenceBoard.self, Chat.self, Ping.self, ServiceDiscovery.self, DelayedDelivery.self,
    ClientState.self, OfflineMessages.self,
  ]

  private let make: @Client (SessionRole) -> Session
  private var seen = 0
  private let bag = SubscriptionBag()

  package init(
    account: String = "alice@example.org/here", password: String = "secret", role: SessionRole = .script(nil),
    timeout: Duration = .seconds(30), stores: SessionStores = SessionStores(), whenRemoved: WhenRemoved = .keep,
    archive: ArchiveExtent = .nothing, discloses: Set<Disclosure> = [],
    log: (any StreamLog)? = nil,
    features: [any Feature.Type] = FeatureList.all,
    configure: @escaping @Client (inout SessionConfiguration) -> Void = { _ in }
  ) throws {
    let jid = try JID(account)
    let clock = clock
    let connector = FakeConnector(clock: clock) { _ in .hangs }
    let world = World()
    self.connector = connector
    self.role = role
    server = ScriptedServer()
    make = { role in
      var configuration = SessionConfiguration(
        account: jid, password: password, plan: ConnectionPlan(domain: jid.asciiDomain), timeout: timeout,
        whenRemoved: whenRemoved, archive: archive, discloses: discloses, role: role)
      configure(&configuration)
      return Session(
        configuration,
        environment: SessionEnvironment(
          connector: connector, clock: clock, calendar: { world.fixture?.date ?? Timestamp(milliseconds: 0) },
          freshID: { world.freshID() }, deriveKeys: { DerivedKeys.keys(of: $0) }, log: log,
          remark: { world.fixture?.remarks.append($0) }, notice: { world.fixture?.notices.append($0) }),
        stores: stores, features: features)
    }
    world.fixture = self
    connector.outcome = { [weak self] _ in self.map { .connects($0.makeTransport()) } ?? .hangs }
  }

  private func makeSession() -> Session {
    let session = make(role)
    session.events.onAny { [weak self] in self?.posted.append($0) }.store(in: bag)
    return session
  }

  /// What the session's closures know of the fixture, without keeping it alive.
  @Client private final class World {
    weak var fixture: SessionFixture?
    private var ids = 0

    func freshID() -> String {
      ids += 1
      return "fresh-\(ids)"
    }
  }

  /// A transport to a new server, as ``script``, ``edit`` and ``handshake`` say.
  package func makeTransport() -> FakeTransport {
    server = ScriptedServer(script)
    server.managedStreams = managedStreams
    server.answer = { [weak self] in self?.answer($0) ?? [] }
    seen = 0
    return FakeTransport(
      clock: clock, peer: FakeTransportPeer(server, edit: edit), handshake: handshake, isSecure: script.isDirectTLS)
  }

  // MARK: What a test does

  /// Logs in once.
  package func logIn() async throws {
    try await session.logIn()
    await clock.settle()
  }

  /// Logs in and fetches what every log-in fetches; what was sent for it is not among ``sent()`` any more.
  package func settleIn(showing presence: Presence? = Presence()) async throws {
    try await logIn()
    try await session.settleIn(showing: presence)
    await session.catchUp()
    await clock.settle()
    _ = sent()
  }

  /// The server says `xml`, in one piece; returns when all has been done that follows.
  package func receive(_ xml: String) async {
    connector.transport?.deliver(Array(xml.utf8))
    await clock.settle()
  }

  /// What came to the server on this connection since the last call, after the log-in.
  package func sent() -> [Element] {
    defer { seen = server.received.count }
    return Array(server.received[seen...])
  }

  /// The events of one type that were posted.
  package func events<Event: ClientEvent>(_ type: Event.Type) -> [Event] { posted.compactMap { $0 as? Event } }

  /// What a server says that is polite and has nothing: pings are answered, the roster is empty, all else is refused.
  package static func manners(_ element: Element) -> [Element] {
    guard let iq = try? IQ(element), iq.kind == .get || iq.kind == .set, let payload = iq.payload else { return [] }
    var answer: IQ =
      switch (payload.name, payload.namespace) {
      case ("ping", Ping.namespace): iq.result()
      case ("query", Namespace.roster): iq.result(Element("query", Namespace.roster))
      default: iq.failure(.serviceUnavailable)
      }
    answer.from = iq.to
    return [answer.element]
  }
}
