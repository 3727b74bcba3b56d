// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Walks through an archive, and SECURITY's row on endless paging.
@Client @Suite(.onLoop) struct ArchiveWalkTests {
  private let fixture: SessionFixture
  private let server = ArchiveServer()

  init() throws {
    fixture = try SessionFixture()
    fixture.date = try #require(Timestamp("2026-11-21T08:00:00Z"))
  }

  private func walk(_ query: ArchiveQuery, upTo limit: Int) async throws -> (seen: [String], end: ArchiveEnd) {
    server.serve(fixture)
    try await fixture.settleIn()
    var seen: [String] = []
    let end = try await fixture.session.features[MessageArchive.self].messages(query, upTo: limit) {
      seen.append($0.archiveID)
    }
    return (seen, end)
  }

  private static func ids(_ range: ClosedRange<Int>) -> [String] { range.map { "a\($0)" } }

  @Test(arguments: [(1, 7), (3, 3), (7, 1), (8, 1)])
  func aWalkSeesEverythingOnce(_ size: Int, _ pages: Int) async throws {
    server.bodies = (1...7).map { "number \($0)" }
    let (seen, end) = try await walk(ArchiveQuery(limit: size), upTo: 1_000)
    #expect(seen == Self.ids(1...7))
    #expect(end == .complete)
    #expect(server.queries.count == pages)
  }

  @Test func aServerWithSmallerPagesIsFollowedToo() async throws {
    server.bodies = (1...7).map { "number \($0)" }
    server.pageSize = 2
    let (seen, end) = try await walk(ArchiveQuery(after: "a2", takesNewest: true), upTo: 1_000)
    #expect(seen == Self.ids(3...7))
    #expect(end == .complete)
  }

  @Test func anEmptyArchiveIsComplete() async throws {
    let (seen, end) = try await walk(ArchiveQuery(), upTo: 10)
    #expect(seen.isEmpty && end == .complete)
  }

  @Test(arguments: [(0, 0), (1, 1), (4, 2), (6, 2)])
  func thereIsACap(_ limit: Int, _ pages: Int) async throws {
    server.bodies = (1...9).map { "number \($0)" }
    let (seen, end) = try await walk(ArchiveQuery(limit: 3), upTo: limit)
    #expect(seen == Array(Self.ids(1...9).prefix(limit)))
    #expect(end == .limit)
    #expect(server.queries.count == pages)
  }

  /// What a server may do that never comes to an end.
  enum Endless: CaseIterable { case sameLast, twoLasts, noLast, nothing }

  @Test(arguments: Endless.allCases)
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
    let (_, end) = try await walk(ArchiveQuery(), upTo: 1_000_000)
    #expect(end == .stuck)
    #expect(server.queries.count <= 3)
  }

  /// Messages that cannot be read are counted, else they could go on for ever.
  @Test func whatCannotBeReadCountsToo() async throws {
    server.lie = { [unowned server] iq, _ in
      let id = "a\(server.queries.count)"
      return [ArchiveServer.result(iq.id, id, ""), ArchiveServer.end(of: iq, isComplete: false, last: id)]
    }
    let (seen, end) = try await walk(ArchiveQuery(), upTo: 20)
    #expect(seen.isEmpty && end == .limit)
    #expect(server.queries.count == 20)
  }

  @Test func whatWasSeenBeforeAnErrorStays() async throws {
    server.bodies = ["one", "two"]
    server.pageSize = 1
    server.serve(fixture)
    try await fixture.settleIn()
    var seen: [String] = []
    let error = await #expect(throws: FeatureError.self) {
      try await fixture.session.features[MessageArchive.self].messages(ArchiveQuery(), upTo: 10) {
        seen.append($0.archiveID)
        // The archive is emptied meanwhile.
        server.bodies = []
      }
    }
    #expect(error?.code == .notFound)
    #expect(seen == ["a1"])
  }
}
