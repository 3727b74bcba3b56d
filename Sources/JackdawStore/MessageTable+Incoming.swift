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
    let records = try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        if let archiveCursor { try Self.keepCursor(archiveCursor, overlap, database) }
        beside = BesideSearch(matched: matchedBeside)
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
          var known = try Self.known(message, streamStart, database)
          if known == nil, message.isFromOwnArchive {
            known = try imported?.take(message, database).map { (seq: $0, owner: own) }
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
    if removed > 0 { tellOfRemoval() }
    return records
  }

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
      let beginning = beginnings
      // Where the database had to begin anew, all that is there came before.
      let start = place?.beginning == beginning ? place?.seq : nil
      return try database.all(
        """
        SELECT seq, sender, recipient, stanza, kind, body, written, carbon, relation, refers, reactions, reply_to, quote,
          is_unique, claimed_archive, is_late, received, first_sent, questions, payload
        FROM message WHERE seq < ? AND owner = ? ORDER BY seq >= ? AND NOT is_late, seq LIMIT ?
        """, Self.firstPlace, instances.own, start ?? Self.firstPlace, limit
      ) { row -> ArrivedMessage? in
        guard let event = Self.event(in: row, payloadAt: 19) else { return nil }
        var message = ArrivedMessage(
          event, archiveID: row.optionalText(14), hasUniqueID: row.flag(13), mayBeRepeated: row.flag(15),
          time: Timestamp(milliseconds: row.integer(6)), received: Timestamp(milliseconds: row.integer(16)),
          postponed: LogPlace(seq: row.integer(0), beginning: beginning))
        message.event.questions = MessageQuestions(rawValue: row.integer(18))
        if !row.isNull(17) { message.firstSent = Timestamp(milliseconds: row.integer(17)) }
        return message
      }
      .compactMap { $0 }
    }
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
      let moved = try database.first(
        """
        UPDATE message SET seq = ?, archive = ?, claimed_archive = NULL, state = CASE WHEN is_outgoing THEN 'server' END,
          strangers_bytes = ? + ifnull(length(CAST(payload AS BLOB)), 0) + ifnull(length(CAST(quote AS BLOB)), 0)
        WHERE seq = ? AND owner = ? RETURNING seq
        """, seq, message.archiveID, isStrangers ? message.event.body.utf8.count + message.bytesBesideText : nil,
        postponed.seq, owner
      ) { $0.integer(0) }
      if moved != nil {
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

  /// The same message, and who has kept it; nil: it is not known.
  /// - Parameter streamStart: the number from which on all came on the stream on which it came; nil: nobody knows.
  static func known(
    _ message: ArrivedMessage, _ streamStart: Int64?, _ database: Database
  ) throws(DatabaseError) -> (seq: Int64, owner: Int)? {
    if let known = try called(message, database) { return known }
    if let known = try readMeanwhile(message, database) { return known }
    let isOutgoing = message.event.carbon == .sent
    guard let stanza = message.event.id, message.hasUniqueID || message.mayBeRepeated || isOutgoing else { return nil }
    let conversation = message.conversation.description
    // Nearly all are new, as the index alone tells.
    let hasID = try database.first(
      "SELECT 1 FROM message INDEXED BY message_stanza WHERE stanza = ? AND seq > -1099511627776 LIMIT 1", stanza
    ) { _ in true }
    guard hasID == true else { return nil }
    // Anybody may give thousands one id: of theirs the newest are looked at. What we wrote is looked for among all, as they may have
    // taken its id.
    let first =
      isOutgoing
      ? nil
      : try database.first(
        """
        SELECT seq FROM message INDEXED BY message_stanza WHERE stanza = ? AND seq > -1099511627776
        ORDER BY seq DESC LIMIT 1 OFFSET ?
        """, stanza, StoreLimits.alikeLookedAt - 1
      ) { $0.integer(0) }
    // What an account writes to itself is sent and received, and Prosody's archive has it as both: it is one message where the
    // device and the unique id are the same.
    let isToSelf = message.event.from.bare == message.conversation && message.event.to.bare == message.conversation
    // Two that the archive has under two ids are two, whatever else they have in common, unless one of them says that it was sent
    // before: whoever does not know whether a message arrived sends it again, with its id, and servers may let it overtake the
    // first. What was sent from here, by another
    // program, has an id of ours. What the server gave twice out of what it keeps has the same stamp; where it first came without
    // one, the time when it came must do. On one stream it gives nothing twice.
    let found = try database.first(
      """
      SELECT seq, owner FROM message INDEXED BY message_stanza
      WHERE stanza = ?1 AND conversation = ?2 AND is_outgoing = ?3 AND body = ?4
        -- SQLite begins in the index where the first of these says.
        AND seq >= ?15 AND seq > -1099511627776
        AND (?5 IS NULL OR archive IS NULL OR (?13 AND ?6 AND is_unique AND sender = ?12)
          OR (?6 AND is_unique AND (abs(written - ?11) <= ?9 OR abs(first_sent - ?8) <= ?9
            OR (?11 IS NOT NULL AND abs(written - ?8) <= ?9))))
        AND ((is_outgoing = 1 AND carbon IS NULL)
          OR (?6 AND is_unique)
          OR (?7 AND seq < ?10 AND CASE WHEN is_late THEN written = ?8 ELSE abs(written - ?8) <= ?9
            -- What the server was told of at the end of a run stands in its archive at most. But a room without one sends the
            -- last of it again, whatever anybody was told.
            AND (?5 IS NOT NULL OR (kind = 'groupchat' AND abs(written - ?8) <= ?14) OR seq > ifnull(
              (SELECT acknowledged.seq FROM acknowledged WHERE acknowledged.owner = message.owner), 0)) END))
        -- In a room an id is its sender's.
        AND (kind <> 'groupchat' OR is_outgoing = 1 OR sender = ?12)
      LIMIT 1
      """, stanza, conversation, isOutgoing, message.event.body, message.archiveID,
      message.hasUniqueID, message.mayBeRepeated, message.time.milliseconds, StoreLimits.repetitionWindow,
      streamStart ?? Int64.max, message.firstSent?.milliseconds, message.event.from.description, isToSelf,
      StoreLimits.roomRepetitionWindow, first ?? firstPlace
    ) { (seq: $0.integer(0), owner: Int($0.integer(1))) }
    guard let found else { return nil }
    if let archiveID = message.archiveID {
      try database.run(
        "UPDATE message SET archive = ?, first_sent = ifnull(first_sent, ?) WHERE seq = ?", archiveID,
        message.firstSent?.milliseconds, found.seq)
    }
    return found
  }

  /// What waited for its place and was read from the archive meanwhile: of what is said to be its id, where nobody vouches for that, so
  /// much is believed that the same message of that id is the same.
  private static func readMeanwhile(
    _ message: ArrivedMessage, _ database: Database
  ) throws(DatabaseError) -> (seq: Int64, owner: Int)? {
    guard message.archiveID == nil, let number = message.postponed?.seq else { return nil }
    return try database.first(
      """
      SELECT read.seq, read.owner FROM message AS waiting CROSS JOIN message AS read
      WHERE waiting.seq = ? AND waiting.seq < ? AND read.archive = waiting.claimed_archive AND read.seq > 0
        AND read.sender = waiting.sender AND read.stanza IS waiting.stanza AND read.body = waiting.body
        AND read.kind = waiting.kind AND read.is_outgoing = waiting.is_outgoing
      """, number, firstPlace
    ) { (seq: $0.integer(0), owner: Int($0.integer(1))) }
  }

  /// What has a message's id in the archive. An archive that was begun anew gives its ids again where it counts, and one whose ids are
  /// times may give two of one moment the same (ejabberd): what is surely another message is not taken for it, and leaves it the id.
  private static func called(
    _ message: ArrivedMessage, _ database: Database
  ) throws(DatabaseError) -> (seq: Int64, owner: Int)? {
    guard let archiveID = message.archiveID else { return nil }
    let found = try database.first(
      "SELECT seq, owner, stanza, sender, kind, body FROM message WHERE archive = ?", archiveID
    ) { row in
      (
        seq: row.integer(0), owner: Int(row.integer(1)), stanza: row.optionalText(2), sender: row.text(3),
        isRooms: row.text(4) == Message.Kind.groupchat.rawValue, body: row.text(5)
      )
    }
    guard let found else { return nil }
    let event = message.event
    // What stands before the log's beginning other programs may have kept, and rooms and gateways may give anew with another id.
    let mayDiffer = found.seq < 1 || found.isRooms || event.kind == .groupchat
    let isOfOther = (try? JID(received: found.sender)).map { $0.bare != event.from.bare } ?? false
    let isOther = found.stanza != nil && event.id != nil && found.stanza != event.id && found.body != event.body
    guard !mayDiffer, isOfOther || isOther else { return (found.seq, found.owner) }
    // Neither of two without an id of their own could be found again: each reading would take it for new.
    guard event.id != nil || !message.isFromArchive else { return (found.seq, found.owner) }
    try database.run("UPDATE message SET archive = NULL WHERE seq = ?", found.seq)
    return nil
  }
}
