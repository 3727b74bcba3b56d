// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// The index that is searched, of texts with the subjects behind them. A message is added to it some time after it was kept: to keep one is to cost no more for it.
enum TextIndex {
  /// Adds the next messages, once what was removed is taken out (``forget(_:)``).
  /// - Parameter pieces: ``StoreLimits/indexedAtOnce`` messages each.
  /// - Returns: how many are still to be added, those that were removed meanwhile counted; 0: none.
  static func extend(by pieces: Int, _ database: Database) throws(DatabaseError) -> Int {
    let through = try database.first("SELECT seq FROM indexed") { $0.integer(0) } ?? 0
    var room = StoreLimits.indexedBytesAtOnce * pieces
    let awaiting = try extendBelow(by: pieces, &room, database)
    var last = through
    let sizes = try database.all(
      "SELECT seq, length(CAST(body AS BLOB)), written FROM message WHERE seq > ? ORDER BY seq LIMIT ?", through,
      StoreLimits.indexedAtOnce * pieces
    ) { (number: $0.integer(0), bytes: Int($0.integer(1)), written: $0.integer(2)) }
    for size in sizes where room > 0 {
      room -= size.bytes
      last = size.number
      try DayTable.note(size.number, written: size.written, database)
    }
    guard last > through else { return try left(behind: through, database) + awaiting }
    try database.run(
      """
      INSERT INTO indexed_subject (seq, subject)
        SELECT seq, CASE WHEN json_valid(payload) THEN json_extract(payload, '$.subject') END AS subject FROM message
        WHERE seq > ? AND seq <= ? AND subject <> ''
      """, through, last)
    try database.run(
      "INSERT INTO message_words (rowid, body) SELECT seq, text FROM indexed_text WHERE seq > ? AND seq <= ?", through,
      last)
    try database.run(
      "INSERT INTO message_parts (rowid, body) SELECT seq, text FROM indexed_text WHERE seq > ? AND seq <= ?", through,
      last)
    try database.run("UPDATE indexed SET seq = ?", last)
    return try left(behind: last, database) + awaiting
  }

  /// How far the log goes on. To count what is there would read all of it at each piece.
  private static func left(behind number: Int64, _ database: Database) throws(DatabaseError) -> Int {
    let left = try database.first("SELECT max(seq) FROM message") { Int($0.integer(0) - number) } ?? 0
    return max(0, left)
  }

  /// Adds what was kept before the log's beginning.
  /// - Returns: how many are still to be added.
  private static func extendBelow(
    by pieces: Int, _ room: inout Int, _ database: Database
  ) throws(DatabaseError) -> Int {
    let sizes = try database.all(
      """
      SELECT seq, length(CAST(body AS BLOB)), written FROM awaiting_index JOIN message USING (seq) ORDER BY seq LIMIT ?
      """, StoreLimits.indexedAtOnce * pieces
    ) { (number: $0.integer(0), bytes: Int($0.integer(1)), written: $0.integer(2)) }
    var last: Int64?
    for size in sizes where room > 0 {
      room -= size.bytes
      last = size.number
      try DayTable.note(size.number, written: size.written, database)
    }
    guard let last else { return 0 }
    try database.run(
      """
      INSERT INTO indexed_subject (seq, subject)
        SELECT seq, CASE WHEN json_valid(payload) THEN json_extract(payload, '$.subject') END AS subject
        FROM awaiting_index JOIN message USING (seq) WHERE seq <= ? AND subject <> ''
      """, last)
    try database.run(
      """
      INSERT INTO message_words (rowid, body)
        SELECT seq, text FROM awaiting_index JOIN indexed_text USING (seq) WHERE seq <= ? ORDER BY seq
      """, last)
    try database.run(
      """
      INSERT INTO message_parts (rowid, body)
        SELECT seq, text FROM awaiting_index JOIN indexed_text USING (seq) WHERE seq <= ? ORDER BY seq
      """, last)
    try database.run("DELETE FROM awaiting_index WHERE seq <= ?", last)
    return try database.first("SELECT count(*) FROM awaiting_index") { Int($0.integer(0)) } ?? 0
  }

  /// Whether a message is in the index.
  static func holds(_ number: Int64, _ database: Database) throws(DatabaseError) -> Bool {
    try database.first(
      """
      SELECT ?1 <= (SELECT seq FROM indexed) AND NOT EXISTS (SELECT 1 FROM awaiting_index WHERE seq = ?1)
      """, number
    ) { $0.flag(0) } ?? false
  }

  /// Takes out a message that is in it, before its text changes.
  static func take(_ number: Int64, _ database: Database) throws(DatabaseError) {
    try database.run("INSERT INTO unindexed (seq, body) SELECT seq, text FROM indexed_text WHERE seq = ?", number)
    try database.run("DELETE FROM indexed_subject WHERE seq = ?", number)
    try forget(database)
  }

  /// Adds a message that was taken out, with its present text, of which the subject is no part any more.
  static func add(_ number: Int64, _ database: Database) throws(DatabaseError) {
    try database.run("INSERT INTO message_words (rowid, body) SELECT seq, text FROM indexed_text WHERE seq = ?", number)
    try database.run("INSERT INTO message_parts (rowid, body) SELECT seq, text FROM indexed_text WHERE seq = ?", number)
  }

  /// Takes out what was removed from the log.
  /// - Returns: whether there was some: its words stay in the file until the index is merged.
  @discardableResult static func forget(_ database: Database) throws(DatabaseError) -> Bool {
    let hasSome = try database.first("SELECT EXISTS (SELECT 1 FROM unindexed)") { $0.flag(0) }
    guard hasSome == true else { return false }
    try database.run("INSERT INTO message_words (message_words, rowid, body) SELECT 'delete', seq, body FROM unindexed")
    try database.run("INSERT INTO message_parts (message_parts, rowid, body) SELECT 'delete', seq, body FROM unindexed")
    try database.run("DELETE FROM unindexed")
    return true
  }

  /// Everything of the words that has some, for the index of words; nil where nothing has.
  static func expression(forWordsOf words: SearchWords) -> String? {
    let wanted = words.terms.filter { !$0.isExcluded }.compactMap(phrase)
    guard !wanted.isEmpty else { return nil }
    let excluded = words.terms.filter(\.isExcluded).compactMap(phrase)
    let all = wanted.joined(separator: " AND ")
    return excluded.isEmpty ? all : "(\(all)) NOT (\(excluded.joined(separator: " OR ")))"
  }

  static func expression(forExcludedWordsOf words: SearchWords) -> String? {
    let excluded = words.terms.filter(\.isExcluded).compactMap(phrase)
    return excluded.isEmpty ? nil : excluded.joined(separator: " OR ")
  }

  /// Each three characters of the parts, for the index of parts, which knows that they are there and not where; nil where no part is so
  /// long.
  static func expression(forPartsOf words: SearchWords) -> String? {
    var pieces: [String] = []
    for case .part(let text) in words.terms.filter({ !$0.isExcluded }).map(\.kind) {
      let scalars = Array(text.unicodeScalars.prefix(longestPart))
      guard scalars.count >= 3 else { continue }
      for start in 0...scalars.count - 3 {
        var piece = String.UnicodeScalarView()
        piece.append(contentsOf: scalars[start..<start + 3])
        pieces.append(quoted(String(piece)))
      }
    }
    return pieces.isEmpty ? nil : pieces.joined(separator: " AND ")
  }

  /// Characters of a part that are looked up: what they leave is few.
  private static let longestPart = 24

  private static func phrase(_ term: SearchWords.Term) -> String? {
    guard case .words(let text, let isPrefix) = term.kind else { return nil }
    return quoted(text) + (isPrefix ? " *" : "")
  }

  private static func quoted(_ text: String) -> String {
    var output = "\""
    for character in text.unicodeScalars where character != "\0" {
      output.unicodeScalars.append(character)
      if character == "\"" { output.append("\"") }
    }
    return output + "\""
  }

  /// Where the hits stand in a text.
  /// - Parameter marked: the text with U+0001 before and U+0002 behind each, which no message can have (XML 1.0, 2.2).
  static func hits(in marked: String, of text: String) -> [Range<Int>] {
    var hits: [Range<Int>] = []
    var place = 0
    var start: Int?
    for byte in marked.utf8 {
      switch byte {
      case 1: start = place
      case 2:
        if let begin = start, begin < place { hits.append(begin..<place) }
        start = nil
      default: place += 1
      }
    }
    return place == text.utf8.count ? hits : []
  }
}

/// Between which numbers stands what was written on a day.
enum DayTable {
  private static let milliseconds: Int64 = 86_400_000

  private static func day(_ milliseconds: Int64) -> Int64 {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: self.milliseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  static func note(_ number: Int64, written: Int64, _ database: Database) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO day (number, first, last) VALUES (?1, ?2, ?2)
      ON CONFLICT (number) DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)
      """, day(written), number)
  }

  /// Nothing is left of the days before a moment.
  static func forget(before moment: Timestamp, _ database: Database) throws(DatabaseError) {
    try database.run(
      "DELETE FROM day WHERE number < ? AND NOT EXISTS (SELECT 1 FROM message WHERE seq BETWEEN first AND last)",
      day(moment.milliseconds))
  }

  /// Between which numbers all stands that was written in the time that is asked for.
  static func bounds(_ query: LogQuery, _ database: Database) throws(DatabaseError) -> ClosedRange<Int64> {
    let everything: ClosedRange<Int64> = (MessageTable.firstPlace + 1)...(.max - 1)
    guard query.since != nil || query.until != nil else { return everything }
    // What is not in the index yet may be of any day.
    let isAwaited = try database.first("SELECT EXISTS (SELECT 1 FROM awaiting_index)") { $0.flag(0) }
    guard isAwaited != true else { return everything }
    let found = try database.first(
      "SELECT min(first), max(last) FROM day WHERE number BETWEEN ? AND ?",
      query.since.map { day($0.milliseconds) } ?? Int64.min, query.until.map { day($0.milliseconds) } ?? Int64.max
    ) { $0.isNull(0) ? nil : (first: $0.integer(0), last: $0.integer(1)) }
    let indexed = try database.first("SELECT seq FROM indexed") { $0.integer(0) } ?? 0
    let end = try MessageTable.nextNumber(database)
    let hasRest = indexed < end - 1
    guard case let days?? = found else { return hasRest ? indexed + 1...end : end...end }
    return days.first...(hasRest ? end : days.last)
  }
}
