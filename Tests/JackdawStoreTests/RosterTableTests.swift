// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

@Client @Suite(.onLoop) struct RosterTableTests {
  private let store = AccountStore.inMemory().roster

  private func items() throws -> [RosterItem] {
    [
      RosterItem(jid: try JID("zoe@example.org"), name: "Zoë", subscription: .both, groups: ["Work", "Friends"]),
      RosterItem(jid: try JID("adam@example.org"), subscription: .none, ask: true),
      RosterItem(jid: try JID("a;b--@example.org"), name: "'; DROP TABLE roster; --", subscription: .to, groups: [""]),
      RosterItem(jid: try JID("example.org"), name: "", subscription: .from, approved: true),
      RosterItem(jid: try JID("dup@example.org"), groups: ["Same", "Same", "a\u{1F}b\nc"]),
    ]
  }

  @Test("Before the first roster none is stored") func withoutARosterThereIsNone() throws {
    #expect(try store.loadRoster() == nil)
  }

  @Test("A roster is the same when it is stored and read, in order", arguments: [nil, "", "ver1", "'; --"])
  func aRosterComesBackAsItWasInItsOrder(version: String?) throws {
    let snapshot = RosterSnapshot(version: version, items: try items())
    try store.replaceRoster(snapshot)
    #expect(try store.loadRoster() == snapshot)
  }

  @Test("An empty roster is stored as a roster") func anEmptyRosterIsARoster() throws {
    try store.replaceRoster(RosterSnapshot(version: nil, items: []))
    #expect(try store.loadRoster() == RosterSnapshot(version: nil, items: []))
  }

  @Test("A whole roster replaces the old one") func aWholeRosterReplacesTheOldOne() throws {
    try store.replaceRoster(RosterSnapshot(version: "1", items: try items()))
    let new = RosterSnapshot(version: "2", items: Array(try items().suffix(2)))
    try store.replaceRoster(new)
    #expect(try store.loadRoster() == new)
  }

  @Test("a roster has the time when it was last the server's, which a newer one keeps until it is confirmed itself")
  func confirmed() throws {
    try store.confirmRoster(at: Timestamp(milliseconds: 1))
    #expect(try store.timeOfRoster() == nil)
    try store.replaceRoster(RosterSnapshot(version: nil, items: try items()))
    #expect(try store.timeOfRoster() == nil)
    for time in [2, 3] {
      try store.confirmRoster(at: Timestamp(milliseconds: Int64(time)))
      #expect(try store.timeOfRoster()?.milliseconds == Int64(time))
    }
    try store.replaceRoster(RosterSnapshot(version: "2", items: []))
    #expect(try store.timeOfRoster()?.milliseconds == 3)
    #expect(try store.loadRoster()?.version == "2")
  }

  @Test("Pushes change, add and remove one entry") func pushesChangeAddAndRemoveOneEntry() throws {
    var items = try items()
    try store.replaceRoster(RosterSnapshot(version: "1", items: items))
    items[0].name = nil
    items[0].groups = ["Family"]
    try store.keep(items[0], version: "2")
    #expect(try store.loadRoster() == RosterSnapshot(version: "2", items: items))
    let new = RosterItem(jid: try JID("new@example.org"), groups: ["One"])
    try store.keep(new, version: "3")
    #expect(try store.loadRoster() == RosterSnapshot(version: "3", items: items + [new]))
    try store.forget(items[0].jid, version: nil)
    #expect(try store.loadRoster() == RosterSnapshot(version: nil, items: items.dropFirst() + [new]))
    try store.forget(items[0].jid, version: "5")
    #expect(try store.loadRoster()?.version == "5")
  }

  @Test("A whole roster is written only where it differs") func aWholeRosterIsChangedWhereItDiffers() throws {
    var items = try items()
    try store.replaceRoster(RosterSnapshot(version: "1", items: items))
    let gone = items.removeLast()
    items[0].groups = ["Family", "Work"]
    let new = RosterItem(jid: try JID("new@example.org"), groups: ["One"])
    #expect(try store.changeRoster(from: "1", keep: [items[0], new], forget: [gone.jid], version: "2"))
    #expect(try store.loadRoster() == RosterSnapshot(version: "2", items: items + [new]))
    #expect(try !store.changeRoster(from: "1", keep: [], forget: [new.jid], version: "3"), "another program wrote")
    #expect(try store.loadRoster() == RosterSnapshot(version: "2", items: items + [new]))
    #expect(try store.changeRoster(from: "2", keep: [], forget: [], version: nil))
    #expect(try store.changeRoster(from: nil, keep: [], forget: [], version: nil))
    #expect(try store.loadRoster() == RosterSnapshot(version: nil, items: items + [new]))
  }

  @Test("An entry that comes back does not get its old groups")
  func anEntryThatComesBackDoesNotGetItsOldGroups() throws {
    var item = RosterItem(jid: try JID("a@example.org"), groups: ["Old"])
    try store.replaceRoster(RosterSnapshot(version: nil, items: [item]))
    try store.forget(item.jid, version: nil)
    item.groups = []
    try store.keep(item, version: nil)
    #expect(try store.loadRoster()?.items == [item])
  }

  @Test("Pushes alone are not taken for a whole roster") func pushesAloneMakeNoRoster() throws {
    let item = RosterItem(jid: try JID("a@example.org"))
    try store.keep(item, version: "7")
    #expect(try store.loadRoster() == nil, "with version 7 the server would send nothing of the others")
    let whole = RosterSnapshot(version: "8", items: [])
    try store.replaceRoster(whole)
    #expect(try store.loadRoster() == whole)
  }

  @Test(
    "A roster with an entry that cannot be read is requested again",
    arguments: [
      "UPDATE roster_item SET jid = '@@/' WHERE id = 1", "UPDATE roster_item SET subscription = 'frob' WHERE id = 1",
    ])
  func aRosterWithAnEntryThatIsNoneIsAskedForAgain(change: String) throws {
    let database = AccountDatabase(file: nil, busyTimeout: 0) { _ in }
    let store = RosterTable(database)
    try store.replaceRoster(RosterSnapshot(version: "1", items: try items()))
    try database.perform { database throws(DatabaseError) in
      if change.contains("jid") {
        try database.execute("UPDATE roster_item SET jid = '@@/' WHERE id = 1")
      } else {
        try database.execute("UPDATE roster_item SET subscription = 'frob' WHERE id = 1")
      }
    }
    #expect(try store.loadRoster() == nil)
  }

  @Test("One address twice is one entry") func oneAddressTwiceIsOneEntry() throws {
    let first = RosterItem(jid: try JID("a@example.org"), name: "First", groups: ["One", "Two"])
    let second = RosterItem(jid: try JID("a@example.org"), name: "Second", groups: ["Three"])
    try store.replaceRoster(RosterSnapshot(version: nil, items: [first, second]))
    #expect(try store.loadRoster()?.items == [second])
  }
}
