// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Messages of ours on their way into the log's table, several by one statement, as ``NewRows`` has those that came.
enum OutgoingRows {
  /// How many one statement inserts: it opens the table and its indexes once for all of them. Sixteen cost two thirds of as many statements.
  private static let atOnce = 16

  /// Inserts the rows of messages as what they will be when they are in the outbox no more: the server has them. An earlier program that
  /// still runs removes no row with `is_open`, so they have it; nothing else reads it.
  /// - Parameters:
  ///   - first: the number of the first one; those of the others follow.
  ///   - account: whose they are.
  ///   - owner: the number of the program that keeps them.
  static func insert(
    _ records: ArraySlice<OutboxRecord>, as first: Int64, from account: String, owner: Int, _ database: Database
  ) throws(DatabaseError) {
    var (rest, number) = (records, first)
    while !rest.isEmpty {
      let rows = rest.prefix(rest.count < atOnce ? 1 : atOnce)
      guard rows.count == atOnce else {
        try database.run(
          """
          INSERT INTO message
            (seq, conversation, sender, recipient, is_outgoing, stanza, kind, body, written, received, owner, state, is_open,
             is_unique)
          VALUES (?1, ?5, ?2, ?6, 1, ?7, ?8, ?9, ?10, ?11, ?3, ?4, 1, 1)
          """
        ) { bind(rows, as: number, from: account, owner: owner, to: &$0) }
        rest.removeFirst()
        number += 1
        continue
      }
      // What is wrong ends the transaction: to be able to undo this statement alone, SQLite would keep copies of pages. A `?` without a
      // number follows the highest one before it, and so the first row has them all.
      try database.run(
        """
        INSERT OR FAIL INTO message
          (seq, conversation, sender, recipient, is_outgoing, stanza, kind, body, written, received, owner, state, is_open,
           is_unique)
        VALUES
          (?1, ?5, ?2, ?6, 1, ?7, ?8, ?9, ?10, ?11, ?3, ?4, 1, 1),
          (?1 + 1, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 2, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 3, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 4, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 5, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 6, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 7, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 8, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 9, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 10, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 11, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 12, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 13, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 14, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1),
          (?1 + 15, ?, ?2, ?, 1, ?, ?, ?, ?, ?, ?3, ?4, 1, 1)
        """
      ) { bind(rows, as: number, from: account, owner: owner, to: &$0) }
      rest.removeFirst(atOnce)
      number += Int64(atOnce)
    }
  }

  /// Binds what those statements take: first what is the same for all rows.
  private static func bind(
    _ rows: ArraySlice<OutboxRecord>, as number: Int64, from account: String, owner: Int,
    to values: inout StatementValues
  ) {
    values.bind(number)
    values.bind(account)
    values.bind(owner)
    values.bind(DeliveryState.server.name)
    for index in rows.indices {
      let message = rows[index].message
      values.bind(message.conversation.description)
      values.bind(message.to.description)
      values.bind(message.id)
      values.bind((message.addressing == .room ? Message.Kind.groupchat : .chat).rawValue)
      values.bind(message.body)
      // Written, and received.
      values.bind(message.time.milliseconds)
      values.bind(message.time.milliseconds)
    }
  }
}
