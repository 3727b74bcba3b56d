// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The log as it is read in again.
///
/// Which conversations there are is in `HistoryTable+Conversations.swift`, how words are found in `HistoryTable+Search.swift`, what is
/// removed in `HistoryTable+Removal.swift`, the index that both need in ``TextIndex``, up to where it was read in
/// `HistoryTable+ReadMarks.swift`.
@Client final class HistoryTable: MessageLog {
  let database: AccountDatabase
  let instances: Instances
  private(set) lazy var privacy: any PrivacyStore = PrivacyTable(database)
  /// Bounded by the features of the account's session.
  var whenMarked: [@Client () -> Void] = []
  private let roomQuota: Int
  private var roomTotal = RoomTotal()
  /// The index may hold what was removed. What an earlier run left is seen to by programs that remain online: to merge costs more than most commands.
  var indexHoldsRemoved: Bool

  /// - Parameter roomQuota: bytes of what others say in rooms.
  init(_ database: AccountDatabase, _ instances: Instances, roomQuota: Int) {
    self.database = database
    self.instances = instances
    self.roomQuota = roomQuota
    indexHoldsRemoved = instances.kind == .longRunning
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
}
