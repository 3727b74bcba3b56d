// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The log as it is read in again.
///
/// How words are found in it is in `HistoryTable+Search.swift`, what is removed in `HistoryTable+Removal.swift`, the index that both need
/// in ``TextIndex``. Up to where it was read is in `HistoryTable+ReadMarks.swift`.
@Client final class HistoryTable: MessageLog {
  let database: AccountDatabase
  let instances: Instances
  private(set) lazy var privacy: any PrivacyStore = PrivacyTable(database)
  /// Bounded by the features of the account's session.
  var whenMarked: [@Client () -> Void] = []
  private let roomQuota: Int
  private var roomTotal = RoomTotal()
  /// The index may hold what was removed. What an earlier run left is seen to by programs that stay: to merge costs more than most commands.
  var indexHoldsRemoved: Bool

  /// - Parameter roomQuota: bytes of what others say in rooms.
  init(_ database: AccountDatabase, _ instances: Instances, roomQuota: Int) {
    self.database = database
    self.instances = instances
    self.roomQuota = roomQuota
    indexHoldsRemoved = instances.kind == .staying
  }

  /// What others said in rooms beyond the room that there is for it: a piece of it, the oldest first.
  func surplusOfRooms(_ database: Database) throws(DatabaseError) -> [Int64] {
    try roomTotal.surplus(beyond: roomQuota, database)
  }

  func requireStored() throws { try database.requireFile() }
  func requireReadable() throws { try database.requireReadable() }

  // MARK: Pages

  func page(_ query: LogQuery, after number: Int64?) throws -> LogPage {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        let days = try DayTable.bounds(query, database)
        var start = max(number ?? .min, days.lowerBound - 1)
        if query.isUnread, let conversation = query.conversation {
          start = max(start, try Self.readThrough(conversation, database))
        }
        var reading = PageReading(query)
        if let conversation = query.conversation {
          try database.statement(
            """
            SELECT * FROM logged WHERE conversation = ?1 AND seq > ?2 AND seq <= ?3 AND is_applied <= ?5 ORDER BY seq LIMIT ?4
            """
          ).scan(conversation.description, start, days.upperBound, reading.room, query.hasAnnotations) {
            reading.take($0)
          }
        } else {
          try database.statement(
            """
            SELECT * FROM logged WHERE seq > ?1 AND seq <= ?2 AND is_applied <= ?4 ORDER BY seq LIMIT ?3
            """
          ).scan(start, days.upperBound, reading.room, query.hasAnnotations) { reading.take($0) }
        }
        return try reading.page(database)
      }
    }
  }

  func page(_ query: LogQuery, before number: Int64?) throws -> LogPage {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        let days = try DayTable.bounds(query, database)
        let end = min(number ?? .max, days.upperBound + 1)
        if let words = query.words { return try Self.search(words, query, within: days, before: end, database) }
        var reading = PageReading(query)
        if let conversation = query.conversation {
          try database.statement(
            """
            SELECT * FROM logged WHERE conversation = ?1 AND seq >= ?2 AND seq < ?3 AND is_applied <= ?5 ORDER BY seq DESC LIMIT ?4
            """
          ).scan(conversation.description, days.lowerBound, end, reading.room, query.hasAnnotations) {
            reading.take($0)
          }
        } else {
          try database.statement(
            """
            SELECT * FROM logged WHERE seq >= ?1 AND seq < ?2 AND is_applied <= ?4 ORDER BY seq DESC LIMIT ?3
            """
          ).scan(days.lowerBound, end, reading.room, query.hasAnnotations) { reading.take($0) }
        }
        return try reading.page(database)
      }
    }
  }

  func message(_ number: Int64) throws -> LoggedMessage? {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        let found =
          try database.first("SELECT * FROM logged WHERE seq = ?", max(MessageTable.firstPlace, number)) {
            Self.message(in: $0)
          } ?? nil
        guard let found else { return nil }
        var messages = [found]
        try Relations.annotate(&messages, database)
        try Self.correctStates(of: &messages, database)
        return messages[0]
      }
    }
  }

  func number(ofID id: String, in conversation: JID?) throws -> Int64? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        """
        SELECT max(seq) FROM message INDEXED BY message_stanza
        WHERE stanza = ?1 AND seq > -1099511627776 AND (?2 IS NULL OR conversation = ?2)
        """, id, conversation?.description
      ) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }
  }

  func message(ofID id: String, in conversation: JID, isOutgoing: Bool?) throws -> LoggedMessage? {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        let number =
          try database.first(
            """
            SELECT max(seq) FROM message INDEXED BY message_stanza
            WHERE stanza = ?1 AND seq > -1099511627776 AND conversation = ?2 AND (?3 IS NULL OR is_outgoing = ?3)
              AND ifnull(relation, '') NOT IN ('retracts', 'reacts')
            """, id, conversation.description, isOutgoing
          ) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
        guard let number else { return nil }
        let found = try database.first("SELECT * FROM logged WHERE seq = ?", number) { Self.message(in: $0) } ?? nil
        guard let found else { return nil }
        var messages = [found]
        try Relations.annotate(&messages, database)
        try Self.correctStates(of: &messages, database)
        return messages[0]
      }
    }
  }

  /// - Parameter row: as all statements of this file select it.
  nonisolated static func message(in row: Row) -> LoggedMessage? {
    guard var event = MessageTable.event(in: row, relationsAt: 13, payloadAt: 19),
      let conversation = try? JID(received: row.text(11))
    else {
      return nil
    }
    let isOutgoing = row.flag(8)
    // Of what was sent from here to one person in a room nothing but the conversation tells that it was not said to all.
    if conversation.resource != nil, event.payload?.isPrivate != true {
      event.payload = event.payload ?? MessagePayload()
      event.payload?.isPrivate = true
    }
    return LoggedMessage(
      number: row.integer(0), conversation: conversation, event: event, isOutgoing: isOutgoing,
      state: row.optionalText(9).flatMap { DeliveryState(name: $0, reason: row.optionalText(10)) },
      isUnread: row.flag(12), fate: MessageFate(isEmptied: row.optionalText(13) == "emptied"))
  }

  // MARK: Conversations

  func conversations() throws -> [ConversationSummary] {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        var summaries: [ConversationSummary] = []
        for name in try Self.names(database) {
          if let summary = try Self.summary(of: name, database) { summaries.append(summary) }
        }
        return summaries.sorted { $0.last.number > $1.last.number }
      }
    }
  }

  func summary(of conversation: JID) throws -> ConversationSummary? {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        try Self.summary(of: conversation.description, database)
      }
    }
  }

  func unread() throws -> UnreadCount {
    try database.perform { database throws(DatabaseError) in
      try database.transaction(.reading) { () throws(DatabaseError) in
        var count = UnreadCount(messages: 0, conversations: 0)
        for name in try Self.names(database) {
          let unread = try Self.unread(in: name, database)
          count.messages += unread
          count.conversations += unread > 0 ? 1 : 0
        }
        return count
      }
    }
  }

  func firstUnpresented(in conversation: JID) throws -> Int64? {
    try database.perform { database throws(DatabaseError) in
      try database.first(
        """
        SELECT min(seq) FROM (
          SELECT min(seq) AS seq FROM unpresented JOIN message USING (seq) WHERE consumer = 'screen' AND conversation = ?1
          UNION ALL
          SELECT min(seq) FROM message WHERE conversation = ?1 AND (is_outgoing = 0 OR carbon IS NOT NULL)
            AND seq > ifnull((SELECT seq FROM cursor WHERE consumer = 'screen'), 0))
        """, conversation.description
      ) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }
  }

  /// All conversations, each found by one step through the index, however many messages it has.
  private static func names(_ database: Database) throws(DatabaseError) -> [String] {
    try database.all(
      """
      WITH RECURSIVE names (name) AS (
        SELECT (SELECT min(conversation) FROM message)
        UNION ALL
        SELECT (SELECT min(conversation) FROM message WHERE conversation > name) FROM names WHERE name IS NOT NULL)
      SELECT name FROM names WHERE name IS NOT NULL
      """
    ) { $0.text(0) }
  }

  private static func summary(of name: String, _ database: Database) throws(DatabaseError) -> ConversationSummary? {
    let last = try database.first(
      """
      SELECT * FROM logged WHERE conversation = ?1 AND seq > ?2 AND is_applied = 0 ORDER BY seq DESC LIMIT 1
      """, name, MessageTable.firstPlace
    ) { message(in: $0) }
    guard case let last?? = last else { return nil }
    var shown = [last]
    try correctStates(of: &shown, database)
    return ConversationSummary(
      conversation: last.conversation, last: shown[0], unread: try unread(in: name, database),
      readThrough: try readThrough(last.conversation, database))
  }

  private static func unread(in name: String, _ database: Database) throws(DatabaseError) -> Int {
    try database.first(
      """
      WITH bound AS MATERIALIZED (SELECT ifnull((SELECT read FROM conversation WHERE name = ?1), 0) AS read)
      SELECT (SELECT count(*) FROM message WHERE conversation = ?1 AND is_outgoing = 0 AND seq > read)
        - (SELECT count(*) FROM message INDEXED BY message_refers
          WHERE conversation = ?1 AND refers IS NOT NULL AND is_outgoing = 0 AND seq > read)
        -- What was taken back, and has no text any more: found by who took it back, as those are few.
        - (SELECT count(DISTINCT said.seq)
          FROM (
            -- Thousands may take back one id, which thousands may have.
            SELECT DISTINCT refers FROM message INDEXED BY message_retracts
            WHERE conversation = ?1 AND refers IS NOT NULL AND seq > read AND relation = 'retracts'
          ) AS retraction
            CROSS JOIN message AS said INDEXED BY message_stanza
            ON said.stanza = retraction.refers AND said.seq > -1099511627776
          WHERE said.conversation = ?1 AND said.relation = 'emptied' AND said.is_outgoing = 0 AND said.seq > read)
      FROM bound
      """, name
    ) { Int($0.integer(0)) } ?? 0
  }

  static func readThrough(_ conversation: JID, _ database: Database) throws(DatabaseError) -> Int64 {
    try database.first("SELECT read FROM conversation WHERE name = ?", conversation.description) { $0.integer(0) } ?? 0
  }
}

/// Rows on their way to becoming a page: as many as were asked for, of as much text as is read in one go.
struct PageReading {
  private let query: LogQuery
  /// How many rows the statement is to give at most.
  let room: Int
  private var messages: [LoggedMessage] = []
  private var bytes = 0
  private var count = 0
  private var number: Int64 = 0
  private var hasMore = false

  init(_ query: LogQuery) {
    self.query = query
    // One more tells whether there is more; whoever asks may have typed the largest number there is.
    room = query.isEverything ? min(query.limit, .max - 1) + 1 : StoreLimits.searchedAtOnce
  }

  /// The page, with what was said of its messages later.
  func page(_ database: Database) throws(DatabaseError) -> LogPage {
    var page = LogPage(messages: messages, next: hasMore || count == room ? number : nil)
    try Relations.annotate(&page.messages, database)
    try HistoryTable.correctStates(of: &page.messages, database)
    return page
  }

  /// - Parameter accept: looks at what has the right sender and time.
  /// - Returns: whether there is room for more.
  mutating func take(_ row: Row, _ accept: (inout LoggedMessage) -> Bool = { _ in true }) -> Bool {
    count += 1
    if messages.count == query.limit || bytes > StoreLimits.pageBytes {
      hasMore = true
      return false
    }
    number = row.integer(0)
    guard query.accepts(row), var message = HistoryTable.message(in: row), query.accepts(message), accept(&message)
    else { return true }
    bytes += message.event.textBytes
    messages.append(message)
    return true
  }
}

extension LogQuery {
  /// Every message of the conversation, or of all, matches.
  fileprivate var isEverything: Bool {
    sender == nil && since == nil && until == nil && words == nil && !isUnread
  }

  /// By what costs little to look at.
  fileprivate func accepts(_ row: Row) -> Bool {
    let written = row.integer(6)
    if let since, written < since.milliseconds { return false }
    if let until, written >= until.milliseconds { return false }
    return !isUnread || row.flag(12)
  }

  /// Whether a message that was found by a correction was itself written in the time that is asked for.
  func accepts(timeOf message: LoggedMessage) -> Bool {
    guard let written = message.event.delayed?.milliseconds else { return true }
    return since.map { written >= $0.milliseconds } ?? true && until.map { written < $0.milliseconds } ?? true
  }

  fileprivate func accepts(_ message: LoggedMessage) -> Bool {
    guard let sender else { return true }
    if isSenderUser, message.isOutgoing { return true }
    return message.event.from == sender || message.event.from.bare == sender
  }
}
