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
        let readers = try Readers(database)
        let awaitedByWish = try Readers(isWish: true, database)
        var numbers = try Self.unwanted(awaitedByWish, database)
        if numbers.isEmpty, let start = rule.start { numbers = try Self.old(start, readers, database) }
        if numbers.isEmpty, let own {
          numbers = try database.all(
            """
            SELECT seq FROM message WHERE seq > ?1 AND owner = ?2 AND seq NOT IN (SELECT message FROM outbox)
              AND (seq <= ?3 OR (is_outgoing = 1 AND carbon IS NULL))
              AND seq NOT IN (
                SELECT unpresented.seq FROM unpresented JOIN cursor USING (consumer)
                WHERE used >= CASE consumer WHEN 'screen' THEN ?5 ELSE ?6 END)
            LIMIT ?4
            """, own.after, own.owner, awaitedByWish.through, StoreLimits.removedAtOnce, awaitedByWish.screenSince,
            awaitedByWish.botsSince
          ) { $0.integer(0) }
        }
        if numbers.isEmpty, let bytes = rule.bytes, try Self.bytes(database) > bytes {
          numbers = try database.all(
            """
            SELECT seq FROM message WHERE seq > ?1 AND seq NOT IN (SELECT message FROM outbox)
              AND (seq <= ?2 OR (is_outgoing = 1 AND carbon IS NULL))
              AND seq NOT IN (
                SELECT unpresented.seq FROM unpresented JOIN cursor USING (consumer)
                WHERE used >= CASE consumer WHEN 'screen' THEN ?4 ELSE ?5 END)
            ORDER BY seq LIMIT ?3
            """, MessageTable.firstPlace, readers.through, StoreLimits.removedAtOnce, readers.screenSince,
            readers.botsSince
          ) { $0.integer(0) }
        }
        if numbers.isEmpty { numbers = try surplusOfRooms(database) }
        if !numbers.isEmpty { try remove(numbers, database) }
        guard numbers.isEmpty, rule.removesRetracted else { return numbers.count }
        return try emptyRetracted(readers, database)
      }
    }
  }

  /// Removes the texts of messages that their senders retracted, with what they corrected them to and what later replies repeat of them.
  /// - Returns: how many had one.
  private func emptyRetracted(_ readers: Readers, _ database: Database) throws(DatabaseError) -> Int {
    // In a room there are many others, each of whom takes back what is theirs, and the room itself (XEP-0425).
    let found = try database.all(
      """
      -- Thousands may take back one id, which thousands may have: what takes back the same is one.
      WITH retraction AS MATERIALIZED (
        SELECT DISTINCT conversation, refers, is_outgoing, CASE kind WHEN 'groupchat' THEN sender END AS sender,
          CASE WHEN json_valid(payload) THEN json_extract(payload, '$.occupant') END AS occupant
        FROM message INDEXED BY message_retracts
        -- A retraction of ours removes nothing before the server has it: the text is still there for everybody else.
        WHERE relation = 'retracts' AND (is_outgoing = 0 OR (state IS NOT 'failed' AND seq NOT IN (SELECT message FROM outbox))))
      SELECT DISTINCT message.seq, message.refers IS NULL
      FROM (
        -- Each by an index of its own: SQLite would look through the whole conversation for either.
        SELECT retraction.*, said.seq AS said
        FROM retraction CROSS JOIN message AS said INDEXED BY message_stanza
          ON said.stanza = retraction.refers AND said.seq > -1099511627776
        UNION ALL
        SELECT retraction.*, said.seq
        FROM retraction CROSS JOIN message AS said INDEXED BY message_refers
          ON said.conversation = retraction.conversation AND said.refers = retraction.refers
        WHERE said.relation = 'replaces'
      ) AS retraction
      JOIN message ON message.seq = retraction.said
        AND message.conversation = retraction.conversation AND message.is_outgoing = retraction.is_outgoing
        AND (message.kind <> 'groupchat' OR message.is_outgoing = 1 OR retraction.sender = retraction.conversation
          -- Another one may have had that nick before (XEP-0421).
          OR (message.sender = retraction.sender AND ifnull(
            CASE WHEN json_valid(message.payload)
              THEN json_extract(message.payload, '$.occupant') = retraction.occupant END, 1)))
      WHERE message.body <> '' AND message.seq > ?1 AND message.seq NOT IN (SELECT message FROM outbox)
        AND (message.seq <= ?2 OR (message.is_outgoing = 1 AND message.carbon IS NULL))
        AND message.seq NOT IN (
          SELECT unpresented.seq FROM unpresented JOIN cursor USING (consumer)
          WHERE used >= CASE consumer WHEN 'screen' THEN ?4 ELSE ?5 END)
      LIMIT ?3
      """, MessageTable.firstPlace, readers.through, StoreLimits.removedAtOnce, readers.screenSince, readers.botsSince
    ) { (number: $0.integer(0), isOriginal: $0.flag(1)) }
    guard !found.isEmpty else { return 0 }
    indexHoldsRemoved = true
    try Relations.removeQuotes(of: found.map(\.number), database)
    for (number, isOriginal) in found {
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
      try database.all("SELECT conversation FROM unkept ORDER BY conversation") { try? JID(received: $0.text(0)) }
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

  /// Of conversations that are not kept.
  private static func unwanted(_ readers: Readers, _ database: Database) throws(DatabaseError) -> [Int64] {
    try database.all(
      """
      -- Of these, mostly none, first: SQLite would go through the whole log.
      SELECT message.seq FROM unkept CROSS JOIN message USING (conversation)
      WHERE message.seq > ?1 AND message.seq NOT IN (SELECT message FROM outbox)
        AND (message.seq <= ?2 OR (is_outgoing = 1 AND carbon IS NULL))
        AND message.seq NOT IN (
          SELECT unpresented.seq FROM unpresented JOIN cursor USING (consumer)
          WHERE used >= CASE consumer WHEN 'screen' THEN ?4 ELSE ?5 END)
      LIMIT ?3
      """, MessageTable.firstPlace, readers.through, StoreLimits.removedAtOnce, readers.screenSince, readers.botsSince
    ) { $0.integer(0) }
  }

  /// Written before a moment. The days say where such can stand.
  private static func old(
    _ start: Timestamp, _ readers: Readers, _ database: Database
  ) throws(DatabaseError) -> [Int64] {
    let bounds = try DayTable.bounds(LogQuery(until: start), database)
    let numbers = try database.all(
      """
      SELECT seq FROM message WHERE seq BETWEEN ?1 AND ?2 AND written < ?3 AND seq NOT IN (SELECT message FROM outbox)
        AND (seq <= ?4 OR (is_outgoing = 1 AND carbon IS NULL))
        AND seq NOT IN (
          SELECT unpresented.seq FROM unpresented JOIN cursor USING (consumer)
          WHERE used >= CASE consumer WHEN 'screen' THEN ?6 ELSE ?7 END)
      ORDER BY seq LIMIT ?5
      """, bounds.lowerBound, bounds.upperBound, start.milliseconds, readers.through, StoreLimits.removedAtOnce,
      readers.screenSince, readers.botsSince
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

/// Those whose having been presented a message is waited for before it is removed: who never comes again is not.
private struct Readers {
  /// Up to this number each of them was presented all that is not noted as left out.
  private(set) var through: Int64
  /// Who was there since, in milliseconds since 1970. For people it is longer: they may be on holiday.
  private(set) var screenSince: Int64 = 0
  private(set) var botsSince: Int64 = 0

  /// - Parameter isWish: somebody wants something gone now: programs are waited for only where they come every day.
  init(isWish: Bool = false, _ database: Database) throws(DatabaseError) {
    through = try MessageTable.nextNumber(database) - 1
    let now = try database.first("SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000") { $0.integer(0) } ?? 0
    let awaited = isWish ? StoreLimits.botAwaitedByWish : StoreLimits.readerAwaited
    // Where none was there lately it is all who ever were, and where nobody ever was the screen: somebody will read it.
    let choices: [(screen: Int64, bots: Int64)] = [
      (screen: now - StoreLimits.readerAwaited, bots: now - awaited), (screen: 1, bots: 1), (screen: 0, bots: 0),
    ]
    for choice in choices {
      let number = try database.first(
        "SELECT min(seq) FROM cursor WHERE used >= CASE consumer WHEN 'screen' THEN ? ELSE ? END", choice.screen,
        choice.bots
      ) { $0.isNull(0) ? nil : $0.integer(0) }
      guard let least = number ?? nil else { continue }
      through = least
      screenSince = choice.screen
      botsSince = choice.bots
      return
    }
  }
}
