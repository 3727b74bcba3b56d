// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Messages of ours that the server may not have: whether they are written, and where they stand on the stream. `message.state` already
/// holds the final state; a row here overrides it until it is deleted, which saves an update. There are few, so each query begins with them.
enum OutboxTable {
  static let migration = Migration(
    number: 6,
    script: """
      CREATE TABLE outbox (
        message INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
        -- The stream that it was last written to, and how many stanzas that had then; NULL where it cannot be resumed.
        stream TEXT,
        position INTEGER,
        -- The archive's last id that was known when it was first written.
        mark TEXT
      ) STRICT;
      """)

  /// Keeps where messages stand that have just been kept under numbers from `first` on: mostly side by side, and so at once.
  static func keep(
    _ records: [OutboxRecord], from first: Int64, _ database: Database
  ) throws(DatabaseError) {
    let runs = records.runs { one, next in
      one.place?.stream == next.place?.stream && one.state == next.state && one.archiveCursor == next.archiveCursor
        && one.place.map { Int64($0.position) + 1 } == next.place.map { Int64($0.position) }
    }
    for run in runs {
      let record = records[run.lowerBound]
      try database.run(
        """
        INSERT INTO outbox (message, stream, position, mark, state)
        SELECT seq, ?3, ?4 + seq - ?1, CASE WHEN ?5 THEN ifnull(?6, (SELECT mark FROM archive)) END, ?7
        FROM message WHERE seq BETWEEN ?1 AND ?2
        """, first + Int64(run.lowerBound), first + Int64(run.upperBound) - 1, record.place?.stream,
        record.place.map { Int64($0.position) }, record.state == .sent, record.archiveCursor,
        record.state.name)
    }
  }

  /// What a program left, in the order of writing.
  static func left(
    by owner: Int, _ database: Database
  ) throws(DatabaseError) -> [LeftMessages.Ours] {
    try database.all(
      """
      SELECT seq, stanza, recipient, body, written, relation, refers, reactions, reply_to, quote, payload, kind,
        conversation, ifnull(outbox.state, message.state), stream, position, mark
      FROM outbox CROSS JOIN message ON seq = message WHERE owner = ? ORDER BY message
      """, owner
    ) { row -> LeftMessages.Ours? in
      guard let message = message(in: row) else { return nil }
      return LeftMessages.Ours(
        number: row.integer(0), message: message, state: DeliveryState(name: row.text(13)) ?? .waiting,
        place: row.optionalText(14).map {
          StreamPlace(stream: $0, position: UInt32(truncatingIfNeeded: row.integer(15)))
        }, archiveCursor: row.optionalText(16))
    }
    .compactMap { $0 }
  }

  /// The programs whose messages are open, but for those that could lock no number.
  static func owners(_ database: Database) throws(DatabaseError) -> [Int] {
    try database.all(
      "SELECT DISTINCT owner FROM outbox CROSS JOIN message ON seq = message WHERE owner >= 0"
    ) { Int($0.integer(0)) }
  }

  /// What of a program's a single command may send in its place: all that a single command left. Of a program that remained online,
  /// messages to people: what it never sent, and behind nothing that it did. Its stream may be resumed by the next such program, and then
  /// says what arrived; where it left none, whatever it sent is a command's to look for, too. Rooms are entered by programs that remain
  /// online.
  static func forCommands(of owner: Int, _ database: Database) throws(DatabaseError) -> [Int64] {
    try database.all(
      """
      WITH open AS (
        SELECT seq, conversation, kind, ifnull(outbox.state, message.state) AS fate
        FROM outbox CROSS JOIN message ON seq = message WHERE owner = ?1
      )
      SELECT seq FROM open WHERE ?1 BETWEEN ?2 AND ?3
        OR kind <> 'groupchat' AND instr(conversation, '/') = 0 AND (
          NOT EXISTS (SELECT 1 FROM stream WHERE owner = ?1)
          OR conversation NOT IN (SELECT conversation FROM open WHERE fate <> 'waiting')
        )
      """, owner, StoreLimits.firstCommand, StoreLimits.furtherLongRunning - 1
    ) { $0.integer(0) }
  }

  /// What a program left is another one's now.
  static func pass(from owner: Int, to other: Int, _ database: Database) throws(DatabaseError) {
    try database.run(
      "UPDATE message SET owner = ? WHERE seq IN (SELECT message FROM outbox) AND owner = ?", other, owner)
  }

  /// - Parameter row: its first columns are number, id, recipient, body and time, what ``Relations/relations(in:at:)`` reads, and what
  ///   the message carries beside its text; then kind and conversation.
  static func message(in row: Row) -> OutgoingMessage? {
    // An address that is none any more, as the rules have changed since, cannot be written to.
    guard let to = try? JID(received: row.text(2)) else { return nil }
    var body = row.text(3)
    var relations = Relations.relations(in: row, at: 5)
    Relations.separate(&body, &relations, in: row, at: 5)
    let isOfRoom = row.text(11) == Message.Kind.groupchat.rawValue
    let addressing: Addressing = isOfRoom ? .room : row.text(12).contains("/") ? .occupant : .person
    return OutgoingMessage(
      id: row.text(1), to: to, addressing: addressing, body: body, time: Timestamp(milliseconds: row.integer(4)),
      relations: relations,
      subject: Payloads.payload(row.optionalText(10))?.subject)
  }
}
