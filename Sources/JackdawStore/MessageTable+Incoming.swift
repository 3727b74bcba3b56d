// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// How what comes is kept.
extension MessageTable {
  func record(
    _ messages: [ArrivedMessage], archiveCursor: String?, overlap: String?
  ) throws -> [MessageRecord] {
    var removed = 0
    var beside = BesideSearch(matched: [])
    var repeated: Set<Int64> = []
    let records = try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        if let archiveCursor { try Self.keepCursor(archiveCursor, overlap, database) }
        beside = BesideSearch(matched: matchedBeside)
        repeated = repeatedOnStream
        let first = try Self.nextNumber(database)
        var next = first
        var records: [MessageRecord] = []
        records.reserveCapacity(messages.count)
        var strangers = Strangers.Known()
        var room = StrangersRoom(quota)
        var imported = try SimilarMessages.imported(for: messages, database)
        var rows = NewRows(of: messages, owner: own)
        for (index, message) in messages.enumerated() {
          let mayWait = NewRows.takes(message)
          if !mayWait || rows.hasAlike(message) { try rows.write(database) }
          let streamStart = message.beginsStream ? first : message.streamStart?.seq
          // What waited for its place may be of several streams.
          let isOfStream = message.postponed == nil
          var known = try Self.known(message, streamStart, except: isOfStream ? repeated : [], database)
          if isOfStream, let found = known, found.isRepetition {
            // It may be another one: rather shown again than lost.
            if repeated.count == StoreLimits.repetitionsRemembered { known = nil } else { repeated.insert(found.seq) }
          }
          if known == nil, message.isFromOwnArchive {
            known = try imported?.take(message, database).map { KnownMessage(seq: $0, owner: own) }
          }
          if known == nil { known = try loggedBeside(message, before: next, &beside, own, database) }
          if let known {
            if known.seq < 1 {
              // The archive was read backwards past it before it came: it is news all the same.
              guard message.isFromArchive else {
                try database.run("DELETE FROM message WHERE seq = ?", known.seq)
                try insert(message, as: next, owner: own, isStrangers: false, database)
                records.append(.new(LogPlace(seq: next, beginning: beginnings)))
                next += 1
                continue
              }
              records.append(.known)
              continue
            }
            if isOfStream, known.isRepetition { try Self.noteRepetition(of: known.seq, by: message, own, database) }
            try Self.forgetWaiting(message, own, database)
            let place = LogPlace(seq: known.seq, beginning: beginnings)
            records.append(known.owner == own ? .known : .knownElsewhere(place))
            continue
          }
          let isStrangers = try Strangers.include(message, &strangers, database)
          if try Self.wasRemoved(message, isStrangers, database) {
            try Self.forgetWaiting(message, own, database)
            records.append(.known)
            continue
          }
          if mayWait {
            try rows.add(index, as: next, isStrangers: isStrangers, database)
          } else {
            try insert(message, as: next, owner: own, isStrangers: isStrangers, database)
          }
          if isStrangers, room.took(message) {
            try rows.write(database)
            try room.makeRoom(database)
          }
          records.append(.new(LogPlace(seq: next, beginning: beginnings)))
          next += 1
        }
        try rows.write(database)
        try room.finish(database)
        removed = room.removed
        return records
      }
    }
    matchedBeside = beside.matched.count < StoreLimits.besideRemembered ? beside.matched : []
    repeatedOnStream = repeated
    if removed > 0 { tellOfRemoval() }
    return records
  }

  func streamBegins() { repeatedOnStream = [] }

  @discardableResult func postpone(_ messages: [ArrivedMessage]) throws -> LogPlace? {
    guard !messages.isEmpty else { return nil }
    return try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        let last = try database.first("SELECT max(seq) FROM message WHERE seq < ?", Self.firstPlace) { row in
          row.isNull(0) ? nil : row.integer(0)
        }
        let first = (last ?? nil).map { $0 + 1 } ?? Self.firstPostponed
        var next = first
        var rows = NewRows(of: messages, owner: own)
        for (index, message) in messages.enumerated() {
          // Whose it is counts when it has its place.
          if NewRows.takes(message) {
            try rows.add(index, as: next, isStrangers: false, database)
          } else {
            try rows.write(database)
            try Self.insertNew(message, as: next, owner: own, isStrangers: false, database)
          }
          next += 1
        }
        try rows.write(database)
        return LogPlace(seq: first, beginning: beginnings)
      }
    }
  }

  func postponed(heldFrom place: LogPlace?, limit: Int) throws -> [ArrivedMessage] {
    try database.perform { database throws(DatabaseError) in
      // Where the database had to begin anew, all that is there came before.
      let start = (place?.beginning == beginnings ? place?.seq : nil) ?? Self.firstPlace
      // One after the other: SQLite would sort all that waits, with all its columns, each time that some of it is asked for.
      var found = try waiting(start, isSaidNow: false, limit, database)
      if found.count < limit {
        found += try waiting(start, isSaidNow: true, limit - found.count, database)
      }
      return found.compactMap { $0 }
    }
  }

  func postponedFromBefore(_ time: Timestamp?, limit: Int) throws -> [ArrivedMessage] {
    try database.perform { database throws(DatabaseError) in
      // Servers keep no more than the second of some stamps: two of one second may stand in either order.
      let found = try database.all(
        """
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, relation, refers, reactions, reply_to, quote,
          is_unique, claimed_archive, is_late, received, first_sent, questions, payload
        FROM message AS waiting
        WHERE seq < ?1 AND owner = ?2 AND is_late AND kind <> 'groupchat' AND claimed_archive IS NOT NULL
          AND (written / 1000 < ?3 OR EXISTS (
            SELECT 1 FROM message AS earlier
            WHERE earlier.archive = waiting.claimed_archive AND earlier.seq > ?1 AND earlier.seq < 1))
        ORDER BY seq LIMIT ?4
        """, Self.firstPlace, instances.own, time.map { $0.milliseconds / 1_000 } ?? Int64.min, limit
      ) { row -> ArrivedMessage? in waitingMessage(in: row) }
      return found.compactMap { $0 }
    }
  }

  /// - Parameters:
  ///   - start: the number of the first that came on the present stream.
  ///   - isSaidNow: those that came on it and had not been stored by the server; else all others.
  /// - Returns: nil in the place of each that cannot be read.
  private func waiting(
    _ start: Int64, isSaidNow: Bool, _ limit: Int, _ database: Database
  ) throws(DatabaseError) -> [ArrivedMessage?] {
    try database.all(
      """
      SELECT seq, sender, recipient, stanza, kind, body, written, carbon, relation, refers, reactions, reply_to, quote,
        is_unique, claimed_archive, is_late, received, first_sent, questions, payload
      FROM message WHERE seq < ? AND owner = ? AND (seq >= ? AND NOT is_late) = ? ORDER BY seq LIMIT ?
      """, Self.firstPlace, instances.own, start, isSaidNow, limit
    ) { row -> ArrivedMessage? in waitingMessage(in: row) }
  }

  /// - Parameter row: its columns are those that the queries for what waits have in common.
  private func waitingMessage(in row: Row) -> ArrivedMessage? {
    guard let event = Self.event(in: row, payloadAt: 19) else { return nil }
    var message = ArrivedMessage(
      event, archiveID: row.optionalText(14), hasUniqueID: row.flag(13), mayBeRepeated: row.flag(15),
      time: Timestamp(milliseconds: row.integer(6)), received: Timestamp(milliseconds: row.integer(16)),
      postponed: LogPlace(seq: row.integer(0), beginning: beginnings))
    message.event.questions = MessageQuestions(rawValue: row.integer(18))
    if !row.isNull(17) { message.firstSent = Timestamp(milliseconds: row.integer(17)) }
    return message
  }

  /// - Parameters:
  ///   - row: its first columns are number, sender, recipient, stanza id, kind, body, time and carbon.
  ///   - column: from which on it has what ``Relations/relations(in:at:)`` reads.
  ///   - payload: the column of what the message carries beside its text.
  nonisolated static func event(in row: Row, relationsAt column: Int32 = 8, payloadAt payload: Int32) -> MessageArrived?
  {
    // An address that is none any more, as the rules have changed since, is nobody's.
    guard let from = try? JID(received: row.text(1)), let to = try? JID(received: row.text(2)) else { return nil }
    var body = row.text(5)
    var relations = Relations.relations(in: row, at: column)
    if !relations.isEmpty { Relations.separate(&body, &relations, in: row, at: column) }
    return MessageArrived(
      id: row.optionalText(3), from: from, to: to, kind: Message.Kind(rawValue: row.text(4)) ?? .chat, body: body,
      delayed: Timestamp(milliseconds: row.integer(6)), carbon: row.optionalText(7).flatMap(MessageArrived.Carbon.init),
      relations: relations, payload: Payloads.payload(row.optionalText(payload)))
  }

  nonisolated static func nextNumber(_ database: Database) throws(DatabaseError) -> Int64 {
    try database.first(
      "SELECT max(ifnull((SELECT max(seq) FROM message), 0), ifnull((SELECT seq FROM given), 0)) + 1"
    ) { $0.integer(0) } ?? 1
  }

  private func insert(
    _ message: ArrivedMessage, as seq: Int64, owner: Int, isStrangers: Bool, _ database: Database
  ) throws(DatabaseError) {
    if let postponed = message.postponed, postponed.beginning == beginnings {
      try database.run(
        """
        UPDATE message SET seq = ?, archive = ?, claimed_archive = NULL, state = CASE WHEN is_outgoing THEN 'server' END,
          strangers_bytes = ? + ifnull(length(CAST(payload AS BLOB)), 0) + ifnull(length(CAST(quote AS BLOB)), 0)
        WHERE seq = ? AND owner = ?
        """, seq, message.archiveID, isStrangers ? message.event.body.utf8.count + message.bytesBesideText : nil,
        postponed.seq, owner)
      if database.changed > 0 {
        // What it is about may have got its place with it.
        if !message.event.relations.isEmpty { try Relations.resolve(seq, database) }
        return
      }
    }
    try Self.insertNew(message, as: seq, owner: owner, isStrangers: isStrangers, database)
  }

  static func insertNew(
    _ message: ArrivedMessage, as seq: Int64, owner: Int, isStrangers: Bool, _ database: Database
  ) throws(DatabaseError) {
    try NewRows.insert(message, as: seq, owner: owner, isStrangers: isStrangers, database)
    let event = message.event
    if !event.relations.isEmpty {
      try Relations.keep(event.relations, of: seq, database)
    } else if !event.countsAsUnread {
      try database.run("UPDATE message SET relation = 'uncounted', refers = '' WHERE seq = ?", seq)
    }
  }

  /// What waited for its place, and is known by another row now.
  private static func forgetWaiting(
    _ message: ArrivedMessage, _ owner: Int, _ database: Database
  ) throws(DatabaseError) {
    guard let number = message.postponed?.seq else { return }
    // Where the database had to begin anew, the number may be another one's.
    try database.run(
      "DELETE FROM message WHERE seq = ? AND seq < ? AND owner = ? AND stanza IS ? AND body = ?", number, firstPlace,
      owner,
      message.event.id, message.event.body)
  }

  /// Whether it came before, and was removed for want of room. Most are not looked up: on the stream nothing comes a second time.
  private static func wasRemoved(
    _ message: ArrivedMessage, _ isStrangers: Bool, _ database: Database
  ) throws(DatabaseError) -> Bool {
    if message.isFromArchive, try wasOwnRemoved(message, database) { return true }
    guard let id = message.archiveID, isStrangers || message.mayBeRepeated || message.postponed != nil else {
      return false
    }
    return try Strangers.wasRemoved(id, database)
  }

  /// We wrote it, and removed it, or keep nothing of the conversation.
  static func wasOwnRemoved(_ message: ArrivedMessage, _ database: Database) throws(DatabaseError) -> Bool {
    guard message.event.carbon == .sent else { return false }
    let isUnkept = try database.first(
      "SELECT EXISTS (SELECT 1 FROM unkept WHERE conversation = ?)", message.conversation.description
    ) { $0.flag(0) }
    if isUnkept == true { return true }
    guard let stanza = message.event.id else { return false }
    return try Strangers.wasRemoved(Strangers.memory(ofOwn: stanza), database)
  }
}
