// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// A message of the log that is the same as one that came.
struct KnownMessage {
  var seq: Int64
  /// The number of the program that has kept it.
  var owner: Int
  /// The server gives it again out of what it keeps, and neither has anything that names it alone: one that is alike may be
  /// another one.
  var isRepetition = false
}

/// How a message is known again that came before.
extension MessageTable {
  /// The same message; nil: it is not known.
  /// - Parameters:
  ///   - streamStart: the number from which on all came on the stream on which it came; nil: nobody knows.
  ///   - repeated: what came again on that stream already: it gives nothing twice.
  static func known(
    _ message: ArrivedMessage, _ streamStart: Int64?, except repeated: Set<Int64> = [], _ database: Database
  ) throws(DatabaseError) -> KnownMessage? {
    // Most that come on the stream without an id of the archive.
    if message.archiveID == nil, message.postponed == nil, !isSought(message) { return nil }
    let mayBeKnown = try mayBeKnown(message, database)
    if mayBeKnown, let known = try called(message, database) { return known }
    if let known = try readMeanwhile(message, database) { return known }
    let isOutgoing = message.event.carbon == .sent
    guard mayBeKnown, let stanza = message.event.id, isSought(message) else { return nil }
    let conversation = message.conversation.description
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
    let alike = try database.all(
      """
      SELECT seq, owner,
        ?5 IS NULL AND kind <> 'groupchat' AND NOT (is_outgoing = 1 AND carbon IS NULL) AND NOT (?6 AND is_unique)
      FROM message INDEXED BY message_stanza
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
      LIMIT ?16
      """, stanza, conversation, isOutgoing, message.event.body, message.archiveID,
      message.hasUniqueID, message.mayBeRepeated, message.time.milliseconds, StoreLimits.repetitionWindow,
      streamStart ?? Int64.max, message.firstSent?.milliseconds, message.event.from.description, isToSelf,
      StoreLimits.roomRepetitionWindow, first ?? firstPlace, repeated.count + 1
    ) { KnownMessage(seq: $0.integer(0), owner: Int($0.integer(1)), isRepetition: $0.flag(2)) }
    guard let found = alike.first(where: { !($0.isRepetition && repeated.contains($0.seq)) }) else { return nil }
    if let archiveID = message.archiveID {
      try database.run(
        "UPDATE message SET archive = ?, first_sent = ifnull(first_sent, ?) WHERE seq = ?", archiveID,
        message.firstSent?.milliseconds, found.seq)
    }
    return found
  }

  /// A message that came live has been given again out of what the server keeps: it is the server's copy from now on, which has its
  /// stamp and was given to this program. Another one of its id and text is not taken for it, whenever that comes.
  static func noteRepetition(
    of number: Int64, by message: ArrivedMessage, _ own: Int, _ database: Database
  ) throws(DatabaseError) {
    try database.run(
      "UPDATE message SET is_late = 1, written = ?, owner = ? WHERE seq = ?", message.time.milliseconds, own, number)
    if try TextIndex.holds(number, database) {
      try DayTable.note(number, written: message.time.milliseconds, database)
    }
  }

  /// Whether a message that is known by its own id is looked for.
  private static func isSought(_ message: ArrivedMessage) -> Bool {
    message.hasUniqueID || message.mayBeRepeated || message.event.carbon == .sent
  }

  /// Whether anything has one of a message's ids: nearly all are new, as the two indexes alone tell, both by one
  /// statement where it has both.
  private static func mayBeKnown(_ message: ArrivedMessage, _ database: Database) throws(DatabaseError) -> Bool {
    let id = isSought(message) ? message.event.id : nil
    switch (message.archiveID, id) {
    case (let archiveID?, let id):
      return try database.first(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM message WHERE archive = ?)
          OR EXISTS (SELECT 1 FROM message INDEXED BY message_stanza WHERE stanza = ? AND seq > -1099511627776)
        """, archiveID, id
      ) { _ in true } ?? false
    case (nil, let id?):
      return try database.first(
        "SELECT 1 FROM message INDEXED BY message_stanza WHERE stanza = ? AND seq > -1099511627776 LIMIT 1", id
      ) { _ in true } ?? false
    case (nil, nil): return false
    }
  }

  /// What waited for its place and was read from the archive meanwhile: of what is said to be its id, where nobody vouches for that, so
  /// much is believed that the same message of that id is the same.
  private static func readMeanwhile(
    _ message: ArrivedMessage, _ database: Database
  ) throws(DatabaseError) -> KnownMessage? {
    guard message.archiveID == nil, let number = message.postponed?.seq else { return nil }
    return try database.first(
      """
      SELECT read.seq, read.owner FROM message AS waiting CROSS JOIN message AS read
      WHERE waiting.seq = ? AND waiting.seq < ? AND read.archive = waiting.claimed_archive AND read.seq > 0
        AND read.sender = waiting.sender AND read.stanza IS waiting.stanza AND read.body = waiting.body
        AND read.kind = waiting.kind AND read.is_outgoing = waiting.is_outgoing
      """, number, firstPlace
    ) { KnownMessage(seq: $0.integer(0), owner: Int($0.integer(1))) }
  }

  /// What has a message's id in the archive. An archive that was begun anew gives its ids again where it counts, and one whose ids are
  /// times may give two of one moment the same (ejabberd): what is surely another message is not taken for it, and leaves it the id.
  private static func called(
    _ message: ArrivedMessage, _ database: Database
  ) throws(DatabaseError) -> KnownMessage? {
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
    guard !mayDiffer, isOfOther || isOther else { return KnownMessage(seq: found.seq, owner: found.owner) }
    // Neither of two without an id of their own could be found again: each reading would take it for new.
    guard event.id != nil || !message.isFromArchive else { return KnownMessage(seq: found.seq, owner: found.owner) }
    try database.run("UPDATE message SET archive = NULL WHERE seq = ?", found.seq)
    return nil
  }
}
