// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What a log-in asks for, all of it side by side.
@Client @Suite(.onLoop) struct LoginGroupTests {
  private let fixture: SessionFixture
  private let server = SlowServer()

  init() throws { fixture = try SessionFixture() }

  private func begin() async throws -> StartedTask<Void> {
    server.serve(fixture)
    try await fixture.logIn()
    let login = fixture.start { [fixture] in try await fixture.session.settleIn(showing: Presence()) }
    await fixture.clock.settle()
    return login
  }

  private var asked: [String] { fixture.sent().compactMap { $0.name == "iq" ? $0.firstChild?.namespace : $0.name } }

  /// How many requests of a log-in are in this namespace: both the server and our account are asked what they are.
  private static func count(of namespace: String) -> Int { namespace == ServiceDiscovery.information ? 2 : 1 }

  @Test("the questions of a log-in are asked side by side and take the time of the slowest")
  func rosterCarbonsBlockListOwnCardServerAndAccountTakeTheTimeOfTheSlowest() async throws {
    let login = try await begin()
    // All seven are on their way before any is answered: of two it is asked what they are.
    #expect(
      asked.sorted() == (SlowServer.requests.keys + [ServiceDiscovery.information, SlowServer.inBackground]).sorted())
    let slowest = try #require(SlowServer.requests.values.max())
    await fixture.clock.elapse(slowest - .milliseconds(1))
    #expect(!login.hasEnded)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(login.hasEnded && login.error == nil)
    #expect(asked == ["presence"])
    #expect(fixture.remarks.isEmpty)
    #expect(fixture.session.features[MessageCarbons.self].isEnabled)
    #expect(fixture.clock.pendingTimers == 0)
  }

  @Test(
    "a question of the log-in that fails is reported and does not fail the log-in",
    arguments: Array(SlowServer.requests.keys).sorted())
  func oneThatFailsDoesNotFailTheLoginAndIsReported(_ namespace: String) async throws {
    server.refusals[namespace] = StanzaError(kind: .wait, condition: "internal-server-error")
    let login = try await begin()
    await fixture.clock.elapse(.milliseconds(400))
    #expect(login.hasEnded && login.error == nil)
    #expect(fixture.remarks.count == Self.count(of: namespace))
    #expect(fixture.remarks.first?.contains("The server has an internal problem.") == true)
    #expect(fixture.session.features[MessageCarbons.self].isEnabled == (namespace != MessageCarbons.namespace))
    #expect(asked.last == "presence")
  }

  /// How long a log-in waits for what is never answered, of the 30 seconds that it has.
  private static func patience(with namespace: String) -> Duration {
    switch namespace {
    // Without our own card nothing is missing that cannot come later.
    case VCardTemp.namespace: FeatureLimits.ownCardPatience
    case Namespace.roster, ServiceDiscovery.information: SessionLimits.rosterPatience
    default: SessionLimits.loginPatience
    }
  }

  @Test(
    "a question that is never answered ends no log-in: it goes on without, and says so once",
    arguments: Array(SlowServer.requests.keys).sorted())
  func oneThatIsNeverAnswered(_ namespace: String) async throws {
    server.delays[namespace] = nil
    let login = try await begin()
    let patience = Self.patience(with: namespace)
    await fixture.clock.elapse(patience - .milliseconds(1))
    #expect(!login.hasEnded)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(login.hasEnded && login.error == nil)
    #expect(asked.last == "presence")
    let isTold = namespace != VCardTemp.namespace
    #expect(fixture.notices.count { $0.contains("has not answered what a log-in asks") } == (isTold ? 1 : 0))
    // Its own time goes on, and its end is for those who want to know.
    await fixture.clock.elapse(.seconds(30) - patience)
    #expect(fixture.remarks.count { $0.contains("No answer came in time.") } == Self.count(of: namespace))
    #expect(fixture.session.requests.count == 0)
  }

  @Test("a server that answers nothing of all that is asked is given the whole time")
  func nothingIsAnswered() async throws {
    server.delays = [:]
    let login = try await begin()
    await fixture.clock.elapse(.seconds(30) - .milliseconds(1))
    #expect(!login.hasEnded && fixture.notices.isEmpty)
    await fixture.clock.elapse(.milliseconds(1))
    #expect(login.hasEnded && login.error == nil)
  }

  @Test("what is answered late counts all the same, and nobody is told twice of what is not")
  func lateAnswers() async throws {
    server.delays[MessageCarbons.namespace] = .seconds(15)
    let login = try await begin()
    await fixture.clock.elapse(SessionLimits.loginPatience)
    #expect(login.hasEnded && !fixture.session.features[MessageCarbons.self].isEnabled)
    #expect(
      fixture.notices == [
        "The server has not answered what a log-in asks about copies of what your other devices send and get. "
          + "Jackdaw goes on without."
      ])
    await fixture.clock.elapse(.seconds(5))
    #expect(fixture.session.features[MessageCarbons.self].isEnabled)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    let next = try await begin()
    await fixture.clock.elapse(SessionLimits.loginPatience)
    #expect(next.hasEnded && next.error == nil)
    #expect(fixture.notices.count { $0.contains("has not answered what a log-in asks") } == 1)
  }

  @Test("bookmarks that never come keep nobody waiting")
  func bookmarks() async throws {
    server.delays[SlowServer.inBackground] = nil
    let login = try await begin()
    await fixture.clock.elapse(.milliseconds(400))
    #expect(login.hasEnded && login.error == nil)
    await fixture.clock.elapse(.seconds(30))
    #expect(fixture.remarks == ["The bookmarks cannot be read: No answer came in time."])
  }

  @Test("what the server does not support is not a failure of the log-in")
  func whatTheServerCannotIsNoFailure() async throws {
    for namespace in [MessageCarbons.namespace, Blocking.namespace, VCardTemp.namespace] {
      server.refusals[namespace] = .serviceUnavailable
    }
    let login = try await begin()
    await fixture.clock.elapse(.milliseconds(400))
    #expect(login.hasEnded && login.error == nil)
    #expect(fixture.remarks.isEmpty)
  }

  @Test("a connection that is lost during the log-in ends all its questions")
  func aConnectionThatIsLostMeanwhileEndsAll() async throws {
    let login = try await begin()
    await fixture.clock.elapse(.milliseconds(200))
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await fixture.clock.settle()
    #expect((login.error as? ConnectionError)?.code == .lost)
    #expect(fixture.session.requests.count == 0)
  }

  /// XEP-0115 6.3: a server that announces what is known already is not asked again, and not for what it cannot do.
  @Test("a server that is known is not queried for its features", arguments: [true, false])
  func aServerThatIsKnownIsNotAskedWhatItIs(_ canCopy: Bool) async throws {
    if !canCopy { server.information.features = ["urn:xmpp:ping"] }
    let hash = try #require(CapabilityHash(of: server.information))
    fixture.script.moreFeatures = Capabilities(node: "urn:server", hash: hash).element.description
    _ = try await begin()
    await fixture.clock.elapse(.milliseconds(400))
    _ = asked
    fixture.session.drop(ConnectionError(.lost, "gone"))
    let login = try await begin()
    var expected = (SlowServer.requests.keys + [SlowServer.inBackground]).sorted()
    if !canCopy { expected.removeAll { $0 == MessageCarbons.namespace } }
    let sent = fixture.sent()
    #expect(sent.compactMap { $0.firstChild?.namespace }.sorted() == expected)
    // The one that is asked what it is is our account, which nothing announces.
    let question = sent.first { $0.child("query", ServiceDiscovery.information) != nil }
    #expect(question?.attribute("to") == "alice@example.org")
    await fixture.clock.elapse(.milliseconds(400))
    #expect(login.hasEnded && login.error == nil)
  }
}
