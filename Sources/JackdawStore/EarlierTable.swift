// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The log before its beginning. A message has a number below one there, the lower the earlier it was written, with room between them:
/// so one conversation can be read in before the others, and all stand in the order of their times.
@Client final class EarlierTable: EarlierMessages {
  private let database: AccountDatabase
  private let instances: Instances
  private let quota: StrangersQuota

  init(_ database: AccountDatabase, _ instances: Instances, quota: StrangersQuota) {
    self.database = database
    self.instances = instances
    self.quota = quota
  }

  // MARK: The archive

  func walk(of conversation: JID?) throws -> ArchiveWalk {
    try database.perform { database throws(DatabaseError) in
      let name = conversation?.description
      if let walk = try Self.walk(name, database) { return walk }
      guard let name else { return ArchiveWalk() }
      if try Self.walk(nil, database)?.isComplete == true { return ArchiveWalk(isComplete: true) }
      // What came later is here.
      let mark = try database.first(
        """
        SELECT archive FROM message WHERE conversation = ? AND seq > ? AND archive IS NOT NULL ORDER BY seq LIMIT 1
        """, name, MessageTable.firstPlace
      ) { $0.optionalText(0) }
      return ArchiveWalk(mark: mark ?? nil)
    }
  }

  func keep(
    _ page: [ArrivedMessage], of conversation: JID?, _ walk: ArchiveWalk, before mark: String?, isComplete: Bool
  ) throws -> Int {
    try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        var batch = try EarlierBatch(before: walk.number, owner: own, database)
        let isAnyUnwanted = try Self.isAnyUnwanted(database)
        for index in page.indices.reversed() {
          if isAnyUnwanted, try Self.mustNotComeBack(page[index], database) { continue }
          try batch.insert(page[index], database)
        }
        if batch.hasStrangers { _ = try Strangers.makeRoom(quota, database) }
        let known = try Self.walk(conversation?.description, database)
        if known == nil || known == walk {
          try database.run(
            """
            INSERT OR REPLACE INTO archive_walk (conversation, mark, number, is_complete)
            VALUES (?, ?, ?, ?)
            """, conversation?.description ?? "", mark ?? walk.mark, batch.first ?? walk.number, isComplete)
        }
        return batch.count
      }
    }
  }

  private static func walk(_ name: String?, _ database: Database) throws(DatabaseError) -> ArchiveWalk? {
    try database.first(
      "SELECT mark, number, is_complete FROM archive_walk WHERE conversation = ?", name ?? ""
    ) { ArchiveWalk(mark: $0.optionalText(0), number: $0.isNull(1) ? nil : $0.integer(1), isComplete: $0.flag(2)) }
  }

  /// Whether there is a message at all that must not come back.
  private static func isAnyUnwanted(_ database: Database) throws(DatabaseError) -> Bool {
    try database.first(
      """
      SELECT EXISTS (SELECT 1 FROM deleted) OR EXISTS (SELECT 1 FROM unkept) OR EXISTS (SELECT 1 FROM removed_message)
      """
    ) { $0.flag(0) } ?? false
  }

  /// It was deleted on purpose, is not to be kept, or was removed for want of room.
  private static func mustNotComeBack(
    _ message: ArrivedMessage, _ database: Database
  ) throws(DatabaseError) -> Bool {
    let isUnwanted = try database.first(
      """
      SELECT EXISTS (SELECT 1 FROM deleted WHERE conversation IN (?1, '') AND before > ?2)
        OR EXISTS (SELECT 1 FROM unkept WHERE conversation = ?1)
      """, message.conversation.description, message.time.milliseconds
    ) { $0.flag(0) }
    if isUnwanted == true { return true }
    if try MessageTable.wasOwnRemoved(message, database) { return true }
    guard let id = message.archiveID else { return false }
    return try Strangers.wasRemoved(id, database)
  }

  // MARK: Imports

  func keepImported(
    _ messages: [ArrivedMessage], before number: Int64?
  ) throws -> (count: Int, first: Int64?) {
    try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        var batch = try EarlierBatch(before: number, owner: own, database)
        try database.run("UPDATE beginning SET has_imports = 1")
        batch.mayLackIDs = true
        for index in messages.indices.reversed() { try batch.insert(messages[index], database) }
        return (batch.count, batch.first ?? number)
      }
    }
  }
}

/// Messages that are put before the log's beginning together, the newest first.
@Client struct EarlierBatch {
  /// How much time has one number, in milliseconds: as much room as there is between two messages of somebody who writes and gets
  /// some thousand a day.
  private static let unit: Int64 = 16_000

  private let owner: Int
  /// When the log began.
  private let beginning: Int64
  private var next: Int64
  private var similar = SimilarMessages()
  /// Bounded by the batch.
  private var strangers: [String: Bool] = [:]
  /// There may be some that have no ids by which they would be known again.
  var mayLackIDs: Bool
  /// How many were new.
  private(set) var count = 0
  /// Strangers wrote some of them.
  private(set) var hasStrangers = false

  /// - Parameter number: they stand before it; nil: where their time says.
  init(before number: Int64?, owner: Int, _ database: Database) throws(DatabaseError) {
    self.owner = owner
    next = min(number ?? 1, 1) - 1
    start = next
    if let known = try database.first("SELECT time, has_imports FROM beginning", read: { ($0.integer(0), $0.flag(1)) })
    {
      (beginning, mayLackIDs) = known
      return
    }
    let first = try database.first(
      """
      INSERT INTO beginning (id, time) SELECT 1, ifnull(
        (SELECT written FROM message WHERE seq > 0 ORDER BY seq LIMIT 1), CAST(strftime('%s', 'now') AS INTEGER) * 1000)
      RETURNING time
      """
    ) { $0.integer(0) }
    (beginning, mayLackIDs) = (first ?? 0, false)
  }

  private let start: Int64

  /// The number of the first; nil: none has its place here.
  var first: Int64? { next < start ? next + 1 : nil }

  /// Puts a message before all that were put there by this batch, unless it is known.
  mutating func insert(_ message: ArrivedMessage, _ database: Database) throws(DatabaseError) {
    var known = try MessageTable.known(message, nil, database)?.seq
    if known == nil, mayLackIDs { known = try similar.take(message, database) }
    if let known {
      if known < 1 {
        // What is older stands before it.
        next = min(next, known - 1)
      } else if next < 0 {
        try move(known, to: try place(at: message.time, database), database)
      }
      return
    }
    let place = try place(at: message.time, database)
    // Nobody has so many; it would be taken for one that waits.
    guard place > MessageTable.firstPlace else { return }
    let isStrangers = try Strangers.include(message, &strangers, database)
    hasStrangers = hasStrangers || isStrangers
    try MessageTable.insertNew(message, as: place, owner: owner, isStrangers: isStrangers, database)
    try database.run("INSERT INTO awaiting_index (seq) VALUES (?)", place)
    next = place - 1
    count += 1
  }

  private func place(at time: Timestamp, _ database: Database) throws(DatabaseError) -> Int64 {
    var place = min(next, wanted(at: time))
    while try database.first("SELECT EXISTS (SELECT 1 FROM message WHERE seq = ?)", place, read: { $0.flag(0) }) == true
    {
      place -= 1
    }
    return place
  }

  /// Of ours that a single command sent, before anybody looked at the archive: newer ones have been read from it, and stand before it.
  private mutating func move(
    _ number: Int64, to place: Int64, _ database: Database
  ) throws(DatabaseError) {
    guard place > MessageTable.firstPlace else { return }
    let isOurs = try database.first(
      "SELECT is_outgoing = 1 AND carbon IS NULL AND is_open = 0 FROM message WHERE seq = ?", number
    ) { $0.flag(0) }
    guard isOurs == true else { return }
    // No number is given twice.
    try database.run(
      "INSERT OR REPLACE INTO given (id, seq) VALUES (1, ?)", try MessageTable.nextNumber(database) - 1)
    if try TextIndex.holds(number, database) {
      try database.run("INSERT INTO unindexed (seq, body) SELECT seq, body FROM message WHERE seq = ?", number)
    }
    try TextIndex.forget(database)
    try database.run("UPDATE message SET seq = ? WHERE seq = ?", place, number)
    try database.run("INSERT INTO awaiting_index (seq) VALUES (?)", place)
    next = place - 1
  }

  /// Times that no archive can have are those of what comes behind.
  private func wanted(at time: Timestamp) -> Int64 {
    guard time.milliseconds > Self.earliest, time.milliseconds < beginning else { return next }
    return min(-1, -((beginning - time.milliseconds) / Self.unit) - 1)
  }

  /// 1999-01-01: there was no XMPP before.
  private static let earliest: Int64 = 915_148_800_000
}

/// Messages that have no ids, or are compared with such: what has the same sender, text and about the same time is the same, each once.
private struct SimilarMessages {
  private struct Key: Hashable {
    var isOutgoing: Bool
    var body: String
  }

  private struct Found {
    var number: Int64
    var time: Int64
    var hasID: Bool
  }

  /// How far clocks may differ, in milliseconds, and what a log that knows no milliseconds adds.
  private static let tolerance: Int64 = 10_000
  private static let day: Int64 = 86_400_000

  private var place: (conversation: String, day: Int64)?
  /// Bounded by the messages of one conversation on one day.
  private var messages: [Key: [Found]] = [:]

  /// The number of the one that is the same, which is not found a second time; nil: there is none.
  mutating func take(_ message: ArrivedMessage, _ database: Database) throws(DatabaseError) -> Int64? {
    let time = message.time.milliseconds
    try load(message.conversation.description, day: time / Self.day, database)
    let key = Key(isOutgoing: message.event.carbon == .sent, body: message.event.body)
    guard var found = messages[key] else { return nil }
    let hasID = message.event.id != nil
    let nearest = found.indices.filter { !(hasID && found[$0].hasID) }.min {
      abs(found[$0].time - time) < abs(found[$1].time - time)
    }
    guard let nearest, abs(found[nearest].time - time) <= Self.tolerance else { return nil }
    let same = found.remove(at: nearest)
    messages[key] = found
    if hasID {
      // The next time it is known by its ids.
      try database.run(
        "UPDATE message SET stanza = ?, archive = ifnull(archive, ?) WHERE seq = ?", message.event.id,
        message.archiveID,
        same.number)
    }
    return same.number
  }

  private mutating func load(_ conversation: String, day: Int64, _ database: Database) throws(DatabaseError) {
    if let place, place == (conversation, day) { return }
    place = (conversation, day)
    messages = [:]
    let start = day * Self.day - Self.tolerance
    let end = (day + 1) * Self.day + Self.tolerance
    let query = LogQuery(since: Timestamp(milliseconds: start), until: Timestamp(milliseconds: end))
    let bounds = try DayTable.bounds(query, database)
    let rows = try database.all(
      """
      SELECT seq, written, is_outgoing, body, stanza IS NOT NULL FROM message
      WHERE conversation = ? AND seq BETWEEN ? AND ? AND written BETWEEN ? AND ?
      """, conversation, bounds.lowerBound, bounds.upperBound, start, end
    ) { row in
      (
        Key(isOutgoing: row.flag(2), body: row.text(3)),
        Found(number: row.integer(0), time: row.integer(1), hasID: row.flag(4))
      )
    }
    for (key, found) in rows { messages[key, default: []].append(found) }
  }
}
