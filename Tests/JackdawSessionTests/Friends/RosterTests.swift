// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@testable import JackdawSession

/// The contact list as a value.
@Suite struct RosterTests {
  private func item(_ jid: String, _ name: String? = nil, _ subscription: RosterItem.Subscription = .none) throws
    -> RosterItem
  {
    RosterItem(jid: try JID(jid), name: name, subscription: subscription)
  }

  @Test("Applying a push returns what it changed") func pushesSayWhatTheyChanged() throws {
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

  @Test("A push without a version leaves the version as it was") func aPushWithoutVersionLeavesItAsItWas() throws {
    var roster = Roster(RosterSnapshot(version: "1", items: []))
    _ = roster.apply(RosterPush(.set(try item("bob@example.org")), version: nil))
    #expect(roster.version == "1")
  }

  @Test("Of two entries for one address in a snapshot the later one stays")
  func ofTwoEntriesForOneTheLaterStays() throws {
    let roster = Roster(
      RosterSnapshot(version: nil, items: [try item("bob@example.org", "old"), try item("bob@example.org", "new")]))
    #expect(roster.snapshot.items.map(\.name) == ["new"])
  }

  /// In any order of adding and removing each is found, and nobody else.
  @Test("A contact is found from being added until being removed") func whoIsAddedIsFoundUntilRemoved() throws {
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
    #expect(Array(Roster(roster.snapshot).sorted()) == Array(roster.sorted()))
  }

  /// Whatever differs, the list is then the server's, and each entry is found.
  @Test("A whole roster is applied in place") func aWholeListIsTakenInPlace() throws {
    var seed: UInt64 = 11
    func random(_ bound: UInt64) -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (seed >> 33) % bound
    }
    var roster = Roster()
    for _ in 0..<200 {
      var wanted: [JID: RosterItem] = [:]
      for number in 0..<60 where random(3) > 0 {
        let item = try item("u\(number)@example.org", "name \(random(2))")
        wanted[item.jid] = item
      }
      let stays = roster.all.map { wanted[$0.jid] != nil }
      let gone = Set(roster.all.map(\.jid)).subtracting(wanted.keys)
      let changed = wanted.values.filter { roster[$0.jid] != $0 }
      #expect(Set(roster.update(keeping: stays, changed: changed, version: "7")) == gone)
      #expect(roster.version == "7" && roster.count == wanted.count)
      for number in 0..<60 {
        let jid = try JID("u\(number)@example.org")
        #expect(roster[jid] == wanted[jid])
      }
    }
  }

  @Test("Of two entries for one address in the server's roster the later one counts")
  func ofTwoEntriesForOneAddressTheLaterCounts() throws {
    for known in [[], [try item("bob@example.org", "first")], [try item("bob@example.org", "second")]] {
      var roster = Roster(RosterSnapshot(version: nil, items: known))
      var reading = RosterReading()
      reading.take(
        try Element(
          parsing: """
            <query xmlns='jabber:iq:roster'><item jid='bob@example.org' name='first' subscription='both'/>\
            <item jid='bob@example.org' name='second' subscription='both'/></query>
            """), beside: roster)
      _ = roster.update(keeping: reading.stays, changed: reading.changed, version: nil)
      #expect(Array(roster.all).map(\.name) == ["second"])
    }
  }

  /// Linear: each entry is looked at once, however many are wanted.
  @Test("Listing looks at each entry once", arguments: [1_000, 10_000])
  func listingAsksOnceForEachEntry(_ size: Int) throws {
    let items = try (0..<size).map { try item("u\($0)@example.org", "Name \($0 % 97)") }
    let roster = Roster(RosterSnapshot(version: nil, items: items))
    for share in [1, 10, size] {
      var looks = 0
      let listed = roster.sorted { item in
        looks += 1
        return looks % share == 0
      }
      #expect(looks == size)
      #expect(listed.count == size / share)
    }
  }

  @Test("A filtered list has only the matching entries") func theListCanBeOfSome() throws {
    let items = [try item("b@example.org"), try item("a@example.org", nil, .both)]
    let roster = Roster(RosterSnapshot(version: nil, items: items))
    #expect(Array(roster.sorted { $0.subscription == .both }.map(\.jid.localpart)) == ["a"])
  }

  @Test("The list is sorted by the displayed name") func theListIsByTheNameThatPeopleSee() throws {
    let roster = Roster(
      RosterSnapshot(
        version: nil,
        items: [
          try item("z@example.org", "anna"), try item("bob@example.org"), try item("a@example.org", "Zoe"),
          try item("y@example.org", "Anna"),
        ]))
    #expect(
      Array(roster.sorted().map(\.jid.description)) == [
        "y@example.org", "z@example.org", "bob@example.org", "a@example.org",
      ])
  }
}
