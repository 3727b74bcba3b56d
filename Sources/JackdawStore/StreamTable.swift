// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What the programs of this machine are to the server: their resources, and the streams that they may go on with (XEP-0198).
@Client final class StreamTable: StreamStore {
  nonisolated static let migration = Migration(
    number: 7,
    script: """
      CREATE TABLE device (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        -- The resource of this machine; a second program that runs beside the first adds a number.
        resource TEXT NOT NULL
      ) STRICT;
      CREATE TABLE resource (
        -- The number of the program, and what it last asked for.
        owner INTEGER PRIMARY KEY,
        name TEXT NOT NULL
      ) STRICT;
      CREATE TABLE stream (
        -- The number of the program.
        owner INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        jid TEXT NOT NULL,
        handled INTEGER NOT NULL,
        host TEXT,
        port INTEGER,
        -- Milliseconds for which the server holds it.
        lifetime INTEGER,
        -- Milliseconds since 1970: when this was written.
        time INTEGER NOT NULL
      ) STRICT;
      """)

  private let database: AccountDatabase
  private let instances: Instances
  var onBegunAnew: (@Client () -> Void)?

  init(_ database: AccountDatabase, _ instances: Instances) {
    self.database = database
    self.instances = instances
    database.onBegunAnew { [weak self] in self?.onBegunAnew?() }
  }

  func resource(_ wish: String?) throws -> String {
    let own = instances.own
    let isRunning = { @Client [instances] (number: Int) in number != own && instances.isRunning(number) }
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let all = try database.all("SELECT owner, name FROM resource") { (Int($0.integer(0)), $0.text(1)) }
        let taken = Set(all.filter { isRunning($0.0) }.map(\.1))
        let first = if let wish { wish } else { try Self.device(database) }
        var name = first
        var number = 1
        while taken.contains(name) {
          number += 1
          name = "\(first)-\(number)"
        }
        try database.run("INSERT OR REPLACE INTO resource (owner, name) VALUES (?, ?)", own, name)
        return name
      }
    }
  }

  func forgetResource(_ name: String) throws {
    try database.perform { database throws(DatabaseError) in
      // Another program here may have seen to it.
      try database.run(
        "DELETE FROM device WHERE ?1 = resource OR substr(?1, 1, length(resource) + 1) = resource || '-'", name)
    }
  }

  private static func device(_ database: Database) throws(DatabaseError) -> String {
    if let known = try database.first("SELECT resource FROM device", read: { $0.text(0) }) { return known }
    // Neither the machine's name nor anything that is its own elsewhere: all contacts see it.
    let letters = "abcdefghijkmnpqrstuvwxyz23456789"
    let made = "jackdaw." + String((0..<StoreLimits.resourceLength).compactMap { _ in letters.randomElement() })
    try database.run("INSERT INTO device (id, resource) VALUES (1, ?)", made)
    return made
  }

  func hasLeftovers() throws -> Bool {
    try database.perform { [instances] database throws(DatabaseError) in
      let owners = try OutboxTable.owners(database)
      // Who left nothing costs no lock.
      guard !owners.isEmpty else { return false }
      for owner in owners where owner == instances.own || !instances.isRunning(owner) {
        if try !OutboxTable.forCommands(of: owner, database).isEmpty { return true }
      }
      return false
    }
  }

  func loadStream() throws -> (resumption: StreamResumption, time: Timestamp)? {
    let own = instances.own
    return try database.perform { database throws(DatabaseError) in
      let found = try database.first(
        "SELECT id, jid, handled, host, port, lifetime, time FROM stream WHERE owner = ?", own
      ) { row -> (resumption: StreamResumption, time: Timestamp)? in
        guard let jid = try? JID(received: row.text(1)) else { return nil }
        let port = row.isNull(4) ? nil : UInt16(truncatingIfNeeded: row.integer(4))
        return (
          StreamResumption(
            id: row.text(0), jid: jid, handled: UInt32(truncatingIfNeeded: row.integer(2)),
            location: row.optionalText(3).map { HostPort(host: $0, port: port) },
            lifetime: row.isNull(5) ? nil : .milliseconds(row.integer(5))),
          Timestamp(milliseconds: row.integer(6))
        )
      }
      return found ?? nil
    }
  }

  func keepStream(_ resumption: StreamResumption, at time: Timestamp) throws {
    let own = instances.own
    let lifetime = resumption.lifetime.map { Int64($0 / .milliseconds(1)) }
    try database.perform { database throws(DatabaseError) in
      try database.run(
        """
        INSERT OR REPLACE INTO stream (owner, id, jid, handled, host, port, lifetime, time)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, own, resumption.id, resumption.jid.description, Int64(resumption.handled), resumption.location?.host,
        resumption.location?.port.map { Int64($0) }, lifetime, time.milliseconds)
    }
  }

  func lastLogged() -> Int64? {
    database.performAtOnce { database throws(DatabaseError) in try MessageTable.nextNumber(database) - 1 }
  }

  func noteAcknowledged(through number: Int64) {
    let own = instances.own
    database.performAtOnce { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try database.run(
          "INSERT OR REPLACE INTO acknowledged (owner, seq) VALUES (?, ?)", own,
          // In a log that began anew meanwhile the numbers are others'.
          min(number, try MessageTable.nextNumber(database) - 1))
      }
    }
  }

  func forgetStream() throws {
    let own = instances.own
    try database.perform { database throws(DatabaseError) in
      try database.run("DELETE FROM stream WHERE owner = ?", own)
    }
  }
}
