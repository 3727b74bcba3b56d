// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// How words are found in the log: in texts and subjects, of which the texts' are marked.
extension HistoryTable {
  /// What has words is found by the index of words, a part of three characters or more by that of parts; what is shorter is looked for
  /// in each text.
  static func search(
    _ words: SearchWords, _ query: LogQuery, within days: ClosedRange<Int64>, before end: Int64, _ database: Database
  ) throws(DatabaseError) -> LogPage {
    var reading = PageReading(query)
    let parts = words.terms.filter { if case .part = $0.kind { true } else { false } }
    let wanted = words.terms.filter { !$0.isExcluded }
    var corrections: Set<Int64> = []
    func take(_ row: Row, marked: String?) -> Bool {
      let isApplied = row.flag(18)
      return reading.take(row) { message in
        // Its text is for those who cannot read it, and nothing that anybody has said.
        guard message.event.payload?.encryption == nil else { return false }
        let body = message.event.body
        var hits = marked.map { TextIndex.hits(in: $0, of: body) } ?? wanted.flatMap { $0.placesAsTyped(in: body) }
        for part in parts {
          let places = part.places(in: message.event.body)
          let isInSubject = message.event.payload?.subject.map { !part.places(in: $0).isEmpty } ?? false
          guard (places.isEmpty && !isInSubject) == part.isExcluded else { return false }
          hits += places
        }
        message.hits = hits.sorted { $0.lowerBound < $1.lowerBound }
        if isApplied, message.event.corrects { corrections.insert(message.number) }
        return true
      }
    }
    let start = max(days.lowerBound, query.correctionsFrom ?? .min)
    let isOfCorrections = query.correctionsFrom != nil
    if let expression = TextIndex.expression(forWordsOf: words) {
      try database.statement(
        """
        SELECT logged.*,
          CASE WHEN length(logged.body) <= ?7 THEN highlight(message_words, 0, char(1), char(2)) END
        FROM message_words JOIN logged ON seq = message_words.rowid
        WHERE message_words MATCH ?1 AND message_words.rowid < ?2 AND message_words.rowid >= ?5 AND (?3 IS NULL OR conversation = ?3)
          AND (?6 = 0 OR relation = 'replaces')
        ORDER BY message_words.rowid DESC LIMIT ?4
        """
      ).scan(
        expression, end, query.conversation?.description, reading.room, start, isOfCorrections,
        StoreLimits.markedByIndex
      ) {
        take($0, marked: $0.optionalText(20))
      }
    } else if let expression = TextIndex.expression(forPartsOf: words) {
      try database.statement(
        """
        SELECT logged.* FROM message_parts JOIN logged ON seq = message_parts.rowid
        WHERE message_parts MATCH ?1 AND message_parts.rowid < ?2 AND message_parts.rowid >= ?5 AND (?3 IS NULL OR conversation = ?3)
          AND (?6 = 0 OR relation = 'replaces')
        ORDER BY message_parts.rowid DESC LIMIT ?4
        """
      ).scan(expression, end, query.conversation?.description, reading.room, start, isOfCorrections) {
        take($0, marked: nil)
      }
    } else {
      // Words that must not be there are known by the index alone.
      let excluded = TextIndex.expression(forExcludedWordsOf: words)
      try database.statement(
        """
        SELECT * FROM logged WHERE seq < ?1 AND seq >= ?5 AND (?2 IS NULL OR conversation = ?2)
          AND (?3 IS NULL OR seq NOT IN (SELECT rowid FROM message_words WHERE message_words MATCH ?3))
          AND (?6 = 0 OR relation = 'replaces')
        ORDER BY seq DESC LIMIT ?4
        """
      ).scan(end, query.conversation?.description, excluded, reading.room, start, isOfCorrections) {
        take($0, marked: nil)
      }
    }
    var page = try reading.page(database)
    var messages: [LoggedMessage] = []
    for message in page.messages {
      let corrected = corrections.contains(message.number) ? try corrected(by: message, database) : nil
      if let corrected, !query.accepts(timeOf: corrected) { continue }
      messages.append(corrected ?? message)
    }
    page.messages = messages
    return page
  }

  /// The message that a correction stands in the place of, found by the correction's text; nil: none that it counts for.
  private static func corrected(
    by correction: LoggedMessage, _ database: Database
  ) throws(DatabaseError) -> LoggedMessage? {
    // As the view `logged` finds it, which hides the corrections that count.
    let number =
      try database.first(
        """
        SELECT max(original.seq) FROM message JOIN message AS original INDEXED BY message_stanza
          ON original.stanza = message.refers AND original.conversation = message.conversation
            AND original.seq > -1099511627776 AND original.is_outgoing = message.is_outgoing
            AND (message.kind <> 'groupchat' OR message.is_outgoing = 1 OR original.sender = message.sender)
            AND original.refers IS NULL AND abs(message.written - original.written) <= 86400000
        WHERE message.seq = ?
        """, correction.number
      ) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    guard let number else { return nil }
    let found = try database.first("SELECT * FROM logged WHERE seq = ?", number) { message(in: $0) } ?? nil
    guard let found else { return nil }
    var messages = [found]
    try Relations.annotate(&messages, database)
    try correctStates(of: &messages, database)
    messages[0].hits = correction.hits
    messages[0].foundText = correction.event.body
    return messages[0]
  }

  func extendIndex(isWaitedFor: Bool) throws -> Int {
    let pieces = isWaitedFor ? StoreLimits.indexedPiecesIfWaitedFor : 1
    return try database.performOnCopyToo { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        if try TextIndex.forget(database) { indexHoldsRemoved = true }
        return try TextIndex.extend(by: pieces, database)
      }
    }
  }
}
