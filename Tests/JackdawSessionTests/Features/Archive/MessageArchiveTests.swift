// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// XEP-0313: what is queried, what counts as a result, and forged results.
@Client @Suite(.onLoop) struct MessageArchiveTests {
  private let fixture: SessionFixture
  private let server = ArchiveServer()

  init() throws {
    fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
    server.bodies = ["one", "two", "three"]
  }

  private func online() async throws -> MessageArchive {
    server.serve(fixture)
    try await fixture.settleIn()
    return fixture.session.features[MessageArchive.self]
  }

  // MARK: Offered

  @Test(
    "The archive is available where the account announces it",
    arguments: [[MessageArchive.namespace], ["urn:xmpp:mam:1", "urn:xmpp:mam:2#extended"], [], nil])
  func itIsOfferedByWhoeverAnnouncesIt(_ features: [String]?) async throws {
    server.features = features
    let archive = try await online()
    #expect(try await archive.isOffered() == (features == [MessageArchive.namespace]))
    #expect(try await archive.isOffered() == (features == [MessageArchive.namespace]))
    #expect(server.informationCount == 1)
    fixture.session.drop(ConnectionError(.lost, "gone"))
    server.features = [MessageArchive.namespace]
    try await fixture.settleIn()
    #expect(try await archive.isOffered())
    #expect(server.informationCount == 2)
  }

  @Test("Where the account has no archive a page fails with notOffered")
  func whereThereIsNoneItIsSaidSo() async throws {
    let archive = try await online()
    server.lie = { iq, _ in [iq.failure(.serviceUnavailable).element] }
    let error = await #expect(throws: FeatureError.self) { try await archive.page(ArchiveQuery()) }
    #expect(error?.code == .notOffered)
  }

  // MARK: Asking

  @Test("A query contains what is wanted") func aQuerySaysWhatIsWanted() async throws {
    let archive = try await online()
    let query = ArchiveQuery(
      with: try JID("bob@example.net"), start: Timestamp("2026-11-20T10:00:00Z"),
      end: Timestamp("2026-11-21T10:00:00Z"),
      after: "a1", limit: 20)
    _ = try await archive.page(query)
    _ = try await archive.page(ArchiveQuery(takesNewest: true))
    let id = try #require(server.queries.first?.attribute("queryid"))
    #expect(
      server.queries.first?.description
        == "<query xmlns='urn:xmpp:mam:2' queryid='\(id)'><x xmlns='jabber:x:data' type='submit'>"
        + "<field var='FORM_TYPE' type='hidden'><value>urn:xmpp:mam:2</value></field>"
        + "<field var='with'><value>bob@example.net</value></field>"
        + "<field var='start'><value>2026-11-20T10:00:00.000Z</value></field>"
        + "<field var='end'><value>2026-11-21T10:00:00.000Z</value></field></x>"
        + "<set xmlns='http://jabber.org/protocol/rsm'><max>20</max><after>a1</after></set></query>")
    #expect(
      server.queries.last?.children.map(\.description) == [
        "<set xmlns='http://jabber.org/protocol/rsm'><max>100</max><before/></set>"
      ])
    #expect(server.queries.last?.attribute("queryid") != id)
  }

  @Test(
    "The size of a page is bounded", arguments: [(0, "1"), (-5, "1"), (100, "100"), (101, "100"), (Int.max, "100")])
  func aPageIsBounded(_ limit: Int, _ asked: String) async throws {
    let archive = try await online()
    _ = try await archive.page(ArchiveQuery(limit: limit))
    #expect(
      server.queries.first?.child("set", ResultSetRequest.namespace)?.text(of: "max", ResultSetRequest.namespace)
        == asked)
  }

  // MARK: Results

  @Test("A page has the messages in their order") func aPageHasTheMessagesInTheirOrder() async throws {
    let archive = try await online()
    let page = try await archive.page(ArchiveQuery())
    #expect(page.messages.map(\.archiveID) == ["a1", "a2", "a3"])
    #expect(page.messages.map(\.message.body) == ["one", "two", "three"])
    #expect(page.messages.map(\.stamp.description.last) == ["Z", "Z", "Z"])
    #expect(page.messages.first?.stamp == Timestamp("2026-11-20T10:00:00Z"))
    #expect(page.messages.first?.message.from == (try JID("bob@example.net/x")))
    #expect(page.messages.first?.message.to == (try JID("alice@example.org")))
    #expect(page.isComplete && page.last == "a3")
    // What the archive keeps is no news.
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(archive.openCount == 0 && archive.refusedCount == 0)
  }

  @Test("The pages of an archive follow each other") func thePartsOfAnArchiveFollowEachOther() async throws {
    let archive = try await online()
    let first = try await archive.page(ArchiveQuery(limit: 2))
    #expect(first.messages.map(\.archiveID) == ["a1", "a2"] && !first.isComplete && first.last == "a2")
    let second = try await archive.page(ArchiveQuery(after: first.last, limit: 2))
    #expect(second.messages.map(\.archiveID) == ["a3"] && second.isComplete && second.last == "a3")
    let none = try await archive.page(ArchiveQuery(after: "a3", limit: 2))
    #expect(none.messages.isEmpty && none.isComplete && none.last == nil)
    let newest = try await archive.page(ArchiveQuery(limit: 2, takesNewest: true))
    #expect(newest.messages.map(\.archiveID) == ["a2", "a3"] && !newest.isComplete)
  }

  /// Spoofed archive results (CVE-2019-16237).
  @Test(
    "A result from anybody but our account is dropped and counted",
    arguments: [
      "mallory@example.net", "mallory@example.org", "example.org", "alice@example.org/phone", "alice@example.org/here",
      "alice@example.org.example.net", "alice@example.com", "room@rooms.example.org", "bob@example.net/x",
    ])
  func aResultFromAnybodyButOurAccountIsDroppedAndCounted(_ from: String) async throws {
    let archive = try await online()
    server.lie = { iq, _ in
      [
        ArchiveServer.result(iq.id, "a9", ArchiveServer.message("forged"), from: from),
        ArchiveServer.end(of: iq, isComplete: true, last: "a9"),
      ]
    }
    let page = try await archive.page(ArchiveQuery())
    #expect(page.messages.isEmpty)
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(archive.refusedCount == 1)
    #expect(fixture.remarks.contains { $0.contains("Ignored an archive's result from \(from)") })
  }

  @Test("A result of our account is accepted", arguments: ["alice@example.org", "ALICE@example.org", nil])
  func aResultOfOurAccountCounts(_ from: String?) async throws {
    let archive = try await online()
    server.lie = { iq, _ in
      [
        ArchiveServer.result(iq.id, "a9", ArchiveServer.message("true"), from: from),
        ArchiveServer.end(of: iq, isComplete: true, last: "a9"),
      ]
    }
    #expect(try await archive.page(ArchiveQuery()).messages.map(\.message.body) == ["true"])
  }

  /// Results without an open query, or of another one.
  @Test("A result of no open query is dropped as a whole") func aResultOfNoOpenQueryIsDroppedWhole() async throws {
    let archive = try await online()
    let content = ArchiveServer.message("forged")
    let body = "<body>outside</body>"
    for (query, from) in [("f1", "alice@example.org"), ("", "alice@example.org"), ("f1", "mallory@example.net")] {
      let xml = ArchiveServer.result(query, "a9", content, from: from).description
      await fixture.receive(xml.replacing("</message>", with: "\(body)</message>").replacing(" queryid=''", with: ""))
    }
    #expect(archive.refusedCount == 3)
    server.lie = { iq, _ in
      [
        ArchiveServer.result("another", "a9", content), ArchiveServer.result(iq.id + "x", "a9", content),
        ArchiveServer.end(of: iq, isComplete: true, last: nil),
        // The query has its answer.
        ArchiveServer.result(iq.id, "a9", content),
      ]
    }
    #expect(try await archive.page(ArchiveQuery()).messages.isEmpty)
    await fixture.clock.settle()
    #expect(archive.refusedCount == 6)
    #expect(fixture.events(MessageArrived.self).isEmpty)
  }

  /// Two results in one message are dropped, and what is nested in an archived message is not unwrapped.
  @Test("Only one level of forwarding is unwrapped") func onlyOneLevelIsUnwrapped() async throws {
    let archive = try await online()
    let inner = ArchiveServer.message("inner")
    server.lie = { iq, _ in
      let one = ArchiveServer.result(iq.id, "a1", ArchiveServer.message("outer"))
      let result = one.firstChild?.description ?? ""
      let two = "<message>\(result)\(result)</message>"
      let nested = one.description.replacing(
        "<body>", with: "\(result)<received xmlns='urn:xmpp:carbons:2'>\(inner)</received><body>")
      return [two, nested].compactMap { try? Element(parsing: $0) }
        + [ArchiveServer.end(of: iq, isComplete: true, last: "a1")]
    }
    let page = try await archive.page(ArchiveQuery())
    #expect(page.messages.map(\.message.body) == ["outer"])
    #expect(page.messages.first?.message.payloads.map(\.name) == ["result", "received"])
    #expect(archive.refusedCount == 1)
    #expect(fixture.events(MessageArrived.self).isEmpty)
  }

  private nonisolated static let good = ArchiveServerText.good

  /// What cannot be read is left out; the others are there, and so is the way on.
  @Test(
    "A result that cannot be read is left out",
    arguments: [
      "", "<message xmlns='jabber:client' from='bob@example.net/x' to='alice@example.org'/>", good + good,
      good.replacing("<body>", with: "</message><message xmlns='jabber:client' from='bob@example.net'><body>"),
      good.replacing("jabber:client", with: "jabber:server"), good.replacing(" from='bob@example.net/x'", with: ""),
      good.replacing("bob@example.net/x", with: "@@"), good.replacing("alice@example.org", with: "eve@example.net"),
      good.replacing("stamp='2026-11-20T10:00:00Z'", with: "stamp='soon'"),
      good.replacing("urn:xmpp:delay", with: "urn:other"),
    ])
  func whatCannotBeReadIsLeftOut(_ content: String) async throws {
    let archive = try await online()
    server.lie = { iq, _ in
      [
        ArchiveServer.result(iq.id, "a1", content), ArchiveServer.result(iq.id, "", ArchiveServerText.good),
        ArchiveServer.result(iq.id, "a3", ArchiveServerText.good),
        ArchiveServer.result(iq.id, "a4", content), ArchiveServer.end(of: iq, isComplete: false, last: "a4"),
      ]
    }
    let page = try await archive.page(ArchiveQuery())
    #expect(page.messages.map(\.archiveID) == ["a3"])
    #expect(page.last == "a4")
    #expect(fixture.remarks.count { $0.hasPrefix("Left out a message of the archive") } == 3)
  }

  @Test("A message to ourselves counts as ours") func aNoteToOurselvesIsOurs() async throws {
    let archive = try await online()
    let note = ArchiveServerText.good.replacing("bob@example.net/x", with: "alice@example.org/phone")
      .replacing(" to='alice@example.org'", with: "")
    server.lie = { iq, _ in
      [ArchiveServer.result(iq.id, "a1", note), ArchiveServer.end(of: iq, isComplete: true, last: "a1")]
    }
    let message = try #require(try await archive.page(ArchiveQuery()).messages.first?.message)
    #expect(message.to == (try JID("alice@example.org")))
  }

  /// A stamp in the future (XEP-0203) is replaced by the present.
  @Test("A timestamp in the future is not accepted") func nothingComesFromTheFuture() async throws {
    let archive = try await online()
    let content = ArchiveServerText.good.replacing("2026-11-20T10:00:00Z", with: "9999-12-31T23:59:59Z")
    server.lie = { iq, _ in
      [ArchiveServer.result(iq.id, "a1", content), ArchiveServer.end(of: iq, isComplete: true, last: "a1")]
    }
    let stamp = try await archive.page(ArchiveQuery()).messages.first?.stamp
    #expect(stamp == fixture.date)
  }

  // MARK: Ends

  @Test("Results beyond the number asked for are refused") func whatIsMoreThanWasAskedForIsRefused() async throws {
    let archive = try await online()
    server.lie = { iq, _ in
      (1...5).map { ArchiveServer.result(iq.id, "a\($0)", ArchiveServerText.good) }
        + [ArchiveServer.end(of: iq, isComplete: true, last: "a5")]
    }
    let error = await #expect(throws: RequestError.self) { try await archive.page(ArchiveQuery(limit: 4)) }
    #expect(error?.code == .malformedReply)
    #expect(try await archive.page(ArchiveQuery(limit: 5)).messages.count == 5)
  }

  @Test("An ID that the archive no longer has is told apart from other errors")
  func anIdThatTheArchiveHasNoMoreIsToldApart() async throws {
    let archive = try await online()
    let error = await #expect(throws: FeatureError.self) { try await archive.page(ArchiveQuery(after: "a77")) }
    #expect(error?.code == .notFound)
    server.lie = { iq, _ in [iq.failure(StanzaError(kind: .cancel, condition: "item-not-found")).element] }
    let other = await #expect(throws: RequestError.self) { try await archive.page(ArchiveQuery()) }
    #expect(other?.stanzaError?.condition == "item-not-found")
  }

  @Test(
    "An answer without a valid end is malformed",
    arguments: ["", "<fin xmlns='urn:xmpp:mam:1'/>", "<query xmlns='urn:xmpp:mam:2'/>"])
  func anAnswerWithoutAnEndIsNone(_ payload: String) async throws {
    let archive = try await online()
    server.lie = { iq, _ in [iq.result(try? Element(parsing: payload)).element] }
    let error = await #expect(throws: RequestError.self) { try await archive.page(ArchiveQuery()) }
    #expect(error?.code == .malformedReply)
    #expect(archive.openCount == 0)
  }

  @Test("Cancelling ends the query") func cancellingEndsTheQuery() async throws {
    let archive = try await online()
    var id = ""
    server.lie = { iq, _ in
      id = iq.id
      return [ArchiveServer.result(iq.id, "a1", ArchiveServerText.good)]
    }
    let reading = fixture.start { try await archive.page(ArchiveQuery()) }
    await fixture.clock.settle()
    #expect(!reading.hasEnded && archive.openCount == 1)
    reading.cancel()
    await fixture.clock.settle()
    #expect((reading.error as? RequestError)?.code == .cancelled)
    #expect(archive.openCount == 0 && fixture.session.requests.count == 0)
    await fixture.receive(ArchiveServer.result(id, "a2", ArchiveServerText.good).description)
    #expect(archive.refusedCount == 1)
    #expect(fixture.events(MessageArrived.self).isEmpty)
  }

  @Test("A timeout and a lost connection end the query too") func silenceAndALostConnectionEndItToo() async throws {
    let archive = try await online()
    server.lie = { _, _ in [] }
    let first = fixture.start { try await archive.page(ArchiveQuery()) }
    await fixture.clock.elapse(.seconds(30))
    #expect((first.error as? RequestError)?.code == .timedOut)
    let second = fixture.start { try await archive.page(ArchiveQuery()) }
    await fixture.clock.settle()
    fixture.session.drop(ConnectionError(.lost, "gone"))
    await fixture.clock.settle()
    #expect((second.error as? RequestError)?.code == .connectionGone)
    #expect(archive.openCount == 0)
  }
}

/// One archived message that is as it has to be.
enum ArchiveServerText {
  static let good =
    "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-11-20T10:00:00Z'/>"
    + "<message xmlns='jabber:client' from='bob@example.net/x' to='alice@example.org' type='chat'>"
    + "<body>hello</body></message></forwarded>"
}
