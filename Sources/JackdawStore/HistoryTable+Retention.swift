// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What is kept for how long.
extension HistoryTable {
  func expire(_ rule: RetentionRule) throws -> Int {
    let own = rule.number.map { (after: $0, owner: instances.own) }
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let through = try Self.presentedThrough(database)
        var numbers = try Self.unwanted(through, database)
        if numbers.isEmpty, let start = rule.start { numbers = try Self.old(start, through, database) }
        if numbers.isEmpty, let own {
          numbers = try database.all(
            """
            SELECT seq FROM message WHERE seq > ?1 AND owner = ?2 AND is_open = 0
              AND (seq <= ?3 OR (is_outgoing = 1 AND carbon IS NULL)) AND seq NOT IN (SELECT seq FROM unpresented) LIMIT ?4
            """, own.after, own.owner, through, StoreLimits.removedAtOnce
          ) { $0.integer(0) }
        }
        if numbers.isEmpty, let bytes = rule.bytes, try Self.bytes(database) > bytes {
          numbers = try database.all(
            """
            SELECT seq FROM message WHERE seq > ?1 AND is_open = 0
              AND (seq <= ?2 OR (is_outgoing = 1 AND carbon IS NULL)) AND seq NOT IN (SELECT seq FROM unpresented)
            ORDER BY seq LIMIT ?3
            """, MessageTable.firstPlace, through, StoreLimits.removedAtOnce
          ) { $0.integer(0) }
        }
        if numbers.isEmpty { numbers = try surplusOfRooms(database) }
        if !numbers.isEmpty { try remove(numbers, database) }
        guard numbers.isEmpty, rule.removesRetracted else { return numbers.count }
        return try emptyRetracted(through, database)
      }
    }
  }

  /// Removes the texts of messages that their senders retracted, with what they corrected them to and what later replies repeat of them.
  /// - Returns: how many had one.
  private func emptyRetracted(_ through: Int64, _ database: Database) throws(DatabaseError) -> Int {
    // In a room there are many others, each of whom takes back what is theirs, and the room itself (XEP-0425).
    let found = try database.all(
      """
      SELECT message.seq, message.refers IS NULL FROM message AS retraction INDEXED BY message_retracts JOIN message
        ON message.conversation = retraction.conversation AND message.is_outgoing = retraction.is_outgoing
          AND (message.kind <> 'groupchat' OR message.is_outgoing = 1 OR message.sender = retraction.sender
            OR retraction.sender = retraction.conversation)
          AND (message.stanza = retraction.refers OR (message.refers = retraction.refers AND message.relation = 'replaces'))
      WHERE retraction.relation = 'retracts' AND message.body <> '' AND message.seq > ?1 AND message.is_open = 0
        AND (message.seq <= ?2 OR (message.is_outgoing = 1 AND message.carbon IS NULL))
        AND message.seq NOT IN (SELECT seq FROM unpresented) LIMIT ?3
      """, MessageTable.firstPlace, through, StoreLimits.removedAtOnce
    ) { (number: $0.integer(0), isOriginal: $0.flag(1)) }
    for (number, isOriginal) in found {
      try Relations.removeQuotes(of: number, database)
      let isIndexed = try TextIndex.holds(number, database)
      if isIndexed { try TextIndex.take(number, database) }
      try database.run(
        "UPDATE message SET body = '', payload = NULL, quote = NULL, relation = CASE WHEN ? THEN 'emptied' ELSE relation END WHERE seq = ?",
        isOriginal,
        number)
      if isIndexed { try TextIndex.add(number, database) }
    }
    return found.count
  }

  func unkept() throws -> [JID] {
    try database.perform { database throws(DatabaseError) in
      try database.all("SELECT conversation FROM unkept ORDER BY conversation") { try? JID($0.text(0)) }
        .compactMap { $0 }
    }
  }

  func keep(_ conversation: JID, _ isKept: Bool) throws {
    try database.perform { database throws(DatabaseError) in
      if isKept {
        try database.run("DELETE FROM unkept WHERE conversation = ?", conversation.description)
      } else {
        try database.run("INSERT OR IGNORE INTO unkept (conversation) VALUES (?)", conversation.description)
      }
    }
  }

  /// Up to this number everybody who presents messages was presented all that is not noted as left out.
  private static func presentedThrough(_ database: Database) throws(DatabaseError) -> Int64 {
    let end = try MessageTable.nextNumber(database) - 1
    return try database.first("SELECT min(seq) FROM cursor") { $0.isNull(0) ? end : $0.integer(0) } ?? end
  }

  /// Of conversations that are not kept.
  private static func unwanted(_ through: Int64, _ database: Database) throws(DatabaseError) -> [Int64] {
    try database.all(
      """
      SELECT seq FROM unkept JOIN message USING (conversation) WHERE seq > ?1 AND is_open = 0
        AND (seq <= ?2 OR (is_outgoing = 1 AND carbon IS NULL)) AND seq NOT IN (SELECT seq FROM unpresented) LIMIT ?3
      """, MessageTable.firstPlace, through, StoreLimits.removedAtOnce
    ) { $0.integer(0) }
  }

  /// Written before a moment. The days say where such can stand.
  private static func old(
    _ start: Timestamp, _ through: Int64, _ database: Database
  ) throws(DatabaseError) -> [Int64] {
    let bounds = try DayTable.bounds(LogQuery(until: start), database)
    let numbers = try database.all(
      """
      SELECT seq FROM message WHERE seq BETWEEN ?1 AND ?2 AND written < ?3 AND is_open = 0
        AND (seq <= ?4 OR (is_outgoing = 1 AND carbon IS NULL)) AND seq NOT IN (SELECT seq FROM unpresented)
      ORDER BY seq LIMIT ?5
      """, bounds.lowerBound, bounds.upperBound, start.milliseconds, through, StoreLimits.removedAtOnce
    ) { $0.integer(0) }
    if numbers.isEmpty { try DayTable.forget(before: start, database) }
    return numbers
  }

  /// What the database takes, but for what is free in its file.
  private static func bytes(_ database: Database) throws(DatabaseError) -> Int {
    try database.first(
      """
      SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size
      """
    ) { Int($0.integer(0)) } ?? 0
  }
}
