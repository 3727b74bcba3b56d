// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

/// The contact list as a value.
@Suite struct RosterTests {
  private func item(_ jid: String, _ name: String? = nil, _ subscription: RosterItem.Subscription = .none) throws
    -> RosterItem
  {
    RosterItem(jid: try JID(jid), name: name, subscription: subscription)
  }

  @Test func pushesSayWhatTheyChanged() throws {
    var roster = Roster()
    let bob = try item("bob@example.org")
    let friend = try item("bob@example.org", "Bob", .both)
    let changes = [
      RosterPush(.set(bob), version: "1"), RosterPush(.set(bob), version: "2"), RosterPush(.set(friend), version: "3"),
      RosterPush(.remove(friend.jid), version: "4"), RosterPush(.remove(friend.jid), version: "5"),
    ].map { roster.apply($0) }
    #expect(changes == [.added, nil, .updated, .removed, nil])
    #expect(roster.version == "5")
    #expect(roster.count == 0)
  }

  @Test func aPushWithoutVersionLeavesItAsItWas() throws {
    var roster = Roster(RosterSnapshot(version: "1", items: []))
    _ = roster.apply(RosterPush(.set(try item("bob@example.org")), version: nil))
    #expect(roster.version == "1")
  }

  @Test func ofTwoEntriesForOneTheLaterStays() throws {
    let roster = Roster(
      RosterSnapshot(version: nil, items: [try item("bob@example.org", "old"), try item("bob@example.org", "new")]))
    #expect(roster.snapshot.items.map(\.name) == ["new"])
  }

  @Test func theListIsByTheNameThatPeopleSee() throws {
    let roster = Roster(
      RosterSnapshot(
        version: nil,
        items: [
          try item("z@example.org", "anna"), try item("bob@example.org"), try item("a@example.org", "Zoe"),
          try item("y@example.org", "Anna"),
        ]))
    #expect(
      roster.sorted().map(\.jid.description) == ["y@example.org", "z@example.org", "bob@example.org", "a@example.org"])
  }
}
