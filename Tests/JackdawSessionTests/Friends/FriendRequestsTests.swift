// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

/// Who has asked, once each.
@Suite struct FriendRequestsTests {
  private func request(_ jid: String, _ message: String? = nil) throws -> FriendRequest {
    FriendRequest(jid: try JID(jid), message: message)
  }

  /// Adds a request of each of `names`, and says which are news.
  private func add(_ names: String..., to requests: inout FriendRequests) throws -> [Bool] {
    try names.map { requests.add(try request("\($0)@example.org")) }
  }

  @Test("A repeated request is one request") func aRequestRepeatedIsOneRequest() throws {
    var requests = FriendRequests(limit: 10)
    let news = [
      requests.add(try request("bob@example.org", "hello")), requests.add(try request("bob@example.org", "again")),
      requests.add(try request("bob@example.org/phone")),
    ]
    #expect(news == [true, false, false])
    #expect(requests.all == [try request("bob@example.org", "hello")])
    #expect(requests.contains(try JID("bob@example.org/phone")))
  }

  @Test("Requests are in the order in which they came") func theyAreInTheOrderOfAsking() throws {
    var requests = FriendRequests(limit: 10)
    _ = try add("c", "a", "b", to: &requests)
    let removed = try [requests.remove(JID("c@example.org")), requests.remove(JID("c@example.org"))]
    #expect(removed == [true, false])
    #expect(try add("c", to: &requests) == [true])
    #expect(requests.all.map(\.jid.localpart) == ["a", "b", "c"])
  }

  @Test("No more requests are accepted than the limit") func noMoreAreTakenInThanTheLimit() throws {
    var requests = FriendRequests(limit: 2)
    #expect(try add("a", "b", "c", to: &requests) == [true, true, false])
    #expect(requests.isFull)
    // An answer makes room.
    requests.remove(try JID("a@example.org"))
    #expect(try add("c", to: &requests) == [true])
  }

  @Test("Who is on the contact list has room beside the limit")
  func whoIsOnTheContactListHasRoomBesideTheLimit() throws {
    var requests = FriendRequests(limit: 1)
    #expect(try add("eve", "mallory", to: &requests) == [true, false])
    let isNews = [
      requests.add(try request("bob@example.org"), isContact: true),
      requests.add(try request("bob@example.org"), isContact: true),
    ]
    #expect(isNews == [true, false])
    #expect(requests.all.map(\.jid.localpart) == ["eve", "bob"])
  }

  @Test("A request that the server sends again is not news") func whatTheServerTellsAgainIsNoNews() throws {
    var requests = FriendRequests(limit: 10)
    _ = try add("a", "b", "c", to: &requests)
    requests.beginStream()
    #expect(requests.count == 3)
    #expect(try add("a", "c", to: &requests) == [false, false])
    // What it does not tell again has been withdrawn, or answered elsewhere.
    #expect(try ["a", "b", "c"].map { requests.isTold(try JID("\($0)@example.org")) } == [true, false, true])
    requests.forgetUnrepeated()
    #expect(requests.all.map(\.jid.localpart) == ["a", "c"])
    requests.forgetUnrepeated()
    #expect(requests.count == 2)
  }

  @Test("A repetition adds what was missing and changes nothing else")
  func aRepetitionAddsWhatWasMissingAndChangesNothingElse() throws {
    var requests = FriendRequests(limit: 10)
    _ = requests.add(try request("bob@example.org"))
    _ = requests.add(FriendRequest(jid: try JID("bob@example.org"), nickname: "Bob", message: "hello"))
    _ = requests.add(FriendRequest(jid: try JID("bob@example.org"), nickname: "Robert", message: "again"))
    #expect(requests.all == [FriendRequest(jid: try JID("bob@example.org"), nickname: "Bob", message: "hello")])
  }

  @Test("Texts are cut between two characters") func textsAreCutAtACharacter() throws {
    let long = String(repeating: "é", count: 10_000)
    let request = FriendRequest(jid: try JID("bob@example.org/phone"), nickname: "x" + long, message: long)
    #expect(request.jid.isBare)
    #expect(request.message == String(repeating: "é", count: SessionLimits.requestText / 2))
    #expect(request.nickname == "x" + String(repeating: "é", count: (SessionLimits.requesterName - 1) / 2))
  }

  @Test("A withdrawn request is remembered as withdrawn") func aWithdrawnRequestIsRememberedAsThat() throws {
    var requests = FriendRequests(limit: 10)
    let bob = try JID("bob@example.org")
    requests.withdraw(bob)
    #expect(!requests.wasWithdrawn(bob))
    _ = try add("bob", "carol", to: &requests)
    requests.withdraw(try JID("bob@example.org/phone"))
    requests.remove(try JID("carol@example.org"))
    #expect(requests.wasWithdrawn(bob))
    let carol = try JID("carol@example.org")
    #expect(!requests.wasWithdrawn(carol))
    _ = try add("bob", to: &requests)
    #expect(!requests.wasWithdrawn(bob))
  }

  @Test("A stored request is neither news nor stored again") func whatWasKeptIsNoNewsAndNotKeptAgain() throws {
    var requests = FriendRequests(limit: 2)
    requests.restore([try request("a@example.org", "kept"), try request("b@example.org"), try request("c@example.org")])
    #expect(requests.all.map(\.jid.localpart) == ["a", "b"])
    #expect(!requests.hasChanges)
    #expect(try add("a", to: &requests) == [false])
    #expect(!requests.hasChanges)
    // The server told that of a, and not that of b.
    requests.forgetUnrepeated()
    #expect(requests.all == [try request("a@example.org", "kept")])
    let changes = requests.takeChanges()
    #expect(changes.keep.isEmpty)
    #expect(changes.forget == [try JID("b@example.org")])
  }

  @Test("Changes are handed out once and together") func changesAreTakenOnceAndTogether() throws {
    var requests = FriendRequests(limit: 10)
    _ = try add("a", "b", "c", to: &requests)
    requests.take(RequesterCard(name: "Ann", photo: nil), of: try JID("a@example.org"))
    requests.take(nil, of: try JID("b@example.org"))
    requests.take(nil, of: try JID("nobody@example.org"))
    requests.remove(try JID("c@example.org"))
    let changes = requests.takeChanges()
    #expect(changes.keep.map(\.jid.localpart) == ["a", "b"])
    #expect(changes.keep.map(\.cardName) == ["Ann", nil])
    #expect(changes.keep.map(\.hasCard) == [true, true])
    #expect(changes.forget == [try JID("c@example.org")])
    #expect(!requests.hasChanges)
  }

  /// A flood of requests: each costs the same, also when they are asked and answered in turn.
  @Test("Ten thousand requests are added and answered in any order")
  func tenThousandRequestsAreTakenInAndAnsweredInAnyOrder() throws {
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
