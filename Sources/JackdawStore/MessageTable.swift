// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Messages, theirs and ours, in the order in which they were kept. What waits to be sent has a row in ``OutboxTable`` too.
@Client final class MessageTable: MessageStore {
  nonisolated static let migration = Migration(
    number: 5,
    script: """
      CREATE TABLE message (
        id INTEGER PRIMARY KEY,
        -- The bare address whom the conversation is with.
        peer TEXT NOT NULL,
        sender TEXT NOT NULL,
        recipient TEXT NOT NULL,
        -- We wrote it, here or on another device.
        is_ours INTEGER NOT NULL,
        -- Its attribute id.
        stanza TEXT,
        -- Its id in our server's archive.
        archive TEXT UNIQUE,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        -- Milliseconds since 1970: when it was written, as far as known.
        time INTEGER NOT NULL,
        -- Which way it went that another device of ours sent or received: 'sent', 'received'.
        carbon TEXT,
        -- The number of the program that kept it.
        owner INTEGER NOT NULL,
        -- Of ours: 'waiting', 'sent', 'server', 'failed'.
        state TEXT,
        error TEXT,
        -- Theirs was not shown yet; the server may not have ours.
        is_open INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX message_peer ON message (peer, stanza);
      CREATE INDEX message_open ON message (id) WHERE is_open = 1;
      CREATE TABLE archive (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mark TEXT NOT NULL
      ) STRICT;
      """)

  let database: AccountDatabase
  let instances: Instances
  var onBegunAnew: (@Client () -> Void)?
  var isTemporary: Bool { database.isTemporary }

  init(_ database: AccountDatabase, _ instances: Instances) {
    self.database = database
    self.instances = instances
    database.onBegunAnew { [weak self] in
      // The numbers begin anew.
      _ = self.map { $0.instances.takeShownMark(of: $0.instances.own) }
      self?.onBegunAnew?()
    }
  }

  // MARK: Theirs

  func record(_ message: ArrivedMessage, movesMark: Bool, held: Int64?) throws -> MessageRecord {
    let own = instances.own
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        if let held { try HeldTable.forget(held, message, by: own, database) }
        if movesMark, let mark = message.archiveID { try Self.keepMark(mark, database) }
        if let owner = try Self.owner(of: message, database) { return owner == own ? .known : .knownElsewhere }
        let event = message.event
        let isOurs = event.carbon == .sent
        let number = try database.first(
          """
          INSERT INTO message
            (peer, sender, recipient, is_ours, stanza, archive, kind, body, time, carbon, owner, state, is_open)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) RETURNING id
          """, message.peer.description, event.from.description, event.to.description, isOurs, event.id,
          message.archiveID, event.kind.rawValue, event.body, message.time.milliseconds, event.carbon?.rawValue, own,
          isOurs ? MessageOutcome.State.server.rawValue : nil
        ) { $0.integer(0) }
        return .new(number ?? 0)
      }
    }
  }

  /// Who has kept the same message before; nil: nobody.
  private static func owner(of message: ArrivedMessage, _ database: Database) throws(DatabaseError) -> Int? {
    if let archiveID = message.archiveID,
      let owner = try database.first("SELECT owner FROM message WHERE archive = ?", archiveID, read: { $0.integer(0) })
    {
      return Int(owner)
    }
    let isOurs = message.event.carbon == .sent
    guard let stanza = message.event.id, message.hasUniqueID || message.mayBeRepeated || isOurs else { return nil }
    // One that is known by another id of the archive is another one, whatever its own id, unless that names it alone. What was
    // sent from here, by another program, has an id of ours.
    let known = try database.first(
      """
      SELECT id, owner FROM message WHERE peer = ? AND stanza = ? AND is_ours = ? AND body = ?
        AND (? OR (? AND archive IS NULL) OR (is_ours = 1 AND carbon IS NULL)) LIMIT 1
      """, message.peer.description, stanza, isOurs, message.event.body, message.hasUniqueID, message.mayBeRepeated
    ) { ($0.integer(0), $0.integer(1)) }
    guard let (number, owner) = known else { return nil }
    if let archiveID = message.archiveID {
      try database.run("UPDATE message SET archive = ? WHERE id = ? AND archive IS NULL", archiveID, number)
    }
    return Int(owner)
  }

  func noteShown(_ numbers: [Int64]) throws {
    try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        // In a database that was begun anew the number may be another's, but none of ours is closed by it.
        for number in numbers {
          try database.run(
            "UPDATE message SET is_open = 0 WHERE id = ? AND (is_ours = 0 OR carbon IS NOT NULL)", number)
        }
      }
    }
  }

  func markShown(_ number: Int64) { instances.markShown(number) }

  // MARK: What is left

  func adopt() throws -> LeftMessages {
    let own = instances.own
    let shows = instances.kind == .staying
    let isRunning = { @Client [instances] (number: Int) in instances.isRunning(number) }
    return try database.perform { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var left = LeftMessages()
        guard shows else {
          for owner in try OutboxTable.commandsWithoutStream(database) where owner != own && !isRunning(owner) {
            try OutboxTable.pass(from: owner, to: own, database)
          }
          left.ours = try OutboxTable.left(by: own, database)
          return left
        }
        let owners = try database.all(
          "SELECT owner FROM message WHERE is_open = 1 UNION SELECT owner FROM held"
        ) { Int($0.integer(0)) }
        let gone = owners.filter { $0 != own && !isRunning($0) }
        // Before anybody's become ours, of which our own mark says nothing.
        for owner in gone + [own] {
          guard let mark = instances.takeShownMark(of: owner) else { continue }
          try database.run(
            """
            UPDATE message SET is_open = 0
            WHERE is_open = 1 AND owner = ? AND id <= ? AND (is_ours = 0 OR carbon IS NOT NULL)
            """, owner, mark)
        }
        for owner in gone {
          try database.run("UPDATE message SET owner = ? WHERE is_open = 1 AND owner = ?", own, owner)
          try database.run("UPDATE held SET owner = ? WHERE owner = ?", own, owner)
        }
        left.ours = try OutboxTable.left(by: own, database)
        left.theirs = try Self.unread(of: own, after: 0, limit: StoreLimits.adoptedUnread, database)
        left.held = try HeldTable.left(by: own, database)
        return left
      }
    }
  }

  func unread(after number: Int64, limit: Int) throws -> [(number: Int64, event: MessageArrived)] {
    let own = instances.own
    return try database.perform { database throws(DatabaseError) in
      try Self.unread(of: own, after: number, limit: limit, database)
    }
  }

  private static func unread(
    of owner: Int, after number: Int64, limit: Int, _ database: Database
  ) throws(DatabaseError) -> [(number: Int64, event: MessageArrived)] {
    try database.all(
      """
      SELECT id, sender, recipient, stanza, kind, body, time, carbon FROM message
      WHERE is_open = 1 AND id > ? AND owner = ? AND (is_ours = 0 OR carbon IS NOT NULL) ORDER BY id LIMIT ?
      """, number, owner, limit
    ) { row -> (number: Int64, event: MessageArrived)? in
      guard let from = try? JID(row.text(1)), let to = try? JID(row.text(2)) else { return nil }
      return (
        row.integer(0),
        MessageArrived(
          id: row.optionalText(3), from: from, to: to, kind: Message.Kind(rawValue: row.text(4)) ?? .chat,
          body: row.text(5), delayed: Timestamp(milliseconds: row.integer(6)),
          carbon: row.optionalText(7).flatMap(MessageArrived.Carbon.init))
      )
    }
    .compactMap { $0 }
  }

  // MARK: The archive

  func archiveMark() throws -> String? {
    try database.perform { database throws(DatabaseError) in
      try database.first("SELECT mark FROM archive") { $0.text(0) }
    }
  }

  func keepArchiveMark(_ mark: String) throws {
    try database.perform { database throws(DatabaseError) in try Self.keepMark(mark, database) }
  }

  private static func keepMark(_ mark: String, _ database: Database) throws(DatabaseError) {
    try database.run("INSERT OR REPLACE INTO archive (id, mark) VALUES (1, ?)", mark)
  }
}
