// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Messages of ours that the server may not have: what ``MessageTable`` says of them, and where they stand on the stream.
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

  /// What a program left, in the order of writing.
  static func left(
    by owner: Int, _ database: Database
  ) throws(DatabaseError) -> [LeftMessages.Ours] {
    try database.all(
      """
      SELECT id, stanza, recipient, body, time, state, stream, position, mark
      FROM message JOIN outbox ON message = id WHERE is_open = 1 AND owner = ? ORDER BY id
      """, owner
    ) { row -> LeftMessages.Ours? in
      guard let message = message(in: row) else { return nil }
      return LeftMessages.Ours(
        number: row.integer(0), message: message, wasSent: row.text(5) == OutboxItem.State.sent.rawValue,
        place: row.optionalText(6).map {
          StreamPlace(stream: $0, position: UInt32(truncatingIfNeeded: row.integer(7)))
        }, mark: row.optionalText(8))
    }
    .compactMap { $0 }
  }

  /// The single commands whose messages are open, and which have no stream that might tell of them.
  static func commandsWithoutStream(_ database: Database) throws(DatabaseError) -> [Int] {
    try database.all(
      """
      SELECT DISTINCT owner FROM message
      WHERE is_open = 1 AND is_ours = 1 AND carbon IS NULL AND owner >= ? AND owner NOT IN (SELECT owner FROM stream)
      """, StoreLimits.firstCommand
    ) { Int($0.integer(0)) }
  }

  /// What a program left is another one's now.
  static func pass(from owner: Int, to other: Int, _ database: Database) throws(DatabaseError) {
    try database.run(
      "UPDATE message SET owner = ? WHERE is_open = 1 AND owner = ? AND is_ours = 1 AND carbon IS NULL", other, owner)
  }

  /// - Parameter row: its first columns are number, id, recipient, body and time.
  static func message(in row: Row) -> OutgoingMessage? {
    // An address that is none any more, as the rules have changed since, cannot be written to.
    guard let to = try? JID(row.text(2)) else { return nil }
    return OutgoingMessage(
      id: row.text(1), to: to, body: row.text(3), time: Timestamp(milliseconds: row.integer(4)))
  }
}

extension MessageTable {
  func keep(_ messages: [OutboxRecord], from account: JID) throws -> [Int64] {
    let own = instances.own
    let account = account.bare.description
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var numbers: [Int64] = []
        numbers.reserveCapacity(messages.count)
        for record in messages {
          let message = record.message
          let state: OutboxItem.State = record.wasSent ? .sent : .waiting
          let number = try database.first(
            """
            INSERT INTO message (peer, sender, recipient, is_ours, stanza, kind, body, time, owner, state, is_open)
            VALUES (?, ?, ?, 1, ?, 'chat', ?, ?, ?, ?, 1) RETURNING id
            """, message.to.bare.description, account, message.to.description, message.id, message.body,
            message.time.milliseconds, own, state.rawValue
          ) { $0.integer(0) }
          try database.run(
            """
            INSERT INTO outbox (message, stream, position, mark)
            VALUES (?, ?, ?, CASE WHEN ? THEN ifnull(?, (SELECT mark FROM archive)) END)
            """, number, record.place?.stream, record.place.map { Int64($0.position) }, record.wasSent, record.mark)
          numbers.append(number ?? 0)
        }
        return numbers
      }
    }
  }

  func place(
    _ messages: [(number: Int64, id: String, place: StreamPlace?)], after mark: String?
  ) throws -> Set<Int64> {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var withdrawn: Set<Int64> = []
        for (number, id, place) in messages {
          // A message that is not there at all was in a database that had to be replaced: nobody has withdrawn it.
          let isOpen = try database.first("SELECT is_open FROM message WHERE id = ? AND stanza = ?", number, id) {
            $0.flag(0)
          }
          guard let isOpen else { continue }
          guard isOpen else {
            withdrawn.insert(number)
            continue
          }
          try database.run(
            """
            UPDATE outbox SET stream = ?, position = ?, mark = coalesce(mark, ?, (SELECT mark FROM archive))
            WHERE message = ?
            """, place?.stream, place.map { Int64($0.position) }, mark, number)
          try database.run("UPDATE message SET state = 'sent' WHERE id = ? AND state = 'waiting'", number)
        }
        return withdrawn
      }
    }
  }

  func settle(_ outcomes: [MessageOutcome]) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        for outcome in outcomes { try Self.settle(outcome, database) }
      }
    }
  }

  private static func settle(_ outcome: MessageOutcome, _ database: Database) throws(DatabaseError) {
    let known = try database.first(
      "UPDATE message SET state = ?, error = ?, is_open = 0 WHERE id = ? AND stanza = ? RETURNING id",
      outcome.state.rawValue, outcome.error, outcome.number, outcome.id
    ) { $0.integer(0) }
    if let known { try database.run("DELETE FROM outbox WHERE message = ?", known) }
  }

  func outbox() throws -> [OutboxItem] {
    try database.perform { database throws(DatabaseError) in
      try database.all(
        """
        SELECT id, stanza, recipient, body, time, state FROM message JOIN outbox ON message = id
        WHERE is_open = 1 ORDER BY id
        """
      ) { row -> OutboxItem? in
        OutboxTable.message(in: row).map { OutboxItem(message: $0, state: .init(rawValue: row.text(5)) ?? .waiting) }
      }
      .compactMap { $0 }
    }
  }

  func withdraw(_ id: String) throws -> Withdrawal? {
    let isRunning = { @Client [instances] (number: Int) in number != instances.own && instances.isRunning(number) }
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) -> Withdrawal? in
        let found = try database.first(
          """
          SELECT id, recipient, state, owner FROM message JOIN outbox ON message = id WHERE is_open = 1 AND stanza = ?
          """, id
        ) { ($0.integer(0), $0.text(1), $0.text(2), Int($0.integer(3))) }
        guard let (number, recipient, state, owner) = found, let to = try? JID(recipient) else { return nil }
        if state == OutboxItem.State.sent.rawValue, isRunning(owner) { return .isOnItsWay(to: to) }
        try Self.settle(MessageOutcome(number: number, id: id, state: .failed, error: "it was withdrawn"), database)
        return .withdrawn(to: to)
      }
    }
  }
}
