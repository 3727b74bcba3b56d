// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

@Client @Suite(.onLoop) struct FriendRequestTableTests {
  private func requests() throws -> [FriendRequest] {
    [
      FriendRequest(jid: try JID("zoe@example.org"), nickname: "Zoë", message: "two\nlines\u{9B}"),
      FriendRequest(jid: try JID("a;b--@example.org"), nickname: "'; DROP TABLE friend_request; --"),
      FriendRequest(
        jid: try JID("adam@example.org"), cardName: "Adam", photo: String(repeating: "a", count: 40), hasCard: true),
    ]
  }

  @Test("Requests are the same when they are stored and read, in order")
  func requestsComeBackAsTheyWereInTheirOrder() throws {
    let store = AccountStore.inMemory().friendRequests
    #expect(try store.loadRequests() == [])
    try store.changeRequests(keep: try requests(), forget: [])
    #expect(try store.loadRequests() == (try requests()))
  }

  @Test("A changed request keeps its place, and a forgotten one is gone")
  func whatChangesKeepsItsPlaceAndWhatIsForgottenIsGone() throws {
    let store = AccountStore.inMemory().friendRequests
    var requests = try requests()
    try store.changeRequests(keep: requests, forget: [])
    requests[0].message = "another"
    requests[1].hasCard = true
    let unknown = try JID("nobody@example.org")
    try store.changeRequests(keep: [requests[1], requests[0]], forget: [requests[2].jid, unknown])
    #expect(try store.loadRequests() == [requests[0], requests[1]])
    // Who asks again afterwards is the last.
    try store.changeRequests(keep: [requests[2]], forget: [requests[0].jid])
    #expect(try store.loadRequests() == [requests[1], requests[2]])
  }

  @Test("Requests are there when the file is opened again") func theyAreThereWhenTheFileIsOpenedAgain() throws {
    let folder = TemporaryFolder()
    func open() throws -> AccountStore {
      AccountStore(directory: folder.path, account: try JID("alice@example.org")) { Issue.record("\($0)") }
    }
    let first = try open()
    try first.friendRequests.changeRequests(keep: try requests(), forget: [])
    first.close()
    #expect(try open().friendRequests.loadRequests() == (try requests()))
  }

  @Test("A request whose address is no longer valid is left out") func whatIsNoAddressAnyMoreIsLeftOut() throws {
    let file = AccountDatabase(file: nil, busyTimeout: 0) { _ in }
    let store = AccountStore(database: file)
    try store.friendRequests.changeRequests(keep: try requests(), forget: [])
    try file.perform { database throws(DatabaseError) in
      try database.run("UPDATE friend_request SET jid = '@@/' WHERE jid = 'zoe@example.org'")
    }
    #expect(try store.friendRequests.loadRequests() == Array(try requests().dropFirst()))
  }
}
