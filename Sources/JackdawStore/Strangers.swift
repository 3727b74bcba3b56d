// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What strangers may take of the log: those who are not on the contact list and to whom nothing was ever written. Anybody can write
/// to anybody, and as much as the server lets through; so their messages share some room, and the oldest of them go first. Nothing
/// that a contact wrote is ever removed, whoever writes how much.
///
/// Who is one is looked up when a message is kept, and once more before any is removed. Without a contact list nobody is.
enum Strangers {
  /// What was looked up before, for as long as nobody else can have written to the database.
  struct Known {
    /// By the address of their conversation.
    fileprivate var strangers: [JID: Bool] = [:]
    /// The last of them, and to whom that one wrote: most messages are of the conversation that the one before was of.
    fileprivate var last: (conversation: JID, to: JID, isStranger: Bool)?
  }

  /// - Parameter known: what was looked up for the messages before.
  static func include(
    _ message: ArrivedMessage, _ known: inout Known, _ database: Database
  ) throws(DatabaseError) -> Bool {
    let (event, conversation) = (message.event, message.conversation)
    // The user has chosen to be in a room.
    guard event.carbon != .sent, event.kind != .groupchat else { return false }
    if let last = known.last, last.conversation == conversation, last.to == event.to { return last.isStranger }
    let isStranger = try includes(conversation, writing: event.to, &known, database)
    known.last = (conversation, event.to, isStranger)
    return isStranger
  }

  private static func includes(
    _ conversation: JID, writing to: JID, _ known: inout Known, _ database: Database
  ) throws(DatabaseError) -> Bool {
    guard conversation != to.bare, !conversation.isServer(of: to) else { return false }
    if let isStranger = known.strangers[conversation] { return isStranger }
    // By that index: the one of conversations, which SQLite would take, has all that they have said.
    let isStranger =
      try database.first(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM roster) AND NOT EXISTS (SELECT 1 FROM roster_item WHERE jid = ?1)
          AND NOT EXISTS (SELECT 1 FROM message INDEXED BY message_ours WHERE conversation = ?1 AND is_outgoing = 1)
        """, conversation.description
      ) { $0.flag(0) } ?? false
    known.strangers[conversation] = isStranger
    return isStranger
  }

  /// Removes the oldest messages of strangers where they have more than their room, and those that have been kept long enough.
  /// - Parameter quota: their room.
  /// - Returns: how many were removed for want of room.
  static func makeRoom(_ quota: StrangersQuota, _ database: Database) throws(DatabaseError) -> Int {
    let expired = try database.first(
      """
      SELECT received < (strftime('%s', 'now') - ?) * 1000 FROM message WHERE strangers_bytes IS NOT NULL
      ORDER BY seq LIMIT 1
      """, quota.days * 86_400
    ) { $0.flag(0) }
    // None at all.
    guard let expired else { return 0 }
    let isTooMuch = try use(database).exceeds(quota)
    guard expired || isTooMuch else { return 0 }
    try database.run(
      """
      UPDATE message SET strangers_bytes = NULL
      WHERE strangers_bytes IS NOT NULL AND (conversation IN (SELECT jid FROM roster_item)
        OR EXISTS (SELECT 1 FROM message AS ours INDEXED BY message_ours WHERE ours.conversation = message.conversation AND ours.is_outgoing = 1))
      """)
    if expired {
      // The log's last number is not given twice.
      let removed = try database.all(
        """
        DELETE FROM message WHERE strangers_bytes IS NOT NULL AND received < (strftime('%s', 'now') - ?) * 1000
          AND seq < (SELECT max(seq) FROM message) RETURNING archive
        """, quota.days * 86_400
      ) { $0.optionalText(0) }
      try remember(removed, database)
    }
    let removed = isTooMuch ? try removeOldest(quota, database) : 0
    try database.run(
      "DELETE FROM unpresented WHERE NOT EXISTS (SELECT 1 FROM message WHERE message.seq = unpresented.seq)")
    return removed
  }

  private static func use(_ database: Database) throws(DatabaseError) -> Use {
    try database.first(
      "SELECT count(*), ifnull(sum(strangers_bytes), 0) FROM message WHERE strangers_bytes IS NOT NULL"
    ) { Use(messages: Int($0.integer(0)), bytes: Int($0.integer(1))) } ?? Use(messages: 0, bytes: 0)
  }

  /// Some more than is needed, so that it is not done at each message.
  private static func removeOldest(_ quota: StrangersQuota, _ database: Database) throws(DatabaseError) -> Int {
    var left = try use(database)
    guard left.exceeds(quota) else { return 0 }
    let sizes = try database.all(
      "SELECT seq, strangers_bytes FROM message WHERE strangers_bytes IS NOT NULL ORDER BY seq"
    ) { (seq: $0.integer(0), bytes: Int($0.integer(1))) }
    var (last, count): (Int64, Int) = (0, 0)
    for size in sizes where left.exceeds(quota.threeQuarters) {
      left.messages -= 1
      left.bytes -= size.bytes
      (last, count) = (size.seq, count + 1)
    }
    let removed = try database.all(
      """
      DELETE FROM message WHERE strangers_bytes IS NOT NULL AND seq <= ? AND seq < (SELECT max(seq) FROM message)
      RETURNING archive
      """, last
    ) { $0.optionalText(0) }
    try remember(removed, database)
    return count
  }

  /// The archive may give them once more, where it is read from a place before them.
  /// - Parameter ids: in our server's archive, or ``memory(ofOwn:)``.
  static func remember(_ ids: [String?], _ database: Database) throws(DatabaseError) {
    for case let id? in ids { try database.run("INSERT OR IGNORE INTO removed_message (archive) VALUES (?)", id) }
    try database.run(
      "DELETE FROM removed_message WHERE number <= (SELECT max(number) FROM removed_message) - ?",
      StoreLimits.removedRemembered)
  }

  /// Whether a message was removed not long ago.
  /// - Parameter id: its id in our server's archive, or ``memory(ofOwn:)``.
  static func wasRemoved(_ id: String, _ database: Database) throws(DatabaseError) -> Bool {
    try database.first("SELECT EXISTS (SELECT 1 FROM removed_message WHERE archive = ?)", id) { $0.flag(0) } ?? false
  }

  /// What is remembered of a message of ours in place of its id in the archive.
  static func memory(ofOwn stanza: String) -> String { "id:" + stanza }

  private struct Use {
    var messages: Int
    var bytes: Int

    func exceeds(_ quota: StrangersQuota) -> Bool { messages > quota.messages || bytes > quota.bytes }
  }
}

/// Keeps the strangers' room while a batch is written. A page of the archive alone may be several times as large as it, and a
/// database's file never gets smaller.
struct StrangersRoom {
  private let quota: StrangersQuota
  /// What has been written since the room was last looked at. Bounded by a quarter of it and a message.
  private var bytes = 0
  private var hasAny = false
  /// How many were removed for want of room.
  private(set) var removed = 0

  init(_ quota: StrangersQuota) { self.quota = quota }

  /// A stranger's message is added.
  /// - Returns: whether there is to be made room, as soon as all that was added is written.
  mutating func took(_ message: ArrivedMessage) -> Bool {
    hasAny = true
    bytes += message.event.textBytes + message.bytesBesideText
    return bytes > quota.bytes / 4
  }

  /// What a batch's end needs.
  mutating func finish(_ database: Database) throws(DatabaseError) {
    if hasAny { try makeRoom(database) }
  }

  /// Removes what is too much.
  mutating func makeRoom(_ database: Database) throws(DatabaseError) {
    removed += try Strangers.makeRoom(quota, database)
    bytes = 0
  }
}

/// How much of the log strangers may take, all together.
struct StrangersQuota: Sendable {
  var messages = StoreLimits.strangersMessages
  /// Of their texts.
  var bytes = StoreLimits.strangersBytes
  /// How long each is kept at most.
  var days = StoreLimits.strangersDays

  var threeQuarters: StrangersQuota { StrangersQuota(messages: messages / 4 * 3, bytes: bytes / 4 * 3, days: days) }
}

extension ArrivedMessage {
  /// Bytes of its ids and its sender's address, each of which stands in the row and in an index, beyond those that they usually take.
  var bytesBesideText: Int {
    var bytes = event.from.description.utf8.count + (event.id?.utf8.count ?? 0) + (archiveID?.utf8.count ?? 0)
    for relation in event.relations {
      switch relation {
      case .replaces(let id), .retracts(let id), .replies(let id, _): bytes += id.utf8.count
      case .reacts(let id, let with): bytes += with.reduce(id.utf8.count) { $0 + $1.utf8.count }
      }
    }
    return max(0, 2 * bytes - StoreLimits.usualBesideText)
  }
}
