// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// The archive, read backwards into the log before its beginning.
@Client @Suite(.onLoop) struct ArchiveWalkerTests {
  private let store = AccountStore.inMemory()
  private let archive = ArchiveServer()
  private let bob: JID

  init() throws { bob = try JID("bob@example.net") }

  private func fixture(
    _ extent: ArchiveExtent = .everything, role: SessionRole = .interactive(Presence())
  ) throws -> SessionFixture {
    let fixture = try SessionFixture(
      role: role,
      stores: SessionStores(
        messages: store.messages, streams: store.streams, log: store.log, earlier: store.earlier),
      archive: extent, features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    archive.serve(fixture)
    return fixture
  }

  private func settleIn(_ fixture: SessionFixture) async throws {
    fixture.session.begin()
    try await fixture.settleIn()
    await fixture.clock.elapse(.seconds(60))
  }

  private var log: [LoggedMessage] {
    get throws { try store.log.page(LogQuery(limit: 10_000), after: nil).messages }
  }
  private var bodies: [String] { get throws { try log.map(\.event.body) } }
  private static func numbers(_ range: ClosedRange<Int>) -> [String] { range.map { "m\($0)" } }

  @Test("The first log-in reads the whole archive and reports none of it as news", arguments: [1, 2, 7, 100])
  func aFirstLogInReadsAllOfItAndTellsNothing(pageSize: Int) async throws {
    archive.bodies = Self.numbers(1...7)
    archive.pageSize = pageSize
    let fixture = try fixture()
    try await settleIn(fixture)
    #expect(try bodies == Self.numbers(1...7))
    #expect(fixture.events(MessageArrived.self).isEmpty)
    #expect(try store.log.unread().messages == 0)
    #expect(try store.messages.unpresented(to: "screen", after: nil, limit: 10).isEmpty)
    #expect(fixture.events(ArchiveRead.self).map(\.messages) == [7])
    #expect(fixture.events(ArchiveRead.self).last?.complete == true)
    #expect(try store.messages.archiveCursor() == "a7")

    // It is done once.
    let asked = archive.queries.count
    let next = try self.fixture()
    try await settleIn(next)
    #expect(archive.queries.count - asked == 2, "what came since, and a second look")
  }

  @Test("Messages since the last log-in are news, older ones are not")
  func whatCameMeanwhileIsNewsAndWhatIsOlderIsNot() async throws {
    try store.messages.keepArchiveCursor("a3")
    archive.bodies = Self.numbers(1...5)
    let fixture = try fixture()
    try await settleIn(fixture)
    #expect(fixture.events(MessageArrived.self).map(\.body) == ["m4", "m5"])
    #expect(try bodies == Self.numbers(1...5))
    #expect(try log.map { $0.number > 0 } == [false, false, false, true, true])
  }

  @Test("A walk that was cut goes on where it was") func whatIsCutGoesOnWhereItWas() async throws {
    archive.bodies = Self.numbers(1...9)
    archive.pageSize = 2
    let fixture = try fixture()
    let answer = fixture.answer
    let archive = archive
    fixture.answer = { archive.queries.count < 4 ? answer($0) : [] }
    fixture.session.begin()
    try await fixture.settleIn()
    await fixture.clock.elapse(.seconds(5))
    fixture.session.drop(ConnectionError(.lost, "cut"))
    await fixture.clock.settle()
    let read = try bodies
    #expect(!read.isEmpty && read.count < 9 && read == Self.numbers(10 - read.count...9))
    fixture.answer = answer
    try await settleIn(fixture)
    #expect(try bodies == Self.numbers(1...9))
  }

  @Test("The conversation in view is read first") func theConversationInViewComesFirst() async throws {
    archive.bodies = Self.numbers(1...4)
    archive.pageSize = 2
    let fixture = try fixture()
    var seen: [String] = []
    fixture.session.archive.prefer(bob) { seen = (try? bodies) ?? [] }
    try await settleIn(fixture)
    #expect(seen == ["m2", "m3", "m4"])
    #expect(ArchiveServer.field("with", of: archive.queries[1]) == "bob@example.net")
    #expect(try bodies == Self.numbers(1...4))
  }

  @Test("Earlier messages of a conversation are read when they are wanted")
  func earlierMessagesOfAConversationAreReadWhenTheyAreWanted() async throws {
    archive.bodies = Self.numbers(1...6)
    archive.pageSize = 2
    let fixture = try fixture(.nothing)
    try await settleIn(fixture)
    #expect(try bodies == [])
    let first = try await fixture.session.archive.readEarlier(of: bob)
    #expect(first.messages == 3 && !first.complete, "the one that it begins at is read too")
    #expect(try await fixture.session.archive.readEarlier(of: bob).messages == 2)
    let last = try await fixture.session.archive.readEarlier(of: bob)
    #expect(last.messages == 1 && last.complete)
    #expect(try await fixture.session.archive.readEarlier(of: bob) == ArchiveRead(complete: true))
    #expect(try bodies == Self.numbers(1...6))
  }

  @Test("No more of the archive is read than is wanted") func noMoreIsReadThanIsWanted() async throws {
    archive.bodies = Self.numbers(1...5_000)
    archive.pageSize = 100
    let fixture = try fixture(.days(1))
    // The 4,321st minute: 2,881 are of the day before it.
    fixture.date = Timestamp(milliseconds: 1_795_168_800_000 + 4_999 * 60_000)
    try await settleIn(fixture)
    #expect(try bodies == Self.numbers(3_560...5_000))
    let all = try await fixture.session.archive.readAll(.everything) { _, _ in }
    #expect(all.messages == 3_559 && all.complete)
    #expect(try bodies == Self.numbers(1...5_000))
    #expect(fixture.events(ArchiveRead.self).map(\.complete) == [false, true])
  }

  @Test("A command reads what is missing and leaves news unread")
  func aCommandReadsWhatIsMissingAndLeavesNewsUnread() async throws {
    try store.messages.open("screen", from: nil)
    try store.messages.keepArchiveCursor("a2")
    archive.bodies = Self.numbers(1...4)
    let fixture = try fixture(.nothing, role: .oneShot)
    try await fixture.session.logIn()
    let read = try await fixture.session.readArchive(.everything) { _, _ in }
    #expect(read.messages == 4 && read.complete, "what came since is counted too")
    #expect(try bodies == Self.numbers(1...4))
    #expect(try store.messages.unpresented(to: "screen", after: nil, limit: 10).map(\.body) == ["m3", "m4"])
  }

  @Test("The progress of the walk is reported") func whatPartOfItIsReadIsTold() async throws {
    archive.bodies = Self.numbers(1...1_000)
    let fixture = try fixture(.nothing, role: .oneShot)
    try await fixture.session.logIn()
    var parts: [Double] = []
    let read = try await fixture.session.readArchive(.everything) { _, part in parts.append(try #require(part)) }
    #expect(read.messages == 1_000 && read.complete)
    #expect(parts.count == 9 && parts.first == 0 && parts == parts.sorted())
    #expect(try #require(parts.last) > 0.8 && #require(parts.last) < 1)
  }

  @Test("A message that comes on the stream after it was read from the archive is still news")
  func whatComesOnTheStreamAfterItWasReadThereIsNewsAllTheSame() async throws {
    archive.bodies = Self.numbers(1...3)
    let fixture = try fixture()
    try await settleIn(fixture)
    await fixture.receive(
      "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='m2'><body>m3</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a3'/></message>")
    #expect(fixture.events(MessageArrived.self).map(\.body) == ["m3"])
    #expect(try bodies == Self.numbers(1...3))
    #expect(try log.last?.number ?? 0 > 0)
  }

  // MARK: Archives that lie

  @Test("An archive that gives the same page for ever is given up")
  func anArchiveThatGivesTheSamePageForEverIsLeft() async throws {
    archive.bodies = Self.numbers(1...3)
    archive.lie = { iq, query in
      [
        ArchiveServer.result(iq.id, "a2", ArchiveServer.message("m2")),
        ArchiveServer.end(of: iq, isComplete: false, first: "a2", last: "a2"),
      ]
    }
    let fixture = try fixture()
    try await settleIn(fixture)
    #expect(archive.queries.count < 8)
    #expect(try bodies == ["m2"])
    #expect(fixture.events(ArchiveRead.self).isEmpty, "it is not all here")
    #expect(fixture.remarks.contains { $0.contains("gives none of it") })
  }

  @Test("An archive that goes in circles is given up") func anArchiveThatGoesInCirclesIsLeft() async throws {
    archive.bodies = Self.numbers(1...3)
    var turn = 0
    archive.lie = { iq, query in
      turn += 1
      let id = "a\(turn % 5)"
      return [
        ArchiveServer.result(iq.id, id, ArchiveServer.message("m\(turn % 5)")),
        ArchiveServer.end(of: iq, isComplete: false, first: id, last: id),
      ]
    }
    let fixture = try fixture()
    try await settleIn(fixture)
    #expect(archive.queries.count < 20)
    #expect(try bodies.count <= 5)
  }

  @Test("Where the archive no longer has the cursor the whole archive is read once")
  func whatTheArchiveHasForgottenIsNotAskedForAgain() async throws {
    archive.bodies = Self.numbers(1...3)
    let fixture = try fixture()
    try store.messages.keepArchiveCursor("a77")
    try await settleIn(fixture)
    #expect(try store.earlier.walk(of: nil).isComplete)
    #expect(try Set(bodies) == Set(Self.numbers(1...3)))
  }

  @Test("Where there is no archive nothing is queried and nothing is reported")
  func whereThereIsNoArchiveNothingIsAskedAndNothingIsSaid() async throws {
    archive.features = []
    let fixture = try fixture()
    archive.lie = { iq, _ in [iq.failure(StanzaError(kind: .cancel, condition: "service-unavailable")).element] }
    try await settleIn(fixture)
    #expect(archive.queries.count <= 2)
    await #expect(throws: FeatureError.self) { try await fixture.session.archive.readEarlier(of: bob) }
  }

  @Test("A command reports an archive that does not answer")
  func anArchiveThatDoesNotAnswerIsToldToACommand() async throws {
    archive.bodies = Self.numbers(1...3)
    archive.lie = { _, _ in [] }
    let fixture = try fixture(.nothing, role: .oneShot)
    try await fixture.session.logIn()
    let reading = fixture.start { _ = try await fixture.session.readArchive(.everything) { _, _ in } }
    await fixture.clock.elapse(.seconds(31))
    #expect(reading.hasEnded)
    #expect(try bodies == [])
    #expect(try store.messages.archiveCursor() == nil)
  }
}
