// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What was presented to whom: one number a consumer, up to which all was, and what stands below it and was not.
extension MessageTable {
  func open(_ consumer: String, from start: LogPlace?) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let last = try Self.nextNumber(database) - 1
        // In a database that has begun anew since then, all has come since then.
        let start = start.map { $0.beginning == beginnings ? min($0.seq, last) : 0 } ?? last
        try database.run(
          """
          INSERT INTO cursor (consumer, seq, used) VALUES (?, ?, CAST(strftime('%s', 'now') AS INTEGER) * 1000)
          ON CONFLICT (consumer) DO UPDATE SET used = excluded.used
          """, consumer, start)
      }
    }
  }

  func unpresented(to consumer: String, after place: LogPlace?, limit: Int) throws -> [MessageArrived] {
    try database.perform { database throws(DatabaseError) in
      // After what was there before the database began anew: everything.
      let after = place.map { $0.beginning == beginnings ? $0.seq : 0 } ?? 0
      var room = StoreLimits.pageBytes
      @Client func read(_ row: Row) -> MessageArrived? {
        guard room > 0, let event = event(at: row) else { return nil }
        room -= event.textBytes
        return event
      }
      let below = try database.all(
        """
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, relation, refers, reactions, reply_to, quote,
          payload
        FROM unpresented JOIN message USING (seq)
        WHERE consumer = ? AND seq > ? ORDER BY seq LIMIT ?
        """, consumer, after, limit
      ) { read($0) }
      let cursor = try Self.cursor(of: consumer, database)
      let above = try database.all(
        """
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, relation, refers, reactions, reply_to, quote,
          payload
        FROM message
        WHERE seq > ? AND (is_outgoing = 0 OR carbon IS NOT NULL) ORDER BY seq LIMIT ?
        """, max(after, cursor), limit - below.count
      ) { read($0) }
      return (below + above).compactMap { $0 }
    }
  }

  func end() throws -> LogPlace {
    try database.perform { database throws(DatabaseError) in
      LogPlace(seq: try Self.nextNumber(database) - 1, beginning: beginnings)
    }
  }

  /// Up to where a consumer was presented the log. Whoever asks is there: that is noted, so that nothing is removed unpresented.
  private static func cursor(of consumer: String, _ database: Database) throws(DatabaseError) -> Int64 {
    let found = try database.first(
      "SELECT seq, used < CAST(strftime('%s', 'now') AS INTEGER) * 1000 - ? FROM cursor WHERE consumer = ?",
      StoreLimits.readerNoted, consumer
    ) { (seq: $0.integer(0), isToBeNoted: $0.flag(1)) }
    guard let found else { return 0 }
    if found.isToBeNoted {
      // To read waits for no other program.
      try? database.withoutWaiting { () throws(DatabaseError) in
        try database.run(
          "UPDATE cursor SET used = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE consumer = ?", consumer)
      }
    }
    return found.seq
  }

  private func event(at row: Row) -> MessageArrived? {
    var event = Self.event(in: row, payloadAt: 13)
    event?.place = LogPlace(seq: row.integer(0), beginning: beginnings)
    return event
  }

  func present(_ places: [LogPlace], to consumer: String) throws {
    try database.perform { database throws(DatabaseError) in
      // The numbers of a database that is gone are others' in this one. No closure: of each one that the standard library calls it is asked
      // where it runs.
      var numbers: [Int64] = []
      numbers.reserveCapacity(places.count)
      for place in places where place.beginning == beginnings { numbers.append(place.seq) }
      guard let last = numbers.max() else { return }
      try database.transaction { () throws(DatabaseError) in
        let cursor =
          try database.first("SELECT seq FROM cursor WHERE consumer = ?", consumer) { $0.integer(0) } ?? 0
        for number in numbers where number <= cursor {
          try database.run("DELETE FROM unpresented WHERE consumer = ? AND seq = ?", consumer, number)
        }
        if last > cursor { try Self.noteSkipped(numbers, from: cursor, through: last, consumer, database) }
        try database.run(
          """
          INSERT OR REPLACE INTO cursor (consumer, seq, used) VALUES (?, ?, CAST(strftime('%s', 'now') AS INTEGER) * 1000)
          """, consumer, max(last, cursor))
      }
    }
  }

  /// What the cursor passes over without its having been presented: filtered out, another program's, or given up.
  private static func noteSkipped(
    _ presented: [Int64], from cursor: Int64, through last: Int64, _ consumer: String, _ database: Database
  ) throws(DatabaseError) {
    // Mostly one follows the other.
    if presented.elementsEqual(cursor + 1..<cursor + 1 + Int64(presented.count)) { return }
    let passed = try database.all(
      "SELECT seq FROM message WHERE seq > ? AND seq <= ? AND (is_outgoing = 0 OR carbon IS NOT NULL)", cursor, last
    ) { $0.integer(0) }
    // How many were presented says nothing: what another program here sent may be among them, and is not among these.
    let known = Set(presented)
    for seq in passed where !known.contains(seq) {
      try database.run("INSERT OR IGNORE INTO unpresented (consumer, seq) VALUES (?, ?)", consumer, seq)
    }
  }
}
