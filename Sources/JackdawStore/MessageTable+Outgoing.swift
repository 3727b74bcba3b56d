// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What is kept of ours until the server has it.
extension MessageTable {
  func keep(_ messages: [OutboxRecord], from account: JID) throws -> [Int64] {
    let account = account.bare.description
    return try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        let first = try Self.nextNumber(database)
        // What a message has besides is noted once it is there, and before the next one is.
        let runs = messages.runs { one, _ in
          one.message.relations.isEmpty && one.message.subject == nil
        }
        for run in runs {
          try OutgoingRows.insert(
            messages[run], as: first + Int64(run.lowerBound), from: account, owner: own, database)
          try Self.noteBesides(messages[run.upperBound - 1].message, first + Int64(run.upperBound) - 1, database)
        }
        try OutboxTable.keep(messages, from: first, database)
        return messages.indices.map { first + Int64($0) }
      }
    }
  }

  /// What a message says of others, and what it is about.
  private static func noteBesides(
    _ message: OutgoingMessage, _ number: Int64, _ database: Database
  ) throws(DatabaseError) {
    if !message.relations.isEmpty { try Relations.keep(message.relations, of: number, database) }
    if let subject = message.subject {
      var payload = MessagePayload()
      payload.subject = subject
      try database.run("UPDATE message SET payload = ? WHERE seq = ?", Payloads.text(payload), number)
    }
  }

  func place(
    _ messages: [(number: Int64, id: String, place: StreamPlace?)], after archiveCursor: String?
  ) throws -> Set<Int64> {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var withdrawn: Set<Int64> = []
        var open: [(number: Int64, place: StreamPlace?)] = []
        for (number, id, place) in messages {
          // A message that is not there at all was in a database that had to be replaced: nobody has withdrawn it.
          let isOpen = try database.first(
            "SELECT seq IN (SELECT message FROM outbox) FROM message WHERE seq = ? AND stanza = ?", number, id
          ) { $0.flag(0) }
          guard let isOpen else { continue }
          guard isOpen else {
            withdrawn.insert(number)
            continue
          }
          open.append((number, place))
        }
        // Those behind them will stand elsewhere: what came to stand in their place would pass for them.
        guard withdrawn.isEmpty || open.allSatisfy({ $0.place == nil }) else { return withdrawn }
        for (number, place) in open {
          try database.run(
            """
            UPDATE outbox SET stream = ?, position = ?, mark = coalesce(mark, ?, (SELECT mark FROM archive)), state = 'sent'
            WHERE message = ?
            """, place?.stream, place.map { Int64($0.position) }, archiveCursor, number)
          // One of an earlier program's.
          try database.run("UPDATE message SET state = 'sent' WHERE seq = ? AND state = 'waiting'", number)
        }
        return withdrawn
      }
    }
  }

  func settle(_ outcomes: [MessageOutcome]) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        for run in outcomes.runs(where: { $0.state == $1.state && $0.number + 1 == $1.number }) {
          try Self.settle(outcomes[run], database)
        }
      }
    }
  }

  /// The fate of messages whose numbers follow each other is the same.
  private static func settle(_ outcomes: ArraySlice<MessageOutcome>, _ database: Database) throws(DatabaseError) {
    guard let first = outcomes.first, let last = outcomes.last else { return }
    // Where the store had to begin anew numbers may be others'; where the first and the last are theirs all between are.
    guard try isThere(first, database), try isThere(last, database) else {
      guard first.number < last.number else { return }
      for index in outcomes.indices { try settle(outcomes[index...index], database) }
      return
    }
    // That the server has it is what the log says of nearly all: only what another program withdrew meanwhile, or kept otherwise, is
    // written anew.
    try database.run(
      """
      UPDATE message SET state = ?1, error = ?2, is_open = 0 WHERE seq BETWEEN ?3 AND ?4
        AND (state IS NOT ?1 OR error IS NOT ?2) AND NOT (?1 = 'server' AND state IS 'delivered')
      """, first.state.name, first.state.reason, first.number, last.number)
    try database.run("DELETE FROM outbox WHERE message BETWEEN ? AND ?", first.number, last.number)
  }

  private static func isThere(_ outcome: MessageOutcome, _ database: Database) throws(DatabaseError) -> Bool {
    try database.first("SELECT 1 FROM message WHERE seq = ? AND stanza = ?", outcome.number, outcome.id) { _ in true }
      ?? false
  }

  func advance(_ id: String, with peer: JID, to state: DeliveryState) throws -> ReportedMessage? {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let known = try database.first(
          """
          SELECT seq, recipient, ifnull((SELECT outbox.state FROM outbox WHERE outbox.message = message.seq), state), error
          FROM message INDEXED BY message_stanza
          WHERE stanza = ? AND conversation = ? AND is_outgoing = 1 AND seq > -1099511627776 ORDER BY seq DESC LIMIT 1
          """, id, peer.description
        ) { row in
          (
            number: row.integer(0), recipient: row.text(1),
            state: row.optionalText(2).flatMap { DeliveryState(name: $0, reason: row.optionalText(3)) }
          )
        }
        guard let known, let before = known.state, let to = try? JID(received: known.recipient) else { return nil }
        guard let isNoted = try Self.note(state, of: known.number, before, with: peer, database) else { return nil }
        return ReportedMessage(number: known.number, to: to, isNoted: isNoted)
      }
    }
  }

  /// - Parameter before: how far the message was known to have come, as the server has it.
  /// - Returns: whether it was noted; nil: it contradicts what is known.
  private static func note(
    _ state: DeliveryState, of number: Int64, _ before: DeliveryState, with peer: JID, _ database: Database
  ) throws(DatabaseError) -> Bool? {
    switch (state, before) {
    case (.waiting, _), (.sent, _), (.server, _), (_, .waiting), (.delivered, .failed), (.displayed, .failed),
      (.failed, .delivered), (.failed, .displayed):
      return nil
    case (_, .sent), (.delivered, .delivered), (.delivered, .displayed), (.displayed, .displayed), (.failed, .failed):
      // The program that sent it notes first that the server has it.
      return false
    case (.delivered, .server), (.failed, .server):
      let isSeen = try database.first(
        "SELECT 1 FROM conversation WHERE name = ? AND seen >= ?", peer.description, max(1, number)
      ) { _ in true }
      guard isSeen == nil else { return state == .delivered ? false : nil }
      try database.run("UPDATE message SET state = ?, error = ? WHERE seq = ?", state.name, state.reason, number)
      return true
    case (.displayed, .server), (.displayed, .delivered):
      return try database.first(
        """
        INSERT INTO conversation (name, read, seen) VALUES (?1, 0, ?2)
        ON CONFLICT (name) DO UPDATE SET seen = excluded.seen WHERE seen < excluded.seen RETURNING seen
        """, peer.description, max(0, number)
      ) { $0.integer(0) > 0 } ?? false
    }
  }

  func outbox() throws -> [OutboxItem] {
    try database.perform { database throws(DatabaseError) in
      try database.all(
        """
        SELECT seq, stanza, recipient, body, written, relation, refers, reactions, reply_to, quote, payload, kind,
          conversation, ifnull(outbox.state, message.state)
        FROM outbox CROSS JOIN message ON seq = message ORDER BY message
        """
      ) { row -> OutboxItem? in
        OutboxTable.message(in: row).map {
          OutboxItem(message: $0, state: DeliveryState(name: row.text(13)) ?? .waiting)
        }
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
          SELECT seq, recipient, ifnull(outbox.state, message.state), owner
          FROM outbox CROSS JOIN message ON seq = message WHERE stanza = ?
          """, id
        ) { ($0.integer(0), $0.text(1), $0.text(2), Int($0.integer(3))) }
        guard let (number, recipient, state, owner) = found, let to = try? JID(received: recipient) else { return nil }
        let wasSent = DeliveryState(name: state) == .sent
        if wasSent, isRunning(owner) { return .isOnItsWay(to: to) }
        let reason = Withdrawal.reason(mayHaveArrived: wasSent)
        try Self.settle([MessageOutcome(number: number, id: id, state: .failed(reason: reason))], database)
        return .withdrawn(to: to, mayHaveArrived: wasSent)
      }
    }
  }
}
