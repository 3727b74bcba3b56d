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
    func take(_ row: Row, marked: String?) -> Bool {
      reading.take(row) { message in
        var hits = marked.map { TextIndex.hits(in: $0, of: message.event.body) } ?? []
        for part in parts {
          let places = part.places(in: message.event.body)
          let isInSubject = message.event.payload?.subject.map { !part.places(in: $0).isEmpty } ?? false
          guard (places.isEmpty && !isInSubject) == part.isExcluded else { return false }
          hits += places
        }
        message.hits = hits.sorted { $0.lowerBound < $1.lowerBound }
        return true
      }
    }
    if let expression = TextIndex.expression(forWordsOf: words) {
      try database.statement(
        """
        SELECT logged.*, highlight(message_words, 0, char(1), char(2))
        FROM message_words JOIN logged ON seq = message_words.rowid
        WHERE message_words MATCH ?1 AND message_words.rowid < ?2 AND message_words.rowid >= ?5 AND (?3 IS NULL OR conversation = ?3)
        ORDER BY message_words.rowid DESC LIMIT ?4
        """
      ).scan(expression, end, query.conversation?.description, reading.room, days.lowerBound) {
        take($0, marked: $0.text(20))
      }
    } else if let expression = TextIndex.expression(forPartsOf: words) {
      try database.statement(
        """
        SELECT logged.* FROM message_parts JOIN logged ON seq = message_parts.rowid
        WHERE message_parts MATCH ?1 AND message_parts.rowid < ?2 AND message_parts.rowid >= ?5 AND (?3 IS NULL OR conversation = ?3)
        ORDER BY message_parts.rowid DESC LIMIT ?4
        """
      ).scan(expression, end, query.conversation?.description, reading.room, days.lowerBound) { take($0, marked: nil) }
    } else {
      // Words that must not be there are known by the index alone.
      let excluded = TextIndex.expression(forExcludedWordsOf: words)
      try database.statement(
        """
        SELECT * FROM logged WHERE seq < ?1 AND seq >= ?5 AND (?2 IS NULL OR conversation = ?2)
          AND (?3 IS NULL OR seq NOT IN (SELECT rowid FROM message_words WHERE message_words MATCH ?3))
        ORDER BY seq DESC LIMIT ?4
        """
      ).scan(end, query.conversation?.description, excluded, reading.room, days.lowerBound) { take($0, marked: nil) }
    }
    return try reading.page(database)
  }

  func extendIndex(isWaitedFor: Bool) throws -> Int {
    let pieces = isWaitedFor ? StoreLimits.indexedPiecesIfWaitedFor : 1
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in try TextIndex.extend(by: pieces, database) }
    }
  }
}
