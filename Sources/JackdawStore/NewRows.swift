// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Messages on their way into the log's table, several by one statement: more than a third of what it costs to insert one goes into opening
/// and closing the table and its nine indexes, which a statement does once, however many rows it has.
///
/// They are messages that came, of which nothing is to be done once they are there. Whoever looks for rows of the table that may be
/// among those that wait has them written before.
struct NewRows {
  private struct Place {
    /// In the messages.
    var index: Int
    var seq: Int64
    var isStrangers: Bool
    var marks: Marks?
  }

  /// By what a message may be the same as another, as numbers, which are compared at once.
  private struct Marks {
    private let id: Int?
    private let archiveID: Int?

    init(of message: ArrivedMessage) {
      id = message.event.id?.hashValue
      archiveID = message.archiveID?.hashValue
    }

    func mayBe(_ other: Marks) -> Bool {
      id != nil && id == other.id || archiveID != nil && archiveID == other.archiveID
    }
  }

  /// How many one statement inserts: sixteen cost 62 of what as many statements do in 100, eight 67.
  private static let atOnce = 16

  private let messages: [ArrivedMessage]
  private let owner: Int
  /// Fewer than ``atOnce``.
  private var waiting: [Place] = []
  /// One of the messages is looked for among those that wait.
  private let hasSought: Bool

  /// - Parameters:
  ///   - messages: those that may be added.
  ///   - owner: the number of the program that keeps them.
  init(of messages: [ArrivedMessage], owner: Int) {
    self.messages = messages
    self.owner = owner
    hasSought = messages.contains(where: Self.isSought)
    waiting.reserveCapacity(Self.atOnce)
  }

  /// Whether a message may wait: it is theirs, has no row yet, and says nothing of others.
  static func takes(_ message: ArrivedMessage) -> Bool {
    message.event.carbon != .sent && message.postponed == nil && message.event.relations.isEmpty
      && message.event.countsAsUnread
  }

  /// What is not known by an id is not looked up.
  private static func isSought(_ message: ArrivedMessage) -> Bool {
    message.archiveID != nil || message.hasUniqueID || message.mayBeRepeated
  }

  /// Whether one of those that wait may be the same as a message that may wait, too.
  func hasAlike(_ message: ArrivedMessage) -> Bool {
    guard !waiting.isEmpty, Self.isSought(message) else { return false }
    let marks = Marks(of: message)
    return waiting.contains { $0.marks?.mayBe(marks) ?? true }
  }

  /// Adds a message that may wait.
  /// - Parameter index: its place among the messages.
  mutating func add(
    _ index: Int, as seq: Int64, isStrangers: Bool, _ database: Database
  ) throws(DatabaseError) {
    let marks = hasSought ? Marks(of: messages[index]) : nil
    waiting.append(Place(index: index, seq: seq, isStrangers: isStrangers, marks: marks))
    if waiting.count == Self.atOnce { try write(database) }
  }

  /// Writes those that wait.
  mutating func write(_ database: Database) throws(DatabaseError) {
    defer { waiting.removeAll(keepingCapacity: true) }
    guard waiting.count == Self.atOnce else {
      for place in waiting {
        try Self.insert(
          messages[place.index], as: place.seq, owner: owner, isStrangers: place.isStrangers, database)
      }
      return
    }
    // What is wrong ends the transaction: to be able to undo this statement alone, SQLite would keep copies of pages. All columns, in the
    // order of the table: then each value is read into its place, and not copied there (3 % of what SQLite does for a row).
    try database.run(
      """
      INSERT OR FAIL INTO message
        (seq, conversation, sender, recipient, is_outgoing, stanza, archive, kind, body, written, carbon, owner, state,
         error, is_open, received, is_late, is_unique, claimed_archive, first_sent, strangers_bytes, relation, refers,
         reactions, reply_to, quote, questions, payload, room_bytes)
      VALUES
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?),
        (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, ?, ?, ?)
      """
    ) { values in
      for place in waiting {
        Self.bind(
          messages[place.index], as: place.seq, owner: owner, isStrangers: place.isStrangers, to: &values)
      }
    }
  }

  /// Inserts the row of one message.
  static func insert(
    _ message: ArrivedMessage, as seq: Int64, owner: Int, isStrangers: Bool, _ database: Database
  ) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO message
        (seq, conversation, sender, recipient, stanza, archive, kind, body, written, carbon, owner, received, is_late,
         is_unique, claimed_archive, first_sent, strangers_bytes, questions, payload, room_bytes, is_open, is_outgoing,
         state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
      """
    ) { values in
      bind(message, as: seq, owner: owner, isStrangers: isStrangers, to: &values)
      let isOutgoing = message.event.carbon == .sent
      values.bind(isOutgoing)
      values.bind(isOutgoing ? (message.exportedState ?? .server).name : nil)
    }
  }

  /// Binds what both statements take for one row. Those that may wait are theirs, and so have no state.
  private static func bind(
    _ message: ArrivedMessage, as seq: Int64, owner: Int, isStrangers: Bool, to values: inout StatementValues
  ) {
    let event = message.event
    let isOutgoing = event.carbon == .sent
    // What is only said to be the archive's id must take it from nobody.
    let isPlaced = seq > MessageTable.firstPlace
    let payload = event.hasPayload ? Payloads.text(event.payload) : nil
    let isRooms = event.kind == .groupchat && !isOutgoing
    let bytes =
      isStrangers || isRooms ? event.textBytes + (payload?.utf8.count ?? 0) + message.bytesBesideText : 0
    values.bind(seq)
    values.bind(message.conversation.description)
    values.bind(event.from.description)
    values.bind(event.to.description)
    values.bind(event.id)
    values.bind(isPlaced ? message.archiveID : nil)
    values.bind(event.kind.rawValue)
    values.bind(event.body)
    values.bind(message.time.milliseconds)
    values.bind(message.exportedState == nil ? event.carbon?.rawValue : nil)
    values.bind(owner)
    values.bind(message.received.milliseconds)
    values.bind(message.mayBeRepeated)
    values.bind(message.hasUniqueID)
    values.bind(isPlaced ? nil : message.archiveID)
    values.bind(message.firstSent?.milliseconds)
    values.bind(isStrangers ? bytes : nil)
    values.bind(event.questions.rawValue)
    values.bind(payload)
    values.bind(isRooms ? max(bytes, StoreLimits.leastRoomBytes) : nil)
  }
}
