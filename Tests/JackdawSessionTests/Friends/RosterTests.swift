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

  /// In any order of adding and removing each is found, and nobody else.
  @Test func whoIsAddedIsFoundUntilRemoved() throws {
    var roster = Roster()
    var expected: [JID: RosterItem] = [:]
    var seed: UInt64 = 7
    for step in 0..<6_000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let item = try item("u\(seed >> 33 % 300)@example.org", "name \(step)")
      if seed >> 60 < 8 {
        #expect(roster.apply(RosterPush(.set(item), version: nil)) == (expected[item.jid] == nil ? .added : .updated))
        expected[item.jid] = item
      } else {
        let change = roster.apply(RosterPush(.remove(item.jid), version: nil))
        #expect(change == (expected.removeValue(forKey: item.jid) == nil ? nil : .removed))
      }
    }
    #expect(roster.count == expected.count)
    for number in 0..<300 {
      let jid = try JID("u\(number)@example.org")
      #expect(roster[jid] == expected[jid])
    }
    #expect(Set(roster.all.map(\.jid)) == Set(expected.keys))
    #expect(Roster(roster.snapshot).sorted() == roster.sorted())
  }

  @Test func theListCanBeOfSome() throws {
    let items = [try item("b@example.org"), try item("a@example.org", nil, .both)]
    let roster = Roster(RosterSnapshot(version: nil, items: items))
    #expect(roster.sorted { $0.subscription == .both }.map(\.jid.localpart) == ["a"])
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
