// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

/// What real servers keep of a conversation, and how they call it.
@Client @Suite("Archives", .onLoop)
struct ArchiveTests {
  /// What the messages that come are called by the archive.
  @Client private final class Arrivals: Feature {
    nonisolated static let about = FeatureDescription("RFC 6121 5", "A test", scope: "looks on")
    private let context: FeatureContext
    private var ids: [String: String?] = [:]

    init(_ context: FeatureContext) { self.context = context }

    func install(in routes: RouteTable) {
      routes.onMessage(.record) { [unowned self] inbound in
        if let body = inbound.message.body { ids[body] = .some(inbound.archiveID) }
        return .pass
      }
    }

    /// Waits until the text is here.
    func archiveID(of body: String) async throws -> String? {
      if ids[body] == nil {
        _ = try await context.events.next(MessageArrived.self, timeout: .seconds(180)) { $0.body == body }
      }
      return ids[body] ?? nil
    }
  }

  private static let features = FeatureList.all + [Arrivals.self]

  @Test("give a conversation in its order, under the ids that it came with", arguments: TestServer.Kind.allCases)
  func conversation(_ kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    let (aliceAccount, bobAccount) = try await server.pair()
    let (alice, bob) = (try JID(aliceAccount.jid), try JID(bobAccount.jid))
    try await server.withSession(of: aliceAccount, resource: "desk", features: Self.features) { desk in
      try await server.withSession(of: aliceAccount, resource: "phone", features: Self.features) { phone in
        try await server.withSession(of: bobAccount, resource: "here", features: Self.features) { here in
          try desk.delivery.send("one", to: bob)
          let one = try await here.features[Arrivals.self].archiveID(of: "one")
          try here.delivery.send("two", to: alice)
          let two = try await desk.features[Arrivals.self].archiveID(of: "two")
          try desk.delivery.send("three", to: bob)
          let three = try await here.features[Arrivals.self].archiveID(of: "three")
          let copied = try await phone.features[Arrivals.self].archiveID(of: "three")

          let bobs = here.features[MessageArchive.self]
          let isOffered = try await bobs.isOffered()
          #expect(isOffered)
          let hers = try await bobs.page(ArchiveQuery(with: alice))
          #expect(hers.messages.map(\.message.body) == ["one", "two", "three"])
          #expect(hers.messages.map(\.message.from?.bare) == [alice, bob, alice])
          #expect(hers.isComplete && hers.last == hers.messages.last?.archiveID)
          #expect(hers.messages.map(\.stamp) == hers.messages.map(\.stamp).sorted())
          // As they came, so they are called.
          #expect([hers.messages.first?.archiveID, hers.messages.last?.archiveID] == [one, three])
          #expect(one != nil && three != nil)

          let archive = desk.features[MessageArchive.self]
          let page = try await archive.page(ArchiveQuery(with: bob))
          #expect(page.messages.map(\.message.body) == ["one", "two", "three"])
          #expect(page.messages.map(\.message.to?.bare) == [bob, alice, bob])
          #expect(page.messages.dropFirst().map(\.archiveID) == [two, copied])
          try await paging(archive, page.messages, with: bob)

          for session in [desk, phone, here] { #expect(session.features[MessageArchive.self].refusedCount == 0) }
        }
      }
    }
  }

  /// The same messages, read in other ways.
  private func paging(_ archive: MessageArchive, _ messages: [ArchivedMessage], with bob: JID) async throws {
    let ids = messages.map(\.archiveID)
    #expect(Set(ids).count == 3)
    var seen: [String] = []
    let end = try await archive.pages(ArchiveQuery(with: bob, limit: 1)) { seen += $0.messages.map(\.archiveID) }
    #expect(seen == ids && end == .complete)
    seen = []
    let start = try await archive.pagesBackwards(ArchiveQuery(with: bob, limit: 2), upTo: 10) {
      seen = $0.map(\.archiveID) + seen
      return true
    }
    #expect(seen == ids && start == .complete)
    let rest = try await archive.page(ArchiveQuery(with: bob, after: ids[0]))
    #expect(rest.messages.map(\.archiveID) == Array(ids.dropFirst()) && rest.isComplete)
    let newest = try await archive.page(ArchiveQuery(with: bob, limit: 2, takesNewest: true))
    #expect(newest.messages.map(\.archiveID) == Array(ids.suffix(2)) && !newest.isComplete)
    let none = try await archive.page(ArchiveQuery(with: bob, after: ids[2]))
    #expect(none.messages.isEmpty && none.isComplete && none.last == nil)
    let since = try await archive.page(ArchiveQuery(start: messages[2].stamp))
    #expect(since.messages.last?.archiveID == ids[2])
    let before = try await archive.page(ArchiveQuery(end: Timestamp(milliseconds: 1_000_000_000_000)))
    #expect(before.messages.isEmpty && before.isComplete)
  }

  /// ejabberd's ids are times, so that it goes on from any of them.
  @Test("say that an id is not theirs", arguments: [TestServer.Kind.prosody])
  func unknownID(_ kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    let account = try await server.account()
    try await server.withSession(of: account, resource: "here") { session in
      let error = await #expect(throws: FeatureError.self) {
        try await session.features[MessageArchive.self].page(ArchiveQuery(after: "gone"))
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test("that are not there are not offered", arguments: TestServer.Kind.allCases)
  func none(_ kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind, .version13)
    let account = try await server.account()
    try await server.withSession(of: account, resource: "here") { session in
      let archive = session.features[MessageArchive.self]
      let isOffered = try await archive.isOffered()
      #expect(!isOffered)
      let error = await #expect(throws: FeatureError.self) { try await archive.page(ArchiveQuery()) }
      #expect(error?.code == .notOffered)
    }
  }
}
