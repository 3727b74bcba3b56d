// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

/// Who has asked, once each.
@Suite struct FriendRequestsTests {
  private func request(_ jid: String, _ message: String? = nil) throws -> FriendRequested {
    FriendRequested(jid: try JID(jid), message: message)
  }

  /// Adds a request of each of `names`, and says which are news.
  private func add(_ names: String..., to requests: inout FriendRequests) throws -> [Bool] {
    try names.map { requests.add(try request("\($0)@example.org")) }
  }

  @Test func aRequestRepeatedIsOneRequest() throws {
    var requests = FriendRequests(limit: 10)
    let news = [
      requests.add(try request("bob@example.org", "hello")), requests.add(try request("bob@example.org", "again")),
      requests.add(try request("bob@example.org/phone")),
    ]
    #expect(news == [true, false, false])
    #expect(requests.all == [try request("bob@example.org", "hello")])
    #expect(requests.contains(try JID("bob@example.org/phone")))
  }

  @Test func theyAreInTheOrderOfAsking() throws {
    var requests = FriendRequests(limit: 10)
    _ = try add("c", "a", "b", to: &requests)
    let removed = try [requests.remove(JID("c@example.org")), requests.remove(JID("c@example.org"))]
    #expect(removed == [true, false])
    #expect(try add("c", to: &requests) == [true])
    #expect(requests.all.map(\.jid.localpart) == ["a", "b", "c"])
  }

  @Test func noMoreAreTakenInThanTheLimit() throws {
    var requests = FriendRequests(limit: 2)
    #expect(try add("a", "b", "c", to: &requests) == [true, true, false])
    #expect(requests.isFull)
    // An answer makes room.
    requests.remove(try JID("a@example.org"))
    #expect(try add("c", to: &requests) == [true])
  }

  @Test func whatTheServerTellsAgainIsNoNews() throws {
    var requests = FriendRequests(limit: 10)
    _ = try add("a", "b", "c", to: &requests)
    requests.beginStream()
    #expect(requests.count == 3)
    #expect(try add("a", "c", to: &requests) == [false, false])
    // What it does not tell again has been withdrawn, or answered elsewhere.
    requests.forgetUntold()
    #expect(requests.all.map(\.jid.localpart) == ["a", "c"])
    requests.forgetUntold()
    #expect(requests.count == 2)
  }

  /// SECURITY: flood of requests. Each costs the same; asking and answering in turn too.
  @Test func tenThousandRequestsAreTakenInAndAnsweredInAnyOrder() throws {
    let all = try (0..<20_000).map { try request("u\($0)@example.net") }
    var requests = FriendRequests(limit: 10_000)
    for request in all { _ = requests.add(request) }
    #expect(requests.count == 10_000)
    for _ in 0..<3 {
      for request in all.prefix(10_000) {
        requests.remove(request.jid)
        _ = requests.add(request)
      }
    }
    #expect(requests.all == Array(all.prefix(10_000)))
  }
}
