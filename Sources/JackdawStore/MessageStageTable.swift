// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// Messages in a temporary database: SQLite holds what fits into its cache and puts the rest into a file that has no name any more.
@Client package final class MessageStageTable: MessageStage {
  private let database: Database
  /// All from here on have been taken.
  private var end: (place: Int64, number: Int64) = (.max, .max)

  /// - Throws: ``DatabaseError``.
  package init() throws {
    database = try Database(path: "")
    try database.execute(
      """
      CREATE TABLE staged (
        number INTEGER PRIMARY KEY, place INTEGER NOT NULL, sender TEXT NOT NULL, recipient TEXT NOT NULL, stanza TEXT,
        kind TEXT NOT NULL, body TEXT NOT NULL, written INTEGER NOT NULL, carbon TEXT,
        relation TEXT, refers TEXT, reactions TEXT, reply_to TEXT, quote TEXT, received INTEGER NOT NULL, state TEXT,
        payload TEXT
      ) STRICT;
      CREATE INDEX staged_place ON staged (place, number);
      """)
  }

  package func add(_ messages: [StagedMessage]) throws {
    try database.transaction { () throws(DatabaseError) in
      for staged in messages {
        let (message, event) = (staged.message, staged.message.event)
        let relations = Relations.Columns(event.relations)
        try database.run(
          """
          INSERT INTO staged (place, sender, recipient, stanza, kind, body, written, carbon, received, state, relation,
            refers, reactions, reply_to, quote, payload)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """, staged.place.milliseconds, event.from.description, event.to.description, event.id, event.kind.rawValue,
          event.body, message.time.milliseconds, event.carbon?.rawValue, message.received.milliseconds,
          message.exportedState?.name, relations.relation, relations.refers, relations.reactions, relations.replyTo,
          relations.quote, Payloads.text(event.payload))
      }
    }
  }

  package func takeNewest(_ limit: Int) throws -> [ArrivedMessage] {
    var (messages, bytes): ([ArrivedMessage], Int) = ([], 0)
    var last = end
    try database.statement(
      """
      SELECT number, sender, recipient, stanza, kind, body, written, carbon, relation, refers, reactions, reply_to, quote,
        place, received, state, payload
      FROM staged
      WHERE (place, number) < (?, ?) ORDER BY place DESC, number DESC
      """
    ).scan(end.place, end.number) { row in
      let (number, place) = (row.integer(0), row.integer(13))
      if messages.count >= limit || bytes > StoreLimits.pageBytes {
        let growth = StoreLimits.stagedBatchGrowth
        let isFull = messages.count >= limit * growth || bytes > StoreLimits.pageBytes * growth
        if isFull || last.place - place > StoreLimits.stagedApart { return false }
      }
      last = (place, number)
      // None of them is no message: they were when they were added.
      guard let event = MessageTable.event(in: row, payloadAt: 16) else { return true }
      bytes += event.textBytes
      var message = ArrivedMessage(
        event, archiveID: nil, hasUniqueID: false, mayBeRepeated: true,
        time: Timestamp(milliseconds: row.integer(6)), received: Timestamp(milliseconds: row.integer(14)))
      message.exportedState = row.optionalText(15).flatMap { DeliveryState(name: $0) }
      messages.append(message)
      return true
    }
    end = last
    return messages.reversed()
  }
}
