// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Walks through an archive, page by page (XEP-0059), and archives that never end.
@Client @Suite(.onLoop) struct ArchiveWalkTests {
  private let fixture: SessionFixture
  private let server = ArchiveServer()

  init() throws {
    fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
  }

  private func walk(_ query: ArchiveQuery) async throws -> (seen: [String], end: ArchiveEnd) {
    server.serve(fixture)
    try await fixture.settleIn()
    var seen: [String] = []
    let end = try await fixture.session.features[MessageArchive.self].pages(query) {
      seen += $0.messages.map(\.archiveID)
    }
    return (seen, end)
  }

  /// - Parameter wanted: how many pages are wanted.
  private func walkBack(
    _ query: ArchiveQuery, upTo limit: Int, pages wanted: Int = .max
  ) async throws -> (seen: [[String]], end: ArchiveEnd) {
    server.serve(fixture)
    try await fixture.settleIn()
    var seen: [[String]] = []
    let end = try await fixture.session.features[MessageArchive.self].pagesBackwards(query, upTo: limit) {
      seen.append($0.map(\.archiveID))
      return seen.count < wanted
    }
    return (seen, end)
  }

  private static func ids(_ range: ClosedRange<Int>) -> [String] { range.map { "a\($0)" } }

  @Test("A walk through the archive sees every message once", arguments: [(1, 7), (3, 3), (7, 1), (8, 1)])
  func aWalkSeesEverythingOnce(_ size: Int, _ pages: Int) async throws {
    server.bodies = (1...7).map { "number \($0)" }
    let (seen, end) = try await walk(ArchiveQuery(limit: size))
    #expect(seen == Self.ids(1...7))
    #expect(end == .complete)
    #expect(server.queries.count == pages)
  }

  @Test("A server with smaller pages than asked for is followed too")
  func aServerWithSmallerPagesIsFollowedToo() async throws {
    server.bodies = (1...7).map { "number \($0)" }
    server.pageSize = 2
    let (seen, end) = try await walk(ArchiveQuery(after: "a2", takesNewest: true))
    #expect(seen == Self.ids(3...7))
    #expect(end == .complete)
  }

  @Test("The walk through an empty archive is complete") func anEmptyArchiveIsComplete() async throws {
    let (seen, end) = try await walk(ArchiveQuery())
    #expect(seen.isEmpty && end == .complete)
  }

  @Test("A walk back begins with the newest message") func aWalkBackBeginsWithTheNewest() async throws {
    server.bodies = (1...7).map { "number \($0)" }
    let (seen, end) = try await walkBack(ArchiveQuery(limit: 3), upTo: 100)
    #expect(seen == [Self.ids(5...7), Self.ids(2...4), Self.ids(1...1)])
    #expect(end == .complete)
  }

  @Test("A walk back ends where the caller wants no more") func aWalkBackEndsWhereNoMoreIsWanted() async throws {
    server.bodies = (1...7).map { "number \($0)" }
    let (seen, end) = try await walkBack(ArchiveQuery(limit: 3), upTo: 100, pages: 1)
    #expect(seen == [Self.ids(5...7)] && end == .limit)
    #expect(server.queries.count == 1)
  }

  @Test("The number of pages of a walk back is limited", arguments: [(0, 0), (1, 1), (4, 2), (6, 2)])
  func thereIsACapOnWalksBack(_ limit: Int, _ pages: Int) async throws {
    server.bodies = (1...9).map { "number \($0)" }
    let (seen, end) = try await walkBack(ArchiveQuery(limit: 3), upTo: limit)
    #expect(seen.flatMap { $0 }.count == limit)
    #expect(end == .limit)
    #expect(server.queries.count == pages)
  }

  /// What a server may do that never comes to an end.
  enum Endless: CaseIterable { case sameLast, twoLasts, noLast, nothing }

  @Test("A walk without progress stops", arguments: Endless.allCases)
  func aWalkWithoutProgressStops(_ endless: Endless) async throws {
    server.lie = { [unowned server] iq, _ in
      let last: String? =
        switch endless {
        case .sameLast: "same"
        case .twoLasts: server.queries.count.isMultiple(of: 2) ? "even" : "odd"
        case .noLast: nil
        case .nothing: "new-\(server.queries.count)"
        }
      let result = ArchiveServer.result(iq.id, "a1", ArchiveServer.message("again"))
      return (endless == .nothing ? [] : [result]) + [ArchiveServer.end(of: iq, isComplete: false, last: last)]
    }
    let (_, end) = try await walk(ArchiveQuery())
    #expect(end == .stuck)
    #expect(server.queries.count <= 3)
  }

  /// Pages of messages that cannot be read could go on for ever.
  @Test("A walk over messages that cannot be read ends too") func whatCannotBeReadComesToAnEndToo() async throws {
    server.lie = { [unowned server] iq, _ in
      let id = "a\(server.queries.count)"
      return [ArchiveServer.result(iq.id, id, ""), ArchiveServer.end(of: iq, isComplete: false, last: id)]
    }
    let (seen, end) = try await walk(ArchiveQuery())
    #expect(seen.isEmpty && end == .stuck)
    #expect(server.queries.count == ArchiveLimits.barrenPages)
  }

  @Test("Messages that were read before an error are kept") func whatWasSeenBeforeAnErrorStays() async throws {
    server.bodies = ["one", "two"]
    server.pageSize = 1
    server.serve(fixture)
    try await fixture.settleIn()
    var seen: [String] = []
    let error = await #expect(throws: FeatureError.self) {
      try await fixture.session.features[MessageArchive.self].pages(ArchiveQuery()) {
        seen += $0.messages.map(\.archiveID)
        // The archive is emptied meanwhile.
        server.bodies = []
      }
    }
    #expect(error?.code == .notFound)
    #expect(seen == ["a1"])
  }
}
