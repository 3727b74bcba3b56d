// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The message log: everything said, theirs and ours, in the order in which it is to be read. What waits to be sent has a row in
/// ``OutboxTable`` too.
///
/// How what comes is kept is in `MessageTable+Incoming.swift`, and several at once in ``NewRows``, how that is known which comes to
/// several programs in `MessageTable+Beside.swift`, what was presented to whom in `MessageTable+Cursors.swift`, ours in
/// `MessageTable+Outgoing.swift`.
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

  /// No message of the log has this number or a lower one; those that do wait for their place.
  /// It stands as a number in what SQLite has to know before a statement runs.
  nonisolated static let firstPlace: Int64 = -(1 << 40)
  /// The first number of messages that wait for their place: below all others, so that nobody is presented them.
  nonisolated static let firstPostponed = Int64.min / 2

  let database: AccountDatabase
  let instances: Instances
  let quota: StrangersQuota
  var onBegunAnew: (@Client () -> Void)?
  var isTemporary: Bool { database.isTemporary }
  /// How often the numbers began anew, as the database had to be replaced.
  private(set) var beginnings = 0
  /// Messages that another program logged, and that came to this one too (``loggedBeside(_:before:_:_:_:)``).
  /// Bounded by ``StoreLimits/besideRemembered``.
  var matchedBeside: Set<Int64> = []
  /// Messages that the server has given again on the present stream, and that have nothing that names them alone: what is alike and
  /// comes after that is another one. Bounded by ``StoreLimits/repetitionsRemembered``.
  var repeatedOnStream: Set<Int64> = []

  private var hasToldOfRemoval = false

  init(_ database: AccountDatabase, _ instances: Instances, quota: StrangersQuota = StrangersQuota()) {
    self.database = database
    self.instances = instances
    self.quota = quota
    database.onBegunAnew { [weak self] in
      self?.beginnings += 1
      self?.matchedBeside = []
      self?.repeatedOnStream = []
      self?.instances.followFile()
      self?.onBegunAnew?()
    }
  }

  // MARK: What is left

  func adopt() throws -> LeftMessages {
    let shows = instances.kind == .longRunning
    let isRunning = { @Client [instances] (number: Int) in instances.isRunning(number) }
    return try database.perform { database throws(DatabaseError) in
      let own = instances.own
      return try database.transaction { () throws(DatabaseError) in
        var left = LeftMessages()
        guard shows else {
          for owner in try OutboxTable.owners(database) where owner != own && !isRunning(owner) {
            for message in try OutboxTable.forCommands(of: owner, database) {
              try database.run("UPDATE message SET owner = ? WHERE seq = ?", own, message)
            }
          }
          left.ours = try OutboxTable.left(by: own, database)
          return left
        }
        let owners = try database.all(
          """
          SELECT owner FROM outbox CROSS JOIN message ON seq = message
          UNION SELECT owner FROM message WHERE seq < ?
          """, Self.firstPlace
        ) { Int($0.integer(0)) }
        for owner in owners where owner != own && !isRunning(owner) {
          try OutboxTable.pass(from: owner, to: own, database)
          try database.run("UPDATE message SET owner = ? WHERE seq < ? AND owner = ?", own, Self.firstPlace, owner)
        }
        _ = try Strangers.makeRoom(quota, database)
        left.ours = try OutboxTable.left(by: own, database)
        left.hasPostponed =
          try database.first("SELECT 1 FROM message WHERE seq < ? AND owner = ? LIMIT 1", Self.firstPlace, own) {
            $0.flag(0)
          } ?? false
        return left
      }
    }
  }

  /// Once is enough.
  func tellOfRemoval() {
    guard !hasToldOfRemoval else { return }
    hasToldOfRemoval = true
    database.warn(StoreWarning(consequence: .strangersRemoved))
  }

  // MARK: The archive

  func archiveCursor() throws -> String? {
    try database.perform { database throws(DatabaseError) in
      try database.first("SELECT mark FROM archive") { $0.text(0) }
    }
  }

  func keepArchiveCursor(_ archiveCursor: String, overlap: String?) throws {
    try database.perform { database throws(DatabaseError) in try Self.keepCursor(archiveCursor, overlap, database) }
  }

  func place(before archiveID: String) throws -> String? {
    try database.perform { database throws(DatabaseError) in
      // What was read from the archive up to there says it, whatever that is: a receipt has no row.
      let overlap = try database.first("SELECT overlap FROM archive WHERE mark = ?", archiveID) { $0.optionalText(0) }
      if let start = overlap ?? nil { return start }
      // The archive's times count among what it gave, and ours among what came by itself.
      return try database.first(
        """
        SELECT earlier.archive FROM message AS last CROSS JOIN message AS earlier
        WHERE last.archive = ?1 AND last.kind <> 'groupchat' AND earlier.seq < last.seq AND earlier.seq > max(0, last.seq - ?3)
          AND earlier.archive IS NOT NULL AND earlier.kind <> 'groupchat'
          AND CASE WHEN last.is_late THEN earlier.is_late AND earlier.written <= last.written - ?2
            ELSE earlier.received <= last.received - ?2 END
        ORDER BY earlier.seq DESC LIMIT 1
        """, archiveID, SessionLimits.overtakingMilliseconds, StoreLimits.overtakenLookedAt
      ) { $0.text(0) }
    }
  }

  static func keepCursor(_ archiveCursor: String, _ overlap: String?, _ database: Database) throws(DatabaseError) {
    // One that stays where it is stays as it is known.
    try database.run(
      """
      INSERT INTO archive (id, mark, overlap) VALUES (1, ?1, ?2)
      ON CONFLICT (id) DO UPDATE SET
        overlap = CASE WHEN mark = excluded.mark THEN ifnull(excluded.overlap, overlap) ELSE excluded.overlap END,
        mark = excluded.mark
      """, archiveCursor, overlap)
  }
}
