// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Messages that are put before the log's beginning together, the newest first.
@Client struct EarlierBatch {
  /// How much time has one number, in milliseconds: as much room as there is between two messages of somebody who writes and gets
  /// some thousand a day.
  private static let unit: Int64 = 16_000

  private let owner: Int
  /// When the log began.
  private let beginning: Int64
  private var next: Int64
  /// The highest number below `next` that a message has; nil: not known. One look holds for all that find room above it.
  private var taken: Int64?
  private var similar = SimilarMessages()
  /// Bounded by the batch.
  private var strangers = Strangers.Known()
  /// There may be some that have no ids by which they would be known again.
  var mayLackIDs: Bool
  /// The user brings them: whoever wrote them, they take nothing of the strangers' room and are not removed for want of it.
  var isImport = false
  /// How many were new.
  private(set) var count = 0
  private var room: StrangersRoom

  /// - Parameter number: they stand before it; nil: where their time says.
  init(
    before number: Int64?, owner: Int, quota: StrangersQuota, _ database: Database
  ) throws(DatabaseError) {
    self.owner = owner
    room = StrangersRoom(quota)
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
  /// - Returns: whether it is new.
  @discardableResult
  mutating func insert(_ message: ArrivedMessage, _ database: Database) throws(DatabaseError) -> Bool {
    var known = try MessageTable.known(message, nil, database)?.seq
    if known == nil, mayLackIDs { known = try similar.take(message, database) }
    if let known {
      if known < 1 {
        // What is older stands before it.
        next = min(next, known - 1)
      } else if next < 0, !isImport {
        try move(known, to: try place(at: message.time, database), database)
      }
      return false
    }
    let place = try place(at: message.time, database)
    // Nobody has so many; it would be taken for one that waits.
    guard place > MessageTable.firstPlace else { return false }
    let isStrangers = isImport ? false : try Strangers.include(message, &strangers, database)
    try MessageTable.insertNew(message, as: place, owner: owner, isStrangers: isStrangers, database)
    try database.run("INSERT INTO awaiting_index (seq) VALUES (?)", place)
    if isStrangers, room.took(message) { try room.makeRoom(database) }
    next = place - 1
    count += 1
    if mayLackIDs { similar.leaveOut(place) }
    return true
  }

  /// To be called behind the last one.
  mutating func finish(_ database: Database) throws(DatabaseError) { try room.finish(database) }

  private mutating func place(at time: Timestamp, _ database: Database) throws(DatabaseError) -> Int64 {
    var place = min(next, wanted(at: time))
    if let taken, place > taken { return place }
    while true {
      taken =
        try database.first("SELECT ifnull(max(seq), ?1) FROM message WHERE seq <= ?2", Int64.min, place) {
          $0.integer(0)
        } ?? .min
      guard taken == place else { return place }
      place -= 1
    }
  }

  /// Of ours that a single command sent, before anybody looked at the archive: newer ones have been read from it, and stand before it.
  private mutating func move(
    _ number: Int64, to place: Int64, _ database: Database
  ) throws(DatabaseError) {
    guard place > MessageTable.firstPlace else { return }
    let isOurs = try database.first(
      "SELECT is_outgoing = 1 AND carbon IS NULL AND seq NOT IN (SELECT message FROM outbox) FROM message WHERE seq = ?",
      number
    ) { $0.flag(0) }
    guard isOurs == true else { return }
    // No number is given twice.
    try database.run(
      "INSERT OR REPLACE INTO given (id, seq) VALUES (1, ?)", try MessageTable.nextNumber(database) - 1)
    if try TextIndex.holds(number, database) { try TextIndex.take(number, database) }
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

/// Messages that have no ids, or are compared with such: what has the same sender, text and about the same time is the same, each
/// once. Two that have different ids are never the same, nor are two that both have one in our server's archive.
struct SimilarMessages {
  private struct Key: Hashable {
    var isOutgoing: Bool
    var body: String
  }

  private struct Found {
    var number: Int64
    var time: Int64
    var id: String?
    var isArchived: Bool
  }

  private struct Day: Hashable {
    var conversation: String
    var day: Int64
  }

  /// How far clocks may differ, in milliseconds, and what a log that knows no milliseconds adds.
  private static let tolerance: Int64 = 10_000
  private static let day: Int64 = 86_400_000

  /// What was there before. Bounded by what was said on the days of which the batch has messages.
  private var days: [Day: [Key: [Found]]] = [:]
  /// What was found, or put there by the batch. Bounded by the batch.
  private var leftOut: Set<Int64> = []
  /// No message with a higher number is looked at.
  private let last: Int64

  /// - Parameter last: no message with a higher number is looked at.
  init(through last: Int64 = .max) { self.last = last }

  /// What was imported may be given by the archive too: as news, where it was said since this machine last read that.
  /// - Returns: nil: none of these messages is of the account's archive, or nothing was imported.
  static func imported(for messages: [ArrivedMessage], _ database: Database) throws(DatabaseError) -> SimilarMessages? {
    // What did not come from an archive, as most that come alone, is not copied to be asked.
    guard messages.indices.contains(where: { messages[$0].isFromArchive && messages[$0].isFromOwnArchive }),
      try database.first("SELECT has_imports FROM beginning", read: { $0.flag(0) }) == true
    else { return nil }
    return SimilarMessages(through: 0)
  }

  /// A message of the batch itself: two that are alike are two.
  mutating func leaveOut(_ number: Int64) { leftOut.insert(number) }

  /// The number of the one that is the same, which is not found a second time; nil: there is none.
  mutating func take(_ message: ArrivedMessage, _ database: Database) throws(DatabaseError) -> Int64? {
    let time = message.time.milliseconds
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: Self.day)
    let day = Day(conversation: message.conversation.description, day: remainder < 0 ? quotient - 1 : quotient)
    if days[day] == nil { days[day] = try load(day, database) }
    let id = message.event.id
    let candidates = days[day]?[Key(isOutgoing: message.event.carbon == .sent, body: message.event.body)] ?? []
    let nearest = candidates.filter {
      abs($0.time - time) <= Self.tolerance && !leftOut.contains($0.number)
        && (id == nil || $0.id == nil || $0.id == id) && !($0.isArchived && message.archiveID != nil)
    }.min { abs($0.time - time) < abs($1.time - time) }
    guard let nearest else { return nil }
    leftOut.insert(nearest.number)
    if id != nil || message.archiveID != nil {
      // The next time it is known by its ids.
      try database.run(
        "UPDATE message SET stanza = ifnull(?, stanza), archive = ifnull(archive, ?) WHERE seq = ?", id,
        message.archiveID, nearest.number)
    }
    return nearest.number
  }

  private func load(_ place: Day, _ database: Database) throws(DatabaseError) -> [Key: [Found]] {
    let start = place.day * Self.day - Self.tolerance
    let end = (place.day + 1) * Self.day + Self.tolerance
    let query = LogQuery(since: Timestamp(milliseconds: start), until: Timestamp(milliseconds: end))
    let bounds = try DayTable.bounds(query, database)
    var messages: [Key: [Found]] = [:]
    try database.statement(
      """
      SELECT seq, written, is_outgoing, body, stanza, archive IS NOT NULL FROM message
      WHERE conversation = ? AND seq BETWEEN ? AND ? AND written BETWEEN ? AND ?
      """
    ).forEach(place.conversation, bounds.lowerBound, min(bounds.upperBound, last), start, end) { row in
      let found = Found(
        number: row.integer(0), time: row.integer(1), id: row.optionalText(4), isArchived: row.flag(5))
      messages[Key(isOutgoing: row.flag(2), body: row.text(3)), default: []].append(found)
    }
    return messages
  }
}
