// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The roster as last seen, for roster versioning (RFC 6121 2.6): entries, their groups, and the version.
@Client final class RosterTable: RosterStore {
  nonisolated static let migration = Migration(
    number: 1,
    script: """
      -- One row once a whole roster was kept. Pushes alone make none.
      CREATE TABLE roster (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        version TEXT
      ) STRICT;
      CREATE TABLE roster_item (
        id INTEGER PRIMARY KEY,
        jid TEXT NOT NULL UNIQUE,
        name TEXT,
        subscription TEXT NOT NULL,
        ask INTEGER NOT NULL,
        approved INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE roster_group (
        item INTEGER NOT NULL REFERENCES roster_item (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (item, position)
      ) STRICT, WITHOUT ROWID;
      """)

  private let database: AccountDatabase

  init(_ database: AccountDatabase) { self.database = database }

  func loadRoster() throws -> RosterSnapshot? {
    try database.perform { database throws(DatabaseError) in
      // Another Jackdaw may write between two of the queries.
      try database.transaction(.reading) { () throws(DatabaseError) in
        let version = try database.first("SELECT version FROM roster") { $0.optionalText(0) }
        guard let version, let items = try Self.items(database) else { return nil }
        return RosterSnapshot(version: version, items: items)
      }
    }
  }

  func replaceRoster(_ snapshot: RosterSnapshot) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try database.run("DELETE FROM roster_group")
        try database.run("DELETE FROM roster_item")
        for item in snapshot.items { try Self.keep(item, database) }
        try database.run(
          "INSERT INTO roster (id, version) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET version = excluded.version",
          snapshot.version)
      }
    }
  }

  func changeRoster(from earlier: String?, keep: [RosterItem], forget: [JID], version: String?) throws -> Bool {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        guard try database.first("SELECT 1 FROM roster WHERE version IS ?", earlier, read: { $0.integer(0) }) != nil
        else {
          return false
        }
        for jid in forget { try Self.forget(jid, database) }
        for item in keep { try Self.keep(item, database) }
        try Self.keepVersion(version, database)
        return true
      }
    }
  }

  func keep(_ item: RosterItem, version: String?) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try Self.keep(item, database)
        try Self.keepVersion(version, database)
      }
    }
  }

  func forget(_ jid: JID, version: String?) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try Self.forget(jid, database)
        try Self.keepVersion(version, database)
      }
    }
  }

  func timeOfRoster() throws -> Timestamp? {
    try database.perform { database throws(DatabaseError) in
      try database.first("SELECT confirmed FROM roster WHERE confirmed IS NOT NULL") {
        Timestamp(milliseconds: $0.integer(0))
      }
    }
  }

  func confirmRoster(at time: Timestamp) throws {
    try database.perform { database throws(DatabaseError) in
      try database.run("UPDATE roster SET confirmed = ?", time.milliseconds)
    }
  }

  /// Puts what a file has that can only be read into a new database.
  static func bring(from path: String, into database: Database, busyTimeout: Int32) throws(DatabaseError) {
    let source = try Database.readingLog(path, busyTimeout: busyTimeout)
    let version = try source.first("SELECT version FROM roster") { $0.optionalText(0) }
    guard let version, let items = try items(source) else { return }
    try database.transaction { () throws(DatabaseError) in
      for item in items { try keep(item, database) }
      try database.run("INSERT INTO roster (id, version) VALUES (1, ?)", version)
    }
  }

  /// Only where there is a whole roster that the version can be of: else the server would send what changed since, and the
  /// rest would be missing for ever.
  private static func keepVersion(_ version: String?, _ database: Database) throws(DatabaseError) {
    try database.run("UPDATE roster SET version = ?", version)
  }

  private static func forget(_ jid: JID, _ database: Database) throws(DatabaseError) {
    try database.run("DELETE FROM roster_item WHERE jid = ?", jid.description)
  }

  private static func keep(_ item: RosterItem, _ database: Database) throws(DatabaseError) {
    let id = try database.first(
      """
      INSERT INTO roster_item (jid, name, subscription, ask, approved) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (jid) DO UPDATE SET name = excluded.name, subscription = excluded.subscription, ask = excluded.ask,
        approved = excluded.approved
      RETURNING id
      """, item.jid.description, item.name, item.subscription.rawValue, item.ask, item.approved
    ) { $0.integer(0) }
    guard let id else { return }
    try database.run("DELETE FROM roster_group WHERE item = ?", id)
    for (position, group) in item.groups.enumerated() {
      try database.run("INSERT INTO roster_group (item, position, name) VALUES (?, ?, ?)", id, position, group)
    }
  }

  /// All entries, in the order in which they came. Nil when one of them is none any more, as the rules for addresses have
  /// changed since, say: then the server has to be asked for the whole roster.
  static func items(_ database: Database) throws(DatabaseError) -> [RosterItem]? {
    // Thousands of friends are in a few groups, and share the lists of them.
    var shared: [[String]: [String]] = [:]
    var items: [RosterItem] = []
    items.reserveCapacity(try database.first("SELECT count(*) FROM roster_item") { Int($0.integer(0)) } ?? 0)
    var isValid = true
    var last: Int64?
    var list: [String] = []
    func endItem() {
      guard !list.isEmpty, let place = items.indices.last else { return }
      if let known = shared[list] {
        items[place].groups = known
      } else {
        items[place].groups = list
        if shared.count < StoreLimits.sharedGroups { shared[list] = list }
      }
      list = []
    }
    // A row for each group, or one without: read in one go, so that nothing of it is gathered.
    let query = try database.statement(
      """
      SELECT roster_item.id, jid, roster_item.name, subscription, ask, approved, roster_group.name
      FROM roster_item LEFT JOIN roster_group ON roster_group.item = roster_item.id
      ORDER BY roster_item.id, roster_group.position
      """)
    try query.forEach { row throws(DatabaseError) in
      let id = row.integer(0)
      if id != last {
        endItem()
        last = id
        guard let jid = try? JID(received: row.text(1)),
          let subscription = RosterItem.Subscription(rawValue: row.text(3))
        else {
          isValid = false
          return
        }
        items.append(
          RosterItem(
            jid: jid, name: row.optionalText(2), subscription: subscription, ask: row.flag(4), approved: row.flag(5)))
      }
      if let group = row.optionalText(6) { list.append(group) }
    }
    endItem()
    return isValid ? items : nil
  }
}
